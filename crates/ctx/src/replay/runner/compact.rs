//! Summaries.

use super::super::summaries::{CompactRow, CompactSpec};
use super::Runner;
use crate::setup::wait;

impl Runner {
    /// Summarises now; what the summarizer was given and what came back, or why it was not done.
    pub(super) fn compact(&mut self, spec: CompactSpec) -> anyhow::Result<String> {
        let ask = spec.ask();
        let trigger = ask.trigger;
        let form = self.config.form()?;
        let outcome = wait(self.session()?.compact_now(ask))?;
        let row = match &outcome {
            Ok(done) => CompactRow::done(trigger, done, &form)?,
            Err(error) => CompactRow::refused(trigger, error),
        };
        Ok(self.workspace.real_to_seen(&serde_json::to_string(&row)?))
    }
}
