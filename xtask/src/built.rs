//! Programs that a build of the workspace left in the target directory.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::Shell;
use crate::shell::capture;

/// Where the workspace's programs lie once they are built in the dev profile.
#[derive(Debug, Clone)]
pub(crate) struct Built {
    folder: PathBuf,
}

#[derive(Deserialize)]
struct Metadata {
    target_directory: PathBuf,
}

impl Built {
    /// Looks where cargo builds to; builds nothing.
    ///
    /// # Errors
    /// Cargo fails.
    pub(crate) fn of(shell: &Shell) -> Result<Self> {
        let json = capture(shell.cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
        let metadata: Metadata =
            serde_json::from_str(&json).context("cargo metadata wrote what was not expected")?;
        Ok(Self { folder: metadata.target_directory.join("debug") })
    }

    /// The path of a program.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Runs each example of a package, in byte order of their names, in the workspace's root.
    ///
    /// # Errors
    /// One is not built, fails, or prints nothing.
    pub(crate) fn examples(&self, shell: &Shell, package: &str) -> Result<()> {
        for name in names(&shell.root().join("crates").join(package).join("examples"))? {
            println!("-- {name}");
            let output = capture(shell.program(self.program(&format!("examples/{name}")), &[]))?;
            anyhow::ensure!(!output.trim().is_empty(), "the example {name} prints nothing");
        }
        Ok(())
    }

    /// Copies a program, so that another build does not take its place.
    ///
    /// # Errors
    /// It is not built, or can not be written.
    pub(crate) fn keep(&self, name: &str, kept: &str) -> Result<PathBuf> {
        let (from, to) = (self.program(name), self.program(kept));
        std::fs::copy(&from, &to).with_context(|| from.display().to_string())?;
        Ok(to)
    }
}

/// The examples in a folder: single files, and folders with a `main.rs`.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let example = path.extension().is_some_and(|end| end == "rs") || path.join("main.rs").is_file();
        let name = path.file_stem().and_then(|name| name.to_str());
        names.extend(name.filter(|_| example).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_files_and_folders_with_a_main() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("store")).expect("made");
        std::fs::create_dir(folder.path().join("fixtures")).expect("made");
        for file in ["store/main.rs", "minimal.rs", "fixtures/a.txt", "notes.md"] {
            std::fs::write(folder.path().join(file), "").expect("written");
        }
        assert_eq!(names(folder.path()).expect("read"), ["minimal", "store"]);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = names(Path::new("/nowhere/examples")).expect_err("not there");
        assert!(error.to_string().contains("/nowhere/examples"), "{error}");
    }
}
