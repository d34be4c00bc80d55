//! Disks on bad days.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use context_api::{DirEntries, FileMeta, FileSystem, Follow, OpenFile};

/// What goes wrong at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Each call fails with this kind of error.
    Error(io::ErrorKind),
    /// Each call blocks until [`FaultyFs::release`].
    Hang,
}

/// A file system with faults at chosen paths, and a count of its calls.
pub struct FaultyFs {
    inner: Arc<dyn FileSystem>,
    faults: Mutex<BTreeMap<PathBuf, Fault>>,
    released: (Mutex<bool>, Condvar),
    calls: AtomicU64,
}

impl FaultyFs {
    /// The disk, with no fault yet.
    pub fn new() -> Arc<Self> {
        Self::over(Arc::new(local_fs::LocalFs::new()))
    }

    /// Another file system, with no fault yet.
    pub fn over(inner: Arc<dyn FileSystem>) -> Arc<Self> {
        Arc::new(Self {
            inner,
            faults: Mutex::default(),
            released: (Mutex::new(false), Condvar::new()),
            calls: AtomicU64::new(0),
        })
    }

    /// Lets something go wrong at exactly this path.
    ///
    /// # Panics
    /// A test panicked while it changed the faults.
    pub fn fail(&self, path: impl Into<PathBuf>, fault: Fault) {
        self.faults.lock().expect("the faults").insert(path.into(), fault);
    }

    /// Ends all hanging calls, now and later.
    ///
    /// # Panics
    /// A test panicked while it held the lock.
    pub fn release(&self) {
        *self.released.0.lock().expect("the gate") = true;
        self.released.1.notify_all();
    }

    /// Calls so far.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    fn check(&self, path: &Path) -> io::Result<()> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let fault = self.faults.lock().expect("the faults").get(path).copied();
        match fault {
            None => Ok(()),
            Some(Fault::Error(kind)) => Err(kind.into()),
            Some(Fault::Hang) => {
                let mut released = self.released.0.lock().expect("the gate");
                while !*released {
                    released = self.released.1.wait(released).expect("the gate");
                }
                Ok(())
            }
        }
    }
}

impl FileSystem for FaultyFs {
    fn metadata(&self, path: &Path, follow: Follow) -> io::Result<FileMeta> {
        self.check(path)?;
        self.inner.metadata(path, follow)
    }

    fn open(&self, path: &Path) -> io::Result<OpenFile> {
        self.check(path)?;
        self.inner.open(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<DirEntries> {
        self.check(path)?;
        self.inner.read_dir(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.check(path)?;
        self.inner.canonicalize(path)
    }
}
