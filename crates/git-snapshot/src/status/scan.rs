//! The working tree against the index: one pass over each tracked directory, shared between threads.
//!
//! A directory is opened once. Each file that the index has in it is compared by `fstatat`, then its names are listed,
//! unless the directory is as it was at the last look, and those that the index does not know are looked into.
//! Directories below become tasks only if the listing shows them as directories, so no link is ever followed. Contents
//! are compared in tasks of their own, unless file and attributes are as they were.

use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use context_api::{Decision, GitRun};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stage};
use jiff::Timestamp;
use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;

use super::content::{Answer, Comparer, ContentSource};
use super::entry::{self, Verdict};
use super::listing;
use super::names::Names;
use super::queue::Queue;
use super::rules::{self, RuleSource, Rules};
use super::settings::{Settings, Untracked};
use super::spans::{self, Span};
use super::submodule::Submodules;
use super::untracked::Finder;
use crate::limits::GitLimits;
use crate::memory::{Besides, Known, Listing, Stamp};

/// Files in one task of content comparison: few enough to share the work, many enough to pay for a task.
const CONTENTS_A_TASK: usize = 16;
/// Entries of one directory between two looks at the clock.
const ENTRIES_A_LOOK: usize = 256;

/// Everything that the threads of one scan share.
pub(crate) struct Scan<'a> {
    pub(crate) index: &'a gix::index::State,
    pub(crate) settings: &'a Settings,
    pub(crate) rules: &'a RuleSource,
    pub(crate) content: &'a ContentSource<'a>,
    pub(crate) submodules: &'a Submodules<'a>,
    pub(crate) run: &'a GitRun,
    /// What need not be looked at again while it is unchanged.
    pub(crate) known: &'a Known,
    pub(crate) limits: &'a GitLimits,
    /// Names beside the index that may still be kept.
    pub(crate) room: AtomicUsize,
    pub(crate) now: Timestamp,
}

/// What a scan found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Position in the index and letter.
    pub(crate) changes: Vec<(usize, char)>,
    /// Position in the index of entries with a stage.
    pub(crate) conflicts: Vec<usize>,
    /// Paths that the index does not have; directories end in `/`.
    pub(crate) untracked: Vec<BString>,
    /// What holds until a directory or a file changes.
    pub(crate) known: Known,
}

impl Found {
    fn append(&mut self, mut other: Self) {
        self.changes.append(&mut other.changes);
        self.conflicts.append(&mut other.conflicts);
        self.untracked.append(&mut other.untracked);
        self.known.extend(other.known);
    }
}

enum Task {
    Directory(Directory),
    Contents(Vec<Suspect>),
}

struct Directory {
    range: Range<usize>,
    /// Bytes of the path of the directory, its `/` included; 0 for the root.
    prefix: usize,
    rules: Arc<Rules>,
}

/// An entry whose content has to be compared.
#[derive(Clone, Copy)]
struct Suspect {
    at: usize,
    /// The file system says that something happened to it, so it is not just too young to tell.
    touched: bool,
    stamp: Stamp,
}

impl Scan<'_> {
    /// Scans on `threads` threads, the caller's among them, which first does `meanwhile`.
    pub(crate) fn run<T>(&self, threads: usize, meanwhile: impl FnOnce() -> T) -> (Found, T) {
        let all = 0..self.index.entries().len();
        let queue = Queue::new(Task::Directory(Directory { range: all, prefix: 0, rules: Rules::root() }));
        std::thread::scope(|scope| {
            let others: Vec<_> =
                (1..threads).map(|_| scope.spawn(|| Worker::new(self, &queue).work())).collect();
            let value = meanwhile();
            let mut found = Worker::new(self, &queue).work();
            for other in others {
                // A panic in a worker is a panic here: nothing half-done is taken for an answer.
                match other.join() {
                    Ok(more) => found.append(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            (found, value)
        })
    }
}

impl Scan<'_> {
    /// Takes room for `names` more names, if there is as much.
    fn may_keep(&self, names: usize) -> bool {
        let take = |room: usize| room.checked_sub(names);
        self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }
}

struct Worker<'a> {
    scan: &'a Scan<'a>,
    queue: &'a Queue<Task>,
    comparer: Option<Comparer<'a>>,
    finder: Finder<'a>,
    found: Found,
    buffer: Vec<u8>,
    tasks: Vec<Task>,
    suspects: Vec<Suspect>,
    /// Of the directory at hand.
    names: Names<'a>,
}

