//! Parts that hang, fail or panic cost what they bring and nothing else.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agent_core::context_api::{
    Batch, Decision, Entry, Fork, GitError, GitOptions, GitRun, GitSnapshot, GitSource, Head, Loaded,
    MemoryError, MemoryFile, MemoryLoad, MemoryLoader, MemoryScope, QueuedInput, Reach, Status, StoreError,
    StoreErrorKind, TouchKind, TranscriptStore, Verdict,
};
use agent_core::{SessionOptions, Turn};
use async_trait::async_trait;
use context_testkit::{Fault, FaultyFs, Place};

use crate::support::*;

fn verdict<'a>(decisions: &'a [Decision], subject: &str) -> Option<(Verdict, &'a str)> {
    let found = decisions.iter().find(|decision| decision.subject == subject)?;
    Some((found.verdict, &found.reason))
}

#[test]
fn a_memory_file_that_hangs_delays_the_first_request_by_its_limit_and_no_more() {
    within_seconds(|| {
        let place = Place::new();
        let path = place.write("CLAUDE.md", "MARK\n");
        place.write("a.txt", "MARK_A\n");
        let files = FaultyFs::new();
        files.fail(path, Fault::Hang);
        let engine = builder(&place)
            .files(Arc::clone(&files))
            .options(|options| options.limits.memory_wait = Duration::from_millis(300))
            .build()
            .unwrap();
        let mut session = engine.session(SessionOptions::default());
        session.queue(QueuedInput::default().mode("prompt").text("MARK_QUEUED"));
        let prepared = prompt(&mut session, "see @a.txt");
        assert_eq!(verdict(&prepared.decisions, "memory"), Some((Verdict::TimedOut, "deadline")));
        let text = texts(&prepared.request.unwrap());
        assert!(text.contains("MARK_A") && text.contains("MARK_QUEUED") && !text.contains("MARK\n"));
        files.release();
    });
}

#[test]
fn memory_for_a_path_that_did_not_answer_comes_once_it_does() {
    within_seconds(|| {
        let place = Place::new();
        let nested = place.write("src/CLAUDE.md", "MARK_NESTED\n");
        place.write("src/a.rs", "fn a() {}\n");
        let files = FaultyFs::new();
        let mut session =
            builder(&place).files(Arc::clone(&files)).build().unwrap().session(SessionOptions::default());
        files.fail(nested, Fault::Hang);
        session.touched("src/a.rs", TouchKind::Read);
        let turn = Turn::prompt("hi").deadline(Duration::from_millis(200));
        let prepared = wait(session.prepare(turn)).unwrap();
        let path = place.proj().join("src/a.rs");
        let told = verdict(&prepared.decisions, &path.to_string_lossy());
        assert_eq!(told, Some((Verdict::TimedOut, "deadline")));
        assert!(!texts(&prepared.request.unwrap()).contains("MARK_NESTED"));
        files.release();
        while !texts(&prompt(&mut session, "and now").request.unwrap()).contains("MARK_NESTED") {}
        let after = prompt(&mut session, "after that");
        assert!(after.entries.iter().all(|entry| entry.attachment().is_none()), "it comes once");
    });
}

/// A repository that never says what it looks like, but which branch it is on.
struct EndlessGit;

impl GitSource for EndlessGit {
    fn snapshot(&self, _: &Path, _: &GitOptions, run: &GitRun) -> Result<Option<GitSnapshot>, GitError> {
        run.report(GitSnapshot::new(Head::Branch { name: "MARK_BRANCH".into() }, Default::default()));
        loop {
            std::thread::park();
        }
    }

    fn render(&self, snapshot: &GitSnapshot) -> (String, Vec<Decision>) {
        assert_eq!(snapshot.status, Status::Unfinished);
        (format!("{:?}", snapshot.branch), Vec::new())
    }
}

#[test]
fn an_endless_scan_still_gives_what_was_known_by_then() {
    within_seconds(|| {
        let place = Place::new();
        let engine = builder(&place)
            .git(EndlessGit)
            .options(|options| options.git.budget = Duration::from_millis(200))
            .build()
            .unwrap();
        let prepared = prompt(&mut engine.session(SessionOptions::default()), "hi");
        assert_eq!(verdict(&prepared.decisions, "git"), Some((Verdict::TimedOut, "deadline")));
        assert!(texts(&prepared.request.unwrap()).contains("MARK_BRANCH"));
    });
}

