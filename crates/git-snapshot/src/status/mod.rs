//! The lines of `git status --short`.

mod changes;
mod content;
mod entry;
mod index;
mod listing;
mod names;
mod queue;
mod renames;
mod rules;
mod scan;
mod settings;
mod similarity;
mod spans;
mod staged;
mod submodule;
mod untracked;

use std::sync::Arc;

use context_api::{Decision, GitOptions, GitRun, Status};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode};

use jiff::Timestamp;

use crate::config;
use crate::limits::GitLimits;
use crate::memory::Memory;
use crate::repository::Repository;
use changes::Changes;
use content::ContentSource;
use renames::{Contents, File};
use rules::RuleSource;
use scan::{Found, Scan};
use settings::{Renames, Settings};
use staged::Difference;
use submodule::Submodules;

/// Why there are no changes to show.
pub(crate) enum Stop {
    /// The run ended first.
    Over,
    /// For this reason.
    Unreadable(String),
}

impl Stop {
    fn unreadable(what: &str, error: &dyn std::fmt::Display) -> Self {
        Self::Unreadable(format!("{what} can not be read: {error}"))
    }
}

/// How a status is to be read.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) options: &'a GitOptions,
    pub(crate) limits: &'a GitLimits,
    pub(crate) run: &'a GitRun,
    pub(crate) memory: &'a Memory,
    /// The time by which the age of files is judged.
    pub(crate) now: Timestamp,
}

/// The status of `repository` as seen from its prefix.
pub(crate) fn read(repository: &Repository, job: Job<'_>) -> Status {
    let (settings, run) = (Settings::of(&repository.repo), job.run);
    match changes_of(repository, &settings, job) {
        Ok(changes) => {
            let prefix = if settings.relative { repository.prefix.as_bstr() } else { BStr::new("") };
            Status::Finished { lines: changes.lines(prefix, settings.beyond) }
        }
        Err(Stop::Over) => {
            run.decide(Decision::new(
                "git status",
                context_api::Verdict::TimedOut,
                "git_status_unfinished",
                "The working tree could not be compared within the time budget.",
            ));
            Status::Unfinished
        }
        Err(Stop::Unreadable(reason)) => {
            run.decide(Decision::failed("git status", "git_status_unreadable", reason.clone()));
            Status::Unreadable { reason }
        }
    }
}

/// All differences of `repository` under `settings`.
pub(crate) fn changes_of(
    repository: &Repository,
    settings: &Settings,
    job: Job<'_>,
) -> Result<Changes, Stop> {
    let (repo, run) = (&repository.repo, job.run);
    let loaded = index::load(repository, job.memory, job.now)
        .map_err(|error| Stop::unreadable("the index", &error))?;
    let index: &gix::index::State = &loaded.index;
    let head = head_tree(repo)?;
    let rules = rule_source(repository, index, settings, job.limits)?;
    let content = ContentSource::new(repository, index, job.options.allow_user_filters, run);
    let submodules = Submodules::new(repository, settings, job);
    let scan = Scan {
        index,
        settings,
        rules: &rules,
        content: &content,
        submodules: &submodules,
        run,
        known: &loaded.known,
        now: job.now,
    };
    let (mut found, staged) = scan.run(threads(index.entries().len(), job.limits), || {
        let differences = staged::differences(repo, head, index, run)?;
        let origins = pair_staged(repo, &differences, settings, run);
        Ok::<_, gix::Error>((differences, origins))
    });
    if run.is_over() {
        return Err(Stop::Over);
    }
    let (differences, origins) = staged.map_err(|error| Stop::unreadable("the tree of HEAD", &error))?;
    if let Some(stamp) = loaded.stamp {
        job.memory.keep(
            &repository.index,
            stamp,
            Arc::clone(&loaded.index),
            std::mem::take(&mut found.known),
        );
    }
    let mut changes = Changes::default();
    add_staged(&mut changes, differences, &origins);
    add_found(&mut changes, found, index);
    pair_intended(&mut changes, &scan);
    if run.is_over() { Err(Stop::Over) } else { Ok(changes) }
}

