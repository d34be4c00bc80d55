//! What a summarizer is asked.

use std::sync::Arc;

use context_api::{ContentBlock, ModelBlock, ModelMessage, Trigger};

use crate::{CompactionLimits, wording};

/// What a summary is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SummaryAsk<'a> {
    /// What set the compaction off.
    pub trigger: Trigger,
    /// The user's own instructions; empty where there are none.
    pub instructions: &'a str,
    /// Tokens that the summary may have.
    pub max_tokens: u64,
    /// Words to ask for, so that it stays within them.
    pub max_words: u64,
}

impl<'a> SummaryAsk<'a> {
    /// An ask for a summary of at most `max_tokens`.
    pub fn new(trigger: Trigger, instructions: &'a str, max_tokens: u64, limits: &CompactionLimits) -> Self {
        Self { trigger, instructions, max_tokens, max_words: max_tokens * limits.words_percent / 100 }
    }
}

/// Answers: what is a summarizer asked?
///
/// The text stands as the last words behind the history that is summarised, in a request with the session's own system
/// prompt and tools. It is asked for once a try. The user's instructions belong into it: nobody else adds them. A blank
/// text is replaced by the standard one, since no provider takes a request without words.
///
/// A closure is one too:
///
/// ```
/// use context_api::Trigger;
/// use context_budget::{CompactionLimits, StandardSummaryPrompt, SummaryAsk, SummaryPrompt};
///
/// let own = |ask: &SummaryAsk<'_>| format!("{}\n\nWrite in French.", StandardSummaryPrompt.task(ask));
/// let ask = SummaryAsk::new(Trigger::Manual, "Keep the names.", 4_000, &CompactionLimits::default());
/// let task = own.task(&ask);
/// assert!(task.contains("2000 words") && task.contains("Keep the names.") && task.ends_with("French."));
/// ```
pub trait SummaryPrompt: Send + Sync + 'static {
    /// The task.
    fn task(&self, ask: &SummaryAsk<'_>) -> String;
}

impl<F> SummaryPrompt for F
where
    F: Fn(&SummaryAsk<'_>) -> String + Send + Sync + 'static,
{
    fn task(&self, ask: &SummaryAsk<'_>) -> String {
        self(ask)
    }
}

/// The task in our words: four headings, exact names, the user's instructions at the end.
#[derive(Debug, Clone, Copy, Default)]
pub struct StandardSummaryPrompt;

impl SummaryPrompt for StandardSummaryPrompt {
    fn task(&self, ask: &SummaryAsk<'_>) -> String {
        wording::summary_task(ask.instructions, ask.max_words)
    }
}

/// The same messages with pictures and documents replaced by markers. A message without any is shared.
pub fn without_media(messages: &[Arc<ModelMessage>]) -> Vec<Arc<ModelMessage>> {
    messages
        .iter()
        .map(|message| if has_media(message) { Arc::new(marked(message)) } else { Arc::clone(message) })
        .collect()
}

fn has_media(message: &ModelMessage) -> bool {
    message.blocks.iter().any(|block| match &block.content {
        ContentBlock::ToolResult(result) => result.content.iter().any(is_media),
        content => is_media(content),
    })
}

fn is_media(content: &ContentBlock) -> bool {
    matches!(content, ContentBlock::Image(_) | ContentBlock::Document(_))
}

fn marked(message: &ModelMessage) -> ModelMessage {
    let blocks = message.blocks.iter().map(|block| {
        let content = match &block.content {
            ContentBlock::ToolResult(result) => {
                let mut result = result.clone();
                result.content = result.content.iter().map(marker).collect();
                ContentBlock::ToolResult(result)
            }
            content => marker(content),
        };
        ModelBlock { content, ..block.clone() }
    });
    ModelMessage::new(message.role, blocks.collect())
}

fn marker(content: &ContentBlock) -> ContentBlock {
    match content {
        ContentBlock::Image(_) => ContentBlock::text(wording::PICTURE),
        ContentBlock::Document(_) => ContentBlock::text(wording::DOCUMENT),
        other => other.clone(),
    }
}
