//! The collector of mentions, on a disk that may hang.

use std::sync::Arc;
use std::time::Duration;

use attachments::{Bus, BusLimits, MentionLimits, MentionSources, Mentions, Runs};
use context_api::{Attachment, FileState, Source, StateChange, StatesView, TurnParts, Verdict};
use context_testkit::{Fault, FaultyFs, Place};

use crate::support::*;

fn bus(files: Arc<FaultyFs>, place: &Place, deadline: Duration) -> Bus {
    let threads = Arc::new(Spawner::default());
    let mut limits = BusLimits::default();
    limits.deadline = deadline;
    let mut bus = Bus::new(threads.clone(), limits);
    let sources = MentionSources::new(Arc::new(files), Arc::new(PlainReader), Some(place.home()));
    bus.register(Arc::new(Mentions::new(sources, threads, MentionLimits::default())));
    bus
}

fn run(bus: &Bus, parts: TurnParts) -> attachments::Collection {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(bus.collect(parts, &Runs::new()))
}

fn shown(collection: &attachments::Collection) -> Vec<String> {
    collection
        .drafts
        .iter()
        .map(|draft| match &draft.attachment {
            Attachment::File(file) => match file.lines {
                Some(lines) => {
                    format!("{}#{}-{}", file.display_path, lines.start, lines.end.unwrap_or_default())
                }
                None => file.display_path.clone(),
            },
            Attachment::AlreadyReadFile(file) => format!("known {}", file.display_path),
            Attachment::Directory(directory) => format!("{}/", directory.display_path),
            Attachment::AgentMention(mention) => format!("agent {}", mention.agent),
            other => other.type_name().to_owned(),
        })
        .collect()
}

const LONG: Duration = Duration::from_secs(15);

#[test]
fn one_path_that_hangs_costs_no_other_and_is_not_looked_at_again() {
    within_seconds(|| {
        let place = Place::new();
        for name in ["a", "b", "c"] {
            place.write(name, name);
        }
        let files = FaultyFs::new();
        files.fail(place.path("b"), Fault::Hang);
        let bus = bus(Arc::clone(&files), &place, Duration::from_millis(300));
        let collection = run(&bus, parts_in(&place.proj(), "@a @b @c"));
        assert_eq!(shown(&collection), ["a", "c"]);
        assert_eq!(collection.decisions.len(), 1);
        assert_eq!(collection.decisions[0].subject, "b");
        assert_eq!(collection.decisions[0].verdict, Verdict::TimedOut);
        let calls = files.calls();
        let again = run(&bus, parts_in(&place.proj(), "@b"));
        assert_eq!(again.decisions[0].reason, "still_running");
        assert_eq!(files.calls(), calls, "no second thread goes where one hangs");
        files.release();
    });
}

#[test]
fn the_same_target_twice_is_one_and_ranges_of_it_are_kept_apart() {
    let place = Place::new();
    place.write("src/a.rs", "1\n2\n3\n");
    let bus = bus(FaultyFs::new(), &place, LONG);
    let text = "@src/a.rs @./src/a.rs @src/a.rs#L1-2 @src/a.rs:1-2 @src/a.rs:3 @src @src/ (@src/a.rs)";
    let collection = run(&bus, parts_in(&place.proj(), text));
    assert_eq!(shown(&collection), ["src/a.rs", "src/a.rs#1-2", "src/a.rs#3-3", "src/"]);
}

#[test]
fn what_the_model_has_is_named_and_not_sent_again() {
    let place = Place::new();
    let path = place.write("a", "text");
    let bus = bus(FaultyFs::new(), &place, LONG);
    let mut parts = parts_in(&place.proj(), "@a");
    let state = FileState::default().path(path.clone()).hash("text");
    parts.files = StatesView::new([Arc::new(state.clone())]);
    let collection = run(&bus, parts.clone());
    assert_eq!(shown(&collection), ["known a"]);
    assert!(
        matches!(collection.drafts[0].states[..], [StateChange::Refresh { .. }]),
        "the new facts are learnt"
    );
    std::fs::write(&path, "other").unwrap();
    assert_eq!(shown(&run(&bus, parts.clone())), ["a"], "another content is sent");
    parts.files = StatesView::new([Arc::new(state.is_partial_view(true))]);
    std::fs::write(&path, "text").unwrap();
    assert_eq!(shown(&run(&bus, parts)), ["a"], "a part view is not the file");
}

#[test]
fn an_agent_that_is_known_wins_and_other_names_are_files() {
    let place = Place::new();
    place.write("agent-notes.md", "x");
    let bus = bus(FaultyFs::new(), &place, LONG);
    let mut parts =
        parts_in(&place.proj(), "@agent-reviewer, @\"reviewer (agent)\" @agent-notes.md @agent-ghost");
    let mut host = context_api::HostSnapshot::default();
    host.catalog.agents = Source::ready([context_api::AgentSpec::default().name("reviewer")]);
    parts.host = Arc::new(host);
    let collection = run(&bus, parts);
    let shown = shown(&collection);
    assert!(
        shown.contains(&"agent reviewer".to_owned()) && shown.contains(&"agent-notes.md".to_owned()),
        "{shown:?}"
    );
    assert_eq!(collection.decisions[0].reason, "not_found");
}

#[test]
fn beyond_a_hundred_mentions_each_is_a_decision() {
    let place = Place::new();
    let text: String = (0..130)
        .map(|at| {
            place.write(&format!("f{at}"), "x");
            format!("@f{at} ")
        })
        .collect();
    let bus = bus(FaultyFs::new(), &place, LONG);
    let collection = run(&bus, parts_in(&place.proj(), &text));
    assert_eq!(collection.drafts.len(), 100);
    assert_eq!(collection.decisions.iter().filter(|one| one.reason == "too_many_mentions").count(), 30);
}

#[test]
fn words_of_the_host_name_nothing() {
    let place = Place::new();
    place.write("a", "x");
    let bus = bus(FaultyFs::new(), &place, LONG);
    let mut parts = parts_in(&place.proj(), "@a");
    parts.input.as_mut().unwrap().is_meta = true;
    assert!(run(&bus, parts).drafts.is_empty());
}
