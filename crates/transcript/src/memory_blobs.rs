//! Blobs that last as long as the process.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use context_api::{BlobKey, BlobStore, StoreError, StoreErrorKind};

use crate::name;

/// Keeps blobs in memory: for tests, and for hosts without a disk. It has no files.
#[derive(Debug, Default)]
pub struct MemoryBlobs(Mutex<Kept>);

/// By session and key.
type Kept = HashMap<(String, BlobKey), Arc<[u8]>>;

impl BlobStore for MemoryBlobs {
    fn path(&self, _: &str, _: &BlobKey) -> Option<PathBuf> {
        None
    }

    fn put(&self, session: &str, key: &BlobKey, bytes: &[u8]) -> Result<(), StoreError> {
        name::session(session)?;
        let mut blobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        blobs.entry((session.to_owned(), key.clone())).or_insert_with(|| Arc::from(bytes));
        Ok(())
    }

    fn get(&self, session: &str, key: &BlobKey, limit: u64) -> Result<Vec<u8>, StoreError> {
        let blobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let error =
            |kind, reason: &str| Err(StoreError::new(session, kind, format!("{}: {reason}", key.name)));
        match blobs.get(&(session.to_owned(), key.clone())) {
            None => error(StoreErrorKind::NotFound, "there is no such blob"),
            Some(bytes) if bytes.len() as u64 > limit => {
                error(StoreErrorKind::TooLarge, "the blob is too large")
            }
            Some(bytes) => Ok(bytes.to_vec()),
        }
    }
}
