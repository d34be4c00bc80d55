//! Where entries last.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use uuid::Uuid;

use crate::record::{record, words};
use crate::{Boundary, Decision, Entry, EntryKind, Ledger};

/// Answers: where do entries last?
///
/// Entries of one session arrive in order. An entry whose uuid is known already is a no-op. A failure costs nobody
/// anything but the lines themselves, which are handed in again. A future that is dropped may have done its work or not.
#[async_trait]
pub trait TranscriptStore: Send + Sync + 'static {
    /// Appends entries.
    ///
    /// # Errors
    /// They may or may not be there: hand them in again. With [`StoreErrorKind::Lost`], hand in everything again.
    async fn append(&self, batch: Batch) -> Result<(), StoreError>;

    /// What a session needs to go on: the entries from its beginning to its newest one, see [`Loaded`].
    ///
    /// # Errors
    /// There is no such session, or it can not be read at all. What can not be read of it is a decision.
    async fn load(&self, session: &str, reach: Reach) -> Result<Loaded, StoreError>;

    /// Begins a session whose history is that of another up to an entry.
    ///
    /// # Errors
    /// There is no such session or entry, or there is a session with the new id.
    async fn fork(&self, fork: Fork) -> Result<(), StoreError>;

    /// Makes a session that is there this process's, before it is loaded to go on with: what another process appends between
    /// the load and the first append would be behind this one's back. One that is not there is nobody's yet.
    ///
    /// # Errors
    /// Another process works on it.
    async fn claim(&self, session: &str) -> Result<(), StoreError> {
        let _ = session;
        Ok(())
    }

    /// Starts to append entries, where the store can do so without being waited for: they are handed in again with
    /// [`TranscriptStore::append`], which says what became of them. Must not block; may be called outside any runtime.
    fn offer(&self, batch: Batch) {
        drop(batch);
    }

    /// This process no longer works on a session. Must not block.
    fn release(&self, session: &str) {
        let _ = session;
    }
}

record! {
    /// What stands beside each entry of a transcript: where and by what it was written.
    #[derive(Eq)]
    pub struct LineFacts {
        /// The working directory.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub cwd: PathBuf,
        /// The branch that was checked out when the session's git facts were taken.
        pub git_branch: Option<String>,
        /// Version of the engine.
        pub version: String,
        /// Number of the newest request when the entry was made, counted from 1.
        pub request: u64,
    }
}

/// Entries on their way to a store.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Batch {
    /// The session.
    pub session: String,
    /// What stands beside each of them.
    pub facts: LineFacts,
    /// In order.
    pub entries: Vec<Arc<Entry>>,
    /// Whether a request goes out once they are there.
    pub before_request: bool,
}

impl Batch {
    /// Entries of a session.
    pub fn new(session: impl Into<String>, facts: LineFacts, entries: Vec<Arc<Entry>>) -> Self {
        Self { session: session.into(), facts, entries, before_request: false }
    }

    /// The same, before a request goes out.
    pub fn before_request(mut self) -> Self {
        self.before_request = true;
        self
    }
}

/// A session that begins with the history of another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Fork {
    /// The other session.
    pub from: String,
    /// The last entry of the other that belongs to it; `None`: its newest.
    pub at: Option<Uuid>,
    /// Its own id.
    pub to: String,
    /// What stands beside its first line.
    pub facts: LineFacts,
    /// Whether the lines are copied, so that it stands by itself.
    pub copy: bool,
    /// Identity of the line that names the other session.
    pub uuid: Uuid,
    /// When it was made.
    pub timestamp: Timestamp,
}

impl Fork {
    /// A fork `to` of all of `from`.
    pub fn new(from: impl Into<String>, to: impl Into<String>, uuid: Uuid, timestamp: Timestamp) -> Self {
        Self { from: from.into(), to: to.into(), uuid, timestamp, ..Self::default() }
    }

    /// Sets [`Fork::at`].
    pub fn at(mut self, at: Option<Uuid>) -> Self {
        self.at = at;
        self
    }

    /// Sets [`Fork::facts`].
    pub fn facts(mut self, facts: LineFacts) -> Self {
        self.facts = facts;
        self
    }

