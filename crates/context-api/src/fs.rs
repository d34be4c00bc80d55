//! How files are reached, and who may be read.

use std::ffi::OsString;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Answers: what is at this path?
///
/// Sync; called on threads that may block, never on the host's runtime. Overlays of unsaved buffers, remote workspaces and
/// injected faults are implementations of this trait.
///
/// ```
/// use std::{io, path::{Path, PathBuf}};
/// use context_api::{DirEntries, FileMeta, FileSystem, Follow, OpenFile};
/// struct Nothing;
/// impl FileSystem for Nothing {
///     fn metadata(&self, _: &Path, _: Follow) -> io::Result<FileMeta> { Err(io::ErrorKind::NotFound.into()) }
///     fn open(&self, _: &Path) -> io::Result<OpenFile> { Err(io::ErrorKind::NotFound.into()) }
///     fn read_dir(&self, _: &Path) -> io::Result<DirEntries> { Err(io::ErrorKind::NotFound.into()) }
///     fn canonicalize(&self, _: &Path) -> io::Result<PathBuf> { Err(io::ErrorKind::NotFound.into()) }
/// }
/// let disk: Box<dyn FileSystem> = Box::new(Nothing);
/// assert!(disk.open("/a".as_ref()).is_err());
/// ```
pub trait FileSystem: Send + Sync + 'static {
    /// What a path names.
    ///
    /// # Errors
    /// As the system's `stat`; a loop of links is an error of its own kind.
    fn metadata(&self, path: &Path, follow: Follow) -> io::Result<FileMeta>;

    /// Opens a regular file for reading. `path` is canonical (see [`FileSystem::canonicalize`]) and was allowed by the
    /// policy; a link that appeared in it since then is refused, and so is everything that is no regular file. Never
    /// blocks on a FIFO or device.
    ///
    /// # Errors
    /// As the system's `open`; [`io::ErrorKind::InvalidInput`] for what is no regular file.
    fn open(&self, path: &Path) -> io::Result<OpenFile>;

    /// The entries of a directory, in no order, without `.` and `..`.
    ///
    /// # Errors
    /// As the system's `opendir`.
    fn read_dir(&self, path: &Path) -> io::Result<DirEntries>;

    /// The absolute path without links, `.` and `..`.
    ///
    /// # Errors
    /// As the system's `realpath`.
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf>;

    /// Reads the whole of a small regular file that a look showed as `seen` a moment ago; `None` where another file has
    /// taken its place or it changed since. `path` is as for [`FileSystem::open`]. A disk can do this with fewer calls than
    /// opening and reading take.
    ///
    /// # Errors
    /// As [`FileSystem::open`] and reading.
    fn read_seen(&self, path: &Path, seen: &FileMeta) -> io::Result<Option<Vec<u8>>> {
        let mut open = self.open(path)?;
        if open.meta != *seen {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        open.reader.by_ref().take(seen.fingerprint.len.saturating_add(1)).read_to_end(&mut bytes)?;
        let is_whole = bytes.len() as u64 == seen.fingerprint.len && open.reader.meta_now()? == *seen;
        Ok(is_whole.then_some(bytes))
    }
}

impl<T: FileSystem + ?Sized> FileSystem for std::sync::Arc<T> {
    fn metadata(&self, path: &Path, follow: Follow) -> io::Result<FileMeta> {
        (**self).metadata(path, follow)
    }
    fn open(&self, path: &Path) -> io::Result<OpenFile> {
        (**self).open(path)
    }
    fn read_dir(&self, path: &Path) -> io::Result<DirEntries> {
        (**self).read_dir(path)
    }
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        (**self).canonicalize(path)
    }
    fn read_seen(&self, path: &Path, seen: &FileMeta) -> io::Result<Option<Vec<u8>>> {
        (**self).read_seen(path, seen)
    }
}

/// Whether a link at the end of a path is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// Look at what the link points to.
    Links,
    /// Look at the link itself.
    Nothing,
}

/// The entries of a directory.
pub type DirEntries = Box<dyn Iterator<Item = io::Result<DirEntry>> + Send>;

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    /// Its name, without the directory.
    pub name: OsString,
    /// What it is, links not followed.
    pub kind: FileKind,
}

/// What a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A FIFO, a socket, a device.
    Special,
}

/// Facts about a file that a stat gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileMeta {
    /// What it is.
    pub kind: FileKind,
    /// What tells one version of it from another.
    pub fingerprint: Fingerprint,
    /// The device it lies on; 0 where there is no such thing.
    pub device: u64,
}

impl FileMeta {
    /// Device and inode: the same for every name of a file. `None` where the file system has no inodes.
    pub fn identity(&self) -> Option<(u64, u64)> {
        (self.fingerprint.inode != 0).then_some((self.device, self.fingerprint.inode))
    }
}

/// What tells one version of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fingerprint {
    /// Time of the last change of the content, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Length in bytes.
    pub len: u64,
    /// Inode number; 0 where there is no such thing.
    pub inode: u64,
}

/// A file open for reading.
pub struct OpenFile {
    /// Facts taken from the open file itself, not from its name.
    pub meta: FileMeta,
    /// Its bytes.
    pub reader: Box<dyn ReadSeek>,
}

impl std::fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenFile").field("meta", &self.meta).finish_non_exhaustive()
    }
}

/// Bytes that can be read from any place.
pub trait ReadSeek: Read + Seek + Send {
    /// The facts as they are now, to see whether the file changed while it was read.
    ///
    /// # Errors
    /// As the system's `fstat`.
    fn meta_now(&self) -> io::Result<FileMeta>;
}

/// Answers: may this path be read into context?
///
/// Asked with the path as given and again with the canonical one; one denial suffices.
pub trait ReadPolicy: Send + Sync + 'static {
    /// The verdict on `path`, which is absolute.
    fn check(&self, path: &Path) -> Access;
}

impl<T: ReadPolicy + ?Sized> ReadPolicy for std::sync::Arc<T> {
    fn check(&self, path: &Path) -> Access {
        (**self).check(path)
    }
}

/// The verdict of a [`ReadPolicy`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// It may be read.
    Allowed,
    /// It may not; `rule` says which rule forbids it.
    Denied {
        /// The rule as its author wrote it.
        rule: String,
    },
}

/// A policy that allows everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct AllowAll;

impl ReadPolicy for AllowAll {
    fn check(&self, _: &Path) -> Access {
        Access::Allowed
    }
}
