//! Where a scenario takes place, under its real paths and under those that the engine sees.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tempfile::TempDir;

/// The workspace as the engine sees it.
pub(crate) const SEEN: &str = "/workspace";
/// The directories in it, each with the placeholder of its name.
const DIRS: [&str; 4] = ["proj", "home", "out", "managed"];

/// A directory with `proj/`, `home/`, `out/` and `managed/`.
#[derive(Debug)]
pub(crate) struct Workspace {
    real: PathBuf,
    _guard: Option<TempDir>,
}

impl Workspace {
    /// A workspace in `dir`, which is kept, or in a temporary one.
    pub(crate) fn new(dir: Option<PathBuf>) -> anyhow::Result<Self> {
        let (dir, guard) = match dir {
            Some(dir) => (dir, None),
            None => {
                let guard =
                    tempfile::Builder::new().prefix("ctx-replay-").tempdir().context("no workspace")?;
                (guard.path().to_path_buf(), Some(guard))
            }
        };
        for name in DIRS {
            fs::create_dir_all(dir.join(name)).with_context(|| format!("can not make {}", dir.display()))?;
        }
        Ok(Self { real: dir.canonicalize()?, _guard: guard })
    }

    /// The real path of one of its directories.
    pub(crate) fn dir(&self, name: &str) -> PathBuf {
        self.real.join(name)
    }

    /// What placeholders stand for, as the engine sees it.
    pub(crate) fn filled_as_seen(&self, text: &str) -> String {
        fill(text, SEEN)
    }

    /// The same text with the paths on the disk in the place of those that the engine sees.
    pub(crate) fn seen_to_real(&self, text: &str) -> String {
        DIRS.iter().fold(text.to_owned(), |text, name| {
            text.replace(&format!("{SEEN}/{name}"), &self.dir(name).to_string_lossy())
        })
    }

    /// The same text with the paths that the engine sees in the place of those on the disk.
    pub(crate) fn real_to_seen(&self, text: &str) -> String {
        text.replace(&*self.real.to_string_lossy(), SEEN)
    }

    /// The path on the disk of a path that a step names; a relative one is in `proj/`.
    pub(crate) fn on_disk(&self, named: &str) -> anyhow::Result<PathBuf> {
        let path = Path::new(SEEN).join("proj").join(named);
        let real = self.map(&clean(&path)).context("the path leaves the workspace")?;
        Ok(real)
    }

    /// The path on the disk of a path that the engine names; `None` outside the workspace.
    pub(crate) fn map(&self, path: &Path) -> Option<PathBuf> {
        if path.starts_with(&self.real) {
            return Some(path.to_path_buf());
        }
        path.strip_prefix(SEEN).ok().map(|rest| self.real.join(rest))
    }

    /// The path that the engine sees of a path on the disk.
    pub(crate) fn unmap(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.real).map_or_else(|_| path.to_path_buf(), |rest| Path::new(SEEN).join(rest))
    }
}

fn fill(text: &str, root: &str) -> String {
    let filled = DIRS
        .iter()
        .fold(text.to_owned(), |text, name| text.replace(&format!("{{{name}}}"), &format!("{root}/{name}")));
    filled.replace("{workspace}", root)
}

/// The path without `..` and `.`, so that no step leaves the workspace by its spelling.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::ParentDir => {
                clean.pop();
            }
            std::path::Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean
}