    /// Sets [`Fork::copy`].
    pub fn copy(mut self, copy: bool) -> Self {
        self.copy = copy;
        self
    }
}

/// What a session needs to go on.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Loaded {
    /// Oldest first. With [`Reach::SinceBoundary`] from the last boundary on, and before it only what still counts:
    /// entries that it keeps, view edits, the newest context and named reasons since.
    pub entries: Vec<Arc<Entry>>,
    /// The fold over all entries, those that are left out here among them.
    pub ledger: Ledger,
    /// What stood beside the first line.
    pub first: LineFacts,
    /// What stood beside the newest line.
    pub last: LineFacts,
    /// How many entries before the last boundary are left out here.
    pub left_out: u64,
    /// What could not be read, was mended or left out.
    pub decisions: Vec<Decision>,
}

words! {
    /// How much of a history is loaded.
    pub enum Reach {
        /// From the last boundary on: what a session needs to go on.
        SinceBoundary,
        /// All of it.
        All,
    }
}

impl Loaded {
    /// Takes the next entry in and keeps it.
    pub fn take(&mut self, entry: Arc<Entry>) {
        self.ledger.apply(&entry);
        self.entries.push(entry);
    }

    /// Takes in the next entry of those before the last boundary: what no longer counts is folded and not kept.
    pub fn take_before(&mut self, entry: Arc<Entry>, boundary: &Boundary) {
        self.ledger.apply(&entry);
        match &entry.kind {
            EntryKind::Context(_) => {
                let before = self.entries.len();
                self.entries.retain(|kept| !is_of_context(&kept.kind));
                self.left_out += (before - self.entries.len()) as u64;
                self.entries.push(entry);
            }
            EntryKind::ViewEdit(_) | EntryKind::Invalidate(_) => self.entries.push(entry),
            _ if boundary.kept.contains(&entry.uuid) => self.entries.push(entry),
            _ => self.left_out += 1,
        }
    }

    /// All of a history that is in memory: what [`TranscriptStore::load`] gives of it.
    pub fn of(history: &[Arc<Entry>], reach: Reach) -> Self {
        let mut loaded = Self::default();
        let last = match reach {
            Reach::SinceBoundary => {
                history.iter().rposition(|entry| matches!(entry.kind, EntryKind::Boundary(_)))
            }
            _ => None,
        };
        for (place, entry) in history.iter().enumerate() {
            match last.filter(|last| place < *last).and_then(|last| boundary(&history[last])) {
                Some(boundary) => loaded.take_before(Arc::clone(entry), boundary),
                None => loaded.take(Arc::clone(entry)),
            }
        }
        loaded
    }
}

fn boundary(entry: &Entry) -> Option<&Boundary> {
    match &entry.kind {
        EntryKind::Boundary(boundary) => Some(boundary),
        _ => None,
    }
}

/// Contexts and reasons to change them are over once there is a newer context.
fn is_of_context(kind: &EntryKind) -> bool {
    matches!(kind, EntryKind::Context(_) | EntryKind::Invalidate(_))
}

words! {
    /// What stood in a store's way.
    pub enum StoreErrorKind {
        /// The disk refused: it is full, may not be written, or is gone. May go better later.
        Failed,
        /// Another process writes the session.
        InUse,
        /// What was written before is gone: every entry is to be handed in again.
        Lost,
        /// An earlier write has not ended.
        Stalled,
        /// There is no such session or blob.
        NotFound,
        /// The name is not allowed.
        BadName,
        /// There are more bytes than asked for.
        TooLarge,
    }
}

/// A store that did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("session {session}: {reason}")]
pub struct StoreError {
    /// The session.
    pub session: String,
    /// What stood in its way.
    pub kind: StoreErrorKind,
    /// One sentence, with the path where there is one.
    pub reason: String,
}

impl StoreError {
    /// An error of a session.
    pub fn new(session: impl Into<String>, kind: StoreErrorKind, reason: impl Into<String>) -> Self {
        Self { session: session.into(), kind, reason: reason.into() }
    }
}
