//! What a draft wants put aside before it counts.

use std::path::PathBuf;
use std::sync::Arc;

use crate::{Attachment, BlobKey, BlobStore, Decision, PlannedBlob, StoreError};

/// The blobs of one session. Cheap to clone.
#[derive(Clone)]
pub struct SessionBlobs {
    store: Arc<dyn BlobStore>,
    session: Arc<str>,
}

impl SessionBlobs {
    /// Those that `store` keeps for `session`.
    pub fn new(store: Arc<dyn BlobStore>, session: impl Into<Arc<str>>) -> Self {
        Self { store, session: session.into() }
    }

    /// The session's id.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// The file in which a blob will lie; see [`BlobStore::path`].
    pub fn path(&self, key: &BlobKey) -> Option<PathBuf> {
        self.store.path(&self.session, key)
    }

    /// Puts a blob aside. May block.
    ///
    /// # Errors
    /// As [`BlobStore::put`].
    pub fn put(&self, blob: &PlannedBlob) -> Result<(), StoreError> {
        self.store.put(&self.session, &blob.key, &blob.bytes)
    }
}

impl std::fmt::Debug for SessionBlobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionBlobs").field("session", &self.session).finish_non_exhaustive()
    }
}

/// Bytes that have to lie in the session's blobs before a draft that names them may count, and what it says where they do
/// not.
#[derive(Debug, Clone, PartialEq)]
pub struct Aside {
    /// The bytes and their name.
    pub blob: PlannedBlob,
    /// What is told of it once they are there.
    pub written: Decision,
    /// What the draft says where they could not be put aside.
    pub otherwise: Attachment,
    /// What is told of it then.
    pub unwritten: Decision,
}
