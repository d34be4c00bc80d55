//! A repository opened in isolation from the process.

use std::path::{Path, PathBuf};

use context_api::{Decision, GitError, GitOptions, GitRun};
use gix::bstr::BString;

use crate::config::{self, Sources};
use crate::discovery::{self, Found, Place};
use crate::trust;
use crate::variables::Variables;

/// An open repository with a working tree, as seen from one directory.
pub(crate) struct Repository {
    pub(crate) repo: gix::Repository,
    /// The working tree, absolute and without links.
    pub(crate) root: PathBuf,
    /// The directory of the caller below `root`, with `/` at its end; empty at the root.
    pub(crate) prefix: BString,
    /// The home directory that settings may refer to.
    pub(crate) home: Option<PathBuf>,
    /// The index file.
    pub(crate) index: PathBuf,
    /// The settings outside of the repository.
    pub(crate) globals: gix::config::File,
    /// How many repositories this one lies in as a submodule.
    pub(crate) depth: usize,
}

/// Opens the repository of `cwd`. `None` without one, in a bare one, and, with a decision, where
/// it must not be read, a file leads to none, or its working tree lies elsewhere.
pub(crate) fn open(
    cwd: &Path,
    system: Option<&Path>,
    options: &GitOptions,
    run: &GitRun,
) -> Result<Option<Repository>, GitError> {
    let Ok(cwd) = cwd.canonicalize() else { return Ok(None) };
    let variables = Variables::of(options);
    let place = match discovery::discover(&cwd, variables) {
        Found::Repository(place) => place,
        Found::Nothing | Found::NoWorkTree => return Ok(None),
        Found::Broken(file) => {
            run.decide(Decision::failed(
                file.display().to_string(),
                "git_file_broken",
                "It should say where the repository is and leads to none, so nothing was read.",
            ));
            return Ok(None);
        }
    };
    let globals = Sources::of(options, system, &cwd).read(run);
    let Some(mut repo) = open_place(&place, globals.clone(), options, run)? else { return Ok(None) };
    let named = variables
        .path("GIT_WORK_TREE", &cwd)
        .or_else(|| variables.get("GIT_DIR").map(|_| place.work_tree.clone()));
    if let Some(work_tree) = named {
        repo.set_workdir(work_tree).map_err(|error| open_error(&place.dot_git, &error))?;
    }
    let Some(root) = repo.workdir().and_then(|dir| dir.canonicalize().ok()) else { return Ok(None) };
    let Some(prefix) = prefix(&root, &cwd) else {
        run.decide(Decision::left_out(
            root.display().to_string(),
            "git_outside_work_tree",
            "The repository has its working tree here, and the working directory lies elsewhere.",
        ));
        return Ok(None);
    };
    let index = variables.path("GIT_INDEX_FILE", &cwd).unwrap_or_else(|| repo.git_dir().join("index"));
    Ok(Some(Repository { repo, root, prefix, home: options.home.clone(), index, globals, depth: 0 }))
}

/// Opens what `place` names. `None` where it must not or can not be read (with a decision).
pub(crate) fn open_place(
    place: &Place,
    globals: gix::config::File,
    options: &GitOptions,
    run: &GitRun,
) -> Result<Option<gix::Repository>, GitError> {
    if !may_read(place, &globals, options, run) {
        return Ok(None);
    }
    let mut repo = open_isolated(place)?;
    config::note_unreadable(&repo, run);
    config::install(&mut repo, globals, options, run);
    if uses_reftable(&repo) {
        run.decide(Decision::failed(
            place.dot_git.display().to_string(),
            "git_reftable",
            "The repository keeps its references in the reftable format, which can not be read here.",
        ));
        return Ok(None);
    }
    Ok(Some(repo))
}

fn may_read(place: &Place, globals: &gix::config::File, options: &GitOptions, run: &GitRun) -> bool {
    if options.trust_foreign_owner || trust::listed_as_safe(globals, &place.work_tree) {
        return true;
    }
    let Some(path) = trust::foreign([place.work_tree.as_path(), place.dot_git.as_path()]) else {
        return true;
    };
    run.decide(Decision::left_out(
        path.display().to_string(),
        "git_foreign_owner",
        "The repository belongs to another user, so nothing of it was read.",
    ));
    false
}

/// Opens what `place` names, with no look at the environment, the home directory or the system.
fn open_isolated(place: &Place) -> Result<gix::Repository, GitError> {
    let options = gix::open::Options::isolated().with(gix::sec::Trust::Full).open_path_as_is(true);
    gix::open_opts(&place.dot_git, options).map_err(|error| open_error(&place.dot_git, &error))
}

fn open_error(path: &Path, error: &gix::Error) -> GitError {
    GitError::Open { path: path.to_owned(), reason: error.to_string() }
}

fn uses_reftable(repo: &gix::Repository) -> bool {
    let named = repo.config_snapshot().string("extensions.refStorage");
    named.is_some_and(|format| format.to_ascii_lowercase() == b"reftable")
}

/// `cwd` below `root`; `None` when it lies elsewhere.
fn prefix(root: &Path, cwd: &Path) -> Option<BString> {
    let below = cwd.strip_prefix(root).ok()?;
    let mut prefix = gix::path::into_bstr(below).ok()?.into_owned();
    if !prefix.is_empty() {
        prefix.push(b'/');
    }
    Some(prefix)
}
