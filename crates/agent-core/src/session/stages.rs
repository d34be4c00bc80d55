//! The pipeline over the history, before anything new is collected.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use context_api::{
    BlobKey, BlobStore, Decision, Entry, EntryKind, HistoryView, ModelMessage, ModelRequest, PlannedBlob,
    StageBudget, StageOutcome, StateChange, StoreError, StoreErrorKind, ToolSpec,
};
use context_budget::forgotten;
use prompt_assembly::assemble;
use uuid::Uuid;

use super::Session;
use super::line::Line;
use crate::context::Context;
use crate::offload::offload;

/// What a request takes as it stands.
pub(super) struct Taken {
    /// The history as it is seen.
    pub(super) view: Arc<HistoryView>,
    /// Tokens of all of it.
    pub(super) used: u64,
    /// Tokens of system prompt and tools.
    pub(super) fixed: u64,
    /// Tokens by entry.
    pub(super) tokens: Arc<HashMap<Uuid, u64>>,
}

/// What came of the stages.
#[derive(Default)]
pub(super) struct Staged {
    /// What the model no longer sees of files.
    pub(super) gone: Vec<StateChange>,
    /// Tokens of the request as they leave it.
    pub(super) used: u64,
}

impl Session {
    /// Records what the stages plan.
    pub(super) async fn run_stages(
        &self,
        context: &Context,
        tools: Option<&[ToolSpec]>,
        line: &mut Line<'_>,
        decisions: &mut Vec<Decision>,
    ) -> Staged {
        if self.history.is_empty() {
            return Staged::default();
        }
        let fixed = self.fixed(context, tools);
        let seen = self.projected.peek(&line.entries);
        let taken = self.taken(fixed, seen.iter(), &line.entries);
        let mut planned = self.plan_stages(&taken, true);
        if let Err(error) = self.put_aside(&planned.blobs).await {
            let detail = format!("{error}. Only the beginning of a large result is kept in view.");
            decisions.push(Decision::failed("history", "blob_not_written", detail));
            planned = self.plan_stages(&taken, false);
        }
        decisions.extend(planned.decisions);
        if planned.edits.is_empty() {
            return Staged { gone: Vec::new(), used: taken.used };
        }
        let gone = forgotten(&taken.view, &planned.edits);
        for edit in planned.edits {
            line.push(EntryKind::ViewEdit(edit));
        }
        let seen = self.projected.peek(&line.entries);
        Staged { gone, used: fixed + self.memory.lock().count(seen.iter(), &*self.parts.budget.counter) }
    }

    /// Counts messages that are made of the history and `entries` behind it.
    pub(super) fn taken<'a>(
        &self,
        fixed: u64,
        messages: impl IntoIterator<Item = &'a Arc<ModelMessage>>,
        entries: &[Arc<Entry>],
    ) -> Taken {
        let mut memory = self.memory.lock();
        let used = fixed + memory.count(messages, &*self.parts.budget.counter);
        let tokens = memory.tokens();
        let view = match entries {
            [] => memory.view(&self.history),
            _ => {
                let all: Vec<_> = self.history.iter().chain(entries).cloned().collect();
                Arc::new(HistoryView::of(&all, &tokens))
            }
        };
        Taken { view, used, fixed, tokens }
    }

    /// The same for the history alone.
    pub(super) fn taken_now(&self) -> Taken {
        let fixed = self.fixed(&self.context, self.tools.as_deref());
        self.taken(fixed, self.projected.peek(&[]).iter(), &[])
    }

    /// Tokens of system prompt and tools.
    pub(super) fn fixed(&self, context: &Context, tools: Option<&[ToolSpec]>) -> u64 {
        let counter = &*self.parts.budget.counter;
        let of_before = std::ptr::eq(context, &self.context)
            && tools.map(<[_]>::as_ptr) == self.tools.as_deref().map(<[_]>::as_ptr);
        match &self.previous {
            Some((_, request)) if of_before && !self.is_other => self.memory.lock().fixed(request, counter),
            _ => {
                let (request, _) = assemble(self.request_parts(context, tools));
                self.memory.lock().fixed(&request, counter)
            }
        }
    }

    /// Tokens of the context in front of the history, with `entries` behind it.
    pub(super) fn context_tokens(&self, taken: &Taken, entries: &[Arc<Entry>]) -> u64 {
        let mut newest = self.history.iter().chain(entries).rev();
        let context = newest.find(|entry| matches!(entry.kind, EntryKind::Context(_)));
        context.and_then(|entry| taken.tokens.get(&entry.uuid)).copied().unwrap_or_default()
    }

    /// Tokens of all of a request: what a look at its size costs, without a view of the history.
    pub(super) fn used(&self, request: &ModelRequest) -> u64 {
        let counter = &*self.parts.budget.counter;
        let mut memory = self.memory.lock();
        memory.fixed(request, counter) + memory.count(&request.messages, counter)
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
        parts.pipeline.plan(&mut Arc::clone(&taken.view), &budget)
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
