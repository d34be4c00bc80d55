//! A throw-away world.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A throw-away directory with `proj/`, `home/`, `out/` and `managed/`, removed on drop.
#[derive(Debug)]
pub struct Place {
    root: PathBuf,
    _guard: TempDir,
}

impl Default for Place {
    fn default() -> Self {
        Self::new()
    }
}

impl Place {
    /// A new, empty one. Its paths are canonical.
    ///
    /// # Panics
    /// The directory can not be made.
    pub fn new() -> Self {
        let guard = tempfile::tempdir().expect("a temporary directory");
        let root = guard.path().canonicalize().expect("its path");
        for name in ["proj", "home", "out", "managed"] {
            fs::create_dir(root.join(name)).expect("a directory");
        }
        Self { root, _guard: guard }
    }

    /// The directory that holds all of it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The project.
    pub fn proj(&self) -> PathBuf {
        self.root.join("proj")
    }

    /// The home directory.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Outside the project.
    pub fn out(&self) -> PathBuf {
        self.root.join("out")
    }

    /// The organisation's directory.
    pub fn managed(&self) -> PathBuf {
        self.root.join("managed")
    }

    /// The path that `name` stands for: below `proj/` unless it begins with `{home}`, `{out}`, `{managed}` or `{proj}`.
    pub fn path(&self, name: &str) -> PathBuf {
        for part in ["proj", "home", "out", "managed"] {
            if let Some(rest) = name.strip_prefix(&format!("{{{part}}}")) {
                return self.root.join(part).join(rest.trim_start_matches('/'));
            }
        }
        self.proj().join(name)
    }

    /// Writes a file and the directories above it.
    ///
    /// # Panics
    /// It can not be written.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("its directories");
        fs::write(&path, content).expect("the file");
        path
    }

    /// Makes a directory and those above it.
    ///
    /// # Panics
    /// It can not be made.
    pub fn dir(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(&path).expect("the directory");
        path
    }

    /// Makes a symbolic link; `target` is taken as it is, placeholders replaced.
    ///
    /// # Panics
    /// It can not be made.
    #[cfg(unix)]
    pub fn link(&self, name: &str, target: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("its directories");
        let target = if target.starts_with('{') { self.path(target) } else { PathBuf::from(target) };
        std::os::unix::fs::symlink(target, &path).expect("the link");
        path
    }

    /// Runs a program in `proj/` with a fixed identity and without the user's configuration; returns its output.
    ///
    /// # Panics
    /// It can not be started, or fails.
    pub fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = std::process::Command::new(program)
            .args(arguments)
            .current_dir(self.proj())
            .env("HOME", self.home())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "Test")
            .env("GIT_AUTHOR_EMAIL", "test@example.com")
            .env("GIT_COMMITTER_NAME", "Test")
            .env("GIT_COMMITTER_EMAIL", "test@example.com")
            .env("GIT_AUTHOR_DATE", "2026-04-25T12:00:00Z")
            .env("GIT_COMMITTER_DATE", "2026-04-25T12:00:00Z")
            .output()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(
            output.status.success(),
            "{program} {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
