//! The disk and the repository as the engine sees them in a scenario: the same paths everywhere, faults where asked.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agent_core::LocalFs;
use agent_core::context_api::{
    BlobKey, BlobStore, Decision, DirEntries, DirEntry, FileKind, FileMeta, FileSystem, Fingerprint, Follow,
    GitError, GitOptions, GitRun, GitSnapshot, GitSource, OpenFile, StoreError,
};

use super::workspace::{SEEN, Workspace};

/// How long a path with the fault `too_slow` takes: longer than any deadline of a turn.
const TOO_SLOW: Duration = Duration::from_secs(4);

/// What goes wrong at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Error(io::ErrorKind),
    Hang,
    TooSlow,
}

/// The disk as the engine sees it.
#[derive(Clone)]
pub(crate) struct SeenDisk {
    workspace: Arc<Workspace>,
    faults: Arc<Mutex<BTreeMap<PathBuf, Fault>>>,
}

impl SeenDisk {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        Self { workspace, faults: Arc::default() }
    }

    /// Lets something go wrong at a path.
    pub(crate) fn fail(&self, path: PathBuf, fault: Fault) {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).insert(path, fault);
    }

    /// Lets nothing go wrong there any more.
    pub(crate) fn mend(&self, path: &Path) {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }

    /// Whether anything goes wrong anywhere.
    pub(crate) fn has_faults(&self) -> bool {
        !self.faults.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// What goes wrong at a path.
    pub(crate) fn fault(&self, path: &Path) -> Option<Fault> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).get(path).copied()
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        match self.fault(path) {
            None => {}
            Some(Fault::Error(kind)) => return Err(kind.into()),
            Some(Fault::TooSlow) => std::thread::sleep(TOO_SLOW),
            Some(Fault::Hang) => loop {
                std::thread::park();
            },
        }
        match self.workspace.map(path) {
            Some(real) => Ok(real),
            // The machine's own memory files are no part of the scenario.
            None if is_machines_own(path) => Err(io::ErrorKind::NotFound.into()),
            None => Ok(path.to_path_buf()),
        }
    }
}

fn is_machines_own(path: &Path) -> bool {
    path.parent() == Some(Path::new("/"))
        || path.starts_with("/etc/claude-code")
        || path.starts_with("/.claude")
}

impl FileSystem for SeenDisk {
    fn metadata(&self, path: &Path, follow: Follow) -> io::Result<FileMeta> {
        if path == Path::new("/") {
            return Ok(FileMeta {
                kind: FileKind::Directory,
                fingerprint: Fingerprint::default(),
                device: 0,
            });
        }
        LocalFs.metadata(&self.real(path)?, follow)
    }

    fn open(&self, path: &Path) -> io::Result<OpenFile> {
        LocalFs.open(&self.real(path)?)
    }

    fn read_dir(&self, path: &Path) -> io::Result<DirEntries> {
        if path == Path::new("/") {
            let root = DirEntry { name: SEEN.trim_start_matches('/').into(), kind: FileKind::Directory };
            return Ok(Box::new(std::iter::once(Ok(root))));
        }
        LocalFs.read_dir(&self.real(path)?)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        if path == Path::new("/") {
            return Ok(path.to_path_buf());
        }
        Ok(self.workspace.unmap(&LocalFs.canonicalize(&self.real(path)?)?))
    }
}

/// The repository as the engine sees it.
pub(crate) struct SeenGit {
    pub(crate) inner: agent_core::git_snapshot::GixSource,
    pub(crate) workspace: Arc<Workspace>,
}

impl GitSource for SeenGit {
    fn snapshot(
        &self,
        cwd: &Path,
        options: &GitOptions,
        run: &GitRun,
    ) -> Result<Option<GitSnapshot>, GitError> {
        let mut options = options.clone();
        options.home = options.home.and_then(|home| self.workspace.map(&home));
        let cwd = self.workspace.map(cwd).unwrap_or_else(|| cwd.to_path_buf());
        self.inner.snapshot(&cwd, &options, run)
    }

    fn render(&self, snapshot: &GitSnapshot) -> (String, Vec<Decision>) {
        self.inner.render(snapshot)
    }
}

/// Blobs that lie in the workspace and are named by the paths that the engine sees.
pub(crate) struct SeenBlobs {
    pub(crate) inner: Arc<dyn BlobStore>,
    pub(crate) workspace: Arc<Workspace>,
}

impl BlobStore for SeenBlobs {
    fn path(&self, session: &str, key: &BlobKey) -> Option<PathBuf> {
        self.inner.path(session, key).map(|path| self.workspace.unmap(&path))
    }

    fn put(&self, session: &str, key: &BlobKey, bytes: &[u8]) -> Result<(), StoreError> {
        self.inner.put(session, key, bytes)
    }

    fn get(&self, session: &str, key: &BlobKey, limit: u64) -> Result<Vec<u8>, StoreError> {
        self.inner.get(session, key, limit)
    }
}
