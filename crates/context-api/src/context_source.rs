//! What a host adds to the context in front of a history.

use crate::MemoryScope;
use crate::record::words;

words! {
    /// Which of the two contexts an entry belongs to.
    pub enum ContextPlace {
        /// The first message, beside memory and date.
        User,
        /// The end of the system prompt, beside the git facts.
        System,
    }
}

/// Why a source has no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("context {key}: {reason}")]
pub struct ContextError {
    /// The source's key.
    pub key: String,
    /// One sentence without its full stop.
    pub reason: String,
}

/// Answers: what else should the model know from the start?
///
/// Asked on a thread where it may block, once a session, side by side with memory and git facts, and again when a named
/// event makes its context anew: [`ContextPlace::User`] with the memory, [`ContextPlace::System`] with the git facts. A
/// source that fails, panics or takes longer than memory may is a decision, and the request goes without it.
///
/// ```
/// use context_api::{ContextError, ContextPlace, ContextSource, MemoryScope};
///
/// struct Ticket(String);
///
/// impl ContextSource for Ticket {
///     fn key(&self) -> &str {
///         "ticket"
///     }
///
///     fn place(&self) -> ContextPlace {
///         ContextPlace::User
///     }
///
///     fn text(&self, _scope: &MemoryScope) -> Result<Option<String>, ContextError> {
///         Ok(Some(self.0.clone()))
///     }
/// }
/// # assert_eq!(Ticket("CTX-1".into()).text(&MemoryScope::default()), Ok(Some("CTX-1".to_owned())));
/// ```
pub trait ContextSource: Send + Sync + 'static {
    /// The key above, or in front of, its text: one line, unlike every other source's.
    fn key(&self) -> &str;

    /// Which context it belongs to.
    fn place(&self) -> ContextPlace;

    /// The text; `None`, and one of white space, add nothing.
    ///
    /// # Errors
    /// There should be a text, and it can not be had.
    fn text(&self, scope: &MemoryScope) -> Result<Option<String>, ContextError>;
}
