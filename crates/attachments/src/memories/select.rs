//! Who chooses among memories.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use context_api::Decision;
use context_text::display_path;

use super::{KIND, MemoryHeader};

/// Answers: which of these memories matter for what the user asks?
///
/// The model behind it is the host's. Polled in the background on the host's runtime, as a task of its own, and must not block
/// it; without a runtime on a thread of the engine. It is given the heads of memories, never their texts. One that takes too
/// long, fails or panics costs nothing: the words that memories share with the text decide then.
///
/// ```
/// use std::path::PathBuf;
/// use async_trait::async_trait;
/// use attachments::{MemorySelector, SelectError, SelectRequest};
/// struct Newest;
/// #[async_trait]
/// impl MemorySelector for Newest {
///     async fn select(&self, request: &SelectRequest) -> Result<Option<Vec<PathBuf>>, SelectError> {
///         Ok(Some(request.headers.iter().map(|header| header.path.clone()).take(1).collect()))
///     }
/// }
/// let selector: std::sync::Arc<dyn MemorySelector> = std::sync::Arc::new(Newest);
/// ```
#[async_trait]
pub trait MemorySelector: Send + Sync + 'static {
    /// Paths of the headers that matter, the most important first; an empty list where none does. `None` leaves the choice to
    /// the words.
    ///
    /// # Errors
    /// It could not choose.
    async fn select(&self, request: &SelectRequest) -> Result<Option<Vec<PathBuf>>, SelectError>;
}

#[async_trait]
impl<T: MemorySelector + ?Sized> MemorySelector for Arc<T> {
    async fn select(&self, request: &SelectRequest) -> Result<Option<Vec<PathBuf>>, SelectError> {
        (**self).select(request).await
    }
}

/// What a selector is given.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SelectRequest {
    /// What the user asks.
    pub text: Arc<str>,
    /// The heads of all memories that the model does not have, the newest first.
    pub headers: Vec<MemoryHeader>,
    /// Tools that succeeded since what the user asked before, each once: how to use them need not be told.
    pub tools: Vec<String>,
    /// How many may be chosen.
    pub most: usize,
}

/// Why a selector did not choose, in one sentence without its full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SelectError(pub String);

/// What a selector said.
#[derive(Debug)]
pub(super) enum Choice {
    /// These.
    Chosen(Vec<PathBuf>),
    /// It leaves the choice to the words.
    Left,
    /// The words decide, for this reason.
    Without(Decision),
}

/// The places of what was chosen; what is no header, or one too many, is a decision.
pub(super) fn places(
    headers: &[MemoryHeader],
    chosen: &[PathBuf],
    most: usize,
    decisions: &mut Vec<Decision>,
) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    for path in chosen {
        match headers.iter().position(|header| header.path == *path) {
            Some(place) if seen.insert(place) => places.push(place),
            Some(_) => {}
            None => {
                let detail = "The selector named it, and it is no memory that was offered.";
                decisions.push(Decision::left_out(display_path(path), "not_a_candidate", detail));
            }
        }
    }
    let beyond = places.len().saturating_sub(most);
    if beyond > 0 {
        let detail = format!("The selector chose {beyond} more than the {most} that are shown.");
        decisions.push(Decision::left_out(KIND, "too_many_chosen", detail));
    }
    places.truncate(most);
    places
}