fn head_tree(repo: &gix::Repository) -> Result<Option<gix::ObjectId>, Stop> {
    let head = repo.head().map_err(|error| Stop::unreadable("HEAD", &error))?;
    let Some(id) = head.id() else { return Ok(None) };
    let tree = repo.find_commit(id).and_then(|commit| commit.tree_id().map(gix::Id::detach));
    tree.map(Some).map_err(|error| Stop::unreadable("the commit of HEAD", &error))
}

fn threads(entries: usize, limits: &GitLimits) -> usize {
    if entries < limits.entries_for_threads {
        return 1;
    }
    let there = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    there.min(limits.threads).max(1)
}

fn rule_source(
    repository: &Repository,
    index: &gix::index::State,
    settings: &Settings,
    limits: &GitLimits,
) -> Result<RuleSource, Stop> {
    let repo = &repository.repo;
    let root = rustix::fs::open(
        &repository.root,
        rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::CLOEXEC,
        rustix::fs::Mode::empty(),
    )
    .map_err(|error| Stop::unreadable("the working tree", &error))?;
    let mut files = vec![repo.common_dir().join("info/exclude")];
    files.extend(config::rules_file(repo, "core.excludesFile", "ignore", repository.home.as_deref()));
    let source = RuleSource::new(repository.root.clone(), root, settings.case, &files, limits.rules_bytes);
    Ok(source.with_absent(absent_rules(repo, index)))
}

/// Ignore files that a sparse checkout leaves out: they hold all the same.
fn absent_rules(repo: &gix::Repository, index: &gix::index::State) -> Vec<(BString, Vec<u8>)> {
    let skipped = index.entries().iter().filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE));
    skipped
        .map(|entry| (entry, entry.path(index)))
        .filter(|(_, path)| *path == ".gitignore" || path.ends_with(b"/.gitignore"))
        .filter_map(|(entry, path)| Some((path.to_owned(), repo.find_blob(entry.id).ok()?.take_data())))
        .collect()
}

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
struct Origins(Vec<Option<(BString, bool)>>);

fn pair_staged(
    repo: &gix::Repository,
    differences: &[Difference],
    settings: &Settings,
    run: &GitRun,
) -> Origins {
    let file = |difference: &Difference, blob: staged::Blob, stays| File {
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

fn add_staged(changes: &mut Changes, differences: Vec<Difference>, origins: &Origins) {
    let gone: std::collections::HashSet<&BString> =
        origins.0.iter().flatten().map(|(source, _)| source).collect();
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

fn add_found(changes: &mut Changes, found: Found, index: &gix::index::State) {
    for (at, letter) in found.changes {
        changes.worktree(index.entry(at).path(index).to_owned(), letter);
    }
    let mut stages: std::collections::HashMap<&BStr, u8> = std::collections::HashMap::new();
    for at in found.conflicts {
        let entry = index.entry(at);
        *stages.entry(entry.path(index)).or_default() |= 1 << entry.stage_raw().saturating_sub(1);
    }
    stages.into_iter().for_each(|(path, stages)| changes.conflict(path, stages));
    for path in found.untracked {
        // A directory where the index has a file is listed as the file's deletion only.
        let file = path.strip_suffix(b"/").unwrap_or(&path).as_bstr();
        if index.entry_range(file).is_none() {
            changes.untracked(path);
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
fn pair_intended(changes: &mut Changes, scan: &Scan<'_>) {
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
        let stat = rustix::fs::statat(root, path.as_bytes(), rustix::fs::AtFlags::SYMLINK_NOFOLLOW);
        let mode = match stat
            .map(|stat| (rustix::fs::FileType::from_raw_mode(stat.st_mode), stat.st_mode & 0o100))
        {
            Ok((rustix::fs::FileType::Symlink, _)) => Mode::SYMLINK,
            Ok((_, 0)) | Err(_) => Mode::FILE,
            Ok(_) => Mode::FILE_EXECUTABLE,
        };
        let id = self.comparer.stored_id(root, path.as_ref(), mode);
        File { path, mode, id, stays: false }
    }
}
