//! Where the repository of a directory lies.

use std::path::{Path, PathBuf};

use crate::variables::Variables;

/// What a search upwards found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// No repository here or above.
    Nothing,
    /// A repository without a working tree, or a place inside a git directory.
    NoWorkTree,
    /// A file that should name a repository and does not.
    Broken(PathBuf),
    /// A repository.
    Repository(Place),
}

/// A repository, before it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The `.git` of the working tree: a directory, or a file that names one.
    pub(crate) dot_git: PathBuf,
    /// The working tree as the search saw it; the configuration may name another one.
    pub(crate) work_tree: PathBuf,
}

/// Searches from `cwd` (absolute and without links) upwards, as git does: `.git` first, then the directory itself, not
/// across ceilings, not across file systems.
pub(crate) fn discover(cwd: &Path, variables: Variables<'_>) -> Found {
    if let Some(dot_git) = variables.path("GIT_DIR", cwd) {
        let work_tree = variables.path("GIT_WORK_TREE", cwd).unwrap_or_else(|| cwd.to_owned());
        return if is_git(&dot_git) {
            Found::Repository(Place { dot_git, work_tree })
        } else {
            Found::Nothing
        };
    }
    let ceilings = ceilings(variables);
    let device = if variables.is_true("GIT_DISCOVERY_ACROSS_FILESYSTEM") { None } else { device_of(cwd) };
    for (steps, dir) in cwd.ancestors().enumerate() {
        let stop = (steps > 0 && ceilings.iter().any(|ceiling| ceiling == dir))
            || (device.is_some() && device_of(dir) != device);
        if stop {
            return Found::Nothing;
        }
        if let Some(found) = at(dir) {
            return found;
        }
    }
    Found::Nothing
}

fn at(dir: &Path) -> Option<Found> {
    let dot_git = dir.join(".git");
    if is_git(&dot_git) {
        return Some(Found::Repository(Place { dot_git, work_tree: dir.to_owned() }));
    }
    if dot_git.is_file() {
        return Some(Found::Broken(dot_git));
    }
    // Two cheap look-ups spare the full check in each ordinary directory on the way up.
    let maybe_bare = dir.join("HEAD").is_file() && dir.join("refs").is_dir();
    (maybe_bare && is_git(dir)).then_some(Found::NoWorkTree)
}

/// Whether `dot_git` is a git directory or a file that names one. A pipe at the place of a file that would be opened
/// makes it none: it would hold the reader for good.
pub(crate) fn is_git(dot_git: &Path) -> bool {
    let opens_at_once =
        |path: &Path| path.metadata().map_or(true, |metadata| metadata.is_file() || metadata.is_dir());
    opens_at_once(dot_git)
        && ["HEAD", "config", "packed-refs", "commondir"]
            .iter()
            .all(|name| opens_at_once(&dot_git.join(name)))
        && gix::discover::is_git(dot_git).is_ok()
}

fn ceilings(variables: Variables<'_>) -> Vec<PathBuf> {
    let list = variables.get("GIT_CEILING_DIRECTORIES").unwrap_or_default();
    let absolute = list.split(':').map(Path::new).filter(|path| path.is_absolute());
    absolute.map(|path| path.canonicalize().unwrap_or_else(|_| path.to_owned())).collect()
}

#[cfg(unix)]
fn device_of(dir: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    dir.metadata().ok().map(|metadata| metadata.dev())
}

/// Elsewhere a search ends at ceilings only.
#[cfg(not(unix))]
fn device_of(_dir: &Path) -> Option<u64> {
    None
}
