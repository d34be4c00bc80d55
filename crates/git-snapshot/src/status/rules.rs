//! Which names are ignored, by a chain of directories.

use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::glob::pattern::Case;
use gix::glob::search::pattern::List;
use gix::ignore::search::Ignore;

use super::listing;

/// The name of an ignore file.
const FILE: &[u8] = b".gitignore";

const PARSE: Ignore = Ignore { support_precious: false };

/// Ignore rules that hold everywhere, and how to read more of them.
pub(crate) struct RuleSource {
    root: PathBuf,
    root_fd: OwnedFd,
    case: Case,
    /// The more important first.
    everywhere: Vec<List<Ignore>>,
    limit: u64,
    /// Ignore files that are in the index but, by a sparse checkout, not on disk.
    absent: Vec<(BString, Vec<u8>)>,
}

impl RuleSource {
    pub(crate) fn new(root: PathBuf, root_fd: OwnedFd, case: Case, files: &[PathBuf], limit: u64) -> Self {
        let everywhere = files.iter().filter_map(|file| read_list(file, limit)).collect();
        Self { root, root_fd, case, everywhere, limit, absent: Vec::new() }
    }

    /// The same source, which takes ignore files that are not on disk from `absent`: path and content.
    pub(crate) fn with_absent(mut self, absent: Vec<(BString, Vec<u8>)>) -> Self {
        self.absent = absent;
        self
    }

    /// The directory at the root of the working tree.
    pub(crate) fn root_fd(&self) -> BorrowedFd<'_> {
        self.root_fd.as_fd()
    }

    /// `path` as the file system knows it.
    pub(crate) fn below_root(&self, path: &BStr) -> PathBuf {
        self.root.join(listing::as_path(path))
    }

    /// The rules of the directory `path`, from the disk only if there `may_be` a file with them.
    fn read_directory(&self, path: &BStr, may_be: bool) -> Option<List<Ignore>> {
        if !may_be && self.absent.is_empty() {
            return None;
        }
        let mut file = path.to_owned();
        file.extend_from_slice(FILE);
        let mut bytes = Vec::new();
        let opened = may_be.then(|| listing::open_file(self.root_fd(), file.as_ref()).ok()).flatten();
        let on_disk = opened.and_then(|opened| opened.take(self.limit).read_to_end(&mut bytes).ok());
        if on_disk.is_none() {
            bytes = self.absent.iter().find(|(path, _)| *path == file)?.1.clone();
        }
        let source = self.below_root(file.as_ref());
        List::from_bytes(&bytes, source, Some(&self.root), PARSE).ok()
    }
}

/// Whether a file system may find `name` when it is asked for an ignore file: some fold case, and some pass over
/// characters that can not be seen.
pub(crate) fn may_be_file(name: &BStr) -> bool {
    name.eq_ignore_ascii_case(FILE) || !name.is_ascii()
}

fn read_list(file: &Path, limit: u64) -> Option<List<Ignore>> {
    if !file.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    std::fs::File::open(file).ok()?.take(limit).read_to_end(&mut bytes).ok()?;
    List::from_bytes(&bytes, file.to_owned(), None, PARSE).ok()
}

/// The rules of one directory. Its ignore file is read when the first question is asked.
pub(crate) struct Rules {
    parent: Option<Arc<Rules>>,
    /// The directory below the root, with `/` at its end; empty for the root.
    path: BString,
    loaded: OnceLock<Loaded>,
    /// A listing of the directory showed no ignore file.
    without_file: AtomicBool,
}

struct Loaded {
    own: Option<List<Ignore>>,
    /// The directory itself is ignored, and so is all in it.
    ignored: bool,
}

impl Rules {
    pub(crate) fn root() -> Arc<Self> {
        Arc::new(Self::new(None, BString::default()))
    }

    pub(crate) fn below(self: &Arc<Self>, path: BString) -> Arc<Self> {
        Arc::new(Self::new(Some(Arc::clone(self)), path))
    }

    fn new(parent: Option<Arc<Self>>, path: BString) -> Self {
        Self { parent, path, loaded: OnceLock::new(), without_file: AtomicBool::new(false) }
    }

    /// Notes that the directory holds no ignore file, so that none is looked for.
    pub(crate) fn note_no_file(&self) {
        self.without_file.store(true, Ordering::Relaxed);
    }

    /// Whether `path`, which lies in this directory, is ignored.
    pub(crate) fn ignores(&self, path: &BStr, is_dir: bool, source: &RuleSource) -> bool {
        let loaded = self.loaded(source);
        if loaded.ignored {
            return true;
        }
        let name_at = path.rfind_byte(b'/').map(|at| at + 1);
        let mut here = Some(self);
        while let Some(rules) = here {
            let own = rules.loaded(source).own.as_ref();
            if let Some(answer) = own.and_then(|list| ask(list, path, name_at, is_dir, source.case)) {
                return answer;
            }
            here = rules.parent.as_deref();
        }
        source
            .everywhere
            .iter()
            .find_map(|list| ask(list, path, name_at, is_dir, source.case))
            .unwrap_or(false)
    }

    fn loaded(&self, source: &RuleSource) -> &Loaded {
        self.loaded.get_or_init(|| {
            let path = self.path.strip_suffix(b"/").unwrap_or(&self.path).as_bstr();
            let ignored = self.parent.as_ref().is_some_and(|parent| parent.ignores(path, true, source));
            let own = if ignored {
                None
            } else {
                source.read_directory(self.path.as_ref(), !self.without_file.load(Ordering::Relaxed))
            };
            Loaded { own, ignored }
        })
    }
}

/// What `list` says of `path`: ignored, kept by a negated pattern, or nothing.
fn ask(list: &List<Ignore>, path: &BStr, name_at: Option<usize>, is_dir: bool, case: Case) -> Option<bool> {
    gix::ignore::search::pattern_matching_relative_path(list, path, name_at, Some(is_dir), case)
        .map(|found| !found.pattern.is_negative())
}
