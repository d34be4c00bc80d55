//! What a load depends on.

use crate::context::Context;
use crate::disk::{Probe, all_hold};
use crate::scan::{PolicyCheck, Scan};

/// What a load depends on.
#[derive(Debug, Default)]
pub(crate) struct Seal {
    probes: Vec<Probe>,
    checks: Vec<PolicyCheck>,
    /// Whether the same was seen twice: a file that changes twice within one tick of its clock shows the same facts with
    /// another content, so that one look is not enough.
    settled: bool,
}

impl Seal {
    /// What a scan saw; `before` is what the scan before it saw of the same.
    pub(crate) fn new(scan: Scan<'_>, before: Option<&Self>) -> Self {
        let probes = scan.disk.into_probes();
        let settled = before.is_some_and(|before| before.probes == probes);
        Self { probes, checks: scan.checks, settled }
    }

    /// Whether everything is as it was.
    pub(crate) fn holds(&self, context: &Context) -> bool {
        let denied = |check: &PolicyCheck| context.denied(&check.path, check.canonical.as_deref()).is_some();
        self.settled
            && all_hold(&*context.fs, &self.probes)
            && self.checks.iter().all(|check| denied(check) == check.denied)
    }

    /// Whether files have to be read again although their facts are the same.
    pub(crate) fn wants_second_look(&self) -> bool {
        !self.settled
    }
}
