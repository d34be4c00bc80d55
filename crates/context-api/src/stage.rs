//! How a history is made to fit.

use std::path::PathBuf;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{BlobKey, Decision, HistoryView, ModelRequest, TokenCounter, ToolNames, Trigger, ViewEdit};

/// Answers: how is the history made to fit?
///
/// Pure: the same view and budget give the same plan. Nothing is changed by planning; edits count once they are recorded,
/// and what is recorded stays, through resume too. A stage keeps a call and its result together, never touches what is
/// pinned or the newest words of a person, and never makes anything larger. Planning again over its own outcome plans
/// nothing.
///
/// ```
/// use context_api::{HistoryStage, HistoryView, StageBudget, StageOutcome};
/// struct Nothing;
/// impl HistoryStage for Nothing {
///     fn name(&self) -> &str { "nothing" }
///     fn plan(&self, _: &HistoryView, _: &StageBudget<'_>) -> StageOutcome { StageOutcome::default() }
/// }
/// let stage: std::sync::Arc<dyn HistoryStage> = std::sync::Arc::new(Nothing);
/// assert_eq!(stage.name(), "nothing");
/// ```
pub trait HistoryStage: Send + Sync + 'static {
    /// Its name in decisions.
    fn name(&self) -> &str;

    /// The edits it wants.
    fn plan(&self, view: &HistoryView, budget: &StageBudget<'_>) -> StageOutcome;
}

impl<T: HistoryStage + ?Sized> HistoryStage for std::sync::Arc<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn plan(&self, view: &HistoryView, budget: &StageBudget<'_>) -> StageOutcome {
        (**self).plan(view, budget)
    }
}

/// Where a blob will lie; `None` where it has no file.
pub type BlobPath<'a> = &'a (dyn Fn(&BlobKey) -> Option<PathBuf> + 'a);

/// What a stage may count on.
#[derive(Clone)]
#[non_exhaustive]
pub struct StageBudget<'a> {
    /// Tokens that a request may have: the window less what the answer needs.
    pub room: u64,
    /// Tokens of the next request as it stands, before anything new is collected.
    pub used: u64,
    /// The time of the turn.
    pub now: Timestamp,
    /// What a text costs.
    pub counter: &'a dyn TokenCounter,
    /// Names of the embedder's tools.
    pub tools: &'a ToolNames,
    /// The file in which a blob of the session will lie; `None` where nothing can be put aside.
    pub blobs: Option<BlobPath<'a>>,
}

impl<'a> StageBudget<'a> {
    /// A budget of `room` tokens of which `used` are taken.
    pub fn new(
        room: u64,
        used: u64,
        now: Timestamp,
        counter: &'a dyn TokenCounter,
        tools: &'a ToolNames,
    ) -> Self {
        Self { room, used, now, counter, tools, blobs: None }
    }

    /// The same with a place for blobs.
    pub fn blobs(mut self, path: BlobPath<'a>) -> Self {
        self.blobs = Some(path);
        self
    }
}

/// What a stage plans.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct StageOutcome {
    /// Edits to record, in order.
    pub edits: Vec<ViewEdit>,
    /// What was cut or left out, and why.
    pub decisions: Vec<Decision>,
    /// What has to be put aside before the edits may be recorded.
    pub blobs: Vec<PlannedBlob>,
}

impl StageOutcome {
    /// Puts another plan behind this one.
    pub fn extend(&mut self, other: Self) {
        self.edits.extend(other.edits);
        self.decisions.extend(other.decisions);
        self.blobs.extend(other.blobs);
    }
}

/// Bytes to put aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedBlob {
    /// Its name in the session.
    pub key: BlobKey,
    /// The bytes.
    pub bytes: std::sync::Arc<[u8]>,
}

/// Answers: what is a short text of this history?
///
/// The model behind it is the host's. Called once a try; dropping the future gives the try up.
#[async_trait]
pub trait Summarizer: Send + Sync + 'static {
    /// The summary.
    ///
    /// # Errors
    /// There is none; [`SummaryError::TooLong`] asks for another try with less.
    async fn summarise(&self, request: &SummaryRequest) -> Result<String, SummaryError>;
}

/// What a summarizer is given.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct SummaryRequest {
    /// The request to send: system prompt and tools as the session's own requests have them, so that the provider's cache
    /// serves it too, the history with pictures replaced, and the task as the last words.
    pub request: ModelRequest,
    /// What set the compaction off.
    pub trigger: Trigger,
    /// The user's own instructions; empty where there are none.
    pub instructions: String,
    /// Tokens that the summary may have.
    pub max_tokens: u64,
}

/// Why there is no summary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SummaryError {
    /// The request to summarise is itself too long.
    #[error("the history to summarise is too long")]
    TooLong,
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}
