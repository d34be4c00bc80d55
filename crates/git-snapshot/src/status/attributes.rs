//! The attributes files on the way to a path.

use std::os::fd::BorrowedFd;
use std::sync::Arc;

use gix::bstr::{BStr, BString, ByteSlice};
use jiff::Timestamp;
use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;

use crate::memory::{AttributesFile, Stamp};

const FILE: &[u8] = b".gitattributes";

/// The attributes files from the root to one directory; the next directory takes over what it shares.
#[derive(Default)]
pub(crate) struct Chain {
    /// Below the root, with `/` at its end; empty for the root.
    directory: BString,
    files: Arc<[AttributesFile]>,
}

impl Chain {
    /// Moves to the directory of `path` below `root`, and tells of the files on the way to it, that of the root first.
    pub(crate) fn at(&mut self, root: BorrowedFd<'_>, path: &BStr, now: Timestamp) -> &Arc<[AttributesFile]> {
        let directory = &path[..path.rfind_byte(b'/').map_or(0, |at| at + 1)];
        if self.files.is_empty() || self.directory != directory {
            let shared = self.shared(directory);
            let ends = std::iter::once(0).chain(directory.find_iter("/").map(|at| at + 1)).skip(shared);
            let rest = ends.map(|end| look(root, &directory[..end], now));
            self.files = self.files[..shared].iter().copied().chain(rest).collect();
            self.directory = directory.into();
        }
        &self.files
    }

    /// How many of the files are those of `directory` too.
    fn shared(&self, directory: &[u8]) -> usize {
        let same = self.directory.iter().zip(directory).take_while(|(one, other)| one == other).count();
        let below = directory[..same].iter().filter(|byte| **byte == b'/').count();
        if self.files.is_empty() { 0 } else { below + 1 }
    }
}

fn look(root: BorrowedFd<'_>, directory: &[u8], now: Timestamp) -> AttributesFile {
    let stat = match rustix::fs::statat(root, [directory, FILE].concat(), AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT | Errno::NOTDIR) => return AttributesFile::None,
        Err(_) => return AttributesFile::Unsure,
    };
    let stamp = Stamp::of(&stat);
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => AttributesFile::None,
        FileType::RegularFile if stamp.is_written_back(now) => AttributesFile::Like(stamp),
        FileType::RegularFile | FileType::Symlink => AttributesFile::Unsure,
        _ => AttributesFile::Unreadable,
    }
}
