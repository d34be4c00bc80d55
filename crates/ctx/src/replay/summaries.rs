//! What a scenario's summarizer answers, and what it was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_core::context_api::{RawJson, Summarizer, SummaryError, SummaryRequest, Trigger};
use agent_core::context_budget::WorkingSet;
use agent_core::{Compact, Compacted};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::form::Form;

/// What the summarizer answers next.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum SummarySpec {
    /// This text.
    Text(String),
    /// That it failed.
    Failure {
        /// Why.
        error: String,
    },
    /// That the history is too long for it.
    TooLong {
        /// Always true.
        too_long: bool,
    },
}

/// A compaction to be made.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum CompactSpec {
    /// Without further words.
    Trigger(Trigger),
    /// With what belongs to it.
    Full(CompactWords),
}

/// What belongs to a compaction.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CompactWords {
    pub(crate) trigger: Trigger,
    pub(crate) instructions: String,
    pub(crate) reported: Option<u64>,
}

impl CompactSpec {
    /// What the session is asked.
    pub(crate) fn ask(self) -> Compact {
        let words = match self {
            Self::Trigger(trigger) => CompactWords { trigger, ..CompactWords::default() },
            Self::Full(words) => words,
        };
        let mut ask = Compact::manual(words.instructions);
        ask.trigger = words.trigger;
        ask.reported = words.reported;
        ask
    }
}

/// A summarizer whose answers stand in the scenario. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scripted(Arc<Mutex<VecDeque<SummarySpec>>>);

impl Scripted {
    pub(crate) fn push(&self, next: SummarySpec) {
        self.lock().push_back(next);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<SummarySpec>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Summarizer for Scripted {
    async fn summarise(&self, _: &SummaryRequest) -> Result<String, SummaryError> {
        match self.lock().pop_front() {
            Some(SummarySpec::Text(text)) => Ok(text),
            Some(SummarySpec::Failure { error }) => Err(SummaryError::Failed(error)),
            Some(SummarySpec::TooLong { too_long: true }) => Err(SummaryError::TooLong),
            Some(SummarySpec::TooLong { .. }) => {
                Err(SummaryError::Failed("`too_long` is true or not there".to_owned()))
            }
            None => Err(SummaryError::Failed("no `summary` step says what it answers".to_owned())),
        }
    }
}

/// What a `compact` step prints.
#[derive(Debug, Serialize)]
pub(crate) struct CompactRow<'a> {
    compact: Trigger,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<RawJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_before: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    working_set: Option<&'a WorkingSet>,
    decisions: &'a [agent_core::context_api::Decision],
}

impl<'a> CompactRow<'a> {
    /// A compaction that was made.
    pub(crate) fn done(trigger: Trigger, done: &'a Compacted, form: &Form) -> anyhow::Result<Self> {
        use agent_core::context_api::Dialect as _;
        let body = String::from_utf8(form.encode(&done.request.request)?.body)?;
        Ok(Self {
            compact: trigger,
            error: None,
            request: Some(RawJson::parse(&body)?),
            tokens_before: Some(done.tokens_before),
            tokens_after: Some(done.tokens_after),
            working_set: Some(&done.working_set),
            decisions: &done.decisions,
        })
    }

    /// One that was not.
    pub(crate) fn refused(trigger: Trigger, error: &agent_core::CompactError) -> Self {
        Self {
            compact: trigger,
            error: Some(error.to_string()),
            request: None,
            tokens_before: None,
            tokens_after: None,
            working_set: None,
            decisions: &[],
        }
    }
}
