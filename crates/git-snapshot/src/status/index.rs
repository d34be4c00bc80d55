//! The index, decoded.

use std::sync::Arc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stat};
use gix::index::{File, State};

use jiff::Timestamp;

use super::{listing, staged};
use crate::memory::{Known, Memory, Stamp};
use crate::repository::Repository;

/// An index, and what is known of the directories it names.
pub(crate) struct Loaded {
    pub(crate) index: Arc<File>,
    pub(crate) known: Arc<Known>,
    /// What the file was like before it was read; none where nothing of it may be kept.
    pub(crate) stamp: Option<Stamp>,
}

/// The index of `repository`, from `memory` if it is still the same.
pub(crate) fn load(repository: &Repository, memory: &Memory, now: Timestamp) -> Result<Loaded, gix::Error> {
    let path = &repository.index;
    let stamp =
        rustix::fs::stat(path).ok().map(|stat| Stamp::of(&stat)).filter(|stamp| stamp.is_settled(now));
    if let Some((index, known)) = stamp.and_then(|stamp| memory.recall(path, stamp)) {
        return Ok(Loaded { index, known, stamp });
    }
    let index = read(repository)?;
    let stamp = stamp.filter(|_| !index.is_sparse() && repository.depth == 0);
    Ok(Loaded { index: Arc::new(index), known: Arc::default(), stamp })
}

/// Reads the index of `repository`; an empty one where there is none yet.
///
/// The checksum is not compared, as git does not compare it for a status either: it costs as much as all the rest.
fn read(repository: &Repository) -> Result<File, gix::Error> {
    let hash = repository.repo.object_hash();
    let path = &repository.index;
    if !path.is_file() {
        return Ok(File::from_state(State::new(hash), path));
    }
    let mut file = File::at_or_default(path, hash, true, gix::index::decode::Options::default())?;
    expand(&mut file, repository)?;
    Ok(file)
}

/// Puts files at the place of directories that a sparse index keeps as one entry, where the directory is on disk: what
/// lies in it counts again.
fn expand(index: &mut State, repository: &Repository) -> Result<(), gix::Error> {
    if !index.is_sparse() {
        return Ok(());
    }
    let present: Vec<(BString, ObjectId)> = index
        .entries()
        .iter()
        .filter(|entry| entry.mode == Mode::DIR)
        .map(|entry| (entry.path(index).to_owned(), entry.id))
        .filter(|(path, _)| is_directory(repository, path.as_ref()))
        .collect();
    if present.is_empty() {
        return Ok(());
    }
    index.remove_entries(|_, path, entry| {
        entry.mode == Mode::DIR && present.iter().any(|(gone, _)| gone == path)
    });
    for (path, tree) in present {
        for difference in staged::files(&repository.repo, tree, path)? {
            if let Some(blob) = difference.new {
                let flags = Flags::SKIP_WORKTREE | Flags::EXTENDED;
                index.dangerously_push_entry(
                    Stat::default(),
                    blob.id,
                    flags,
                    blob.mode,
                    difference.path.as_ref(),
                );
            }
        }
    }
    index.sort_entries();
    Ok(())
}

fn is_directory(repository: &Repository, path: &BStr) -> bool {
    let path = path.strip_suffix(b"/").unwrap_or(path).as_bstr();
    let full = repository.root.join(listing::as_path(path));
    full.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
}
