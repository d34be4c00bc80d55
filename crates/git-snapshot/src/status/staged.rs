//! The index against the tree of `HEAD`.
//!
//! Where the cache tree of the index vouches for a directory, nothing in it is looked at.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

use context_api::GitRun;
use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stage};
use gix::index::extension::Tree as CacheTree;

use super::spans;

/// A file on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Blob {
    pub(crate) mode: Mode,
    pub(crate) id: ObjectId,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) path: BString,
    pub(crate) old: Option<Blob>,
    pub(crate) new: Option<Blob>,
}

impl Difference {
    /// The letter of the status.
    pub(crate) fn letter(&self) -> char {
        match (self.old, self.new) {
            (None, _) => 'A',
            (_, None) => 'D',
            (Some(old), Some(new)) if class(old.mode) != class(new.mode) => 'T',
            _ => 'M',
        }
    }
}

/// The kind of file, with the executable bit left out.
pub(crate) fn class(mode: Mode) -> u32 {
    mode.bits() & 0o170_000
}

/// All differences between the tree `head` (none: an empty one) and `index`, in index order.
pub(crate) fn differences(
    repo: &gix::Repository,
    head: Option<ObjectId>,
    index: &gix::index::State,
    run: &GitRun,
) -> Result<Vec<Difference>, gix::Error> {
    let mut walk = Walk { repo, index, run, found: Vec::new(), path: BString::default() };
    walk.directory(head, 0..index.entries().len(), index.tree())?;
    Ok(walk.found)
}

/// All files of `tree`, which lies at `path` (with `/` at its end), as additions.
pub(crate) fn files(
    repo: &gix::Repository,
    tree: ObjectId,
    path: BString,
) -> Result<Vec<Difference>, gix::Error> {
    let (index, run) = (gix::index::State::new(repo.object_hash()), GitRun::new());
    let mut walk = Walk { repo, index: &index, run: &run, found: Vec::new(), path };
    walk.trees(None, Some(tree))?;
    Ok(walk.found)
}

struct Walk<'a> {
    repo: &'a gix::Repository,
    index: &'a gix::index::State,
    run: &'a GitRun,
    found: Vec<Difference>,
    /// The directory being compared, with `/` at its end; empty at the root.
    path: BString,
}

/// One name of a tree.
struct TreeItem {
    name: BString,
    blob: Blob,
}

impl TreeItem {
    fn is_dir(&self) -> bool {
        self.blob.mode == Mode::DIR
    }
}

