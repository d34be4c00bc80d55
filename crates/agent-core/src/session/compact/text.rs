//! How things are named to people.

use std::path::Path;

/// A path relative to the working directory where it lies below it, safe to print.
pub(super) fn shown(cwd: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(cwd).ok().filter(|relative| !relative.as_os_str().is_empty());
    context_text::display_path(relative.unwrap_or(path))
}
