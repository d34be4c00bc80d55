//! What a sub-agent inherits of the context.

use agent_core::context_api::{
    AttachmentMode, ContextProfile, EntryKind, InvalidateEvent, MemoryKind, TouchKind,
};
use agent_core::transcript::MemoryStore;
use agent_core::{Session, SessionOptions};
use context_testkit::Place;

use crate::support::*;

/// A project with memory on each level, a rule, a skill, and a repository.
fn place() -> Place {
    let place = Place::new();
    place.run("git", &["init", "-q", "-b", "trunk", "."]);
    place.write("{managed}/CLAUDE.md", "MARK_MANAGED\n");
    place.write("{home}/.claude/CLAUDE.md", "MARK_USER\n");
    place.write("CLAUDE.md", "MARK_PROJECT\n");
    place.write("CLAUDE.local.md", "MARK_LOCAL\n");
    place.write(".claude/rules/a.md", "MARK_RULE\n");
    place.write("src/CLAUDE.md", "MARK_NESTED\n");
    place
        .write(".claude/skills/polish/SKILL.md", "---\nname: polish\ndescription: MARK_SKILL\n---\nDo it.\n");
    place
}

fn agent_of(session: &Session, profile: ContextProfile) -> Session {
    session.agent("helper", SessionOptions::default().profile(profile))
}

fn seen(session: &mut Session) -> (String, Vec<String>) {
    let turn = prompt(session, "Look at @src/CLAUDE.md");
    let hidden = turn.decisions.iter().filter(|one| one.reason == "context_profile");
    let hidden = hidden.map(|one| one.subject.rsplit('/').next().unwrap_or_default().to_owned()).collect();
    (texts(&turn.request.unwrap()), hidden)
}

fn marks(text: &str) -> Vec<&str> {
    let all = ["MANAGED", "USER", "PROJECT", "LOCAL", "RULE", "SKILL", "trunk"];
    all.into_iter().filter(|mark| text.contains(mark)).collect()
}

#[test]
fn each_profile_shows_what_it_says_and_names_the_files_it_hides() {
    let place = place();
    let mut session = session(&place);
    let (text, hidden) = seen(&mut session);
    assert_eq!(marks(&text), ["MANAGED", "USER", "PROJECT", "LOCAL", "RULE", "SKILL", "trunk"]);
    assert!(hidden.is_empty(), "{hidden:?}");

    let (text, hidden) = seen(&mut agent_of(&session, ContextProfile::full()));
    assert_eq!(marks(&text), ["MANAGED", "USER", "PROJECT", "LOCAL", "RULE", "SKILL", "trunk"]);
    assert!(hidden.is_empty(), "{hidden:?}");

    let (text, hidden) = seen(&mut agent_of(&session, ContextProfile::lean()));
    assert_eq!(marks(&text), ["MANAGED", "PROJECT", "RULE"]);
    assert!(text.contains("MARK_NESTED"), "mentions come: {text}");
    assert_eq!(hidden, ["git", "skills", "CLAUDE.md", "CLAUDE.local.md"]);

    let (text, hidden) = seen(&mut agent_of(&session, ContextProfile::bare()));
    assert_eq!(marks(&text), ["MANAGED"]);
    assert!(!text.contains("MARK_NESTED"), "no mentions: {text}");
    assert_eq!(hidden.len(), 6, "{hidden:?}");
}

#[test]
fn what_the_parent_read_is_new_to_an_agent_that_may_edit_it_all_the_same() {
    let place = Place::new();
    place.write("src/a.txt", "MARK_TEXT\n");
    place.write("src/CLAUDE.md", "MARK_NESTED\n");
    let mut session = session(&place);
    prompt(&mut session, "@src/a.txt @src/CLAUDE.md");
    let mut agent = session.agent("helper", SessionOptions::default());
    assert!(agent.may_edit(&place.path("src/a.txt")).is_ok());
    let text = texts(&prompt(&mut agent, "@src/a.txt").request.unwrap());
    assert!(text.contains("MARK_TEXT") && text.contains("MARK_NESTED"), "{text}");
    let again = texts(&prompt(&mut agent, "again @src/a.txt").request.unwrap());
    assert_eq!(again.matches("MARK_TEXT").count(), 1, "{again}");
}

