//! Making a summary, apart from the session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use attachments::Timer;
use context_api::{
    Boundary, ContentBlock, Entry, EntryKind, HistoryView, ModelBlock, ModelMessage, ProjectionConfig,
    Projector, Role, Summarizer, SummaryError, SummaryRequest, TokenCounter, ToolSpec, Trigger, ViewEdit,
};
use context_budget::{
    BudgetImpossible, CompactionLimits, Cut, Limits, StandardSummaryPrompt, SummaryAsk, SummaryPrompt,
    block_tokens, oldest, without_media,
};
use projector::normalise;
use prompt_assembly::{RequestParts, assemble};

use super::{Compact, CompactError};
use crate::context::Context;
use crate::offload::within;
use crate::session::Session;

/// A summary to be made. Owns all it needs, so that it can run anywhere while its session goes on.
pub struct SummaryJob {
    summarizer: Arc<dyn Summarizer>,
    prompt: Arc<dyn SummaryPrompt>,
    projector: Arc<dyn Projector>,
    config: ProjectionConfig,
    counter: Arc<dyn TokenCounter>,
    media: Limits,
    limits: CompactionLimits,
    timer: Timer,
    wait: Duration,
    parts: RequestParts,
    history: Vec<Arc<Entry>>,
    view: HistoryView,
    max_tokens: u64,
    instructions: String,
    summary: Summary,
}

/// A summary, and what it is about.
#[derive(Debug, Clone)]
pub struct Summary {
    pub(super) text: String,
    /// Its tokens as it is sent.
    pub(super) tokens: u64,
    pub(super) request: SummaryRequest,
    pub(super) cut: Cut,
    pub(super) trigger: Trigger,
    /// Entries of the history that was looked at.
    pub(super) at: usize,
    boundaries: u64,
    pub(super) tokens_before: u64,
    /// Tokens of system prompt, tools and context.
    pub(super) overhead: u64,
}

impl Summary {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Tokens that the summary and what comes back behind it may have together: what goes out of view, so that nothing is
    /// larger than before. Who asks for a summary of less gets one all the same.
    pub(super) fn may_replace(&self, limits: &CompactionLimits) -> u64 {
        let least = if self.trigger == Trigger::Auto { 0 } else { limits.asked_least };
        self.cut.gone_tokens.max(least)
    }

    /// Whether the history begins as the one that was summarised.
    pub(super) fn stands(&self, session: &Session) -> bool {
        session.ledger().boundaries() == self.boundaries && session.history().len() >= self.at
    }
}

impl Session {
    /// A summary of the history with `line` behind it.
    pub(super) fn job(
        &self,
        context: &Context,
        tools: Option<&[ToolSpec]>,
        line: &[Arc<Entry>],
        ask: &Compact,
    ) -> Result<SummaryJob, CompactError> {
        let budget = &self.parts.budget;
        let summarizer = budget.summarizer.clone().ok_or(CompactError::NoSummarizer)?;
        let fixed = self.fixed(context, tools);
        let taken = self.taken(fixed, self.projected.peek(line).iter(), line);
        let room = self.room();
        let limits = &budget.compaction;
        let cut = Cut::of(&taken.view, room, limits);
        if cut.gone.is_empty() {
            return Err(CompactError::Nothing);
        }
        let context_tokens = self.context_tokens(&taken, line);
        BudgetImpossible::check(taken.fixed, context_tokens, cut.kept_tokens, room, limits)?;
        let history: Vec<_> = self.history.iter().chain(line).cloned().collect();
        let history = about(history, &cut);
        let max_tokens = limits.summary(room);
        Ok(SummaryJob {
            summarizer,
            prompt: Arc::clone(&budget.prompt),
            projector: Arc::clone(&self.parts.projector),
            config: self.projected.config().clone(),
            counter: Arc::clone(&budget.counter),
            media: budget.limits.clone(),
            limits: limits.clone(),
            timer: self.parts.timer.clone(),
            wait: self.parts.options.limits.summary_wait,
            parts: self.request_parts(context, tools).max_tokens(max_tokens),
            view: HistoryView::of(&history, &taken.tokens),
            history,
            max_tokens,
            instructions: ask.instructions.clone(),
            summary: Summary {
                text: String::new(),
                tokens: 0,
                request: SummaryRequest::default(),
                trigger: ask.trigger,
                at: self.history.len(),
                boundaries: self.ledger.boundaries(),
                tokens_before: taken.used,
                overhead: taken.fixed + context_tokens,
                cut,
            },
        })
    }
}

/// What entries cost as they are sent.
pub(super) struct Sent<'a> {
    pub(super) projector: &'a dyn Projector,
    pub(super) config: &'a ProjectionConfig,
    pub(super) counter: &'a dyn TokenCounter,
}

