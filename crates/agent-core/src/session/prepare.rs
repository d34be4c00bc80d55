//! Making a request: everything up to the commit only looks.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use context_api::{
    Attachment, AttachmentMode, ContentBlock, ContextBasis, Decision, Draft, Entry, EntryKind, Invalidate,
    InvalidateEvent, Ledger, ModelRequest, Source, StatesNote, Thread, ToolSpec, TurnInput, TurnParts,
    UserInput, Verdict, ViewEdit,
};
use projector::Normalised;
use prompt_assembly::{RequestParts, assemble};

use super::Session;
use crate::context::{Context, Moment};
use crate::handle::Waiting;
use crate::{Error, PreparedTurn, Turn};

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
        let saved = self.save(true).await;
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
        let mut context = self.fresh_context(&host, &mut decisions).await;
        let tools = self.tools_of(&host);
        if let Some(context) = &mut context {
            context.record.basis = self.basis(context, tools.as_ref());
        }
        let thread = turn.thread.unwrap_or_else(|| self.thread.clone());
        let mut view = self.view(turn.input.clone(), thread, &host, &waiting);
        view.deadline = turn.deadline.map(|time| Instant::now() + time);
        if let Some(context) = &context {
            view.ledger = Arc::new(self.ledger_with(context));
        }
        let collection = self.parts.bus.collect(view, &self.runs).await;
        decisions.extend(collection.decisions);

        let delivered = collection.drafts.iter().flat_map(|draft| draft.delivers.iter().cloned()).collect();
        let blocked = blocked(&collection.drafts);
        let mut line = Line::after(self);
        if let Some(context) = &context {
            line.push(EntryKind::Context(context.record.clone()));
        }
        if let Some(changed) = self.tool_change(tools.as_ref()) {
            line.push(changed);
        }
        if !collection.states.is_empty() || !collection.keys.is_empty() {
            let note = StatesNote::default().states(collection.states).keys(collection.keys);
            line.push(EntryKind::States(note));
        }
        for draft in collection.drafts {
            line.push_draft(draft);
        }
        // A blocked prompt is not sent, now or later: it does not become part of the history.
        if blocked.is_none() {
            line.push_input(turn.input);
        }
        let request = match &blocked {
            Some(_) => None,
            None => Some(self.request(context.as_ref(), tools.as_deref(), &mut line, &mut decisions)?),
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
        })
    }

    async fn fresh_context(
        &self,
        host: &context_api::HostSnapshot,
        decisions: &mut Vec<Decision>,
    ) -> Option<Context> {
        if !self.stale.is_any() {
            return None;
        }
        let today = self.parts.clock.today();
        let announces = self.attachments == AttachmentMode::On;
        let moment = Moment { host, today, announces };
        Some(self.context.refreshed(&self.parts, &self.stale, &self.scope, &moment, decisions).await)
    }

    /// What a resumed session could not find out again.
    fn basis(&self, context: &Context, tools: Option<&Arc<[ToolSpec]>>) -> ContextBasis {
        ContextBasis::default()
            .sections(Arc::clone(&context.sections))
            .tools(tools.cloned())
            .scope(self.scope.clone())
            .is_git(context.is_git)
            .projection(self.projected.config().clone())
    }

    fn view(
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
        parts.window = self.parts.options.window;
        parts.attachments = self.attachments;
        parts
    }

    /// The ledger as it will be once the new context is shown: what stands there need not come again.
    fn ledger_with(&self, context: &Context) -> Ledger {
        let mut ledger = (*self.ledger).clone();
        let kind = EntryKind::Context(context.record.clone());
        ledger.apply(&Entry::new(uuid::Uuid::nil(), self.parts.clock.now(), self.turn + 1, kind));
        ledger
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

    /// The request, acceptable to the provider: what it would refuse of single blocks is taken out of view by edits, once and
    /// for good.
    fn request(
        &self,
        context: Option<&Context>,
        tools: Option<&[ToolSpec]>,
        line: &mut Line<'_>,
        decisions: &mut Vec<Decision>,
    ) -> Result<Arc<ModelRequest>, Error> {
        let context = context.unwrap_or(&self.context);
        // A call that is answered with an interruption now stays interrupted, whatever comes for it later.
        for tool_use_id in self.projected.preview(&line.entries).unanswered {
            line.push(EntryKind::ViewEdit(ViewEdit::Interrupted { tool_use_id }));
        }
        for _ in 0..self.parts.options.limits.mending_rounds {
            let (request, mut said) = self.assembled(context, tools, &line.entries);
            let Some(dialect) = &self.parts.dialect else {
                decisions.append(&mut said);
                return Ok(Arc::new(request));
            };
            match dialect.encode(&request) {
                Ok(encoded) => {
                    decisions.append(&mut said);
                    decisions.extend(encoded.decisions);
                    return Ok(Arc::new(request));
                }
                Err(error) => {
                    let remedies = dialect.remedies(&request);
                    if remedies.is_empty() {
                        return Err(error.into());
                    }
                    for (edit, decision) in remedies {
                        line.push(EntryKind::ViewEdit(edit));
                        decisions.push(decision);
                    }
                }
            }
        }
        let (request, said) = self.assembled(context, tools, &line.entries);
        decisions.extend(said);
        if let Some(dialect) = &self.parts.dialect {
            dialect.encode(&request)?;
        }
        Ok(Arc::new(request))
    }

    fn assembled(
        &self,
        context: &Context,
        tools: Option<&[ToolSpec]>,
        entries: &[Arc<Entry>],
    ) -> (ModelRequest, Vec<Decision>) {
        self.of_messages(context, tools, self.projected.preview(entries))
    }

    /// The request of some messages.
    pub(super) fn of_messages(
        &self,
        context: &Context,
        tools: Option<&[ToolSpec]>,
        normalised: Normalised,
    ) -> (ModelRequest, Vec<Decision>) {
        let options = &self.parts.options;
        let newest = normalised.messages.len().checked_sub(1);
        let parts = RequestParts::default()
            .model(options.model.clone())
            .header(options.header.clone())
            .sections((*context.sections).clone())
            .system_context(context.record.system.clone())
            .messages(normalised.messages)
            .tools(tools.unwrap_or_default().to_vec())
            .newest_turn_start(newest)
            .max_tokens(options.max_tokens)
            .thinking(options.thinking);
        let (request, losses) = assemble(parts);
        let mut decisions = normalised.decisions;
        decisions.extend(losses);
        (request, decisions)
    }
}

