//! Where entries last.

use std::sync::Arc;

use async_trait::async_trait;

use crate::Entry;

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

/// A store that did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("session {session}: {reason}")]
pub struct StoreError {
    /// The session.
    pub session: String,
    /// One sentence, with the path where there is one.
    pub reason: String,
}