impl Sent<'_> {
    pub(super) fn tokens(&self, kind: EntryKind, limits: &Limits) -> u64 {
        let entry = Entry::new(uuid::Uuid::nil(), jiff::Timestamp::UNIX_EPOCH, 0, kind);
        let messages = self.projector.project(&entry, self.config).model;
        let blocks = messages.iter().flat_map(|message| &message.blocks);
        blocks.map(|block| block_tokens(&block.content, self.counter, limits)).sum()
    }
}

/// What the summary is about: the history up to the newest messages that stay, and how it is seen.
fn about(mut history: Vec<Arc<Entry>>, cut: &Cut) -> Vec<Arc<Entry>> {
    let from = history.iter().position(|entry| Some(entry.uuid) == cut.from).unwrap_or(history.len());
    let said = |kind: &EntryKind| {
        matches!(
            kind,
            EntryKind::User(_)
                | EntryKind::Assistant(_)
                | EntryKind::ToolResult(_)
                | EntryKind::Attachment(_)
        )
    };
    let mut place = 0;
    history.retain(|entry| {
        place += 1;
        place <= from || !said(&entry.kind)
    });
    history
}

impl SummaryJob {
    /// Asks the summarizer, again with less where the history is too long for it.
    ///
    /// # Errors
    /// There is no summary that could be used.
    pub async fn run(mut self) -> Result<Summary, CompactError> {
        for attempt in 0..=self.limits.retries {
            let request = self.request(attempt);
            let ask = self.summarizer.summarise(&request);
            let answer = within(&self.timer, Instant::now() + self.wait, ask).await;
            self.summary.request = request.clone();
            match answer {
                Ok(Ok(text)) => return self.checked(text),
                Ok(Err(SummaryError::TooLong)) => {}
                Ok(Err(error)) => return Err(CompactError::Failed(error.to_string())),
                Err(why) => {
                    return Err(CompactError::Failed(format!(
                        "the summarizer did not answer ({})",
                        why.reason()
                    )));
                }
            }
        }
        Err(CompactError::Failed("the history is too long even for the summarizer".to_owned()))
    }

    fn request(&self, attempt: u32) -> SummaryRequest {
        let mut history = self.history.clone();
        if attempt > 0 {
            let entries = oldest(&self.view, self.limits.retry_percent * u64::from(attempt));
            let edit = ViewEdit::Drop { entries, reason: "too_long_to_summarise".to_owned() };
            let last =
                Entry::new(uuid::Uuid::nil(), jiff::Timestamp::UNIX_EPOCH, 0, EntryKind::ViewEdit(edit));
            history.push(Arc::new(last));
        }
        let mut messages = without_media(&normalise(&history, &*self.projector, &self.config).messages);
        let block = ModelBlock::meta(ContentBlock::text(self.task()));
        match messages.last_mut().filter(|last| last.role == Role::User) {
            Some(last) => Arc::make_mut(last).blocks.push(block),
            None => messages.push(Arc::new(ModelMessage::new(Role::User, vec![block]))),
        }
        let newest = messages.len().checked_sub(1);
        let parts = self.parts.clone().messages(messages).newest_turn_start(newest);
        let mut request = SummaryRequest::default();
        request.request = assemble(parts).0;
        request.trigger = self.summary.trigger;
        request.instructions.clone_from(&self.instructions);
        request.max_tokens = self.max_tokens;
        request
    }

    fn task(&self) -> String {
        let ask = SummaryAsk::new(self.summary.trigger, &self.instructions, self.max_tokens, &self.limits);
        let task = self.prompt.task(&ask);
        if task.trim().is_empty() { StandardSummaryPrompt.task(&ask) } else { task }
    }

    fn checked(mut self, text: String) -> Result<Summary, CompactError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(CompactError::Failed("the summary is empty".to_owned()));
        }
        let boundary = EntryKind::Boundary(Boundary::default().summary(text));
        let sent = Sent { projector: &*self.projector, config: &self.config, counter: &*self.counter };
        let tokens = sent.tokens(boundary, &self.media);
        let may = self.summary.may_replace(&self.limits);
        if tokens > may.min(self.max_tokens * self.limits.summary_excess) {
            return Err(CompactError::Failed(format!(
                "the summary has {tokens} tokens; what it replaces has {}",
                self.summary.cut.gone_tokens
            )));
        }
        (self.summary.text, self.summary.tokens) = (text.to_owned(), tokens);
        Ok(self.summary)
    }
}

impl std::fmt::Debug for SummaryJob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SummaryJob").field("summary", &self.summary).finish_non_exhaustive()
    }
}
