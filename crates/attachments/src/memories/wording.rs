//! What a model is told of a memory.

use std::path::Path;

use context_text::display_path;

/// What stands above a memory: where it lies and how old it is, said once and for good.
pub(super) fn header(path: &Path, days: u64) -> String {
    let shown = display_path(path);
    let age = match days {
        0 => "written today".to_owned(),
        1 => "written yesterday: check that it still holds before you rely on it".to_owned(),
        days => format!("written {days} days ago: check that it still holds before you rely on it"),
    };
    format!("A note of an earlier session that may matter here, {shown} ({age}):")
}

/// The end of a memory that is longer than what is shown.
pub(super) fn cut(path: &Path, shown: u64, lines: u64) -> String {
    if shown == lines {
        return format!("(Its last line is cut. The whole note is in {}.)", display_path(path));
    }
    format!("({shown} of {lines} lines are shown. The whole note is in {}.)", display_path(path))
}
