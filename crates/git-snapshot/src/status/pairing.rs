//! Renames and copies among what was found: staged ones, and those of files that are to be added later.

use std::collections::HashSet;

use context_api::GitRun;
use gix::bstr::{BString, ByteSlice};
use gix::index::entry::Mode;
use rustix::fs::{AtFlags, FileType};

use super::changes::Changes;
use super::content;
use super::renames::{self, Contents, File};
use super::scan::Scan;
use super::settings::{Renames, Settings};
use super::staged::{Blob, Difference};

/// Blobs of the object database.
struct Blobs<'a>(&'a gix::Repository);

impl Contents for Blobs<'_> {
    fn size(&mut self, file: &File) -> Option<u64> {
        self.0.find_header(file.id).ok().map(|header| header.size())
    }

    fn read(&mut self, file: &File) -> Option<Vec<u8>> {
        self.0.find_blob(file.id).ok().map(|mut blob| blob.take_data())
    }
}

/// What the added files were made of, by their position among the added ones.
pub(crate) struct Origins(Vec<Option<(BString, bool)>>);

/// Pairs the files that `differences` add with those that they remove.
pub(crate) fn staged(
    repo: &gix::Repository,
    differences: &[Difference],
    settings: &Settings,
    run: &GitRun,
) -> Origins {
    let file = |difference: &Difference, blob: Blob, stays| File {
        path: difference.path.clone(),
        mode: blob.mode,
        id: blob.id,
        stays,
    };
    let copies = settings.renames == Renames::Copies;
    let sources: Vec<File> = differences
        .iter()
        .filter(|difference| copies || difference.new.is_none())
        .filter_map(|difference| Some(file(difference, difference.old?, difference.new.is_some())))
        .collect();
    let added = differences.iter().filter(|difference| difference.old.is_none());
    let targets: Vec<File> =
        added.filter_map(|difference| Some(file(difference, difference.new?, false))).collect();
    let mut blobs = Blobs(repo);
    let pairs = renames::pair(&sources, &targets, settings.renames, settings.rename_limit, &mut blobs, run);
    let origin = |origin: renames::Origin| (sources[origin.source].path.clone(), origin.copied);
    Origins(pairs.into_iter().map(|pair| pair.map(origin)).collect())
}

/// Adds `differences`, paired by `origins`.
pub(crate) fn add_staged(changes: &mut Changes, differences: Vec<Difference>, origins: &Origins) {
    let gone: HashSet<&BString> = origins.0.iter().flatten().map(|(source, _)| source).collect();
    let mut origins = origins.0.iter();
    for difference in differences {
        let letter = difference.letter();
        if letter == 'A'
            && let Some(Some((source, copied))) = origins.next()
        {
            changes.source(difference.path.clone(), source.clone());
            changes.staged(difference.path, if *copied { 'C' } else { 'R' });
        } else if letter != 'D' || !gone.contains(&difference.path) {
            changes.staged(difference.path, letter);
        }
    }
}

/// Files of the working tree, as they would be stored.
struct Intended<'a, 'b> {
    comparer: content::Comparer<'a>,
    scan: &'b Scan<'a>,
}

impl Contents for Intended<'_, '_> {
    fn size(&mut self, _: &File) -> Option<u64> {
        None
    }

    fn read(&mut self, file: &File) -> Option<Vec<u8>> {
        if self.scan.index.entry_by_path(file.path.as_ref()).is_some_and(|entry| entry.id == file.id) {
            return self.comparer.blob(file.id);
        }
        self.comparer.stored(self.scan.rules.root_fd(), file.path.as_ref())
    }
}

/// Pairs files that are to be added later (`git add --intent-to-add`) with files that are gone.
pub(crate) fn intended(changes: &mut Changes, scan: &Scan<'_>) {
    let added = changes.with_worktree(&['A']);
    if added.is_empty() || scan.settings.renames == Renames::Off {
        return;
    }
    let copies = scan.settings.renames == Renames::Copies;
    let letters: &[char] = if copies { &['D', 'M', 'T'] } else { &['D'] };
    let gone = changes.with_worktree(&['D']);
    let sources: Vec<File> = changes
        .with_worktree(letters)
        .into_iter()
        .filter_map(|path| {
            let entry = scan.index.entry_by_path(path.as_ref())?;
            let stays = !gone.contains(&path);
            Some(File { mode: entry.mode, id: entry.id, stays, path })
        })
        .collect();
    let mut intended = Intended { comparer: scan.content.comparer(), scan };
    let targets: Vec<File> = added.into_iter().map(|path| intended.target(path)).collect();
    let pairs = renames::pair(
        &sources,
        &targets,
        scan.settings.renames,
        scan.settings.rename_limit,
        &mut intended,
        scan.run,
    );
    for (target, origin) in targets.into_iter().zip(pairs) {
        let Some(origin) = origin else { continue };
        let source = &sources[origin.source];
        if !source.stays {
            changes.clear_worktree(&source.path);
        }
        changes.source(target.path.clone(), source.path.clone());
        changes.worktree(target.path, if origin.copied { 'C' } else { 'R' });
    }
}

impl Intended<'_, '_> {
    fn target(&mut self, path: BString) -> File {
        let root = self.scan.rules.root_fd();
        let stat = rustix::fs::statat(root, path.as_bytes(), AtFlags::SYMLINK_NOFOLLOW);
        let mode = match stat.map(|stat| (FileType::from_raw_mode(stat.st_mode), stat.st_mode & 0o100)) {
            Ok((FileType::Symlink, _)) => Mode::SYMLINK,
            Ok((_, 0)) | Err(_) => Mode::FILE,
            Ok(_) => Mode::FILE_EXECUTABLE,
        };
        let id = self.comparer.stored_id(root, path.as_ref(), mode);
        File { path, mode, id, stays: false }
    }
}
