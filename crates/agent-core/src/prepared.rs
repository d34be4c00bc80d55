//! A request that was prepared.

use std::sync::Arc;

use context_api::{
    Decision, Dialect, EncodedRequest, Entry, HostSignal, ModelRequest, RuntimeEvent, UiEvent,
};
use prompt_assembly::CacheReport;

use crate::Error;

/// A request, and everything that came with it. Its entries are part of the session's history.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PreparedTurn {
    /// The request; `None` where the turn was blocked.
    pub request: Option<Arc<ModelRequest>>,
    /// Why nothing is to be sent.
    pub blocked: Option<String>,
    /// Number of the request in its session, counted from 1.
    pub turn: u64,
    /// What became part of the history with it.
    pub entries: Vec<Arc<Entry>>,
    /// What a person is shown, in order.
    pub ui: Vec<UiEvent>,
    /// What the host is asked to do, in order.
    pub signals: Vec<HostSignal>,
    /// What only the process needs, in order.
    pub runtime: Vec<RuntimeEvent>,
    /// Everything that was left out, cut, or failed.
    pub decisions: Vec<Decision>,
    pub(crate) previous: Option<(u64, Arc<ModelRequest>)>,
    pub(crate) history: Arc<Vec<Arc<Entry>>>,
    #[cfg(feature = "compaction")]
    pub(crate) memory: Arc<Vec<context_api::MemoryFile>>,
    #[cfg(feature = "compaction")]
    pub(crate) measure: crate::usage::Measure,
}

impl PreparedTurn {
    /// The bytes for a provider.
    ///
    /// # Errors
    /// The turn was blocked, or a limit of the provider is broken.
    pub fn encode(&self, dialect: &dyn Dialect) -> Result<EncodedRequest, Error> {
        match &self.request {
            Some(request) => Ok(dialect.encode(request)?),
            None => Err(Error::Blocked { reason: self.blocked.clone().unwrap_or_default() }),
        }
    }

    /// What of the request before is repeated, what breaks the prefix, and which entry, memory file or edit is to blame.
    /// Compared when asked for.
    pub fn cache(&self) -> Option<CacheReport> {
        let ((turn, previous), request) = (self.previous.as_ref()?, self.request.as_deref()?);
        Some(CacheReport::compare(previous, request).explained(&self.history, *turn))
    }

    /// The history up to and including this request.
    pub fn history(&self) -> &Arc<Vec<Arc<Entry>>> {
        &self.history
    }

    /// Where the tokens of the request are. Counted when asked for.
    #[cfg(feature = "compaction")]
    pub fn usage(&self) -> context_budget::ContextUsage {
        self.usage_with(&self.memory)
    }

    /// The same with the memory files given. A resumed session shows memory as it was and holds no files: those that are
    /// still as they were shown are rows of their own then.
    #[cfg(feature = "compaction")]
    pub fn usage_with(&self, memory: &[context_api::MemoryFile]) -> context_budget::ContextUsage {
        let empty = ModelRequest::default();
        self.measure.usage(self.request.as_deref().unwrap_or(&empty), &self.history, memory)
    }
}