impl<'a> Worker<'a> {
    fn new(scan: &'a Scan<'a>, queue: &'a Queue<Task>) -> Self {
        Self {
            scan,
            queue,
            comparer: None,
            finder: Finder::new(scan.rules, scan.settings.untracked, scan.run),
            found: Found::default(),
            buffer: Vec::new(),
            tasks: Vec::new(),
            suspects: Vec::new(),
            names: Names::default(),
        }
    }

    fn work(mut self) -> Found {
        let mut busy = false;
        while let Some(task) = self.queue.next(busy) {
            busy = true;
            if self.scan.run.is_over() {
                self.queue.close();
                continue;
            }
            match task {
                Task::Directory(directory) => self.directory(&directory),
                Task::Contents(suspects) => suspects.into_iter().for_each(|suspect| self.content(suspect)),
            }
            self.queue.add(&mut self.tasks);
        }
        self.found.untracked.append(&mut self.finder.found);
        self.found
    }

    fn root(&self) -> BorrowedFd<'a> {
        self.scan.rules.root_fd()
    }

    fn path(&self, at: usize) -> &'a BStr {
        self.scan.index.entry(at).path(self.scan.index)
    }

    fn directory(&mut self, directory: &Directory) {
        let path: &'a BStr = match directory.prefix {
            0 => b"".as_bstr(),
            prefix => self.path(directory.range.start)[..prefix].as_bstr(),
        };
        let dir = match listing::open_directory(self.root(), path) {
            Ok(dir) => dir,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return self.all_gone(directory.range.clone()),
            Err(error) => return self.unreadable(path, error),
        };
        let mut names = Expected { files: std::mem::take(&mut self.names), ..Expected::default() };
        names.files.clear();
        for (n, span) in spans::of(self.scan.index, directory.range.clone(), directory.prefix).enumerate() {
            if n % ENTRIES_A_LOOK == ENTRIES_A_LOOK - 1 && self.scan.run.is_over() {
                return;
            }
            if !is_a_name(span.name) {
                self.all_gone(span.range.clone());
            } else if span.is_dir {
                names.directories.push((span, false));
            } else {
                self.file(dir.as_fd(), &span);
                names.files.push(span.name);
            }
        }
        self.share_suspects();
        let listed = self.scan.settings.untracked != Untracked::No;
        if listed {
            let besides = self.besides(directory, &dir, path, &mut names);
            self.look_into(&besides, path, &directory.rules);
        }
        self.below(&dir, &mut names, path, listed, &directory.rules);
        self.names = names.files;
    }

    /// What `directory` holds besides what the index has: as it was last time if it did not change, else listed anew.
    fn besides(
        &mut self,
        directory: &Directory,
        dir: &OwnedFd,
        path: &BStr,
        names: &mut Expected<'_>,
    ) -> Arc<Besides> {
        let position = (directory.range.start, directory.prefix);
        let stamp = rustix::fs::fstat(dir).ok().map(|stat| Stamp::of(&stat));
        let holds = self.scan.known.folds == self.scan.settings.folds();
        let known = self.scan.known.listings.get(&position);
        let known = known.filter(|known| holds && Some(known.stamp) == stamp);
        if let Some(known) = known {
            names.directories.iter_mut().for_each(|(_, present)| *present = true);
            if self.scan.may_keep(known.besides.names.len()) {
                self.found.known.listings.insert(position, known.clone());
            }
            return Arc::clone(&known.besides);
        }
        let (besides, complete) = self.list(dir, path, names, &directory.rules);
        let besides = Arc::new(besides);
        let complete = complete && names.directories.iter().all(|(_, present)| *present);
        let keep = |stamp: &Stamp| {
            complete && stamp.is_settled(self.scan.now) && self.scan.may_keep(besides.names.len())
        };
        if let Some(stamp) = stamp.filter(keep) {
            self.found.known.listings.insert(position, Listing { stamp, besides: Arc::clone(&besides) });
        }
        besides
    }

    /// Makes tasks of the directories that are there; what the index has in the others is gone.
    fn below(
        &mut self,
        dir: &OwnedFd,
        names: &mut Expected<'_>,
        path: &BStr,
        listed: bool,
        rules: &Arc<Rules>,
    ) {
        for (span, present) in names.directories.drain(..) {
            if listed && !present {
                self.missing(dir.as_fd(), &span);
                continue;
            }
            let mut below = path.to_owned();
            below.extend_from_slice(span.name);
            below.push(b'/');
            let prefix = below.len();
            self.tasks.push(Task::Directory(Directory {
                range: span.range,
                prefix,
                rules: rules.below(below),
            }));
        }
        // The last task is handed out first, so that directories are read in about the order of the disk.
        self.tasks.reverse();
    }

    /// A directory of the index that is none on disk. Behind a link that leads nowhere but to itself nothing can be
    /// told, not even that it is gone.
    fn missing(&mut self, dir: BorrowedFd<'_>, span: &Span<'_>) {
        match rustix::fs::statat(dir, span.name.as_bytes(), AtFlags::empty()) {
            Err(Errno::LOOP) => self.unreadable(self.path(span.range.start), Errno::LOOP),
            _ => self.all_gone(span.range.clone()),
        }
    }

    /// Compares the file of `span` by what `lstat` says.
    fn file(&mut self, dir: BorrowedFd<'_>, span: &Span<'_>) {
        let at = span.range.start;
        let entry = self.scan.index.entry(at);
        if entry.stage() != Stage::Unconflicted {
            self.found.conflicts.extend(span.range.clone());
            return;
        }
        if self.is_taken_on_trust(entry) {
            return;
        }
        match rustix::fs::statat(dir, span.name.as_bytes(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => {
                let index = self.scan.index;
                let is_racy = |known: &gix::index::entry::Stat| {
                    known.is_racy(index.timestamp(), self.scan.settings.stat)
                };
                let verdict = entry::compare(entry, &stat, &is_racy, self.scan.settings);
                self.judge(at, verdict, &stat);
            }
            Err(Errno::NOENT | Errno::NOTDIR) => self.gone(at),
            Err(error) => self.unreadable(self.path(at), error),
        }
    }

    fn judge(&mut self, at: usize, verdict: Verdict, stat: &rustix::fs::Stat) {
        match verdict {
            Verdict::Same => {}
            Verdict::Differs(letter) => self.found.changes.push((at, letter)),
            Verdict::AskContent { touched } => {
                self.suspects.push(Suspect { at, touched, stamp: Stamp::of(stat) });
            }
            Verdict::AskSubmodule => {
                let letter = self.scan.submodules.letter(self.path(at), &self.scan.index.entry(at).id);
                self.found.changes.extend(letter.map(|letter| (at, letter)));
            }
            Verdict::AskDirectory => {
                // A repository at the place of a file would be a submodule, for which git has no other letter.
                let letter = if self.scan.submodules.has_head(self.path(at)) { 'M' } else { 'D' };
                self.found.changes.push((at, letter));
            }
        }
    }

    /// Whether the index says to take `entry` as unchanged without a look.
    fn is_taken_on_trust(&self, entry: &gix::index::Entry) -> bool {
        entry.flags.contains(Flags::ASSUME_VALID)
            || (entry.flags.contains(Flags::SKIP_WORKTREE) && !self.scan.settings.sparse_checkout)
    }

    fn gone(&mut self, at: usize) {
        let entry = self.scan.index.entry(at);
        if entry.stage() != Stage::Unconflicted {
            self.found.conflicts.push(at);
        } else if !entry.flags.intersects(Flags::ASSUME_VALID | Flags::SKIP_WORKTREE)
            && entry.mode != Mode::DIR
        {
            self.found.changes.push((at, 'D'));
        }
    }

    fn all_gone(&mut self, range: Range<usize>) {
        range.for_each(|at| self.gone(at));
    }

    fn unreadable(&self, path: &BStr, error: Errno) {
        self.scan.run.decide(Decision::failed(
            path.to_string(),
            "git_path_unreadable",
            format!("It could not be compared and is not listed: {error}"),
        ));
    }

    /// Hands suspects to all threads when there are many, else compares them here.
    fn share_suspects(&mut self) {
        let suspects = std::mem::take(&mut self.suspects);
        if suspects.len() <= CONTENTS_A_TASK {
            suspects.iter().for_each(|suspect| self.content(*suspect));
        } else {
            let mut tasks =
                suspects.chunks(CONTENTS_A_TASK).map(|some| Task::Contents(some.to_vec())).collect();
            self.queue.add(&mut tasks);
        }
        self.suspects = suspects;
        self.suspects.clear();
    }

    fn content(&mut self, suspect: Suspect) {
        if self.scan.run.is_over() {
            return;
        }
        let path = self.path(suspect.at);
        let root = self.root();
        let comparer = self.comparer.get_or_insert_with(|| self.scan.content.comparer());
        let (answer, lasting) = comparer.compare(root, path, suspect.at, suspect.stamp);
        self.found.known.contents.extend(lasting.map(|content| (suspect.at, content)));
        match answer {
            Answer::Same => {}
            Answer::Differs => self.found.changes.push((suspect.at, 'M')),
            Answer::FilterNotRun if suspect.touched => {
                self.scan.run.decide(Decision::new(
                    path.to_string(),
                    context_api::Verdict::Included,
                    "git_filter_not_run",
                    "It is listed as modified because it was touched; the filter that could tell may not be run.",
                ));
                self.found.changes.push((suspect.at, 'M'));
            }
            Answer::FilterNotRun => {}
        }
    }

    /// Lists `dir`, marks the directories that are there, and tells what the index does not have and whether that is all:
    /// names beyond [`GitLimits::kept_names`] are looked into at once.
    fn list(
        &mut self,
        dir: &OwnedFd,
        path: &BStr,
        names: &mut Expected<'_>,
        rules: &Arc<Rules>,
    ) -> (Besides, bool) {
        let (finder, run, limit) = (&mut self.finder, self.scan.run, self.scan.limits.kept_names);
        let folds = self.scan.settings.folds();
        names.files.build();
        let (mut looked, mut complete, mut besides) = (0, true, Besides::default());
        let listed = listing::names(dir, &mut self.buffer, |name, said| {
            looked += 1;
            besides.rules |= rules::may_be_file(name);
            let kind = listing::kind(dir, name, said);
            if names.knows(name, kind) || (folds && names.knows_folded(dir.as_fd(), name, kind)) {
                return looked % ENTRIES_A_LOOK != 0 || !run.is_over();
            }
            complete &= kind != FileType::Unknown;
            if besides.names.len() < limit {
                besides.names.push((name.to_owned(), kind));
                return true;
            }
            complete = false;
            finder.look([path.as_bytes(), name].concat().into(), kind, rules);
            !run.is_over()
        });
        if let Err(error) = listed {
            self.unreadable(path, error);
            besides.rules = true;
            return (besides, false);
        }
        (besides, complete)
    }

    /// Looks into names in the directory `path` that the index does not have.
    fn look_into(&mut self, besides: &Besides, path: &BStr, rules: &Arc<Rules>) {
        if !besides.rules {
            rules.note_no_file();
        }
        for (name, kind) in &besides.names {
            if self.scan.run.is_over() {
                return;
            }
            self.finder.look([path.as_bytes(), name].concat().into(), *kind, rules);
        }
    }
}

