//! The file system as one load sees it: each path is looked at once, and what was seen can be checked again.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foldhash::HashMap;

use context_api::{FileKind, FileMeta, FileSystem, Follow, ReadErrorKind};

/// What a path showed: its facts, or the stable word for what stood in the way.
pub(crate) type Seen = Result<FileMeta, &'static str>;

/// One look, to be compared with a later one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Probe {
    path: Arc<OsStr>,
    follow: Follow,
    seen: Seen,
}

impl Probe {
    /// Whether the path still shows the same.
    pub(crate) fn holds(&self, fs: &dyn FileSystem) -> bool {
        look(fs, self.path.as_ref().as_ref(), self.follow) == self.seen
    }
}

/// Whether each look of an earlier load still shows the same: one `stat` a file and a directory.
pub(crate) fn all_hold(fs: &dyn FileSystem, probes: &[Probe]) -> bool {
    probes.iter().all(|probe| probe.holds(fs))
}

#[derive(Default)]
struct Known {
    itself: Option<Seen>,
    target: Option<Seen>,
    watched: bool,
}

/// One load's view of the file system.
pub(crate) struct Disk {
    pub(crate) fs: Arc<dyn FileSystem>,
    /// Keys are the bytes of paths: a path hashes part by part, which takes longer than the look.
    known: HashMap<Arc<OsStr>, Known>,
    canonical: HashMap<OsString, PathBuf>,
    /// A directory that is canonical, and so are those above it.
    plain: PathBuf,
    probes: Vec<Probe>,
}

impl Disk {
    pub(crate) fn new(fs: Arc<dyn FileSystem>) -> Self {
        let (known, canonical) = (HashMap::default(), HashMap::default());
        Self { fs, known, canonical, plain: PathBuf::new(), probes: Vec::new() }
    }

    /// What the load depends on.
    pub(crate) fn into_probes(self) -> Vec<Probe> {
        self.probes
    }

    /// What a path is, links not followed.
    pub(crate) fn peek(&mut self, path: &Path) -> Seen {
        if let Some(Known { itself: Some(seen), .. }) = self.known.get(path.as_os_str()) {
            return *seen;
        }
        let fs = &self.fs;
        let known = entry(&mut self.known, path);
        *known.itself.get_or_insert_with(|| look(&**fs, path, Follow::Nothing))
    }

    /// What a path leads to.
    pub(crate) fn target(&mut self, path: &Path) -> Seen {
        let itself = self.peek(path);
        if !itself.is_ok_and(|meta| meta.kind == FileKind::Link) {
            return itself;
        }
        let fs = &self.fs;
        let known = entry(&mut self.known, path);
        *known.target.get_or_insert_with(|| look(&**fs, path, Follow::Links))
    }

    /// What a path is, links not followed; the load then depends on it and on what it leads to.
    pub(crate) fn look_and_watch(&mut self, path: &Path) -> Seen {
        let fs = &self.fs;
        if let Some(Known { itself: Some(seen), watched: true, .. }) = self.known.get(path.as_os_str()) {
            return *seen;
        }
        let key: Arc<OsStr> = path.as_os_str().into();
        let known = self.known.entry(Arc::clone(&key)).or_default();
        known.watched = true;
        let itself = *known.itself.get_or_insert_with(|| look(&**fs, path, Follow::Nothing));
        if itself.is_ok_and(|meta| meta.kind == FileKind::Link) {
            let target = *known.target.get_or_insert_with(|| look(&**fs, path, Follow::Links));
            let (path, follow) = (Arc::clone(&key), Follow::Links);
            self.probes.push(Probe { path, follow, seen: target });
        }
        self.probes.push(Probe { path: key, follow: Follow::Nothing, seen: itself });
        itself
    }

    /// Lets the load depend on what a path is and leads to.
    pub(crate) fn watch(&mut self, path: &Path) {
        let _ = self.look_and_watch(path);
    }

    /// Lets the file system say at once whether a directory and all above it are canonical: one call instead of one each.
    pub(crate) fn learn_canonical(&mut self, dir: &Path) {
        if self.fs.canonicalize(dir).is_ok_and(|canonical| canonical.as_os_str() == dir.as_os_str()) {
            dir.clone_into(&mut self.plain);
        }
    }

    /// The canonical path of a directory; where the file system has none, the path itself. A directory that is no link lies
    /// in the canonical path of its parent, so that one look a directory suffices.
    pub(crate) fn canonical_dir(&mut self, dir: &Path) -> PathBuf {
        if self.is_canonical(dir) {
            return dir.to_owned();
        }
        if let Some(canonical) = self.canonical.get(dir.as_os_str()) {
            return canonical.clone();
        }
        let is_plain = self.peek(dir).is_ok_and(|meta| meta.kind == FileKind::Directory);
        let canonical = match (dir.parent(), dir.file_name()) {
            (Some(parent), Some(name)) if is_plain => self.canonical_dir(parent).join(name),
            _ => self.fs.canonicalize(dir).unwrap_or_else(|_| dir.to_owned()),
        };
        self.canonical.insert(dir.as_os_str().to_owned(), canonical.clone());
        canonical
    }

