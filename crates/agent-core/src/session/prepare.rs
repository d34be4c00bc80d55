//! Making a request: everything up to the commit only looks.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use attachments::Collection;
use context_api::{
    AttachmentMode, ContextBasis, Decision, Entry, EntryKind, HostEvent, Invalidate, InvalidateEvent, Ledger,
    ModelRequest, SessionBlobs, Source, StateChange, Thread, ToolSpec, TurnInput, TurnParts, Verdict,
};

use super::Session;
use super::line::Line;
use super::memories::Searched;
use crate::context::{Context, Moment};
use crate::handle::Waiting;
use crate::{Error, PreparedTurn, Turn};

/// What a request is made for.
#[cfg_attr(not(feature = "compaction"), expect(dead_code, reason = "read where histories are made to fit"))]
pub(super) struct Asked<'a> {
    pub(super) host: &'a context_api::HostSnapshot,
    pub(super) tools: Option<&'a [ToolSpec]>,
    pub(super) input: Option<&'a TurnInput>,
}

/// Everything that a commit needs: made without changing anything.
pub(super) struct Plan {
    pub(super) turn: u64,
    pub(super) context: Option<Context>,
    pub(super) host: Arc<context_api::HostSnapshot>,
    pub(super) tools: Option<Arc<[ToolSpec]>>,
    pub(super) entries: Vec<Arc<Entry>>,
    pub(super) request: Option<Arc<ModelRequest>>,
    pub(super) blocked: Option<String>,
    pub(super) decisions: Vec<Decision>,
    pub(super) delivered: Vec<String>,
    pub(super) touched: usize,
    /// Touched paths that come with the next request too.
    pub(super) again: Vec<context_api::Touched>,
    /// Whether the words were there with which fitting skills are named.
    pub(super) names_skills: bool,
    pub(super) searched: Searched,
}

impl Session {
    /// Makes the next request. Until its last step nothing of the session changes: a future that is dropped before leaves
    /// everything as it was, queued input included.
    ///
    /// # Errors
    /// The provider would refuse the request, or the session was cancelled. Nothing is committed then.
    pub async fn prepare(&mut self, turn: Turn) -> Result<PreparedTurn, Error> {
        let plan = self.unless_cancelled(self.plan(turn)).await?;
        let mut prepared = self.commit(plan);
        // Whoever gives up while the transcript is written gets with the next request what was to be told with this one.
        self.untold = prepared.take_seen();
        let saved = self.save(true).await;
        prepared.put_seen(std::mem::take(&mut self.untold));
        prepared.decisions.extend(saved.decisions);
        prepared.ui.extend(saved.ui);
        Ok(prepared)
    }

