//! Paths as they are shown and meant.

use std::path::{Path, PathBuf};

use context_text::display_path;

/// A path as it is shown: relative to `cwd` where it lies below it, safe to print.
pub(crate) fn shown(cwd: &Path, path: &Path) -> String {
    match path.strip_prefix(cwd) {
        Ok(relative) if !relative.as_os_str().is_empty() => display_path(relative),
        Ok(_) => ".".to_owned(),
        Err(_) => display_path(path),
    }
}

/// What a name in the input means: absolute, below the home directory, or relative to `cwd`.
pub(crate) fn meant(cwd: &Path, home: Option<&Path>, name: &str) -> PathBuf {
    match (name.strip_prefix('~'), home) {
        (Some(""), Some(home)) => home.to_path_buf(),
        (Some(rest), Some(home)) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        _ => cwd.join(name),
    }
}
