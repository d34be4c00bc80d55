//! What was left out, cut or decided, and why.

use serde::{Deserialize, Serialize};

/// One thing that was decided about something the model might have seen.
///
/// Nothing is dropped without one of these. Field names are those of `--json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Decision {
    /// The path or part that it is about.
    pub subject: String,
    /// What happened to it.
    pub verdict: Verdict,
    /// A stable word in snake case, for programs.
    pub reason: String,
    /// One sentence, for people.
    pub detail: String,
    /// The size of what was left out or cut, in bytes, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

impl Decision {
    /// A decision about `subject`.
    ///
    /// ```
    /// use context_api::{Decision, Verdict};
    /// let decision = Decision::new("a.md", Verdict::LeftOut, "empty", "The file has no text.").bytes(0);
    /// assert_eq!(decision.bytes, Some(0));
    /// ```
    pub fn new(
        subject: impl Into<String>,
        verdict: Verdict,
        reason: impl Into<String>,
        detail: impl Into<String>,
    ) -> Self {
        Self { subject: subject.into(), verdict, reason: reason.into(), detail: detail.into(), bytes: None }
    }

    /// Shorthand for [`Verdict::LeftOut`].
    pub fn left_out(
        subject: impl Into<String>,
        reason: impl Into<String>,
        detail: impl Into<String>,
    ) -> Self {
        Self::new(subject, Verdict::LeftOut, reason, detail)
    }

    /// Shorthand for [`Verdict::Cut`].
    pub fn cut(subject: impl Into<String>, reason: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(subject, Verdict::Cut, reason, detail)
    }

    /// Shorthand for [`Verdict::Failed`].
    pub fn failed(subject: impl Into<String>, reason: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(subject, Verdict::Failed, reason, detail)
    }

    /// The same decision with a size in bytes.
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = Some(bytes);
        self
    }
}

/// What happened to the subject of a [`Decision`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is there, for a reason worth knowing.
    Included,
    /// It is not there.
    LeftOut,
    /// A part of it is there.
    Cut,
    /// It waits for somebody's word.
    Pending,
    /// The part that should have brought it failed.
    Failed,
    /// The part that should have brought it did not answer in time.
    TimedOut,
    /// It comes later.
    Deferred,
}
