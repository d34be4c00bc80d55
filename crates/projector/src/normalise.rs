//! A history as the messages that a provider takes.

mod builder;
mod calls;
mod read;
mod stream;
mod view;

use std::sync::Arc;

use context_api::{Decision, Entry, ModelMessage, ProjectionConfig, Projector};

use crate::wording::{StandardWording, Wording};

pub(crate) use stream::{Rules, Stream};

/// A history as messages, and what was done to make it one.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Normalised {
    /// Messages in order: roles alternate, the first is the user's, each call is answered once in the message behind it.
    pub messages: Vec<Arc<ModelMessage>>,
    /// What was left out or added.
    pub decisions: Vec<Decision>,
    /// Ids of calls that are answered as interrupted and have no [`context_api::ViewEdit::Interrupted`] yet.
    pub unanswered: Vec<String>,
}

/// The whole history as messages, in the words of [`StandardWording`] where the history itself needs some.
///
/// Pure: depends on the entries, the projector and the configuration alone.
pub fn normalise(entries: &[Arc<Entry>], projector: &dyn Projector, config: &ProjectionConfig) -> Normalised {
    normalise_with(entries, projector, &StandardWording, config)
}

/// The same in other words.
pub fn normalise_with(
    entries: &[Arc<Entry>],
    projector: &dyn Projector,
    wording: &dyn Wording,
    config: &ProjectionConfig,
) -> Normalised {
    let rules = Rules { projector, wording, config };
    Stream::of(entries, &rules).finish(&rules)
}