    /// Whether a directory is one of those of which the file system said it.
    fn is_canonical(&self, dir: &Path) -> bool {
        let (dir, plain) = (dir.as_os_str().as_encoded_bytes(), self.plain.as_os_str().as_encoded_bytes());
        let ends_a_name = |rest: &[u8]| rest.is_empty() || rest.starts_with(b"/");
        !dir.is_empty()
            && (plain.strip_prefix(dir).is_some_and(ends_a_name) || dir == b"/" && plain.starts_with(dir))
    }

    /// The canonical path of a file; one that is no link costs no look of its own.
    pub(crate) fn canonical_file(&mut self, path: &Path) -> PathBuf {
        let is_link = self.peek(path).is_ok_and(|meta| meta.kind == FileKind::Link);
        self.canonical_of(path, is_link)
    }

    /// The canonical path of a file of which is known whether it is a link.
    pub(crate) fn canonical_of(&mut self, path: &Path, is_link: bool) -> PathBuf {
        match (path.parent(), path.file_name()) {
            (Some(dir), Some(name)) if !is_link && self.is_canonical(dir) => dir.join(name),
            (Some(dir), Some(name)) if !is_link => self.canonical_dir(dir).join(name),
            _ => self.fs.canonicalize(path).unwrap_or_else(|_| path.to_owned()),
        }
    }

    /// The canonical path of what may not exist yet: that of the nearest directory which does, and the rest.
    pub(crate) fn canonical_any(&mut self, path: &Path) -> PathBuf {
        let mut rest = Vec::new();
        let mut at = path;
        loop {
            if self.target(at).is_ok() {
                let base = self.fs.canonicalize(at).unwrap_or_else(|_| at.to_owned());
                return rest.iter().rev().fold(base, |path, name| path.join(name));
            }
            match (at.parent(), at.file_name()) {
                (Some(parent), Some(name)) => {
                    rest.push(name);
                    at = parent;
                }
                _ => return path.to_owned(),
            }
        }
    }
}

fn entry<'a>(known: &'a mut HashMap<Arc<OsStr>, Known>, path: &Path) -> &'a mut Known {
    known.entry(path.as_os_str().into()).or_default()
}

fn look(fs: &dyn FileSystem, path: &Path, follow: Follow) -> Seen {
    fs.metadata(path, follow).map_err(|error| ReadErrorKind::from(&error).reason())
}

/// Reads a whole regular file by its canonical path, `limit` bytes at most, as it was `seen` or as it is by now.
///
/// # Errors
/// The stable word for what stands in the way, with the size where the file is too large.
pub(crate) fn read(
    fs: &dyn FileSystem,
    canonical: &Path,
    seen: &FileMeta,
    limit: u64,
    attempts: usize,
) -> Result<(Vec<u8>, FileMeta), Unread> {
    let is_small = seen.kind == FileKind::File && seen.fingerprint.len <= limit;
    if is_small && let Ok(Some(bytes)) = fs.read_seen(canonical, seen) {
        return Ok((bytes, *seen));
    }
    let mut last = Unread { reason: ReadErrorKind::Unsettled.reason(), size: None };
    for _ in 0..attempts.max(1) {
        match read_once(fs, canonical, limit) {
            Ok(Some(read)) => return Ok(read),
            Ok(None) => {}
            Err(unread) if unread.reason == REPLACED => last.reason = ReadErrorKind::Unsettled.reason(),
            Err(unread) => return Err(unread),
        }
    }
    Err(last)
}

/// Why a file was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unread {
    pub(crate) reason: &'static str,
    pub(crate) size: Option<u64>,
}

/// Another file took the path's place between the look and the opening.
const REPLACED: &str = "replaced";

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        let replaced = error.kind() == io::ErrorKind::Interrupted;
        let reason = if replaced { REPLACED } else { ReadErrorKind::from(&error).reason() };
        Self { reason, size: None }
    }
}

/// Reads `len` bytes, and one more if there is one: a regular file that gives fewer than asked for has ended, which saves
/// the call that would find nothing.
fn read_short(reader: &mut dyn Read, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; len + 1];
    let mut filled = 0;
    while filled < len {
        match reader.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// The bytes, or nothing where the file changed meanwhile.
fn read_once(
    fs: &dyn FileSystem,
    canonical: &Path,
    limit: u64,
) -> Result<Option<(Vec<u8>, FileMeta)>, Unread> {
    let mut open = fs.open(canonical)?;
    let len = open.meta.fingerprint.len;
    let too_large = |size| Unread { reason: "too_large", size: Some(size) };
    if len > limit {
        return Err(too_large(len));
    }
    let bytes = read_short(&mut open.reader, usize::try_from(len).unwrap_or(0))?;
    let settled = open.reader.meta_now()? == open.meta && bytes.len() as u64 == len;
    Ok(settled.then_some((bytes, open.meta)))
}