#[test]
fn rules_and_nested_memory_follow_the_profile() {
    let place = place();
    place.write(".claude/rules/typed.md", "---\npaths: src/**\n---\nMARK_TYPED\n");
    place.write("src/a.rs", "fn a() {}\n");
    let session = session(&place);
    let touched = |profile: ContextProfile| {
        let mut agent = agent_of(&session, profile);
        agent.touched("src/a.rs", TouchKind::Read);
        let turn = prompt(&mut agent, "go on");
        let hidden = turn.decisions.iter().filter(|one| one.reason == "context_profile").count();
        (texts(&turn.request.unwrap()), hidden)
    };
    let (text, hidden) = touched(ContextProfile::full().without_rules(true));
    assert!(
        text.contains("MARK_NESTED") && !text.contains("MARK_TYPED") && !text.contains("MARK_RULE"),
        "{text}"
    );
    assert_eq!(hidden, 2);
    let (text, _) = touched(ContextProfile::full().without_memory([MemoryKind::Project]));
    assert!(!text.contains("MARK_NESTED") && !text.contains("MARK_TYPED"), "{text}");
}

#[test]
fn a_resumed_session_leaves_out_what_it_left_out() {
    let place = place();
    let engine = builder(&place).store(MemoryStore::default()).build().unwrap();
    let mut session = engine.session(SessionOptions::default().id("s").profile(ContextProfile::lean()));
    prompt(&mut session, "hello");
    drop(session);
    let mut resumed = wait(engine.resume("s", SessionOptions::default())).unwrap();
    resumed.invalidate(InvalidateEvent::Clear, "");
    let (text, _) = seen(&mut resumed);
    assert_eq!(marks(&text), ["MANAGED", "PROJECT", "RULE"]);
    drop(resumed);
    let full = || SessionOptions::default().profile(ContextProfile::full());
    let mut resumed = wait(engine.resume("s", full())).unwrap();
    assert_eq!(
        marks(&seen(&mut resumed).0),
        ["MANAGED", "USER", "PROJECT", "LOCAL", "RULE", "SKILL", "trunk"]
    );
}

#[test]
fn another_profile_takes_hold_at_once_by_a_named_reason_and_is_kept() {
    let place = place();
    let engine = builder(&place).store(MemoryStore::default()).build().unwrap();
    let mut session = engine.session(SessionOptions::default().id("s"));
    prompt(&mut session, "hello");
    drop(session);
    let lean = SessionOptions::default().profile(ContextProfile::lean());
    let mut resumed = wait(engine.resume("s", lean)).unwrap();
    let named = resumed.history().iter().any(
        |entry| matches!(&entry.kind, EntryKind::Invalidate(reason) if reason.detail == "context profile"),
    );
    assert!(named);
    let (text, hidden) = seen(&mut resumed);
    assert!(!text.contains("MARK_USER") && !text.contains("trunk"), "{text}");
    assert_eq!(hidden, ["relevant_memories", "git", "skills", "CLAUDE.md", "CLAUDE.local.md"]);
    drop(resumed);
    let mut again = wait(engine.resume("s", SessionOptions::default())).unwrap();
    again.invalidate(InvalidateEvent::MemoryEdited, "");
    assert!(!seen(&mut again).0.contains("MARK_USER"));
}

