//! Submodules: what their own repositories say.

use std::path::PathBuf;

use context_api::Decision;
use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use super::Job;
use super::changes::{Changes, Dirt};
use super::settings::{Settings, Untracked};
use crate::discovery::{self, Place};
use crate::repository::{self, Repository};

/// What is left out of the state of a submodule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ignore {
    Nothing,
    Untracked,
    Dirty,
    All,
}

impl Ignore {
    fn of(value: &BStr) -> Self {
        match value.as_bytes() {
            b"all" => Self::All,
            b"dirty" => Self::Dirty,
            b"untracked" => Self::Untracked,
            _ => Self::Nothing,
        }
    }
}

/// Answers for the submodules of one repository.
pub(crate) struct Submodules<'a> {
    root: PathBuf,
    home: Option<PathBuf>,
    globals: gix::config::File,
    /// Path and rule of each submodule that has one.
    rules: Vec<(BString, Ignore)>,
    default: Ignore,
    untracked: Untracked,
    job: Job<'a>,
    depth: usize,
}

impl<'a> Submodules<'a> {
    pub(crate) fn new(repository: &Repository, settings: &Settings, job: Job<'a>) -> Self {
        Self {
            root: repository.root.clone(),
            home: repository.home.clone(),
            globals: repository.globals.clone(),
            rules: rules(&repository.repo, &repository.root),
            default: settings
                .ignore_submodules
                .as_ref()
                .map_or(Ignore::Nothing, |value| Ignore::of(value.as_ref())),
            untracked: settings.untracked,
            job,
            depth: repository.depth,
        }
    }

    /// The letter for the submodule at `path`, whose commit in the index is `id`.
    pub(crate) fn letter(&self, path: &BStr, id: &ObjectId) -> Option<char> {
        let ignore = self.rules.iter().find(|(of, _)| of == path).map_or(self.default, |(_, rule)| *rule);
        if ignore == Ignore::All {
            return None;
        }
        let repository = self.open(path)?;
        let head = repository.repo.head_id().ok().map(gix::Id::detach);
        if head.is_some_and(|head| head != *id) {
            return Some('M');
        }
        if ignore == Ignore::Dirty {
            return None;
        }
        match self.dirt(&repository, ignore) {
            Dirt { modified: true, .. } => Some('m'),
            Dirt { untracked: true, .. } => Some('?'),
            Dirt { .. } => None,
        }
    }

    /// Whether a repository with a commit lies at `path`.
    pub(crate) fn has_head(&self, path: &BStr) -> bool {
        self.open(path).is_some_and(|repository| repository.repo.head_id().is_ok())
    }

    fn dirt(&self, repository: &Repository, ignore: Ignore) -> Dirt {
        if self.depth >= self.job.limits.submodule_depth {
            self.decide(
                repository,
                "It lies too deep inside other submodules; only its commit was compared.",
            );
            return Dirt::default();
        }
        let mut settings = Settings::of(&repository.repo);
        if ignore == Ignore::Untracked || self.untracked == Untracked::No {
            settings.untracked = Untracked::No;
        }
        settings.renames = super::settings::Renames::Off;
        match super::changes_of(repository, &settings, self.job) {
            Ok(changes) => Changes::dirt(&changes),
            Err(super::Stop::Over) => Dirt::default(),
            Err(super::Stop::Unreadable(reason)) => {
                self.decide(repository, &format!("Only its commit was compared: {reason}"));
                Dirt::default()
            }
        }
    }

    fn decide(&self, repository: &Repository, detail: &str) {
        let subject = repository.root.display().to_string();
        self.job.run.decide(Decision::left_out(subject, "git_submodule_not_compared", detail));
    }

    fn open(&self, path: &BStr) -> Option<Repository> {
        let work_tree = self.root.join(super::listing::as_path(path));
        let dot_git = work_tree.join(".git");
        if !discovery::is_git(&dot_git) {
            return None;
        }
        let place = Place { dot_git, work_tree };
        let opened =
            repository::open_place(&place, self.globals.clone(), self.job.options, self.job.run).ok()?;
        let repo = opened?;
        let root = place.work_tree.canonicalize().ok()?;
        let index = repo.git_dir().join("index");
        Some(Repository {
            repo,
            root,
            prefix: BString::default(),
            home: self.home.clone(),
            index,
            globals: self.globals.clone(),
            depth: self.depth + 1,
        })
    }
}

/// The rule of each submodule: that of the configuration, else that of `.gitmodules`.
fn rules(repo: &gix::Repository, root: &std::path::Path) -> Vec<(BString, Ignore)> {
    let file = root.join(".gitmodules");
    if !file.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Vec::new();
    }
    let Ok(modules) = gix::config::File::from_path_no_includes(file, gix::config::Source::Local) else {
        return Vec::new();
    };
    let config = repo.config_snapshot();
    let sections = modules.sections_by_name("submodule").into_iter().flatten();
    sections
        .filter_map(|section| {
            let name = section.header().subsection_name()?;
            let path = section.value("path")?;
            let key = format!("submodule.{name}.ignore");
            let value = config.string(key.as_str()).or_else(|| section.value("ignore"))?;
            Some((path, Ignore::of(value.as_ref())))
        })
        .collect()
}
