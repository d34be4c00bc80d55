//! Entries that last as long as the process.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use context_api::{
    Batch, Entry, Fork, LineFacts, Loaded, Reach, StoreError, StoreErrorKind, TranscriptStore,
};
use uuid::Uuid;

use crate::name;

/// Keeps entries in memory: for tests, and for hosts that keep sessions themselves.
///
/// ```
/// # use std::{future::Future, pin::pin, sync::Arc, task::{Context, Poll, Waker}};
/// use context_api::{Batch, Entry, EntryKind, Reach, TranscriptStore};
/// use transcript::MemoryStore;
///
/// # fn now<T>(future: impl Future<Output = T>) -> T {
/// #     match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
/// #         Poll::Ready(value) => value,
/// #         Poll::Pending => unreachable!(),
/// #     }
/// # }
/// let store = MemoryStore::default();
/// let entry = Entry::new(uuid::Uuid::nil(), jiff::Timestamp::UNIX_EPOCH, 1, EntryKind::user("hello"));
/// let batch = Batch::new("s1", Default::default(), vec![Arc::new(entry)]);
/// # now(async {
/// store.append(batch.clone()).await?;
/// store.append(batch.clone()).await?; // is there already
/// assert_eq!(store.load("s1", Reach::All).await?.entries, batch.entries);
/// # Ok::<(), context_api::StoreError>(()) }).unwrap();
/// ```
#[derive(Debug, Default)]
pub struct MemoryStore {
    sessions: Mutex<BTreeMap<String, Session>>,
}

#[derive(Debug, Default, Clone)]
struct Session {
    entries: Vec<Arc<Entry>>,
    known: HashSet<Uuid>,
    first: LineFacts,
    last: LineFacts,
}

impl MemoryStore {
    /// Names of the sessions in byte order.
    pub fn sessions(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    /// A panic elsewhere leaves whole entries behind: each is pushed in one step.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl TranscriptStore for MemoryStore {
    async fn append(&self, batch: Batch) -> Result<(), StoreError> {
        name::session(&batch.session)?;
        let mut sessions = self.lock();
        let kept = sessions
            .entry(batch.session)
            .or_insert_with(|| Session { first: batch.facts.clone(), ..Session::default() });
        kept.last = batch.facts;
        for entry in batch.entries {
            if kept.known.insert(entry.uuid) {
                kept.entries.push(entry);
            }
        }
        Ok(())
    }

    async fn load(&self, session: &str, reach: Reach) -> Result<Loaded, StoreError> {
        let sessions = self.lock();
        let kept = sessions.get(session).ok_or_else(|| unknown(session))?;
        let mut loaded = Loaded::of(&kept.entries, reach);
        (loaded.first, loaded.last) = (kept.first.clone(), kept.last.clone());
        Ok(loaded)
    }

    async fn fork(&self, fork: Fork) -> Result<(), StoreError> {
        name::session(&fork.to)?;
        let mut sessions = self.lock();
        let mut copy = sessions.get(&fork.from).ok_or_else(|| unknown(&fork.from))?.clone();
        if sessions.contains_key(&fork.to) {
            return Err(StoreError::new(fork.to, StoreErrorKind::InUse, "there is a session with this id"));
        }
        if let Some(at) = fork.at {
            let place = copy.entries.iter().position(|entry| entry.uuid == at);
            let place = place.ok_or_else(|| unknown_entry(&fork.from, at))?;
            copy.entries.truncate(place + 1);
            copy.known = copy.entries.iter().map(|entry| entry.uuid).collect();
        }
        sessions.insert(fork.to, copy);
        Ok(())
    }
}

fn unknown(session: &str) -> StoreError {
    StoreError::new(context_text::safe_line(session), StoreErrorKind::NotFound, "there is no such session")
}

pub(crate) fn unknown_entry(session: &str, entry: Uuid) -> StoreError {
    StoreError::new(session, StoreErrorKind::NotFound, format!("there is no entry {entry} in it"))
}
