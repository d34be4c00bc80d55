//! Memory that holds for what the turn touched.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    CollectError, Collector, Decision, DeliveryKey, Draft, FileState, Ledger, MemoryFile, MemoryLoader,
    NestedMemory, Outbox, Stage, StateChange, Threads, TurnView, Verdict, Work, path_key,
};
use context_text::display_path;

use crate::paths::shown;
use crate::reads::{Looked, Reads};

/// Kind of the ledger's keys that say which touched path brought a memory file.
pub(super) const TRIGGER: &str = "nested_memory_trigger";

/// Shows the memory files and rules that hold for the paths a turn touched and that the model does not have.
pub struct NestedMemoryCollector {
    loader: Arc<dyn MemoryLoader>,
    reads: Reads,
}

impl NestedMemoryCollector {
    /// A collector that asks `loader` on `threads`.
    pub fn new(loader: Arc<dyn MemoryLoader>, threads: Arc<dyn Threads>) -> Self {
        Self { loader, reads: Reads::new(threads) }
    }
}

#[async_trait]
impl Collector for NestedMemoryCollector {
    fn label(&self) -> &str {
        "nested_memory"
    }

    fn stage(&self) -> Stage {
        Stage::Everywhere
    }

    // What blocks is done by `Reads` on threads of the engine; a turn that names nothing costs no thread at all.
    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let loader = Arc::clone(&self.loader);
        let scope = turn.memory.clone();
        let paths = turn.touched.iter().map(|touched| &touched.path);
        let subjects = paths.map(|path| (path.clone(), path.clone())).collect();
        let looked = self.reads.all(turn, subjects, move |path| loader.load_for_path(&scope, &path)).await;
        let mut seen = BTreeSet::new();
        for (touched, looked) in turn.touched.iter().zip(looked) {
            let path = &touched.path;
            match looked.into_result() {
                Err(why) => {
                    out.decide(not_loaded(path, &why))?;
                    if !matches!(why, Looked::Panicked(_)) {
                        out.again(touched.clone())?;
                    }
                }
                Ok(Err(error)) => {
                    out.decide(Decision::failed(
                        display_path(path),
                        "memory_not_loaded",
                        format!("{error}."),
                    ))?;
                }
                Ok(Ok(load)) => {
                    for decision in load.decisions {
                        out.decide(decision)?;
                    }
                    for file in load.files {
                        if !seen.insert(file.canonical.clone()) || is_known(turn, &file) {
                            continue;
                        }
                        if turn.profile.shows(&file) {
                            out.push(draft(turn, path.clone(), file))?;
                        } else {
                            out.decide(turn.profile.hides(&file))?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

fn not_loaded(path: &std::path::Path, why: &Looked<()>) -> Decision {
    Decision::new(
        display_path(path),
        if *why == Looked::TimedOut { Verdict::TimedOut } else { Verdict::Failed },
        why.reason(),
        "Memory for this path was not looked up this turn.",
    )
}

/// Whether the model has the file: shown before, or read whole by itself with the text as it is now.
fn is_known(turn: &TurnView, file: &MemoryFile) -> bool {
    let key = path_key(&file.canonical);
    let shown = turn.ledger.in_view(Ledger::MEMORY, &key).is_some();
    let read = turn
        .files
        .get(&file.canonical)
        .is_some_and(|state| state.is_whole() && !state.inherited && state.hash == file.hash);
    shown || read
}

fn draft(turn: &TurnView, trigger: PathBuf, file: MemoryFile) -> Draft {
    let key = DeliveryKey::new(Ledger::MEMORY, path_key(&file.canonical), file.hash.clone());
    let brought = DeliveryKey::new(TRIGGER, path_key(&file.canonical), path_key(&trigger));
    let state = FileState::default()
        .path(file.canonical.clone())
        .content(file.raw.clone().unwrap_or_else(|| Arc::clone(&file.text)))
        .hash(file.hash.clone())
        .fingerprint(file.fingerprint)
        .read_at(turn.now)
        .is_partial_view(file.content_differs_from_disk);
    let payload = NestedMemory::default()
        .display_path(shown(&turn.cwd, &file.path))
        .path(file.path)
        .kind(file.kind)
        .text(file.text)
        .trigger(trigger)
        .globs(file.globs)
        .parent(file.parent)
        .hash(file.hash)
        .content_differs_from_disk(file.content_differs_from_disk);
    Draft::new(payload).key(key).key(brought).state(StateChange::Put(state))
}
