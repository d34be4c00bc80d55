//! What the model reads, in our words.

use crate::limits::GitLimits;

pub(crate) const INTRODUCTION: &str = "Git state of the working directory when this conversation began. It is not refreshed as the conversation goes on.";
pub(crate) const BRANCH: &str = "Current branch: ";
pub(crate) const MAIN_BRANCH: &str = "Main branch: ";
pub(crate) const USER: &str = "Git user: ";
pub(crate) const STATUS: &str = "Status:";
pub(crate) const CLEAN: &str = "(clean)";
pub(crate) const COMMITS: &str = "Recent commits:";
pub(crate) const NO_COMMITS: &str = "(no commits yet)";
pub(crate) const UNFINISHED: &str =
    "(unknown: the working tree could not be compared in the time allowed; `git status --short` tells)";

pub(crate) fn detached(id: &str) -> String {
    format!("{id} (detached HEAD, on no branch)")
}

pub(crate) fn unreadable(reason: &str) -> String {
    format!("(unknown: {reason})")
}

pub(crate) fn left_out(entries: usize, limits: &GitLimits) -> String {
    let noun = if entries == 1 { "entry" } else { "entries" };
    format!(
        "({entries} more {noun} left out to stay within {} characters; `git status --short` lists them all)",
        limits.status_chars
    )
}
