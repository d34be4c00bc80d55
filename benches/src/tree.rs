//! Throw-away trees.

use std::io;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Files in one folder.
const IN_FOLDER: usize = 20;

/// Lines of a file: about 1.3 KB.
const LINES: usize = 40;

/// A throw-away directory, removed on drop.
#[derive(Debug)]
pub struct Tree(TempDir);

impl Tree {
    /// A tree of `count` text files, twenty a folder. The same count gives the same bytes.
    ///
    /// # Errors
    /// The files can not be written.
    pub fn of(count: usize) -> io::Result<Self> {
        let tree = Self(tempfile::tempdir()?);
        for number in 0..count {
            let folder = tree.path().join(format!("src/f{:04}", number / IN_FOLDER));
            if number % IN_FOLDER == 0 {
                std::fs::create_dir_all(&folder)?;
            }
            std::fs::write(folder.join(format!("n{number:06}.txt")), text(number))?;
        }
        Ok(tree)
    }

    /// The same as a git repository with everything committed.
    ///
    /// # Errors
    /// Git is not there or fails.
    pub fn repository(count: usize) -> io::Result<Self> {
        let tree = Self::of(count)?;
        let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
        for args in [&["init", "-q", "-b", "main"][..], &["add", "-A"], &["commit", "-q", "-m", "first"]] {
            let status = Command::new("git").args(identity).args(args).current_dir(tree.path()).status()?;
            if !status.success() {
                return Err(io::Error::other(format!("git {}: {status}", args.join(" "))));
            }
        }
        Ok(tree)
    }

    /// Its root.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

fn text(number: usize) -> String {
    (0..LINES).map(|line| format!("line {line} of file {number}, plain\n")).collect()
}