struct PanickingMemory;

impl MemoryLoader for PanickingMemory {
    fn load(&self, _: &MemoryScope) -> Result<MemoryLoad, MemoryError> {
        panic!("on purpose")
    }
    fn load_for_path(&self, _: &MemoryScope, _: &Path) -> Result<MemoryLoad, MemoryError> {
        panic!("on purpose")
    }
    fn render(&self, _: &[MemoryFile]) -> String {
        String::new()
    }
}

#[test]
fn a_loader_that_panics_is_a_decision() {
    let place = Place::new();
    place.write("a.txt", "MARK_A\n");
    let engine = builder(&place).memory(PanickingMemory).build().unwrap();
    let prepared = prompt(&mut engine.session(SessionOptions::default()), "see @a.txt");
    assert_eq!(verdict(&prepared.decisions, "memory"), Some((Verdict::Failed, "panicked")));
    assert!(
        prepared.decisions.iter().any(|decision| decision.reason == "reader_panicked"),
        "nested memory too"
    );
    assert!(texts(&prepared.request.unwrap()).contains("MARK_A"));
}

/// Takes nothing the first two times. Cheap to clone.
#[derive(Default, Clone)]
struct Reluctant(Arc<std::sync::Mutex<(u32, Vec<Arc<Entry>>)>>);

#[async_trait]
impl TranscriptStore for Reluctant {
    async fn append(&self, batch: Batch) -> Result<(), StoreError> {
        let mut state = self.0.lock().unwrap();
        state.0 += 1;
        if state.0 <= 2 {
            return Err(StoreError::new(batch.session, StoreErrorKind::Failed, "the disk is full"));
        }
        state.1.extend(batch.entries);
        Ok(())
    }

    async fn load(&self, _: &str, reach: Reach) -> Result<Loaded, StoreError> {
        Ok(Loaded::of(&self.0.lock().unwrap().1, reach))
    }

    async fn fork(&self, fork: Fork) -> Result<(), StoreError> {
        Err(StoreError::new(fork.to, StoreErrorKind::Failed, "it does not fork"))
    }

    async fn claim(&self, session: &str) -> Result<(), StoreError> {
        let kind = if session == "taken" { StoreErrorKind::InUse } else { StoreErrorKind::Failed };
        Err(StoreError::new(session, kind, "it can not be claimed"))
    }
}

#[test]
fn a_session_that_can_not_be_claimed_is_gone_on_with_and_said_unless_somebody_has_it() {
    let place = Place::new();
    let engine = builder(&place).store(Reluctant::default()).build().unwrap();
    assert!(context_testkit::wait(engine.resume("taken", SessionOptions::default())).is_err());
    let mut session = context_testkit::wait(engine.resume("free", SessionOptions::default())).unwrap();
    let prepared = prompt(&mut session, "go on");
    assert!(prepared.decisions.iter().any(|decision| decision.reason == "session_not_claimed"));
}

#[test]
fn a_store_that_fails_gets_every_line_later_in_order() {
    let place = Place::new();
    let store = Reluctant::default();
    let engine = builder(&place).store(store.clone()).build().unwrap();
    let mut session = engine.session(SessionOptions::default());
    for (turn, failing) in [("one", true), ("two", true), ("three", false)] {
        let prepared = prompt(&mut session, turn);
        assert_eq!(verdict(&prepared.decisions, "transcript").is_some(), failing, "{turn}");
        assert_eq!(prepared.ui.iter().any(|event| event.kind == "transcript"), failing, "{turn}");
        assert!(prepared.request.is_some(), "the turn goes on");
    }
    let kept = wait(store.load("", Reach::All)).unwrap().entries;
    assert_eq!(lines(&kept), lines(session.history()));
}

#[test]
fn without_any_optional_part_there_is_still_a_request() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK\n");
    let engine =
        builder(&place).without_memory().without_git().without_reader().without_dialect().build().unwrap();
    let mut session = engine.session(SessionOptions::default());
    let prepared = wait(session.prepare(Turn::prompt("hello @a"))).unwrap();
    let text = texts(&prepared.request.unwrap());
    assert!(text.contains("hello @a") && !text.contains("MARK"));
}
