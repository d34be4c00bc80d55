//! Directories that may hold skills.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use context_api::{Decision, FileSystem, Follow};

use super::{SkillLoad, SkillPlaces};

/// The working directory and those above it up to the repository's root, the nearest first, and the last of them. Outside a
/// repository the working directory alone: what lies above it is somebody else's.
pub(super) fn project(files: &dyn FileSystem, cwd: &Path) -> (Vec<PathBuf>, PathBuf) {
    let is_top = |directory: &&Path| files.metadata(&directory.join(".git"), Follow::Nothing).is_ok();
    match cwd.ancestors().find(is_top) {
        Some(top) => {
            let directories = cwd.ancestors().take_while(|directory| directory.starts_with(top));
            (directories.map(Path::to_path_buf).collect(), top.to_path_buf())
        }
        None => (vec![cwd.to_path_buf()], cwd.to_path_buf()),
    }
}

/// The touched paths and what lies between them and the working directory, which is not among them.
pub(super) fn nested(places: &SkillPlaces, most: usize, load: &mut SkillLoad) -> BTreeSet<PathBuf> {
    let below = places.touched.iter().filter(|path| path.starts_with(&places.cwd));
    let between =
        below.flat_map(|path| path.ancestors().take_while(|directory| *directory != places.cwd.as_path()));
    let mut directories: BTreeSet<PathBuf> = between.map(Path::to_path_buf).collect();
    let beyond = directories.len().saturating_sub(most);
    if beyond > 0 {
        let detail = format!(
            "Skills are looked for in {most} directories of touched paths; {beyond} more were not looked at."
        );
        load.decisions.push(Decision::left_out("skills", "too_many_directories", detail));
        directories = directories.into_iter().take(most).collect();
    }
    directories
}
