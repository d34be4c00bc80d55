//! May this repository be read?

use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;

/// The first of `paths` that belongs to somebody else than the user of this process.
#[cfg(unix)]
pub(crate) fn foreign<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt;
    let me = rustix::process::geteuid().as_raw();
    paths
        .into_iter()
        .find(|path| path.symlink_metadata().is_ok_and(|metadata| metadata.uid() != me))
        .map(Path::to_owned)
}

/// The first of `paths` that belongs to somebody else than the user of this process, as far as the system tells.
#[cfg(not(unix))]
pub(crate) fn foreign<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Option<PathBuf> {
    let own = |path: &Path| gix::sec::identity::is_path_owned_by_current_user(path).unwrap_or(false);
    paths.into_iter().find(|path| path.exists() && !own(path)).map(Path::to_owned)
}

/// Whether the user's own configuration lists `work_tree` under `safe.directory`; an empty value clears the list.
pub(crate) fn listed_as_safe(globals: &gix::config::File, work_tree: &Path) -> bool {
    let Ok(path) = gix::path::into_bstr(work_tree) else { return false };
    let mut safe = false;
    for value in globals.strings("safe.directory").unwrap_or_default() {
        if value.is_empty() {
            safe = false;
            continue;
        }
        let below = value
            .strip_suffix(b"/*")
            .is_some_and(|dir| path.starts_with(dir) && path.get(dir.len()) == Some(&b'/'));
        safe |= below || value.as_bstr() == "*" || value.trim_end_with(|c| c == '/') == path.as_bytes();
    }
    safe
}
