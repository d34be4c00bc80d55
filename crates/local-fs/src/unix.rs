//! Opening on Unix: never waiting for a writer, never through a link; and listing.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use context_api::{DirEntry, FileKind};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};

const FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC)
    .union(OFlags::NOCTTY);

#[cfg(target_os = "linux")]
pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, ResolveFlags, openat2};
    use rustix::io::Errno;
    match openat2(CWD, path, FLAGS, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        Ok(file) => Ok(File::from(file)),
        // Kernels before 5.6 and some sandboxes do not know the call.
        Err(Errno::NOSYS | Errno::PERM) => open_last_component(path),
        Err(error) => Err(error.into()),
    }
}

/// Whether a path leads to something without passing a link; a `false` may also mean that the kernel can not tell.
#[cfg(target_os = "linux")]
pub(crate) fn leads_through_no_link(path: &Path) -> bool {
    use rustix::fs::{CWD, ResolveFlags, openat2};
    openat2(CWD, path, OFlags::PATH.union(OFlags::CLOEXEC), Mode::empty(), ResolveFlags::NO_SYMLINKS).is_ok()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
    open_last_component(path)
}

fn open_last_component(path: &Path) -> io::Result<File> {
    Ok(File::from(rustix::fs::open(path, FLAGS, Mode::empty())?))
}

/// The entries of a directory, read as they are asked for.
pub(crate) struct Listing(Dir);

impl Listing {
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        Ok(Self(Dir::new(rustix::fs::open(path, flags, Mode::empty())?)?))
    }

    fn entry(&self, found: &rustix::fs::DirEntry) -> io::Result<DirEntry> {
        let name = found.file_name();
        let kind = match found.file_type() {
            // Not every file system says it in the listing.
            FileType::Unknown => {
                let stat = rustix::fs::statat(self.0.fd()?.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW)?;
                FileType::from_raw_mode(stat.st_mode)
            }
            kind => kind,
        };
        Ok(DirEntry { name: OsStr::from_bytes(name.to_bytes()).to_owned(), kind: kind_of(kind) })
    }
}

impl Iterator for Listing {
    type Item = io::Result<DirEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.0.read()? {
                Ok(found) if matches!(found.file_name().to_bytes(), b"." | b"..") => {}
                Ok(found) => return Some(self.entry(&found)),
                Err(error) => return Some(Err(error.into())),
            }
        }
    }
}

fn kind_of(kind: FileType) -> FileKind {
    match kind {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Directory,
        FileType::Symlink => FileKind::Link,
        _ => FileKind::Special,
    }
}