fn sent(tools: &[ToolSpec]) -> Vec<&ToolSpec> {
    tools.iter().filter(|tool| !tool.deferred).collect()
}

/// A hook that blocks the prompt: nothing is to be sent.
fn blocked(drafts: &[Draft]) -> Option<String> {
    drafts.iter().find_map(|draft| match &draft.attachment {
        Attachment::HookBlockingError(error) if error.event == "UserPromptSubmit" => {
            Some(error.reason.clone())
        }
        _ => None,
    })
}

/// Entries to be, each behind the one before.
struct Line<'a> {
    session: &'a Session,
    parent: Option<uuid::Uuid>,
    entries: Vec<Arc<Entry>>,
}

impl<'a> Line<'a> {
    fn after(session: &'a Session) -> Self {
        let parent = session.history.last().map(|entry| entry.uuid);
        Self { session, parent, entries: Vec::new() }
    }

    fn push(&mut self, kind: EntryKind) {
        let uuid = self.session.parts.ids.next();
        self.push_as(uuid, kind);
    }

    fn push_as(&mut self, uuid: uuid::Uuid, kind: EntryKind) {
        let now = self.session.parts.clock.now();
        let entry = Entry::new(uuid, now, self.session.turn + 1, kind).after(self.parent);
        self.parent = Some(uuid);
        self.entries.push(Arc::new(entry));
    }

    fn push_draft(&mut self, draft: Draft) {
        let uuid = self.session.parts.ids.next();
        let now = self.session.parts.clock.now();
        self.push_as(uuid, EntryKind::Attachment(draft.commit(uuid, now)));
    }

    fn push_input(&mut self, input: Option<TurnInput>) {
        let Some(input) = input else { return };
        let images = input
            .images
            .iter()
            .map(|image| ContentBlock::image(image.media_type.clone(), image.data.clone()));
        let text = (!input.text.is_empty()).then(|| ContentBlock::text(Arc::clone(&input.text)));
        let content: Vec<ContentBlock> = images.chain(text).collect();
        if !content.is_empty() {
            self.push(EntryKind::User(UserInput::default().content(content).is_meta(input.is_meta)));
        }
    }
}

/// Nothing is asked and nothing waits: the request would repeat the one before.
pub(super) fn nothing_new() -> Decision {
    Decision::new("turn", Verdict::Included, "nothing_new", "The turn adds nothing to the request before.")
}
