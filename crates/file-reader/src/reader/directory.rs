//! One level of a directory.

use std::collections::BinaryHeap;
use std::ffi::OsString;
use std::path::Path;

use context_api::{
    Decision, DirEntry, DirectoryListing, FileContent, FileKind, FileSystem, Follow, ReadErrorKind,
};
use context_text::display_path;

use super::Shown;
use crate::{ReadLimits, wording};

/// The first names in byte order, however many there are: memory is bounded by the limit, not by the directory.
pub(super) fn list(fs: &dyn FileSystem, path: &Path, limits: &ReadLimits) -> Result<Shown, ReadErrorKind> {
    let mut kept = BinaryHeap::new();
    let (mut seen, mut failed) = (0_u64, 0_u64);
    for entry in fs.read_dir(path).map_err(|error| ReadErrorKind::from(&error))? {
        seen += 1;
        let Ok(DirEntry { name, kind }) = entry else {
            failed += 1;
            continue;
        };
        kept.push(Name { name, kind });
        if kept.len() > limits.entries {
            kept.pop();
        }
    }
    let names = kept.into_sorted_vec();
    let left_out = seen - names.len() as u64;
    let entries = names.into_iter().map(|entry| shown(fs, path, &entry)).collect::<Vec<_>>();
    let decisions = decisions(path, left_out, failed);
    let listing = DirectoryListing::default().entries(entries).left_out(left_out);
    Ok(Shown { content: FileContent::Directory(listing), decisions, ..Shown::default() })
}

fn decisions(path: &Path, left_out: u64, failed: u64) -> Vec<Decision> {
    let subject = display_path(path);
    let cut = (left_out > failed)
        .then(|| Decision::cut(&*subject, "too_many_entries", wording::entries_left_out(left_out - failed)));
    let failed = (failed > 0)
        .then(|| Decision::left_out(&*subject, "unreadable_entries", wording::entries_unreadable(failed)));
    cut.into_iter().chain(failed).collect()
}

/// A link to a directory is shown as one: that is how it can be used.
fn shown(fs: &dyn FileSystem, directory: &Path, entry: &Name) -> String {
    let name = Path::new(&entry.name);
    let is_directory = match entry.kind {
        FileKind::Link => fs
            .metadata(&directory.join(name), Follow::Links)
            .is_ok_and(|meta| meta.kind == FileKind::Directory),
        kind => kind == FileKind::Directory,
    };
    let slash = if is_directory { "/" } else { "" };
    format!("{}{slash}", display_path(name))
}

/// An entry in the order of the bytes of its name.
#[derive(PartialEq, Eq)]
struct Name {
    name: OsString,
    kind: FileKind,
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.name.as_encoded_bytes().cmp(other.name.as_encoded_bytes())
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
