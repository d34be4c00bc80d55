//! The collector of changed files, over looks that hang, break and change their mind.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use attachments::{Bus, BusLimits, ChangedFilesCollector, Runs};
use context_api::{
    Attachment, ChangeReport, FileChange, FileChanges, FileLook, FileState, StateChange, StatesView, Threads,
    TurnParts,
};

use crate::support::*;

/// What looks at a path find, the last one for ever.
#[derive(Clone)]
enum Found {
    Changed,
    Gone,
    Same,
    Panic,
    Hang(Arc<Gate>),
}

#[derive(Default)]
struct Disk(Mutex<BTreeMap<String, Vec<Found>>>);

impl Disk {
    fn set(&self, path: &str, found: impl IntoIterator<Item = Found>) {
        self.0.lock().unwrap().insert(path.to_owned(), found.into_iter().collect());
    }

    fn next(&self, path: &str) -> Found {
        let mut all = self.0.lock().unwrap();
        let found = all.get_mut(path).unwrap();
        if found.len() > 1 { found.remove(0) } else { found[0].clone() }
    }
}

impl FileChanges for Disk {
    fn look(&self, state: &FileState) -> FileLook {
        match self.next(state.path.to_str().unwrap()) {
            Found::Changed => FileLook::Changed(Box::default(), Box::new(state.clone())),
            Found::Gone => FileLook::Gone,
            Found::Same => FileLook::Same,
            Found::Panic => panic!("on demand"),
            Found::Hang(gate) => {
                gate.wait();
                FileLook::Same
            }
        }
    }

    fn second_look_after(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn report(&self, looks: Vec<(Arc<FileState>, FileLook)>) -> ChangeReport {
        let mut report = ChangeReport::default();
        for (state, look) in looks {
            match look {
                FileLook::Changed(..) => report.changes.push(FileChange::default().path(state.path.clone())),
                FileLook::Gone => report.removed.push(state.path.clone()),
                _ => {}
            }
        }
        report
    }
}

struct Told {
    changed: Vec<String>,
    removed: Vec<String>,
    decided: Vec<(String, String)>,
}

struct Session {
    disk: Arc<Disk>,
    bus: Bus,
    runs: Runs,
    paths: Vec<String>,
}

impl Session {
    fn new(threads: Arc<dyn Threads>, deadline: Duration, paths: &[&str]) -> Self {
        let disk = Arc::new(Disk::default());
        let mut limits = BusLimits::default();
        limits.deadline = deadline;
        let mut bus = Bus::new(Arc::clone(&threads), limits);
        bus.register(Arc::new(ChangedFilesCollector::new(disk.clone(), threads)));
        let paths: Vec<String> = paths.iter().map(|name| format!("/p/{name}")).collect();
        paths.iter().for_each(|path| disk.set(path, [Found::Changed]));
        Self { disk, bus, runs: Runs::new(), paths }
    }

    fn turn(&self) -> Told {
        let mut parts: TurnParts = parts("");
        parts.input = None;
        let state = |path: &String| Arc::new(FileState::default().path(path.as_str()));
        parts.files = StatesView::new(self.paths.iter().map(state));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let collection = runtime.block_on(self.bus.collect(parts, &self.runs));
        let changed = collection.drafts.iter().map(|draft| match &draft.attachment {
            Attachment::EditedTextFile(file) => file.display_path.clone(),
            other => panic!("{other:?}"),
        });
        let removed = collection.states.iter().map(|change| match change {
            StateChange::Remove(path) => path.display().to_string(),
            other => panic!("{other:?}"),
        });
        let decided = collection.decisions.iter().map(|one| (one.subject.clone(), one.reason.clone()));
        Told { changed: changed.collect(), removed: removed.collect(), decided: decided.collect() }
    }
}

fn pairs(all: &[(String, String)]) -> Vec<(&str, &str)> {
    all.iter().map(|(one, other)| (one.as_str(), other.as_str())).collect()
}

#[test]
fn files_that_hang_cost_no_other_its_notice_and_are_not_looked_at_again() {
    within_seconds(|| {
        let names = ["a", "b", "c", "d", "e", "f"];
        let session = Session::new(Arc::new(Spawner::default()), Duration::from_secs(1), &names);
        let gate = Arc::new(Gate::default());
        session.disk.set("/p/a", [Found::Hang(Arc::clone(&gate)), Found::Changed]);
        session.disk.set("/p/d", [Found::Hang(Arc::clone(&gate)), Found::Changed]);
        let told = session.turn();
        assert_eq!(told.changed, ["b", "c", "e", "f"]);
        assert_eq!(pairs(&told.decided), [("a", "deadline"), ("d", "deadline")]);
        let told = session.turn();
        assert_eq!(told.changed, ["b", "c", "e", "f"]);
        assert_eq!(pairs(&told.decided), [("a", "still_running"), ("d", "still_running")]);
        gate.open();
        while !session.turn().decided.is_empty() {}
        assert_eq!(session.turn().changed, names, "what answers again is told again");
    });
}

#[test]
fn a_look_that_panics_costs_itself() {
    within_seconds(|| {
        let session = Session::new(Arc::new(Spawner::default()), Duration::from_secs(15), &["a", "b", "c"]);
        session.disk.set("/p/b", [Found::Panic]);
        let told = session.turn();
        assert_eq!(told.changed, ["a", "c"]);
        assert_eq!(pairs(&told.decided), [("b", "reader_panicked")]);
    });
}

#[test]
fn only_a_file_that_is_gone_twice_is_removed() {
    within_seconds(|| {
        let session = Session::new(Arc::new(Spawner::default()), Duration::from_secs(15), &["a", "b", "c"]);
        session.disk.set("/p/a", [Found::Gone]);
        session.disk.set("/p/b", [Found::Gone, Found::Changed]);
        session.disk.set("/p/c", [Found::Gone, Found::Same]);
        let told = session.turn();
        assert_eq!((told.changed, told.removed), (vec!["b".to_owned()], vec!["/p/a".to_owned()]));
        assert!(told.decided.is_empty());
    });
}

#[test]
fn more_hanging_files_than_threads_to_spare_are_told_one_by_one() {
    within_seconds(|| {
        let names: Vec<String> = (0..9).map(|n| n.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let threads = Arc::new(Spawner::default());
        let session = Session::new(threads.clone(), Duration::from_secs(1), &names);
        let gate = Arc::new(Gate::default());
        session.paths.iter().for_each(|path| session.disk.set(path, [Found::Hang(Arc::clone(&gate))]));
        let told = session.turn();
        assert!(told.changed.is_empty());
        assert_eq!(told.decided.len(), 9);
        assert!(told.decided.iter().all(|(_, reason)| reason == "deadline"));
        assert!(threads.started() <= 4, "a dead mount does not take all threads");
        gate.open();
    });
}

#[test]
fn without_a_thread_each_file_is_told() {
    let session = Session::new(Arc::new(Stuck), Duration::from_secs(15), &["a", "b"]);
    assert_eq!(pairs(&session.turn().decided), [("a", "io_stalled"), ("b", "io_stalled")]);
}
