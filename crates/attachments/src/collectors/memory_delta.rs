//! Memory files that changed after they were shown.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    CollectError, Collector, Decision, DeliveryKey, Draft, FileSystem, Follow, Ledger, MemoryDelta,
    MemoryFile, MemoryLoader, MemoryScope, Outbox, Stage, Threads, TurnView, Verdict, Work, path_key,
    path_of_key,
};

use super::nested_memory::TRIGGER;
use crate::paths::shown;
use crate::reads::{Looked, Reads};

/// Tells the new text of memory files that were shown and changed on the disk since. The prefix that holds the old text
/// stays as it is.
pub struct MemoryDeltaCollector {
    loader: Arc<dyn MemoryLoader>,
    files: Arc<dyn FileSystem>,
    reads: Reads,
}

impl MemoryDeltaCollector {
    /// A collector that asks `loader` on `threads`, and `files` whether one that is missing is gone.
    pub fn new(loader: Arc<dyn MemoryLoader>, files: Arc<dyn FileSystem>, threads: Arc<dyn Threads>) -> Self {
        Self { loader, files, reads: Reads::new(threads) }
    }
}

#[async_trait]
impl Collector for MemoryDeltaCollector {
    fn label(&self) -> &str {
        "memory_delta"
    }

    fn stage(&self) -> Stage {
        Stage::Everywhere
    }

    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let shown = shown_before(turn);
        if shown.is_empty() {
            return Ok(());
        }
        let (loader, files) = (Arc::clone(&self.loader), Arc::clone(&self.files));
        let subject = Subject { scope: turn.memory.clone(), triggers: triggers(turn), shown: shown.clone() };
        let subjects = vec![(turn.memory.cwd.clone(), subject)];
        let looked = self.reads.all(turn, subjects, move |subject| look(&*loader, &*files, &subject)).await;
        match looked.into_iter().next().map(Looked::into_result) {
            Some(Ok(changes)) => {
                changes.into_iter().try_for_each(|change| Ok(out.push(draft(turn, change))?))
            }
            Some(Err(why)) => Ok(out.decide(not_checked(&why))?),
            None => Ok(()),
        }
    }
}

/// What is looked up.
struct Subject {
    scope: MemoryScope,
    triggers: Vec<PathBuf>,
    shown: BTreeMap<String, String>,
}

/// What came of one file that was shown.
enum Change {
    Text(MemoryFile),
    Gone(PathBuf),
}

/// Canonical path and digest of each memory file that the model sees, those of this very request left out.
fn shown_before(turn: &TurnView) -> BTreeMap<String, String> {
    let in_view = turn
        .ledger
        .of_kind(Ledger::MEMORY)
        .filter(|(_, shown)| shown.boundary == turn.ledger.boundaries() && shown.turn < turn.turn);
    in_view.map(|(path, shown)| (path.to_owned(), shown.hash.clone())).collect()
}

/// The touched paths that brought nested memory, each once.
fn triggers(turn: &TurnView) -> Vec<PathBuf> {
    let all: BTreeSet<PathBuf> =
        turn.ledger.of_kind(TRIGGER).map(|(_, trigger)| path_of_key(&trigger.hash)).collect();
    all.into_iter().collect()
}

fn look(loader: &dyn MemoryLoader, files: &dyn FileSystem, subject: &Subject) -> Vec<Change> {
    let nested = subject.triggers.iter().map(|path| loader.load_for_path(&subject.scope, path));
    let loads = std::iter::once(loader.load(&subject.scope)).chain(nested);
    let mut now: BTreeMap<String, MemoryFile> = BTreeMap::new();
    for file in loads.filter_map(Result::ok).flat_map(|load| load.files) {
        now.entry(path_key(&file.canonical)).or_insert(file);
    }
    let change = |(path, hash): (&String, &String)| match now.remove(path) {
        Some(file) => (file.hash != *hash).then_some(Change::Text(file)),
        None => Some(path_of_key(path)).filter(|path| is_gone(files, path)).map(Change::Gone),
    };
    subject.shown.iter().filter_map(change).collect()
}

/// Only what is surely not there is gone; what can not be looked at now is not.
fn is_gone(files: &dyn FileSystem, path: &Path) -> bool {
    let looked = files.metadata(path, Follow::Nothing);
    path.is_absolute() && looked.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

fn draft(turn: &TurnView, change: Change) -> Draft {
    match change {
        Change::Gone(path) => {
            let key = DeliveryKey::retract(Ledger::MEMORY, path_key(&path));
            let display = shown(&turn.cwd, &path);
            Draft::new(MemoryDelta::default().display_path(display).path(path).removed(true)).key(key)
        }
        Change::Text(file) => {
            let key = DeliveryKey::new(Ledger::MEMORY, path_key(&file.canonical), file.hash.clone());
            let payload = MemoryDelta::default()
                .display_path(shown(&turn.cwd, &file.path))
                .path(file.path)
                .kind(file.kind)
                .text(file.text)
                .hash(file.hash);
            Draft::new(payload).key(key)
        }
    }
}

fn not_checked(why: &Looked<()>) -> Decision {
    let verdict = if *why == Looked::TimedOut { Verdict::TimedOut } else { Verdict::Failed };
    Decision::new(
        "memory_delta",
        verdict,
        why.reason(),
        "Whether memory files changed was not looked up this turn.",
    )
}
