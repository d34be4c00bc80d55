//! The pipeline over the history, before anything new is collected.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use context_api::{
    BlobKey, BlobStore, Decision, Entry, EntryKind, HistoryView, ModelRequest, PlannedBlob, StageBudget,
    StageOutcome, StateChange, StoreError, StoreErrorKind, ToolSpec,
};
use context_budget::{fixed_tokens, forgotten};
use uuid::Uuid;

use super::Session;
use super::prepare::Line;
use crate::context::Context;
use crate::offload::offload;

/// What a request takes as it stands.
pub(super) struct Taken {
    /// The history as it is seen.
    pub(super) view: HistoryView,
    /// Tokens of all of it.
    pub(super) used: u64,
    /// Tokens of system prompt and tools.
    pub(super) fixed: u64,
    /// Tokens of the context in front of the history.
    pub(super) context: u64,
    /// Tokens by entry.
    pub(super) tokens: HashMap<Uuid, u64>,
}

impl Session {
    /// Records what the stages plan; returns what the model no longer sees of files.
    pub(super) async fn run_stages(
        &self,
        context: &Context,
        tools: Option<&[ToolSpec]>,
        line: &mut Line<'_>,
        decisions: &mut Vec<Decision>,
    ) -> Vec<StateChange> {
        if self.history.is_empty() {
            return Vec::new();
        }
        let (request, _) = self.assembled(context, tools, &line.entries);
        let taken = self.taken(&request, &line.entries);
        let mut planned = self.plan_stages(&taken, true);
        if let Err(error) = self.put_aside(&planned.blobs).await {
            let detail = format!("{error}. Only the beginning of a large result is kept in view.");
            decisions.push(Decision::failed("history", "blob_not_written", detail));
            planned = self.plan_stages(&taken, false);
        }
        let gone = forgotten(&taken.view, &planned.edits);
        for edit in planned.edits {
            line.push(EntryKind::ViewEdit(edit));
        }
        decisions.extend(planned.decisions);
        gone
    }

    /// Counts a request that is made of the history and `entries` behind it.
    pub(super) fn taken(&self, request: &ModelRequest, entries: &[Arc<Entry>]) -> Taken {
        let (fixed, used) = self.counted(request);
        let tokens = self.memory.lock().tally.by_entry();
        let history: Vec<_> = self.history.iter().chain(entries).cloned().collect();
        let context = history.iter().rev().find(|entry| matches!(entry.kind, EntryKind::Context(_)));
        let context = context.and_then(|entry| tokens.get(&entry.uuid)).copied().unwrap_or_default();
        Taken { view: HistoryView::of(&history, &tokens), used, fixed, context, tokens }
    }

    /// The same for the history alone.
    pub(super) fn taken_now(&self) -> Taken {
        let (request, _) = self.assembled(&self.context, self.tools.as_deref(), &[]);
        self.taken(&request, &[])
    }

    /// Tokens of all of a request: what a look at its size costs, without a view of the history.
    pub(super) fn used(&self, request: &ModelRequest) -> u64 {
        self.counted(request).1
    }

    /// Tokens of system prompt and tools, and of everything.
    fn counted(&self, request: &ModelRequest) -> (u64, u64) {
        let counter = &*self.parts.budget.counter;
        let mut memory = self.memory.lock();
        memory.tally.update(&request.messages, counter);
        let fixed = fixed_tokens(request, counter);
        (fixed, fixed + memory.tally.total())
    }

    fn plan_stages(&self, taken: &Taken, with_blobs: bool) -> StageOutcome {
        let parts = &self.parts.budget;
        let tools = &self.parts.options.projection.tool_names;
        let now = self.parts.clock.now();
        let path = |key: &BlobKey| self.blob_path(key);
        let mut budget = StageBudget::new(self.room(), taken.used, now, &*parts.counter, tools);
        if with_blobs {
            budget = budget.blobs(&path);
        }
        parts.pipeline.plan(&mut taken.view.clone(), &budget)
    }

    fn blob_path(&self, key: &BlobKey) -> Option<PathBuf> {
        self.parts.blobs.as_ref()?.path(&self.id, key)
    }

    /// Tokens that a request may have: the window less what is kept for the answer.
    pub(super) fn room(&self) -> u64 {
        let options = &self.parts.options;
        context_budget::room(options.window, options.max_tokens, &self.parts.budget.limits)
    }

    async fn put_aside(&self, blobs: &[PlannedBlob]) -> Result<(), StoreError> {
        let Some(store) = self.parts.blobs.clone().filter(|_| !blobs.is_empty()) else { return Ok(()) };
        let (session, blobs) = (self.id.clone(), blobs.to_vec());
        let deadline = Instant::now() + self.parts.options.limits.blob_wait;
        let write = offload(&self.parts.threads, move || write_all(&*store, &session, &blobs));
        write.until(&self.parts.timer, deadline).await.unwrap_or_else(|why| {
            let reason = format!("the blobs were not written ({})", why.reason());
            Err(StoreError::new(&self.id, StoreErrorKind::Stalled, reason))
        })
    }
}

fn write_all(store: &dyn BlobStore, session: &str, blobs: &[PlannedBlob]) -> Result<(), StoreError> {
    blobs.iter().try_for_each(|blob| store.put(session, &blob.key, &blob.bytes))
}
