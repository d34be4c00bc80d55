//! The settings that decide what is listed.

use gix::bstr::{BString, ByteSlice};
use gix::glob::pattern::Case;

use crate::quote::Beyond;

/// Which files that are not in the index are listed (`status.showUntrackedFiles`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Untracked {
    /// None.
    No,
    /// Files, and directories as one entry.
    Normal,
    /// Every file.
    All,
}

/// How renames are found (`status.renames`, else `diff.renames`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Renames {
    /// Not at all.
    Off,
    /// Renames, but no copies.
    On,
    /// Renames, and copies of files that changed as well.
    Copies,
}

/// The settings of one repository.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) untracked: Untracked,
    pub(crate) renames: Renames,
    /// Pairs to compare are limited to the square of this; 0 means no limit.
    pub(crate) rename_limit: usize,
    pub(crate) beyond: Beyond,
    pub(crate) relative: bool,
    pub(crate) case: Case,
    pub(crate) file_mode: bool,
    pub(crate) symlinks: bool,
    pub(crate) stat: gix::index::entry::stat::Options,
    /// Entries marked as outside of a sparse checkout count all the same when they are there.
    pub(crate) sparse_checkout: bool,
    /// `diff.ignoreSubmodules`.
    pub(crate) ignore_submodules: Option<BString>,
}

/// git's default for `diff.renameLimit`.
const RENAME_LIMIT: i64 = 1_000;

impl Settings {
    /// Whether case does not count in names.
    pub(crate) fn folds(&self) -> bool {
        self.case == Case::Fold
    }

    pub(crate) fn of(repo: &gix::Repository) -> Self {
        let config = repo.config_snapshot();
        let yes = |key: &str, default: bool| config.boolean(key).unwrap_or(default);
        let limit = config.integer("status.renameLimit").or_else(|| config.integer("diff.renameLimit"));
        let sparse = yes("core.sparseCheckout", false) && !yes("sparse.expectFilesOutsideOfPatterns", false);
        Self {
            untracked: untracked(&config),
            renames: renames(&config),
            rename_limit: usize::try_from(limit.unwrap_or(RENAME_LIMIT)).unwrap_or(0),
            beyond: if yes("core.quotePath", true) { Beyond::Octal } else { Beyond::Plain },
            relative: yes("status.relativePaths", true),
            case: if yes("core.ignoreCase", false) { Case::Fold } else { Case::Sensitive },
            file_mode: yes("core.fileMode", true),
            symlinks: yes("core.symlinks", true),
            stat: repo.stat_options().unwrap_or_default(),
            sparse_checkout: sparse,
            ignore_submodules: config.string("diff.ignoreSubmodules"),
        }
    }
}

fn untracked(config: &gix::config::Snapshot<'_>) -> Untracked {
    let Some(value) = config.string("status.showUntrackedFiles") else { return Untracked::Normal };
    match value.to_ascii_lowercase().as_slice() {
        b"no" | b"false" | b"off" | b"0" => Untracked::No,
        b"all" => Untracked::All,
        _ => Untracked::Normal,
    }
}

fn renames(config: &gix::config::Snapshot<'_>) -> Renames {
    let key = ["status.renames", "diff.renames"].into_iter().find(|key| config.string(*key).is_some());
    let Some(key) = key else { return Renames::On };
    let value = config.string(key).unwrap_or_default();
    if matches!(value.to_ascii_lowercase().as_bytes(), b"copies" | b"copy") {
        return Renames::Copies;
    }
    if config.boolean(key).unwrap_or(true) { Renames::On } else { Renames::Off }
}
