//! Where entries last.

use std::sync::Arc;

use async_trait::async_trait;

use crate::Entry;
use crate::record::words;

/// Answers: where do entries last?
///
/// Entries of one session arrive in order. An entry whose uuid is known already is a no-op. A failure costs nobody
/// anything but the lines themselves, which are handed in again.
#[async_trait]
pub trait TranscriptStore: Send + Sync + 'static {
    /// Appends entries.
    ///
    /// # Errors
    /// They may or may not be there: hand them in again.
    async fn append(&self, session: &str, entries: &[Arc<Entry>]) -> Result<(), StoreError>;

    /// All entries of a session, oldest first; empty for an unknown one.
    ///
    /// # Errors
    /// The session can not be read at all.
    async fn load(&self, session: &str) -> Result<Vec<Arc<Entry>>, StoreError>;
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
