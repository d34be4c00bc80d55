//! Entries, and a store on the disk.

use std::path::Path;
use std::sync::Arc;

use context_api::{Batch, Entry, EntryKind, LineFacts};
use context_testkit::ThreadPerJob;
use transcript::JsonlStore;
use uuid::Uuid;

pub(crate) use context_testkit::wait;

pub(crate) fn entry(id: u128, parent: Option<u128>, text: &str) -> Arc<Entry> {
    of(id, parent, EntryKind::user(text))
}

pub(crate) fn of(id: u128, parent: Option<u128>, kind: EntryKind) -> Arc<Entry> {
    let time = "2026-04-25T12:00:00Z".parse().unwrap();
    let entry = Entry::new(Uuid::from_u128(id), time, 1, kind);
    Arc::new(entry.after(parent.map(Uuid::from_u128)))
}

/// Entries `1..=count`, each behind the one before.
pub(crate) fn line_of(count: u128) -> Vec<Arc<Entry>> {
    (1..=count).map(|id| entry(id, id.checked_sub(1).filter(|id| *id > 0), &format!("MARK-{id}"))).collect()
}

pub(crate) fn batch(session: &str, entries: &[Arc<Entry>]) -> Batch {
    Batch::new(session, LineFacts::default().cwd("/p"), entries.to_vec())
}

pub(crate) fn store(root: &Path) -> JsonlStore {
    JsonlStore::new(root, Arc::new(ThreadPerJob))
}

pub(crate) fn ids(entries: &[Arc<Entry>]) -> Vec<u128> {
    entries.iter().map(|entry| entry.uuid.as_u128()).collect()
}
