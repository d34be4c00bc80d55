//! Where the system is no Unix: no scan of the working tree, and a status that says so.

use context_api::{Decision, GitOptions, GitRun, Status, Verdict};
use jiff::Timestamp;

use crate::limits::GitLimits;
use crate::memory::Memory;
use crate::repository::Repository;
use crate::wording;

/// How a status is to be read.
#[derive(Clone, Copy)]
#[expect(dead_code, reason = "what the scan of a Unix system reads")]
pub(crate) struct Job<'a> {
    pub(crate) options: &'a GitOptions,
    pub(crate) limits: &'a GitLimits,
    pub(crate) run: &'a GitRun,
    pub(crate) memory: &'a Memory,
    pub(crate) now: Timestamp,
}

/// Claims nothing about the working tree.
pub(crate) fn read(_repository: &Repository, job: Job<'_>) -> Status {
    let reason = wording::NO_SCAN_HERE.to_owned();
    job.run.decide(Decision::new("git status", Verdict::LeftOut, "system_not_supported", reason.clone()));
    Status::Unreadable { reason }
}
