//! Which repository a directory lies in, as far as memory needs to know: through the file system, without git.

use std::path::{Path, PathBuf};

use context_api::FileKind;

use crate::disk::{Disk, read};

/// A checkout that holds a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repository {
    /// Its top directory, in the spelling of the directory asked for.
    pub(crate) root: PathBuf,
    /// The directory that all worktrees share, canonical: `.git` of the main checkout, or a bare repository.
    pub(crate) common: PathBuf,
    /// Whether it is a linked worktree.
    pub(crate) linked: bool,
}

impl Repository {
    /// The checkout that holds `dir`, the nearest first.
    pub(crate) fn find(disk: &mut Disk, dir: &Path, limit: u64) -> Option<Self> {
        dir.ancestors().find_map(|root| Self::at(disk, root, limit))
    }

    fn at(disk: &mut Disk, root: &Path, limit: u64) -> Option<Self> {
        let git = root.join(".git");
        let meta = disk.target(&git).ok()?;
        if meta.kind == FileKind::Directory && disk.target(&git.join("HEAD")).is_ok() {
            disk.watch(&git);
            return Some(Self { root: root.to_owned(), common: disk.canonical_dir(&git), linked: false });
        }
        if meta.kind != FileKind::File {
            return None;
        }
        disk.watch(&git);
        let text = small_text(disk, &git, limit)?;
        let git_dir = pointed_to(disk, root, text.strip_prefix("gitdir:")?.trim());
        Some(Self::linked(disk, root, &git_dir, limit).unwrap_or(Self {
            root: root.to_owned(),
            common: git_dir,
            linked: false,
        }))
    }

    /// A linked worktree, if the repository it points at knows it: a foreign checkout could name any other one.
    fn linked(disk: &mut Disk, root: &Path, git_dir: &Path, limit: u64) -> Option<Self> {
        let common = small_text(disk, &git_dir.join("commondir"), limit)?;
        let common = pointed_to(disk, git_dir, common.trim());
        let back = small_text(disk, &git_dir.join("gitdir"), limit)?;
        let back = pointed_to(disk, git_dir, back.trim());
        let real = disk.canonical_dir(root).join(".git");
        (back == real).then(|| Self { root: root.to_owned(), common, linked: true })
    }

    /// The directory that stands for the repository and all its worktrees, canonical.
    pub(crate) fn main(&self, disk: &mut Disk) -> PathBuf {
        match (self.linked, self.common.file_name(), self.common.parent()) {
            (false, ..) => disk.canonical_dir(&self.root),
            (true, Some(name), Some(parent)) if name == ".git" => parent.to_owned(),
            _ => self.common.clone(),
        }
    }

    /// The top directory of the main checkout of a linked worktree, canonical; a bare repository has none.
    pub(crate) fn main_checkout(&self, disk: &mut Disk, limit: u64) -> Option<PathBuf> {
        let named_git = self.common.file_name().is_some_and(|name| name == ".git");
        if !self.linked || !named_git {
            return None;
        }
        let config = small_text(disk, &self.common.join("config"), limit).unwrap_or_default();
        self.common.parent().filter(|_| !is_bare(&config)).map(Path::to_owned)
    }
}

/// Whether a configuration of git says that there is no checkout.
fn is_bare(config: &str) -> bool {
    let mut in_core = false;
    let mut bare = false;
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            in_core = section.trim_end_matches(']').trim().eq_ignore_ascii_case("core");
        } else if in_core {
            let (key, value) = line.split_once('=').unwrap_or((line, "true"));
            if key.trim().eq_ignore_ascii_case("bare") {
                bare = matches!(value.trim().to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1");
            }
        }
    }
    bare
}

/// The canonical path of what a file of git points to.
fn pointed_to(disk: &mut Disk, from: &Path, target: &str) -> PathBuf {
    disk.canonical_any(&from.join(target))
}

fn small_text(disk: &mut Disk, path: &Path, limit: u64) -> Option<String> {
    let seen = disk.target(path).ok().filter(|meta| meta.kind == FileKind::File)?;
    disk.watch(path);
    let canonical = disk.canonical_file(path);
    let (bytes, _) = read(&*disk.fs, &canonical, &seen, limit, 1).ok()?;
    String::from_utf8(bytes).ok()
}

/// Whether a directory is the inside of a repository, whatever it is called.
pub(crate) fn is_git_dir(disk: &mut Disk, dir: &Path) -> bool {
    let is =
        |disk: &mut Disk, name: &str, kind| disk.target(&dir.join(name)).is_ok_and(|meta| meta.kind == kind);
    is(disk, "HEAD", FileKind::File)
        && is(disk, "objects", FileKind::Directory)
        && is(disk, "refs", FileKind::Directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_repository_is_told_by_its_configuration() {
        for (config, expected) in [
            ("", false),
            ("[core]\n\tbare = true\n", true),
            ("[core]\n\tbare\n", true),
            ("[Core]\n Bare=TRUE\n", true),
            ("[core]\n\tbare = true\n\tbare = false\n", false),
            ("[remote \"core\"]\n\tbare = true\n", false),
            ("[core]\n\trepositoryformatversion = 0\n[x]\nbare = true\n", false),
        ] {
            assert_eq!(is_bare(config), expected, "{config:?}");
        }
    }
}
