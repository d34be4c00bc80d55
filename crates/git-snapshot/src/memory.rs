//! What is kept of a repository for the next snapshot: the decoded index, what directories held besides, and what the
//! contents of touched files turned out to be.
//!
//! Each is only used while the files and directories that it came from are the same, down to the inode and the times.
//! Times are coarse, so nothing is kept while one of them is so young that a change after the look could hide in the
//! same moment. The age is told by the system's clock, whatever the host takes for the date.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use gix::bstr::BString;
use jiff::Timestamp;
use rustix::fs::FileType;

use crate::status::{Answer, Ground};

/// The age in seconds from which a time stamp can be told from the next one on every file system.
const SETTLED: i64 = 2;
/// The age in seconds from which a change of a file's content moves its times. A store through a mapping moves none while its
/// page waits to be written, which Linux does within half a minute.
const WRITTEN_BACK: i64 = 120;

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

    /// Whether the last change lies so far before `now` that a later one of the index or a directory would show.
    pub(crate) fn is_settled(&self, now: Timestamp) -> bool {
        self.is_older(now, SETTLED)
    }

    /// Whether the last change lies so far before `now` that a later one of the content would show.
    pub(crate) fn is_written_back(&self, now: Timestamp) -> bool {
        self.is_older(now, WRITTEN_BACK)
    }

    /// No time at all is what a file system says that does not keep it.
    fn is_older(&self, now: Timestamp, age: i64) -> bool {
        self.changed.0 > 0 && self.changed.0.max(self.modified.0).saturating_add(age) < now.as_second()
    }
}

/// A directory of the index: the position of its first entry and the length of its path.
pub(crate) type Position = (usize, usize);

/// What is known of a working tree from the last look at it.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Whether case did not count when names were looked for in the index.
    pub(crate) folds: bool,
    pub(crate) listings: HashMap<Position, Listing>,
    /// By position in the index.
    pub(crate) contents: HashMap<usize, Content>,
    /// On what the answers in `contents` rest besides the files; none where they can not be used again.
    pub(crate) ground: Option<Ground>,
}

impl Known {
    pub(crate) fn extend(&mut self, other: Self) {
        self.listings.extend(other.listings);
        self.contents.extend(other.contents);
    }
}

/// A directory that held all directories that the index has in it.
#[derive(Debug, Clone)]
pub(crate) struct Listing {
    /// What it was like before it was listed.
    pub(crate) stamp: Stamp,
    pub(crate) besides: Arc<Besides>,
}

/// What a directory holds besides what the index has of it.
#[derive(Debug, Default)]
pub(crate) struct Besides {
    pub(crate) names: Vec<(BString, FileType)>,
    /// There may be an ignore file, be it in the index or not.
    pub(crate) rules: bool,
}

/// What a look into a file said.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    /// What the file was like before.
    pub(crate) stamp: Stamp,
    /// The attributes files from the root to its directory.
    pub(crate) attributes: Arc<[AttributesFile]>,
    pub(crate) answer: Answer,
}

/// The attributes file of one directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttributesFile {
    /// There is none, or none that git would read.
    None,
    /// There is one that is like this.
    Like(Stamp),
    /// It has to be read again each time.
    Unsure,
    /// It would hold its reader.
    Unreadable,
}

impl AttributesFile {
    /// Whether it can be told next time that it is the same.
    pub(crate) fn lasts(&self) -> bool {
        matches!(self, Self::None | Self::Like(_))
    }
}

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
