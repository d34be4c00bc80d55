//! Bytes of a session that its entries only name: pictures, outputs that are too long to show, texts to compare with.

use std::path::PathBuf;
use std::sync::Arc;

use crate::StoreError;
use crate::record::{record, words};

words! {
    /// What a blob is.
    pub enum BlobKind {
        /// A picture.
        Image,
        /// The whole of a tool's result of which a part is shown.
        ToolResult,
        /// The whole of a hook's output of which a part is shown.
        HookOutput,
        /// A text to compare a later one with.
        BaseText,
    }
}

record! {
    /// The name of a blob in its session.
    #[derive(Eq, Hash)]
    pub struct BlobKey {
        /// What it is.
        pub kind: BlobKind,
        /// Its name: letters, digits, `-`, `_`, `.`; a digest of the content, or the id of a tool call.
        pub name: String,
        /// The extension without its dot, such as `png`; empty for none.
        pub extension: String,
    }
}

/// Answers: where do bytes last that an entry only names?
///
/// Sync; [`BlobStore::put`] and [`BlobStore::get`] are called on threads that may block. What lies under a key never
/// changes: a key that is there already is a no-op. [`BlobStore::path`] looks at nothing, so that a text can name the
/// file before it is written.
pub trait BlobStore: Send + Sync + 'static {
    /// The file in which a blob lies or will lie; `None` where the store has no files, or the name is not allowed.
    fn path(&self, session: &str, key: &BlobKey) -> Option<PathBuf>;

    /// Stores `bytes` under `key`, readable by the owner only.
    ///
    /// # Errors
    /// They are not there: the name is not allowed, or the disk refuses.
    fn put(&self, session: &str, key: &BlobKey, bytes: &[u8]) -> Result<(), StoreError>;

    /// The bytes under `key`, at most `limit` of them.
    ///
    /// # Errors
    /// There are none, there are more than `limit`, or they can not be read.
    fn get(&self, session: &str, key: &BlobKey, limit: u64) -> Result<Vec<u8>, StoreError>;
}

impl<T: BlobStore + ?Sized> BlobStore for Arc<T> {
    fn path(&self, session: &str, key: &BlobKey) -> Option<PathBuf> {
        (**self).path(session, key)
    }

    fn put(&self, session: &str, key: &BlobKey, bytes: &[u8]) -> Result<(), StoreError> {
        (**self).put(session, key, bytes)
    }

    fn get(&self, session: &str, key: &BlobKey, limit: u64) -> Result<Vec<u8>, StoreError> {
        (**self).get(session, key, limit)
    }
}
