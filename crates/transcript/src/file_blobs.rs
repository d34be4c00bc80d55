//! Blobs as files.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use context_api::{BlobKey, BlobKind, BlobStore, StoreError, StoreErrorKind};
use lru::LruCache;

use crate::limits::{BlobLimits, StoreLimits};
use crate::name;
use crate::owners::{Owners, Refused};
use crate::private;

/// Directories of the kinds below the root.
pub(crate) const DIRECTORIES: [&str; 4] = ["image-cache", "tool-results", "hook-outputs", "base-texts"];

/// Keeps blobs as files `ROOT/KIND/SESSION/NAME.EXTENSION`, which only their owner reads. A file appears whole or not at
/// all.
///
/// ```
/// use context_api::{BlobKey, BlobKind, BlobStore};
/// use transcript::{BlobLimits, FileBlobs};
///
/// # let place = tempfile::tempdir().unwrap();
/// let blobs = FileBlobs::new(place.path(), BlobLimits::default());
/// let key = BlobKey::default().kind(BlobKind::ToolResult).name("toolu_1").extension("txt");
/// let path = blobs.path("s1", &key).unwrap();
/// blobs.put("s1", &key, b"all of it")?;
/// assert_eq!(std::fs::read(path).unwrap(), b"all of it");
/// assert_eq!(blobs.get("s1", &key, 100)?, b"all of it");
/// # Ok::<(), context_api::StoreError>(())
/// ```
#[derive(Debug)]
pub struct FileBlobs {
    pub(crate) root: PathBuf,
    pub(crate) limits: BlobLimits,
    pub(crate) owners: Arc<Owners>,
    written: Mutex<LruCache<PathBuf, ()>>,
    parts: AtomicU64,
}

impl FileBlobs {
    /// Blobs below `root`. Looks at nothing yet.
    pub fn new(root: impl Into<PathBuf>, limits: BlobLimits) -> Self {
        let root = root.into();
        let owners = Arc::new(Owners::new(&root, StoreLimits::default().guard_tries));
        Self::shared(root, limits, owners)
    }

    pub(crate) fn shared(root: PathBuf, limits: BlobLimits, owners: Arc<Owners>) -> Self {
        let recent = NonZeroUsize::new(limits.recent).unwrap_or(NonZeroUsize::MIN);
        Self { root, limits, owners, written: Mutex::new(LruCache::new(recent)), parts: AtomicU64::new(0) }
    }

    /// Says that this process no longer works on a session: a sweep may remove its blobs. May block.
    pub fn release(&self, session: &str) {
        let _stays_live = self.owners.release(session);
    }

    fn file(&self, session: &str, key: &BlobKey) -> Result<PathBuf, StoreError> {
        name::session(session)?;
        let name = match key.extension.as_str() {
            "" => key.name.clone(),
            extension => format!("{}.{extension}", key.name),
        };
        if !name::is_allowed(&key.name) || !name::is_allowed(&name) {
            let reason = format!("the blob's name {} is not allowed", context_text::safe_line(&name));
            return Err(StoreError::new(session, StoreErrorKind::BadName, reason));
        }
        Ok(self.root.join(directory(key.kind)).join(session).join(name))
    }

    fn is_recent(&self, path: &Path) -> bool {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).get(path).is_some()
    }

    fn remember(&self, path: PathBuf) {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).put(path, ());
    }

    pub(crate) fn forget(&self) {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let Some(directory) = path.parent() else { return Err(io::ErrorKind::InvalidInput.into()) };
        private::directory(directory)?;
        // Its own name: two threads may write the same blob, and what a killed process left is in nobody's way.
        let part = format!(".{}.{}.part", std::process::id(), self.parts.fetch_add(1, Ordering::Relaxed));
        let part = directory.join(part);
        let _old = fs::remove_file(&part);
        let written = private::options()
            .write(true)
            .create_new(true)
            .open(&part)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| fs::rename(&part, path));
        if written.is_err() {
            let _litter = fs::remove_file(&part);
        }
        written
    }
}

/// Directory of a kind. A kind that is not known here is kept with the tools' results.
fn directory(kind: BlobKind) -> &'static str {
    let [images, results, hooks, texts] = DIRECTORIES;
    match kind {
        BlobKind::Image => images,
        BlobKind::HookOutput => hooks,
        BlobKind::BaseText => texts,
        _ => results,
    }
}

impl BlobStore for FileBlobs {
    fn path(&self, session: &str, key: &BlobKey) -> Option<PathBuf> {
        self.file(session, key).ok()
    }

    fn put(&self, session: &str, key: &BlobKey, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.file(session, key)?;
        if self.is_recent(&path) {
            return Ok(());
        }
        // So that no sweep takes them; whose session it is matters to its transcript only.
        if let Err(Refused::Io(error)) = self.owners.claim(session) {
            return Err(failed(session, &self.root, &error));
        }
        if !path.exists() {
            self.write(&path, bytes).map_err(|error| failed(session, &path, &error))?;
        }
        self.remember(path);
        Ok(())
    }

    fn get(&self, session: &str, key: &BlobKey, limit: u64) -> Result<Vec<u8>, StoreError> {
        let path = self.file(session, key)?;
        let mut bytes = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(limit.saturating_add(1)).read_to_end(&mut bytes))
            .map_err(|error| failed(session, &path, &error))?;
        if bytes.len() as u64 > limit {
            let reason = format!("{} has more than {limit} bytes", path.display());
            return Err(StoreError::new(session, StoreErrorKind::TooLarge, reason));
        }
        Ok(bytes)
    }
}

pub(crate) fn failed(session: &str, path: &Path, error: &io::Error) -> StoreError {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => StoreErrorKind::NotFound,
        _ => StoreErrorKind::Failed,
    };
    StoreError::new(session, kind, format!("{}: {error}", path.display()))
}