#[test]
fn notes_that_a_profile_leaves_out_are_not_looked_for() {
    let place = Place::new();
    let notes = place.home().join("notes");
    place.write("{home}/notes/deploy.md", "how we deploy the servers MARK_NOTE\n");
    let engine = builder(&place)
        .memory_options(move |its| its.auto_memory_dir = Some(notes))
        .options(|its| its.limits.memories_wait = std::time::Duration::from_secs(20))
        .build()
        .unwrap();
    let told = |profile: ContextProfile| {
        let mut session = engine.session(SessionOptions::default().profile(profile));
        let turn = prompt(&mut session, "how do we deploy the servers");
        session.look_for_memories("how we deploy the servers");
        let next = prompt(&mut session, "so what about the servers");
        let hidden = [&turn, &next].map(|turn| {
            let of = turn.decisions.iter().filter(|one| one.subject == "relevant_memories");
            of.map(|one| one.reason.clone()).collect::<Vec<_>>()
        });
        (texts(&next.request.unwrap()).contains("MARK_NOTE"), hidden)
    };
    assert!(told(ContextProfile::full()).0);
    let (shown, [first, second]) = told(ContextProfile::full().without_memory([MemoryKind::AutoMem]));
    assert!(!shown);
    assert_eq!((first, second), (vec!["context_profile".to_owned()], vec!["context_profile".to_owned()]));
}

#[test]
fn a_word_on_includes_that_was_taken_back_stays_taken_back() {
    let place = Place::new();
    let outside = place.write("{out}/shared.md", "MARK_OUTSIDE\n");
    place.write("CLAUDE.md", format!("@{}\n", outside.display()));
    let engine = builder(&place).store(MemoryStore::default()).build().unwrap();
    let mut session = engine.session(SessionOptions::default().id("s"));
    prompt(&mut session, "hello");
    for approved in [false, true, false] {
        session.approve_includes(approved);
        session.invalidate(InvalidateEvent::MemoryEdited, "");
    }
    wait(session.flush());
    drop(session);
    let mut resumed = wait(engine.resume("s", SessionOptions::default())).unwrap();
    assert!(!texts(&prompt(&mut resumed, "again").request.unwrap()).contains("MARK_OUTSIDE"));
}

#[test]
fn approved_includes_stay_approved_behind_a_pause() {
    let place = Place::new();
    place.write("{out}/shared.md", "MARK_OUTSIDE\n");
    let outside = place.path("{out}/shared.md");
    place.write("CLAUDE.md", format!("@{}\n", outside.display()));
    let engine = builder(&place).store(MemoryStore::default()).build().unwrap();
    let mut session = engine.session(SessionOptions::default().id("s"));
    assert!(!texts(&prompt(&mut session, "hello").request.unwrap()).contains("MARK_OUTSIDE"));
    session.approve_includes(true);
    session.invalidate(InvalidateEvent::MemoryEdited, "");
    wait(session.flush());
    drop(session);
    let mut resumed = wait(engine.resume("s", SessionOptions::default())).unwrap();
    assert!(texts(&prompt(&mut resumed, "again").request.unwrap()).contains("MARK_OUTSIDE"));
}

#[test]
fn a_cost_can_be_asked_before_an_agent_is_made() {
    let place = place();
    place.write("CLAUDE.md", "word ".repeat(1_000));
    let mut session = session(&place);
    prompt(&mut session, "hello");
    let [full, lean, bare] = [ContextProfile::full(), ContextProfile::lean(), ContextProfile::bare()]
        .map(|profile| wait(session.profile_cost(&profile)));
    assert!(full.git > 0 && full.skills > 0 && full.memory > lean.memory, "{full:?}");
    assert!(lean.memory > 1_000 && lean.git == 0 && lean.skills == 0, "{lean:?}");
    assert!(bare.total() < 200 && bare.memory > 0, "{bare:?}");
    assert_eq!(full.total(), full.memory + full.git + full.skills);
    assert_eq!(AttachmentMode::On.fewer(AttachmentMode::Simple), AttachmentMode::Simple);
}

#[test]
fn skills_that_a_profile_leaves_out_are_not_looked_for_and_that_is_told() {
    let place = place();
    let engine = builder(&place).build().unwrap();
    for profile in [ContextProfile::lean(), ContextProfile::bare()] {
        let mut session = engine.session(SessionOptions::default().profile(profile));
        session.look_for_skills("make a release");
        let turn = prompt(&mut session, "hello");
        let told = turn.decisions.iter().filter(|one| one.subject == "skill_discovery").count();
        assert_eq!(told, 1, "{:?}", turn.decisions);
    }
}
