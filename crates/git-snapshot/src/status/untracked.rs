//! Names that the index does not know.

use std::os::fd::BorrowedFd;
use std::sync::Arc;

use context_api::GitRun;
use gix::bstr::{BStr, BString};
use rustix::fs::FileType;

use super::listing;
use super::rules::{RuleSource, Rules};
use super::settings::Untracked;
use crate::discovery;

/// Looks into names that are not in the index, and keeps those to be listed.
pub(crate) struct Finder<'a> {
    source: &'a RuleSource,
    mode: Untracked,
    run: &'a GitRun,
    /// Paths below the root; directories end in `/`.
    pub(crate) found: Vec<BString>,
    buffer: Vec<u8>,
}

/// What a directory without an index entry holds.
struct Contents {
    files: Vec<BString>,
    directories: Vec<BString>,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(source: &'a RuleSource, mode: Untracked, run: &'a GitRun) -> Self {
        Self { source, mode, run, found: Vec::new(), buffer: Vec::new() }
    }

    fn root(&self) -> BorrowedFd<'a> {
        self.source.root_fd()
    }

    /// Takes a look at `path`, which lies in the directory of `rules` and has no index entry at or below it.
    pub(crate) fn look(&mut self, mut path: BString, kind: FileType, rules: &Arc<Rules>) {
        match kind {
            FileType::RegularFile | FileType::Symlink
                if !rules.ignores(path.as_ref(), false, self.source) =>
            {
                self.found.push(path);
            }
            FileType::Directory => {
                if rules.ignores(path.as_ref(), true, self.source) {
                    return;
                }
                path.push(b'/');
                self.directory(path, rules);
            }
            _ => {}
        }
    }

    fn directory(&mut self, path: BString, rules: &Arc<Rules>) {
        if self.is_repository(path.as_ref()) {
            self.found.push(path);
            return;
        }
        let below = rules.below(path.clone());
        if self.mode == Untracked::All {
            self.every_file(path.as_ref(), &below);
        } else if self.holds_something(path.as_ref(), &below) {
            self.found.push(path);
        }
    }

    fn every_file(&mut self, path: &BStr, rules: &Arc<Rules>) {
        let Some(contents) = self.contents(path, rules, false) else { return };
        self.found.extend(contents.files);
        for directory in contents.directories {
            self.look(directory, FileType::Directory, rules);
        }
    }

    /// Whether anything below `path` would be listed; the first find ends the search.
    fn holds_something(&mut self, path: &BStr, rules: &Arc<Rules>) -> bool {
        let Some(contents) = self.contents(path, rules, true) else { return false };
        if !contents.files.is_empty() {
            return true;
        }
        contents.directories.into_iter().any(|mut directory| {
            if rules.ignores(directory.as_ref(), true, self.source) {
                return false;
            }
            directory.push(b'/');
            self.is_repository(directory.as_ref())
                || self.holds_something(directory.as_ref(), &rules.below(directory.clone()))
        })
    }

    /// The files in `path` that are not ignored (only the first, on request) and all directories.
    fn contents(&mut self, path: &BStr, rules: &Arc<Rules>, first_only: bool) -> Option<Contents> {
        if self.run.is_over() {
            return None;
        }
        let dir = listing::open_directory(self.root(), path).ok()?;
        let mut contents = Contents { files: Vec::new(), directories: Vec::new() };
        let source = self.source;
        let listed = listing::names(&dir, &mut self.buffer, |name, said| {
            let mut full = path.to_owned();
            full.extend_from_slice(name);
            match listing::kind(&dir, name, said) {
                FileType::Directory => contents.directories.push(full),
                FileType::RegularFile | FileType::Symlink if !rules.ignores(full.as_ref(), false, source) => {
                    contents.files.push(full);
                }
                _ => {}
            }
            !first_only || contents.files.is_empty()
        });
        listed.ok().map(|()| contents)
    }

    /// Whether `path` is the working tree of a repository of its own.
    fn is_repository(&self, path: &BStr) -> bool {
        let dot_git = self.source.below_root(path).join(".git");
        dot_git.symlink_metadata().is_ok() && discovery::is_git(&dot_git)
    }
}