/// The names that the index has in one directory.
#[derive(Default)]
struct Expected<'a> {
    files: Names<'a>,
    /// With whether it is there.
    directories: Vec<(Span<'a>, bool)>,
}

impl Expected<'_> {
    /// Whether `name` is in the index. A file of the index at whose place there is a directory is not.
    fn knows(&mut self, name: &BStr, said: FileType) -> bool {
        if self.files.contains(name) {
            return said != FileType::Directory;
        }
        let found = self.directories.binary_search_by(|(span, _)| {
            span.name.iter().chain(std::iter::once(&b'/')).cmp(name.iter().chain(std::iter::once(&b'/')))
        });
        match found {
            Ok(at) if said == FileType::Directory => {
                self.directories[at].1 = true;
                true
            }
            _ => false,
        }
    }
}

impl Expected<'_> {
    /// Whether `name` is in the index by another case, where the settings say that case does not count. Of two directories
    /// that the disk tells apart, the index has only its own.
    fn knows_folded(&mut self, dir: BorrowedFd<'_>, name: &BStr, said: FileType) -> bool {
        if said != FileType::Directory {
            return self.files.contains_folded(name);
        }
        let folded = self.directories.iter_mut().find(|(span, _)| span.name.eq_ignore_ascii_case(name));
        let Some((span, present)) = folded else { return false };
        let look = |name: &BStr| rustix::fs::statat(dir, name.as_bytes(), AtFlags::SYMLINK_NOFOLLOW).ok();
        let same = look(name)
            .zip(look(span.name))
            .is_some_and(|(one, other)| (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino));
        *present |= same;
        same
    }
}

fn is_a_name(name: &BStr) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.eq_ignore_ascii_case(b".git")
}