    /// Ends as soon as the session is cancelled; the work is dropped then.
    async fn unless_cancelled<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let (mut work, mut cancelled) = (pin!(work), pin!(self.cancel.cancelled()));
        poll_fn(|cx| match cancelled.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(Error::Cancelled)),
            Poll::Pending => work.as_mut().poll(cx),
        })
        .await
    }

    async fn plan(&self, turn: Turn) -> Result<Plan, Error> {
        let waiting = self.handle.snapshot();
        let host = turn.host.map_or_else(|| Arc::clone(&self.host), Arc::new);
        let mut decisions = Vec::new();
        if self.turn == 0 {
            decisions.extend(self.parts.settings_decisions.iter().cloned());
        }
        let thread = turn.thread.unwrap_or_else(|| self.thread.clone());
        let asked_now = self.view(turn.input.clone(), thread.clone(), &host, &waiting);
        let search = self.begin_search(&asked_now, &mut decisions);
        let mut context = self.fresh_context(&host, &mut decisions).await;
        let volatile = self.volatile_change(&mut context, &host);
        let tools = self.tools_of(&host);
        if let Some(context) = &mut context {
            context.record.basis = self.basis(context, tools.clone());
        }
        let names_skills = turn.input.as_ref().is_some_and(|input| !input.is_meta);
        let mut line = Line::after(self);
        if let Some(changed) = volatile {
            line.push(changed);
        }
        if let Some(context) = &context {
            line.push(EntryKind::Context(context.record.clone()));
        }
        if let Some(changed) = self.tool_change(tools.as_ref()) {
            line.push(changed);
        }
        let asked = Asked { host: &host, tools: tools.as_deref(), input: turn.input.as_ref() };
        let mut states = self.fit_history(&mut context, &asked, &mut line, &mut decisions).await;

        let mut view = self.view(turn.input.clone(), thread, &host, &waiting);
        view.deadline = turn.deadline.map(|time| Instant::now() + time);
        self.look_ahead(&mut view, &line.entries, &states);
        let (ledger, files, now) = (Arc::clone(&view.ledger), view.files.clone(), view.now);
        let collection = self.parts.bus.collect(view, &self.runs).await;
        let mut delivered = delivered(&collection);
        delivered.extend(self.known(&waiting));
        decisions.extend(collection.decisions);
        let blocked = collection.blocked;
        let files = files.with(collection.drafts.iter().flat_map(|draft| &draft.states));
        let mut searched = match &blocked {
            None => self.searched(search, turn.memories_wait, (&ledger, &files, now)).await,
            // What is not sent is not looked for; what was found before comes with the next request.
            Some(_) => Searched::default(),
        };
        decisions.append(&mut searched.decisions);
        if blocked.is_some() {
            decisions.push(not_sent());
        }
        states.extend(collection.states);
        line.push_note(states, collection.keys);
        for event in collection.settled {
            line.push(EntryKind::Host(event));
        }
        for draft in collection.drafts.into_iter().chain(std::mem::take(&mut searched.drafts)) {
            line.push_draft(draft);
        }
        // A blocked prompt is not sent, now or later: it does not become part of the history.
        if blocked.is_none() {
            line.push_input(turn.input);
        }
        let request = match &blocked {
            Some(_) => None,
            None => {
                let asked = Asked { host: &host, tools: tools.as_deref(), input: None };
                Some(self.fitting_request(&mut context, &asked, &mut line, &mut decisions).await?)
            }
        };
        let entries = line.entries;
        let touched = waiting.touched.len();
        Ok(Plan {
            turn: self.turn + 1,
            context,
            host,
            tools,
            entries,
            request,
            blocked,
            decisions,
            delivered,
            touched,
            again: collection.again,
            names_skills,
            searched,
        })
    }

    /// Ids of events that wait and are in the history already: a host that hands them in again is told so again.
    fn known(&self, waiting: &Waiting) -> impl Iterator<Item = String> {
        let known = waiting.events.iter().map(HostEvent::id).filter(|id| self.ledger.acknowledged(id));
        known.map(str::to_owned)
    }

    /// The reason for which a section that is computed for each request is another now; it stands in `context` then.
    fn volatile_change(
        &self,
        context: &mut Option<Context>,
        host: &context_api::HostSnapshot,
    ) -> Option<EntryKind> {
        let moment = self.moment(host);
        let now = context.as_ref().unwrap_or(&self.context);
        let (anew, changed) = now.with_volatile(&self.parts, &moment)?;
        *context = Some(anew);
        let reason = Invalidate::default().event(InvalidateEvent::Sections).detail(changed.join(", "));
        Some(EntryKind::Invalidate(reason))
    }

    async fn fresh_context(
        &self,
        host: &context_api::HostSnapshot,
        decisions: &mut Vec<Decision>,
    ) -> Option<Context> {
        if !self.stale.is_any() {
            return None;
        }
        let moment = self.moment(host);
        Some(self.context.refreshed(&self.parts, &self.stale, &self.scope, &moment, decisions).await)
    }

    /// What a context is computed for now.
    pub(super) fn moment<'a>(&'a self, host: &'a context_api::HostSnapshot) -> Moment<'a> {
        let announces = self.attachments == AttachmentMode::On;
        Moment { host, today: self.parts.clock.today(), announces, profile: &self.profile }
    }

    /// What a resumed session could not find out again.
    pub(super) fn basis(&self, context: &Context, tools: Option<Arc<[ToolSpec]>>) -> ContextBasis {
        ContextBasis::default()
            .sections(Arc::clone(&context.sections))
            .tools(tools)
            .scope(self.scope.clone())
            .is_git(context.is_git)
            .projection(self.projected.config().clone())
            .profile(self.profile.clone())
    }

    pub(super) fn view(
        &self,
        input: Option<TurnInput>,
        thread: Thread,
        host: &Arc<context_api::HostSnapshot>,
        waiting: &Waiting,
    ) -> TurnParts {
        let clock = &self.parts.clock;
        let mut parts = TurnParts::new(self.cwd.clone(), clock.now(), clock.today());
        parts.history = Arc::clone(&self.history);
        parts.ledger = Arc::clone(&self.ledger);
        parts.turn = self.turn + 1;
        parts.input = input;
        parts.thread = thread;
        parts.host = Arc::clone(host);
        parts.events = Arc::new(waiting.events.clone());
        parts.touched = Arc::new(waiting.touched.clone());
        parts.files = self.states.view();
        parts.memory = self.scope.clone();
        parts.skills_about = self.skills_about.clone();
        parts.window = self.parts.options.window;
        #[cfg(feature = "compaction")]
        {
            parts.compacts_at = self.compacts_at();
        }
        parts.attachments = self.attachments;
        let blobs = self.parts.blobs.as_ref();
        parts.blobs = blobs.map(|blobs| SessionBlobs::new(Arc::clone(blobs), self.id.as_str()));
        parts.profile = self.profile.clone();
        parts
    }

    /// The ledger as it will be once these entries count: what a new context shows need not come again.
    fn ledger_with(&self, entries: &[Arc<Entry>]) -> Ledger {
        let mut ledger = (*self.ledger).clone();
        entries.iter().for_each(|entry| ledger.apply(entry));
        ledger
    }

    /// Shows collectors the history as it will be once these entries count.
    fn look_ahead(&self, view: &mut TurnParts, entries: &[Arc<Entry>], states: &[StateChange]) {
        #[cfg(feature = "compaction")]
        if let Some(files) = self.files_behind(entries) {
            view.files = files;
            view.history = Arc::new(self.history.iter().chain(entries).cloned().collect());
        }
        view.files = view.files.with(states);
        if !entries.is_empty() {
            view.ledger = Arc::new(self.ledger_with(entries));
        }
    }

    /// Has the history made to fit; returns what the model no longer sees of files.
    #[cfg(feature = "compaction")]
    async fn fit_history(
        &self,
        context: &mut Option<Context>,
        asked: &Asked<'_>,
        line: &mut Line<'_>,
        decisions: &mut Vec<Decision>,
    ) -> Vec<StateChange> {
        let now = context.as_ref().unwrap_or(&self.context);
        let staged = self.run_stages(now, asked.tools, line, decisions).await;
        let text = asked.input.map_or("", |input| &input.text);
        let used = staged.used + self.parts.budget.counter.text(text);
        match self.compact_if_due(now, asked, used, line, decisions).await {
            Some(anew) => {
                *context = Some(anew);
                Vec::new()
            }
            None => staged.gone,
        }
    }

    /// Without the part that counts, the request is what it is.
    #[cfg(not(feature = "compaction"))]
    #[expect(clippy::unused_async, reason = "the same form with and without the part")]
    async fn fitting_request(
        &self,
        context: &mut Option<Context>,
        asked: &Asked<'_>,
        line: &mut Line<'_>,
        decisions: &mut Vec<Decision>,
    ) -> Result<Arc<ModelRequest>, Error> {
        self.request(context.as_ref(), asked.tools, line, decisions)
    }

    /// Without the part that plans, the history stays as it is.
    #[cfg(not(feature = "compaction"))]
    #[expect(clippy::unused_async, reason = "the same form with and without the part")]
    async fn fit_history(
        &self,
        _: &mut Option<Context>,
        _: &Asked<'_>,
        _: &mut Line<'_>,
        _: &mut Vec<Decision>,
    ) -> Vec<StateChange> {
        Vec::new()
    }

    /// The tools to send: the last list that was known. A list that is not there now retracts nothing.
    fn tools_of(&self, host: &context_api::HostSnapshot) -> Option<Arc<[ToolSpec]>> {
        match &host.catalog.tools {
            Source::Ready(tools) => Some(Arc::clone(tools)),
            _ => self.tools.clone(),
        }
    }

    /// The entry that says that the tool list changed, where it did.
    fn tool_change(&self, tools: Option<&Arc<[ToolSpec]>>) -> Option<EntryKind> {
        if self.turn == 0 {
            return None;
        }
        let before = sent(self.tools.as_deref().unwrap_or_default());
        let next = sent(tools?);
        let differing: Vec<&str> = before
            .iter()
            .filter(|tool| !next.contains(tool))
            .chain(next.iter().filter(|tool| !before.contains(tool)))
            .map(|tool| tool.name.as_str())
            .collect();
        (!differing.is_empty()).then(|| {
            EntryKind::Invalidate(
                Invalidate::default()
                    .event(InvalidateEvent::Tools)
                    .detail(differing.join(", "))
                    .tools(tools.cloned()),
            )
        })
    }
}

fn sent(tools: &[ToolSpec]) -> Vec<&ToolSpec> {
    tools.iter().filter(|tool| !tool.deferred).collect()
}

/// The host's ids of all events that this request delivers or is done with.
pub(super) fn delivered(collection: &Collection) -> Vec<String> {
    let settled = collection.settled.iter().map(|event| event.id().to_owned());
    settled.chain(collection.drafts.iter().flat_map(|draft| draft.delivers.iter().cloned())).collect()
}

fn not_sent() -> Decision {
    Decision::left_out(
        "prompt",
        "blocked_by_hook",
        "A hook blocked the prompt; it is not sent, now or later.",
    )
}

/// Nothing is asked and nothing waits: the request would repeat the one before.
pub(super) fn nothing_new() -> Decision {
    Decision::new("turn", Verdict::Included, "nothing_new", "The turn adds nothing to the request before.")
}
