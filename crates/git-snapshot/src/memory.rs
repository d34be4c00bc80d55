//! What is kept of a repository for the next snapshot: the decoded index, and which directories held nothing else than
//! what the index has.
//!
//! Both are only used while the file or directory is the same, down to its inode and its times. Times are coarse, so
//! neither is kept while it is so young that a change after the look could hide in the same moment.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;

/// The age in seconds from which a time stamp can be told from the next one on every file system.
const SETTLED: i64 = 2;

/// What tells one state of a file or directory from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    size: i64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    #[allow(
        clippy::unnecessary_cast,
        clippy::useless_conversion,
        reason = "the widths differ between systems"
    )]
    pub(crate) fn of(stat: &rustix::fs::Stat) -> Self {
        Self {
            device: stat.st_dev as u64,
            inode: stat.st_ino,
            size: stat.st_size as i64,
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }

    /// Whether the last change lies so far before `now` that a later one would show.
    pub(crate) fn is_settled(&self, now: Timestamp) -> bool {
        self.changed.0.max(self.modified.0).saturating_add(SETTLED) < now.as_second()
    }
}

/// A directory of the index: the position of its first entry and the length of its path.
pub(crate) type Position = (usize, usize);

/// Directories that held what the index has of them and nothing else.
pub(crate) type Known = HashMap<Position, Stamp>;

/// What is kept of one repository.
pub(crate) struct Kept {
    stamp: Stamp,
    pub(crate) index: Arc<gix::index::File>,
    pub(crate) known: Arc<Known>,
}

/// What is kept of the repositories looked at last.
pub(crate) struct Memory {
    limit: usize,
    /// By the path of the index; the one used last stands last.
    kept: Mutex<Vec<(PathBuf, Kept)>>,
}

impl Memory {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, kept: Mutex::new(Vec::new()) }
    }

    /// The index at `path` and the directories known with it, if its file still has `stamp`.
    pub(crate) fn recall(&self, path: &Path, stamp: Stamp) -> Option<(Arc<gix::index::File>, Arc<Known>)> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, kept) = kept.iter().find(|(of, kept)| of == path && kept.stamp == stamp)?;
        Some((Arc::clone(&kept.index), Arc::clone(&kept.known)))
    }

    /// Keeps `index`, whose file at `path` had `stamp` before it was read, and `known`.
    pub(crate) fn keep(&self, path: &Path, stamp: Stamp, index: Arc<gix::index::File>, known: Known) {
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(of, _)| of != path);
        all.push((path.to_owned(), Kept { stamp, index, known: Arc::new(known) }));
        let surplus = all.len().saturating_sub(self.limit);
        all.drain(..surplus);
    }
}
