//! The lines of `git status --short`.

mod attributes;
mod changes;
mod content;
mod entry;
mod index;
mod listing;
mod names;
mod pairing;
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
use std::sync::atomic::AtomicUsize;

use context_api::{Decision, GitOptions, GitRun, Status};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Flags;

use jiff::Timestamp;

use crate::limits::GitLimits;
use crate::memory::Memory;
use crate::repository::Repository;
use crate::{config, facts};
use changes::Changes;
use content::ContentSource;
pub(crate) use content::{Answer, Ground};
use rules::RuleSource;
use scan::{Found, Scan};
use settings::Settings;
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
    /// The time of the system, by which the age of files is judged.
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
            run.decide(Decision::failed("git status", "git_status_unreadable", sentence(&reason)));
            Status::Unreadable { reason }
        }
    }
}

/// A reason as a sentence.
fn sentence(reason: &str) -> String {
    let mut rest = reason.chars();
    let first: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", rest.as_str().trim_end_matches('.'))
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
    let content = ContentSource::new(repository, index, &loaded.known, job);
    let submodules = Submodules::new(repository, settings, job);
    let scan = Scan {
        index,
        settings,
        rules: &rules,
        content: &content,
        submodules: &submodules,
        run,
        known: &loaded.known,
        limits: job.limits,
        room: AtomicUsize::new(job.limits.kept_names_in_all),
        now: job.now,
    };
    let (mut found, staged) = scan.run(threads(index.entries().len(), job.limits), || {
        let differences = staged::differences(repo, head, index, run)?;
        let origins = pairing::staged(repo, &differences, settings, run);
        Ok::<_, gix::Error>((differences, origins))
    });
    if run.is_over() {
        return Err(Stop::Over);
    }
    let (differences, origins) = staged.map_err(|error| Stop::unreadable("the tree of HEAD", &error))?;
    let mut known = std::mem::take(&mut found.known);
    let mut changes = Changes::default();
    pairing::add_staged(&mut changes, differences, &origins);
    add_found(&mut changes, found, index);
    pairing::intended(&mut changes, &scan);
    if run.is_over() {
        return Err(Stop::Over);
    }
    if let Some(stamp) = loaded.stamp {
        known.ground = content.into_ground();
        known.folds = settings.folds();
        job.memory.keep(&repository.index, stamp, Arc::clone(&loaded.index), known);
    }
    Ok(changes)
}

fn head_tree(repo: &gix::Repository) -> Result<Option<gix::ObjectId>, Stop> {
    let (_, id) = facts::tip(repo).map_err(|error| Stop::unreadable("HEAD", &error))?;
    let Some(id) = id else { return Ok(None) };
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
