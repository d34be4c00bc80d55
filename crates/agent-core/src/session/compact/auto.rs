//! A summary by itself, when a request comes near the window.

use std::sync::Arc;

use context_api::{
    Decision, Entry, EntryKind, HostSnapshot, StateChange, StatesView, ToolSpec, Trigger, Verdict,
};

use super::{Compact, CompactError};
use crate::context::{Context, Stale};
use crate::session::Session;
use crate::session::line::Line;
use crate::session::prepare::Asked;

impl Session {
    /// Summarises the history where the next request, of `used` tokens, comes over the threshold. The boundary and what comes
    /// back are pushed; the result is the context anew.
    pub(in crate::session) async fn compact_if_due(
        &self,
        context: &Context,
        asked: &Asked<'_>,
        used: u64,
        line: &mut Line<'_>,
        decisions: &mut Vec<Decision>,
    ) -> Option<Context> {
        let used = self.memory.lock().ratio.scale(used);
        if self.history.is_empty() || used < self.parts.budget.compaction.trigger(self.room()) {
            return None;
        }
        match self.compacted(context, asked.host, asked.tools, line, decisions).await {
            Ok(context) => Some(context),
            Err(error) => {
                decisions.push(refused(&error, used));
                None
            }
        }
    }

    pub(in crate::session) async fn compacted(
        &self,
        context: &Context,
        host: &HostSnapshot,
        tools: Option<&[ToolSpec]>,
        line: &mut Line<'_>,
        decisions: &mut Vec<Decision>,
    ) -> Result<Context, CompactError> {
        if self.gave_up() {
            let failures = self.parts.budget.compaction.failures;
            let detail = format!("{failures} in a row failed; ask for one by hand to try again");
            return Err(CompactError::Failed(detail));
        }
        let ask = Compact { trigger: Trigger::Auto, ..Compact::default() };
        let summary = self.job(context, tools, &line.entries, &ask)?.run().await;
        self.count_failures(&summary);
        let behind = self.behind(&summary?, Vec::new(), line).await;
        decisions.extend(behind.working_set.decisions());
        let stale = Stale { user: true, memory_cache: true, ..Stale::default() };
        let moment = self.moment(host);
        let mut context = context.refreshed(&self.parts, &stale, &self.scope, &moment, decisions).await;
        context.record.basis = self.basis(&context, tools.map(Arc::from));
        line.push(EntryKind::Context(context.record.clone()));
        Ok(context)
    }

    /// Whether so many summaries failed in a row that none is asked for by itself any more.
    pub(in crate::session) fn gave_up(&self) -> bool {
        self.memory.lock().failures >= self.parts.budget.compaction.failures
    }

    /// Tokens at which the history is summarised by itself; `None` where it never is.
    pub(in crate::session) fn compacts_at(&self) -> Option<u64> {
        let budget = &self.parts.budget;
        let tries = budget.summarizer.is_some() && !self.gave_up();
        tries.then(|| budget.compaction.trigger(self.room()))
    }

    /// What the model has seen of files behind the boundary in `line`.
    pub(in crate::session) fn files_behind(&self, line: &[Arc<Entry>]) -> Option<StatesView> {
        let kept = line.iter().find_map(|entry| match &entry.kind {
            EntryKind::Boundary(boundary) => Some(&boundary.kept),
            _ => None,
        })?;
        let kept: std::collections::HashSet<_> = kept.iter().collect();
        let stays = self.history.iter().filter(|entry| kept.contains(&entry.uuid)).chain(line);
        let changes: Vec<&StateChange> =
            stays.flat_map(|entry| crate::session::commit::changes(entry)).collect();
        Some(StatesView::default().with(changes))
    }
}

fn refused(error: &CompactError, used: u64) -> Decision {
    let detail = format!("The request has {used} tokens and should be summarised, but: {error}.");
    Decision::new("history", Verdict::Failed, error.reason(), detail)
}
