//! What a request is made of.

use std::sync::Arc;

use context_api::{ContextPiece, ModelMessage, Section, ToolSpec};

use crate::setters::setters;

/// What a request is made of, before it is put in order.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct RequestParts {
    /// The model's name.
    pub model: String,
    /// A line in front of the system prompt that is never cached.
    pub header: Option<String>,
    /// The base prompt.
    pub sections: Vec<Section>,
    /// The system context: `key: value` lines at the end of the system prompt.
    pub system_context: Vec<ContextPiece>,
    /// The conversation, normalised.
    pub messages: Vec<Arc<ModelMessage>>,
    /// All tools; deferred ones are left out.
    pub tools: Vec<ToolSpec>,
    /// Index of the first message of the newest turn.
    pub newest_turn_start: Option<usize>,
    /// How many messages from the start the next request is sure to repeat; `None` is all of them.
    pub stable_messages: Option<usize>,
    /// Output limit, tokens.
    pub max_tokens: u64,
    /// Budget for thinking, tokens; `None` is off.
    pub thinking: Option<u64>,
}

setters!(RequestParts {
    model: String,
    header: Option<String>,
    sections: Vec<Section>,
    system_context: Vec<ContextPiece>,
    messages: Vec<Arc<ModelMessage>>,
    tools: Vec<ToolSpec>,
    newest_turn_start: Option<usize>,
    stable_messages: Option<usize>,
    max_tokens: u64,
    thinking: Option<u64>,
});
