//! What was found wrong with a transcript.

use std::collections::BTreeMap;

use context_api::{Decision, Verdict};

/// Findings, a bounded number of each sort: a file of a million broken lines does not make a million decisions.
#[derive(Debug)]
pub(crate) struct Problems {
    session: String,
    most: usize,
    decisions: Vec<Decision>,
    counts: BTreeMap<&'static str, usize>,
}

impl Problems {
    pub(crate) fn new(session: &str, most: usize) -> Self {
        Self { session: session.to_owned(), most, decisions: Vec::new(), counts: BTreeMap::new() }
    }

    /// A line that is not there for its reader.
    pub(crate) fn lost(&mut self, line: u64, reason: &'static str, detail: &str, bytes: u64) {
        self.push(line, Verdict::LeftOut, reason, detail, Some(bytes));
    }

    /// A line that is there, though not as it was written.
    pub(crate) fn mended(&mut self, line: u64, reason: &'static str, detail: &str) {
        self.push(line, Verdict::Included, reason, detail, None);
    }

    fn push(&mut self, line: u64, verdict: Verdict, reason: &'static str, detail: &str, bytes: Option<u64>) {
        let count = self.counts.entry(reason).or_default();
        *count += 1;
        if *count <= self.most {
            let mut decision = Decision::new(format!("{}:{line}", self.session), verdict, reason, detail);
            decision.bytes = bytes;
            self.decisions.push(decision);
        }
    }

    /// All of them, with a sum for each sort of which there are more.
    pub(crate) fn finish(mut self) -> Vec<Decision> {
        for (reason, count) in &self.counts {
            if let Some(more) = count.checked_sub(self.most).filter(|more| *more > 0) {
                let detail = format!("There are {more} more lines of this sort.");
                self.decisions.push(Decision::new(self.session.clone(), Verdict::LeftOut, *reason, detail));
            }
        }
        self.decisions
    }
}
