//! The disk.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
#[cfg(not(unix))]
use std::time::UNIX_EPOCH;

#[cfg(not(unix))]
use context_api::DirEntry;
use context_api::{DirEntries, FileKind, FileMeta, FileSystem, Fingerprint, Follow, OpenFile, ReadSeek};

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
        read_dir(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        // Most paths are canonical already, which one opening tells; otherwise each directory costs a call.
        if is_plain(path) && leads_through_no_link(path) {
            return Ok(path.to_owned());
        }
        fs::canonicalize(path)
    }

    fn read_seen(&self, path: &Path, seen: &FileMeta) -> io::Result<Option<Vec<u8>>> {
        if seen.kind != FileKind::File {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let mut file = open_without_waiting(path)?;
        let bytes = read_up_to(&mut file, seen.fingerprint.len.saturating_add(1))?;
        // One look behind the reading says both: that it is the file that was seen, and that nobody wrote meanwhile.
        let is_whole = bytes.len() as u64 == seen.fingerprint.len && meta_of(&file.metadata()?) == *seen;
        Ok(is_whole.then_some(bytes))
    }
}

/// `most` bytes at most; a regular file that gives fewer than asked for has ended, which saves the call that would find
/// nothing.
fn read_up_to(file: &mut fs::File, most: u64) -> io::Result<Vec<u8>> {
    let most = usize::try_from(most).map_err(|_| io::ErrorKind::FileTooLarge)?;
    let mut bytes = vec![0; most];
    let mut filled = 0;
    while filled < most {
        match file.read(&mut bytes[filled..]) {
            Ok(0) => break,
            // The last byte asked for is one that should not be there.
            Ok(count) if filled + count + 1 == most => {
                filled += count;
                break;
            }
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// Whether a path is absolute and says each directory once: no `.`, `..` or doubled separator.
fn is_plain(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    let doubled = bytes.windows(2).any(|pair| pair == b"//") || bytes.len() > 1 && bytes.ends_with(b"/");
    let dots = bytes.split(|byte| *byte == b'/').any(|part| part == b"." || part == b"..");
    path.is_absolute() && !doubled && !dots
}

#[cfg(target_os = "linux")]
fn leads_through_no_link(path: &Path) -> bool {
    crate::unix::leads_through_no_link(path)
}

#[cfg(not(target_os = "linux"))]
fn leads_through_no_link(_: &Path) -> bool {
    false
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

#[cfg(unix)]
fn read_dir(path: &Path) -> io::Result<DirEntries> {
    Ok(Box::new(crate::unix::Listing::of(path)?))
}

#[cfg(not(unix))]
fn read_dir(path: &Path) -> io::Result<DirEntries> {
    let entries = fs::read_dir(path)?;
    Ok(Box::new(entries.map(|entry| {
        let entry = entry?;
        Ok(DirEntry { name: entry.file_name(), kind: kind_of(entry.file_type()?) })
    })))
}

#[cfg(unix)]
fn mtime_of(meta: &fs::Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    meta.mtime().saturating_mul(1_000_000_000).saturating_add(meta.mtime_nsec())
}

#[cfg(not(unix))]
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
    fn a_canonical_path_has_no_links_dots_or_doubled_separators() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        fs::create_dir_all(dir.join("real/deep")).unwrap();
        symlink(dir.join("real"), dir.join("way")).unwrap();
        let real = dir.join("real/deep");
        for name in ["real/deep", "way/deep", "real//deep", "real/deep/", "real/./deep", "real/deep/../deep"]
        {
            assert_eq!(
                LocalFs.canonicalize(&dir.join(name)).unwrap().as_os_str(),
                real.as_os_str(),
                "{name}"
            );
        }
        let missing = LocalFs.canonicalize(&dir.join("real/none")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn what_was_seen_is_read_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        let path = dir.join("a");
        for text in ["", "one", &"x".repeat(100_000)] {
            fs::write(&path, text).unwrap();
            let seen = LocalFs.metadata(&path, Follow::Nothing).unwrap();
            assert_eq!(LocalFs.read_seen(&path, &seen).unwrap().as_deref(), Some(text.as_bytes()));
        }
        let seen = LocalFs.metadata(&path, Follow::Nothing).unwrap();
        fs::write(&path, "longer than before".repeat(10_000)).unwrap();
        assert_eq!(LocalFs.read_seen(&path, &seen).unwrap(), None, "it grew");
        fs::write(&path, "short").unwrap();
        assert_eq!(LocalFs.read_seen(&path, &seen).unwrap(), None, "it shrank");
        let seen = LocalFs.metadata(&path, Follow::Nothing).unwrap();
        fs::write(dir.join("b"), "other").unwrap();
        fs::rename(dir.join("b"), &path).unwrap();
        assert_eq!(LocalFs.read_seen(&path, &seen).unwrap(), None, "another of the same length");
        fs::remove_file(&path).unwrap();
        symlink("/etc/passwd", &path).unwrap();
        assert!(LocalFs.read_seen(&path, &seen).is_err(), "a link took its place");
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let read = within_seconds(move || LocalFs.read_seen(&path, &seen));
        assert!(!matches!(read, Ok(Some(_))), "a pipe took its place");
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
