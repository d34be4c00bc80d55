//! The names in a directory.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use gix::bstr::{BStr, ByteSlice};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::{Errno, Result};

const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC)
    .union(OFlags::NONBLOCK);
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// The size of the buffer for one call of the kernel.
#[cfg(any(target_os = "linux", target_os = "android"))]
const BUFFER: usize = 32 << 10;

/// Opens the directory `path` below `root`; its last component is not followed if it is a link. The empty path is the
/// root itself.
pub(crate) fn open_directory(root: BorrowedFd<'_>, path: &BStr) -> Result<OwnedFd> {
    let path = path.strip_suffix(b"/").unwrap_or(path);
    let path = if path.is_empty() { b"." } else { path };
    rustix::fs::openat(root, path, DIRECTORY, Mode::empty())
}

/// Opens the regular file `path` below `root`, without following it or waiting for it; other kinds are refused.
pub(crate) fn open_file(root: BorrowedFd<'_>, path: &BStr) -> Result<std::fs::File> {
    let fd = rustix::fs::openat(root, path.as_bytes(), FILE, Mode::empty())?;
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&fd)?.st_mode);
    if kind == FileType::RegularFile { Ok(fd.into()) } else { Err(Errno::INVAL) }
}

/// Bytes of git as a path of the file system.
pub(crate) fn as_path(path: &BStr) -> &Path {
    Path::new(std::ffi::OsStr::from_bytes(path))
}

/// Calls `each` with each name in `dir` and what the directory says of its kind, until it answers `false`. The names
/// `.`, `..` and `.git` are left out.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn names(
    dir: impl AsFd,
    buffer: &mut Vec<u8>,
    mut each: impl FnMut(&BStr, FileType) -> bool,
) -> Result<()> {
    buffer.clear();
    buffer.reserve(BUFFER);
    let mut entries = rustix::fs::RawDir::new(dir, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if !matches!(name, b"." | b".." | b".git") && !each(name.as_bstr(), entry.file_type()) {
            break;
        }
    }
    Ok(())
}

/// Calls `each` with each name in `dir` and what the directory says of its kind, until it answers `false`. The names
/// `.`, `..` and `.git` are left out.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn names(
    dir: impl AsFd,
    _buffer: &mut Vec<u8>,
    mut each: impl FnMut(&BStr, FileType) -> bool,
) -> Result<()> {
    for entry in rustix::fs::Dir::read_from(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if !matches!(name, b"." | b".." | b".git") && !each(name.as_bstr(), entry.file_type()) {
            break;
        }
    }
    Ok(())
}

/// The kind of `name` in `dir`, asked only where the directory did not say.
pub(crate) fn kind(dir: impl AsFd, name: &BStr, said: FileType) -> FileType {
    if said != FileType::Unknown {
        return said;
    }
    match rustix::fs::statat(dir, name.as_bytes(), rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => FileType::from_raw_mode(stat.st_mode),
        Err(_) => FileType::Unknown,
    }
}
