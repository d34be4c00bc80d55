//! Entries that last as long as the process.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use context_api::{Entry, StoreError, TranscriptStore};
use uuid::Uuid;

/// Keeps entries in memory: for tests, and for hosts that keep sessions themselves.
///
/// ```
/// # use std::{future::Future, pin::pin, sync::Arc, task::{Context, Poll, Waker}};
/// use context_api::{Entry, EntryKind, TranscriptStore};
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
/// let entries = [Arc::new(entry)];
/// # now(async {
/// store.append("s1", &entries).await?;
/// store.append("s1", &entries).await?; // is there already
/// assert_eq!(store.load("s1").await?, entries);
/// # Ok::<(), context_api::StoreError>(()) }).unwrap();
/// ```
#[derive(Debug, Default)]
pub struct MemoryStore {
    sessions: Mutex<BTreeMap<String, Session>>,
}

#[derive(Debug, Default)]
struct Session {
    entries: Vec<Arc<Entry>>,
    known: HashSet<Uuid>,
}

impl MemoryStore {
    /// Names of the sessions in byte order.
    pub fn sessions(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    /// A panic elsewhere leaves whole entries behind: each is pushed in one step.
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl TranscriptStore for MemoryStore {
    async fn append(&self, session: &str, entries: &[Arc<Entry>]) -> Result<(), StoreError> {
        let mut sessions = self.lock();
        let kept = sessions.entry(session.to_owned()).or_default();
        for entry in entries {
            if kept.known.insert(entry.uuid) {
                kept.entries.push(Arc::clone(entry));
            }
        }
        Ok(())
    }

    async fn load(&self, session: &str) -> Result<Vec<Arc<Entry>>, StoreError> {
        Ok(self.lock().get(session).map(|kept| kept.entries.clone()).unwrap_or_default())
    }
}
