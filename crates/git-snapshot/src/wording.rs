//! What the model reads, in our words.

use crate::limits::GitLimits;
use crate::render;
use crate::watch::GitDrift;

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
/// Why there is no status where the system is no Unix.
#[cfg(not(unix))]
pub(crate) const NO_SCAN_HERE: &str =
    "the working tree is not scanned on this system; `git status --short` tells";

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

/// One line on what changed.
pub(crate) fn drift(drift: &GitDrift) -> String {
    let mut parts = Vec::new();
    parts.extend(drift.branch.as_ref().map(|(before, after)| {
        format!("the branch is now {} (it was {})", render::branch(after), render::branch(before))
    }));
    parts.extend(drift.head.as_ref().map(|(_, after)| match after {
        Some(commit) => format!(
            "the newest commit is now {} {}",
            render::shown(&commit.id),
            render::shown(&commit.subject)
        ),
        None => "there is no commit any more".to_owned(),
    }));
    parts.extend(drift.counts.map(|(before, after)| {
        let (are, were) = (amount(after.entries), before.entries);
        format!("there {are} (there {} {were})", if were == 1 { "was" } else { "were" })
    }));
    let last = parts.pop().unwrap_or_default();
    let list = match parts.len() {
        0 => last,
        1 => format!("{} and {last}", parts[0]),
        _ => format!("{}, and {last}", parts.join(", ")),
    };
    format!("Git state has changed since the conversation began: {list}.")
}

fn amount(entries: usize) -> String {
    match entries {
        1 => "is now 1 status entry".to_owned(),
        _ => format!("are now {entries} status entries"),
    }
}