impl Walk<'_> {
    fn directory(
        &mut self,
        tree: Option<ObjectId>,
        range: Range<usize>,
        cached: Option<&CacheTree>,
    ) -> Result<(), gix::Error> {
        let known = cached.filter(|node| node.num_entries.is_some_and(|count| count as usize == range.len()));
        let unchanged = known.is_some_and(|node| Some(node.id) == tree);
        if unchanged || self.run.is_over() {
            return Ok(());
        }
        let children: HashMap<&[u8], &CacheTree> = cached
            .map(|node| node.children.iter().map(|child| (&child.name[..], child)).collect())
            .unwrap_or_default();
        let items = self.items(tree)?;
        let mut items = items.into_iter().peekable();
        for span in spans::of(self.index, range, self.path.len()) {
            while let Some(item) = items.next_if(|item| order(item, &span) == Ordering::Less) {
                self.removed(&item)?;
            }
            let item = items.next_if(|item| order(item, &span) == Ordering::Equal);
            self.both(item, &span, &children)?;
        }
        items.try_for_each(|item| self.removed(&item))
    }

    fn items(&self, tree: Option<ObjectId>) -> Result<Vec<TreeItem>, gix::Error> {
        let Some(id) = tree else { return Ok(Vec::new()) };
        let tree = self.repo.find_tree(id)?;
        tree.iter()
            .map(|entry| {
                let entry = entry?;
                let blob = Blob { mode: mode(entry.mode()), id: entry.object_id() };
                Ok(TreeItem { name: entry.filename().to_owned(), blob })
            })
            .collect()
    }

    fn both(
        &mut self,
        item: Option<TreeItem>,
        span: &spans::Span<'_>,
        children: &HashMap<&[u8], &CacheTree>,
    ) -> Result<(), gix::Error> {
        if !span.is_dir {
            self.file(item.map(|item| item.blob), span);
            return Ok(());
        }
        let length = self.path.len();
        self.enter(span.name);
        let tree = item.map(|item| item.blob.id);
        let first = self.index.entry(span.range.start);
        if first.mode == Mode::DIR {
            self.trees(tree, Some(first.id))?;
        } else {
            self.directory(tree, span.range.clone(), children.get(span.name.as_bytes()).copied())?;
        }
        self.path.truncate(length);
        Ok(())
    }

    fn file(&mut self, old: Option<Blob>, span: &spans::Span<'_>) {
        let entry = self.index.entry(span.range.start);
        if entry.stage() != Stage::Unconflicted {
            return;
        }
        let added = !entry.flags.contains(Flags::INTENT_TO_ADD);
        let new = added.then_some(Blob { mode: entry.mode, id: entry.id });
        self.compare(span.name, old, new);
    }

    fn compare(&mut self, name: &BStr, old: Option<Blob>, new: Option<Blob>) {
        if old != new {
            let mut path = self.path.clone();
            path.extend_from_slice(name);
            self.found.push(Difference { path, old, new });
        }
    }

    fn removed(&mut self, item: &TreeItem) -> Result<(), gix::Error> {
        if !item.is_dir() {
            self.compare(item.name.as_ref(), Some(item.blob), None);
            return Ok(());
        }
        let length = self.path.len();
        self.enter(item.name.as_ref());
        self.items(Some(item.blob.id))?.iter().try_for_each(|item| self.removed(item))?;
        self.path.truncate(length);
        Ok(())
    }

    /// Compares two trees, for a directory that the index keeps as one entry.
    fn trees(&mut self, old: Option<ObjectId>, new: Option<ObjectId>) -> Result<(), gix::Error> {
        if old == new {
            return Ok(());
        }
        let old_items = self.items(old)?;
        let mut sides: Vec<(TreeItem, bool)> = old_items.into_iter().map(|item| (item, true)).collect();
        sides.extend(self.items(new)?.into_iter().map(|item| (item, false)));
        sides.sort_by(|(a, _), (b, _)| keys(a.name.as_ref(), a.is_dir(), b.name.as_ref(), b.is_dir()));
        let mut sides = sides.into_iter().peekable();
        while let Some((item, is_old)) = sides.next() {
            let twin = sides.next_if(|(next, _)| next.name == item.name && next.is_dir() == item.is_dir());
            let one = (Some(item.blob), twin.map(|(twin, _)| twin.blob));
            let (old, new) = if is_old { one } else { (one.1, one.0) };
            if item.is_dir() {
                let length = self.path.len();
                self.enter(item.name.as_ref());
                self.trees(old.map(|blob| blob.id), new.map(|blob| blob.id))?;
                self.path.truncate(length);
            } else {
                self.compare(item.name.as_ref(), old, new);
            }
        }
        Ok(())
    }

    fn enter(&mut self, name: &BStr) {
        self.path.extend_from_slice(name);
        self.path.push(b'/');
    }
}

/// The mode as the index writes it: old trees hold other permission bits.
fn mode(mode: gix::objs::tree::EntryMode) -> Mode {
    use gix::objs::tree::EntryKind;
    match mode.kind() {
        EntryKind::Tree => Mode::DIR,
        EntryKind::Blob => Mode::FILE,
        EntryKind::BlobExecutable => Mode::FILE_EXECUTABLE,
        EntryKind::Link => Mode::SYMLINK,
        EntryKind::Commit => Mode::COMMIT,
    }
}

fn order(item: &TreeItem, span: &spans::Span<'_>) -> Ordering {
    keys(item.name.as_ref(), item.is_dir(), span.name, span.is_dir)
}

/// The order of names in trees and in the index: a directory counts as if `/` stood behind its name.
fn keys(a: &BStr, a_is_dir: bool, b: &BStr, b_is_dir: bool) -> Ordering {
    let common = a.len().min(b.len());
    a[..common].cmp(&b[..common]).then_with(|| {
        let next = |name: &BStr, is_dir: bool| name.get(common).copied().or(is_dir.then_some(b'/'));
        next(a, a_is_dir).cmp(&next(b, b_is_dir)).then(a.len().cmp(&b.len()))
    })
}
