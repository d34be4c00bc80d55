//! The configuration, from named places only.

use std::path::{Path, PathBuf};

use context_api::{Decision, GitOptions, GitRun};
use gix::config::{File, Source};

use crate::variables::Variables;

/// Where configuration outside the repository comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sources {
    files: Vec<(PathBuf, Source)>,
}

impl Sources {
    /// System, then XDG, then the file in the home directory; `GIT_CONFIG_GLOBAL` stands for the last two.
    pub(crate) fn of(options: &GitOptions, system: Option<&Path>, cwd: &Path) -> Self {
        let variables = Variables::of(options);
        let mut files = Vec::new();
        if !variables.is_true("GIT_CONFIG_NOSYSTEM") {
            let named = variables.path("GIT_CONFIG_SYSTEM", cwd).or_else(|| system.map(Path::to_owned));
            files.extend(named.map(|path| (path, Source::System)));
        }
        match (variables.path("GIT_CONFIG_GLOBAL", cwd), &options.home) {
            (Some(path), _) => files.push((path, Source::User)),
            (None, Some(home)) => {
                files.push((home.join(".config/git/config"), Source::Git));
                files.push((home.join(".gitconfig"), Source::User));
            }
            (None, None) => {}
        }
        Self { files }
    }

    /// Reads what is there. A file that does not parse is left out with a decision.
    pub(crate) fn read(&self, run: &GitRun) -> File {
        let mut all = File::default();
        for (path, source) in &self.files {
            if !path.is_file() {
                continue;
            }
            let appended = File::from_path_no_includes(path.clone(), *source)
                .and_then(|file| all.append(file).map(|_| ()));
            if let Err(error) = appended {
                run.decide(unreadable(path, &error));
            }
        }
        all
    }
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> Decision {
    Decision::failed(
        path.display().to_string(),
        "git_config_unreadable",
        format!("The settings do not count: {error}"),
    )
}

/// Says so where the repository's own settings are there and can not be read: git would not go on without them.
pub(crate) fn note_unreadable(repo: &gix::Repository, run: &GitRun) {
    let path = repo.common_dir().join("config");
    if path.is_file()
        && let Err(error) = std::fs::File::open(&path)
    {
        run.decide(unreadable(&path, &error));
    }
}

/// Puts `globals` before the repository's own settings and those of the environment behind them, with includes followed.
pub(crate) fn install(repo: &mut gix::Repository, globals: File, options: &GitOptions, run: &GitRun) {
    let git_dir = repo.git_dir().to_owned();
    let branch = repo.head_name().ok().flatten();
    let mut merged = globals;
    let own = repo.config_snapshot().plumbing().clone();
    if let Err(error) = merged.append(own) {
        run.decide(unreadable(&git_dir, &error));
    }
    let plain = merged.clone();
    let context =
        gix::config::path::interpolate::Context { home_dir: options.home.as_deref(), ..Default::default() };
    let condition = gix::config::file::includes::conditional::Context {
        git_dir: Some(&git_dir),
        branch_name: branch.as_ref().map(AsRef::as_ref),
    };
    let follow = gix::config::file::init::Options {
        includes: gix::config::file::includes::Options::follow(context, condition),
        ignore_io_errors: true,
        ..Default::default()
    };
    if let Err(error) = merged.resolve_includes(follow) {
        run.decide(unreadable(&git_dir, &error));
        merged = plain;
    }
    let mut snapshot = repo.config_snapshot_mut();
    *snapshot = merged;
    if let Err(error) = snapshot.append_config(Variables::of(options).settings(), Source::Env) {
        run.decide(Decision::failed("GIT_CONFIG_COUNT", "git_config_unreadable", format!("{error}")));
    }
    if let Err(error) = snapshot.commit() {
        run.decide(unreadable(&git_dir, &error));
    }
}

/// The file that `key` names, with `~/` taken from `home`; without a value, `fallback` below the user's settings.
pub(crate) fn rules_file(
    repo: &gix::Repository,
    key: &str,
    fallback: &str,
    home: Option<&Path>,
) -> Option<PathBuf> {
    let snapshot = repo.config_snapshot();
    let Some(named) = snapshot.plumbing().path(key) else {
        return home.map(|home| home.join(".config/git").join(fallback));
    };
    let context = gix::config::path::interpolate::Context { home_dir: home, ..Default::default() };
    let path = named.interpolate(context).ok()?;
    let base = repo.workdir().unwrap_or_else(|| repo.git_dir());
    Some(base.join(path))
}
