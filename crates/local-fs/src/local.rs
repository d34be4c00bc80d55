//! The disk.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use context_api::{
    DirEntries, DirEntry, FileKind, FileMeta, FileSystem, Fingerprint, Follow, OpenFile, ReadSeek,
};

/// The local disk.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalFs;

impl LocalFs {
    /// The local disk.
    pub fn new() -> Self {
        Self
    }
}

impl FileSystem for LocalFs {
    fn metadata(&self, path: &Path, follow: Follow) -> io::Result<FileMeta> {
        let meta = match follow {
            Follow::Links => fs::metadata(path)?,
            Follow::Nothing => fs::symlink_metadata(path)?,
        };
        Ok(meta_of(&meta))
    }

    fn open(&self, path: &Path) -> io::Result<OpenFile> {
        let named = fs::symlink_metadata(path)?;
        refuse_irregular(&named)?;
        let file = open_without_waiting(path)?;
        let opened = file.metadata()?;
        refuse_irregular(&opened)?;
        let (named, opened) = (meta_of(&named), meta_of(&opened));
        // Somebody put another file in the path's place between the look and the opening: what the caller checked is
        // not what was opened.
        if named.identity() != opened.identity() {
            return Err(io::Error::new(
                io::ErrorKind::Interrupted,
                "the file was replaced while it was opened",
            ));
        }
        Ok(OpenFile { meta: opened, reader: Box::new(DiskFile(file)) })
    }

    fn read_dir(&self, path: &Path) -> io::Result<DirEntries> {
        let entries = fs::read_dir(path)?;
        Ok(Box::new(entries.map(|entry| {
            let entry = entry?;
            Ok(DirEntry { name: entry.file_name(), kind: kind_of(entry.file_type()?) })
        })))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }
}

fn refuse_irregular(meta: &fs::Metadata) -> io::Result<()> {
    if meta.is_file() {
        return Ok(());
    }
    let kind = if meta.is_dir() { io::ErrorKind::IsADirectory } else { io::ErrorKind::InvalidInput };
    Err(io::Error::new(kind, "not a regular file"))
}

#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<fs::File> {
    crate::unix::open_without_waiting(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<fs::File> {
    fs::File::open(path)
}

/// A file of the disk, open for reading.
struct DiskFile(fs::File);

impl Read for DiskFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for DiskFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl ReadSeek for DiskFile {
    fn meta_now(&self) -> io::Result<FileMeta> {
        Ok(meta_of(&self.0.metadata()?))
    }
}

fn kind_of(kind: fs::FileType) -> FileKind {
    if kind.is_symlink() {
        FileKind::Link
    } else if kind.is_dir() {
        FileKind::Directory
    } else if kind.is_file() {
        FileKind::File
    } else {
        FileKind::Special
    }
}

fn meta_of(meta: &fs::Metadata) -> FileMeta {
    let (device, inode) = identity_of(meta);
    FileMeta {
        kind: kind_of(meta.file_type()),
        fingerprint: Fingerprint { mtime_ns: mtime_of(meta), len: meta.len(), inode },
        device,
    }
}

fn mtime_of(meta: &fs::Metadata) -> i64 {
    let Ok(time) = meta.modified() else { return 0 };
    let nanos = |duration: std::time::Duration| i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => nanos(after),
        Err(before) => -nanos(before.duration()),
    }
}

#[cfg(unix)]
fn identity_of(meta: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}

#[cfg(not(unix))]
fn identity_of(_: &fs::Metadata) -> (u64, u64) {
    (0, 0)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::time::Duration;

    use super::*;

    fn within_seconds<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
        let (send, receive) = std::sync::mpsc::channel();
        std::thread::spawn(move || send.send(act()));
        receive.recv_timeout(Duration::from_secs(10)).expect("it blocked")
    }

    #[test]
    fn a_fifo_is_refused_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let error = within_seconds(move || LocalFs.open(&path).map(|_| ()).unwrap_err());
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn a_device_is_refused() {
        let error = LocalFs.open(Path::new("/dev/zero")).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn a_link_is_not_followed_by_open() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        fs::write(dir.join("secret"), "x").unwrap();
        symlink(dir.join("secret"), dir.join("link")).unwrap();
        assert!(LocalFs.open(&dir.join("link")).is_err());
        fs::create_dir(dir.join("real")).unwrap();
        fs::write(dir.join("real/file"), "x").unwrap();
        symlink(dir.join("real"), dir.join("way")).unwrap();
        assert!(LocalFs.open(&dir.join("real/file")).is_ok());
        assert!(
            !cfg!(target_os = "linux") || LocalFs.open(&dir.join("way/file")).is_err(),
            "a link in the middle of a canonical path can only have come later"
        );
    }

    #[test]
    fn a_loop_of_links_is_an_error_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        symlink("self", dir.path().join("self")).unwrap();
        let error = LocalFs.metadata(&dir.path().join("self"), Follow::Links).unwrap_err();
        assert_eq!(context_api::ReadErrorKind::from(&error), context_api::ReadErrorKind::LinkLoop);
    }

    #[test]
    fn the_open_file_tells_of_its_own_changes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap().join("a");
        fs::write(&path, "one").unwrap();
        let open = LocalFs.open(&path).unwrap();
        fs::write(&path, "longer").unwrap();
        assert_ne!(open.reader.meta_now().unwrap().fingerprint, open.meta.fingerprint);
    }
}
