//! Which names are ignored, by a chain of directories.

use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::glob::pattern::Case;
use gix::glob::search::pattern::List;
use gix::ignore::search::Ignore;

use super::listing;

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

    fn read_directory(&self, path: &BStr) -> Option<List<Ignore>> {
        let mut file = path.to_owned();
        file.extend_from_slice(b".gitignore");
        let mut bytes = Vec::new();
        let on_disk = listing::open_file(self.root_fd(), file.as_ref())
            .ok()
            .and_then(|opened| opened.take(self.limit).read_to_end(&mut bytes).ok());
        if on_disk.is_none() {
            bytes = self.absent.iter().find(|(path, _)| *path == file)?.1.clone();
        }
        let source = self.below_root(file.as_ref());
        List::from_bytes(&bytes, source, Some(&self.root), PARSE).ok()
    }
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
}

struct Loaded {
    own: Option<List<Ignore>>,
    /// The directory itself is ignored, and so is all in it.
    ignored: bool,
}

impl Rules {
    pub(crate) fn root() -> Arc<Self> {
        Arc::new(Self { parent: None, path: BString::default(), loaded: OnceLock::new() })
    }

    pub(crate) fn below(self: &Arc<Self>, path: BString) -> Arc<Self> {
        Arc::new(Self { parent: Some(Arc::clone(self)), path, loaded: OnceLock::new() })
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
            let own = if ignored { None } else { source.read_directory(self.path.as_ref()) };
            Loaded { own, ignored }
        })
    }
}

/// What `list` says of `path`: ignored, kept by a negated pattern, or nothing.
fn ask(list: &List<Ignore>, path: &BStr, name_at: Option<usize>, is_dir: bool, case: Case) -> Option<bool> {
    gix::ignore::search::pattern_matching_relative_path(list, path, name_at, Some(is_dir), case)
        .map(|found| !found.pattern.is_negative())
}
