//! Messages: what a model is sent.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ContentBlock;

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person, the host, and everything said on their behalf.
    User,
    /// The model.
    Assistant,
}

/// One message of a request: adjacent content of one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelMessage {
    /// Who speaks.
    pub role: Role,
    /// Never empty in a normalised history.
    pub blocks: Vec<ModelBlock>,
}

impl ModelMessage {
    /// A message of `role`.
    pub fn new(role: Role, blocks: Vec<ModelBlock>) -> Self {
        Self { role, blocks }
    }
}

/// One block of a message and where it comes from. Only `content` reaches a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelBlock {
    /// What is sent.
    pub content: ContentBlock,
    /// Whether the text is the host's (a reminder, a context) and not a person's.
    pub meta: bool,
    /// The entry it was projected from.
    pub source: Option<Uuid>,
    /// Whether a cache breakpoint stands on it.
    pub cache: Option<CacheMark>,
}

impl ModelBlock {
    /// A person's or the model's own words.
    pub fn plain(content: ContentBlock) -> Self {
        Self { content, meta: false, source: None, cache: None }
    }

    /// The host's words.
    pub fn meta(content: ContentBlock) -> Self {
        Self { content, meta: true, source: None, cache: None }
    }

    /// The same block, from `source`.
    pub fn from_entry(mut self, source: Uuid) -> Self {
        self.source = Some(source);
        self
    }
}

/// How far a cached prefix can be shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CacheMark {
    /// Among everybody who sends the same bytes.
    Global,
    /// Within this session.
    Session,
}
