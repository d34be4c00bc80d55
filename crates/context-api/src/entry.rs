//! Entries: the append-only history that everything is derived from.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::block::text_or_blocks;
use crate::json::Part;
use crate::record::{record, words};
use crate::{
    Boundary, ContentBlock, ContextProfile, DeliveryKey, Envelope, HostEvent, Invalidate, Mark, MemoryKind,
    MemoryScope, ProjectionConfig, RawJson, Section, StateChange, ToolResultBlock, ToolSpec, ViewEdit,
};

/// One entry of a session's history.
///
/// In JSON: `uuid`, `parent_uuid`, `timestamp`, `turn`, `type` and `payload`. An entry of an unknown type keeps its text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// Its identity.
    pub uuid: Uuid,
    /// The entry before it; `None` for the first.
    pub parent: Option<Uuid>,
    /// When it was made.
    pub timestamp: Timestamp,
    /// Number of the request that first holds it, counted from 1. Entries of one number form a group whose order is fixed
    /// when that request is made, so that what comes later never moves before them.
    pub turn: u64,
    /// What it says.
    pub kind: EntryKind,
}

/// What an entry says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EntryKind {
    /// Words of the user.
    User(UserInput),
    /// The model's answer.
    Assistant(AssistantReply),
    /// What a tool answered.
    ToolResult(ToolResult),
    /// A typed event of a turn.
    Attachment(Envelope),
    /// The context that stands in front of the history, as it was computed.
    Context(ContextRecord),
    /// A compaction: what is before it is out of view.
    Boundary(Boundary),
    /// A change of how earlier entries are seen.
    ViewEdit(ViewEdit),
    /// A word about earlier entries for the stages that make a history fit.
    Mark(Mark),
    /// A named reason for which the prefix may change.
    Invalidate(Invalidate),
    /// What became known without a word to the model.
    States(StatesNote),
    /// Something that happened in the host and has nothing to say to anybody; it is done with.
    Host(HostEvent),
    /// An entry of a type that this version does not know: the whole line.
    Unknown {
        /// Its type.
        tag: String,
        /// Its payload.
        payload: RawJson,
    },
}

record! {
    /// Words of the user.
    pub struct UserInput {
        /// Text and images.
        #[serde(deserialize_with = "text_or_blocks")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::TextOrBlocks"))]
        pub content: Vec<ContentBlock>,
        /// Whether they are the host's and not a person's.
        pub is_meta: bool,
    }

    /// The model's answer.
    pub struct AssistantReply {
        /// Its blocks.
        #[serde(deserialize_with = "text_or_blocks")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::TextOrBlocks"))]
        pub content: Vec<ContentBlock>,
        /// The model that answered.
        pub model: Option<String>,
        /// Why it stopped.
        pub stop: Option<StopReason>,
        /// What the provider counted.
        pub usage: Option<Usage>,
    }

    /// What the provider counted for one request.
    #[derive(Copy, Eq)]
    pub struct Usage {
        /// Input tokens that were neither read from nor written to the cache.
        pub input_tokens: u64,
        /// Output tokens.
        pub output_tokens: u64,
        /// Input tokens read from the cache.
        pub cache_read_input_tokens: u64,
        /// Input tokens written to the cache.
        pub cache_creation_input_tokens: u64,
    }

    /// The context that stands in front of the history, as it was computed.
    pub struct ContextRecord {
        /// Pieces of the first message, in order.
        pub user: Vec<ContextPiece>,
        /// Pieces at the end of the system prompt, in order.
        pub system: Vec<ContextPiece>,
        /// The local date it names: the baseline of later changes.
        #[cfg_attr(feature = "schema", schemars(with = "Option<String>", extend("format" = "date")))]
        pub date: Option<Date>,
        /// The memory files it shows.
        pub memory: Vec<ShownMemory>,
        /// What it was computed with, so that a resumed session goes on as it was.
        pub basis: ContextBasis,
    }

    /// What a session computed its context with: all that a resumed one could not find out again.
    pub struct ContextBasis {
        /// The sections of the system prompt.
        pub sections: Arc<Vec<Section>>,
        /// The tools that are sent; `None` where none were known.
        pub tools: Option<Arc<[ToolSpec]>>,
        /// Where memory is looked for.
        pub scope: MemoryScope,
        /// Whether it is in a repository, where that is known.
        pub is_git: Option<bool>,
        /// How entries are projected.
        pub projection: ProjectionConfig,
        /// What of the context is left out.
        pub profile: ContextProfile,
    }

    /// What became known without a word to the model: a new time of a file, a deletion, the begin of a count.
    pub struct StatesNote {
        /// In the order in which they count.
        pub states: Vec<StateChange>,
        /// What the ledger remembers from here on.
        pub keys: Vec<DeliveryKey>,
    }

    /// One named piece of a context.
    #[derive(Eq)]
    pub struct ContextPiece {
        /// Its name, such as `claudeMd`.
        pub key: String,
        /// Its text.
        pub text: Arc<str>,
    }

    /// A memory file that a context shows.
    #[derive(Eq)]
    pub struct ShownMemory {
        /// Path in the spelling of the walk.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// Canonical path.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub canonical: PathBuf,
        /// Whose instructions.
        pub kind: MemoryKind,
        /// Digest of the text on the disk.
        pub hash: String,
    }
}

impl Usage {
    /// All tokens that were sent.
    pub fn sent(&self) -> u64 {
        self.input_tokens + self.cache_read_input_tokens + self.cache_creation_input_tokens
    }
}

words! {
    /// Why a model stopped.
    pub enum StopReason {
        /// It was done.
        EndTurn,
        /// It calls tools.
        ToolUse,
        /// The output limit.
        MaxTokens,
        /// A stop sequence.
        StopSequence,
        /// It refused.
        Refusal,
        /// The user aborted.
        Aborted,
        /// The provider failed.
        Error,
    }
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ToolResult {
    /// The result.
    #[serde(flatten)]
    pub block: ToolResultBlock,
    /// Whether its control characters are meant and stay.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raw: bool,
    /// What the model has seen of files with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<StateChange>,
}

impl ToolResult {
    /// A result whose text is cleaned like any other.
    pub fn new(block: ToolResultBlock) -> Self {
        Self { block, raw: false, states: Vec::new() }
    }

    /// The same, keeping its control characters.
    pub fn raw(mut self, raw: bool) -> Self {
        self.raw = raw;
        self
    }

    /// The same, with what the model has seen of files with it.
    pub fn states(mut self, states: Vec<StateChange>) -> Self {
        self.states = states;
        self
    }
}

impl Entry {
    /// An entry without a parent.
    pub fn new(uuid: Uuid, timestamp: Timestamp, turn: u64, kind: EntryKind) -> Self {
        Self { uuid, parent: None, timestamp, turn, kind }
    }

    /// The same entry behind `parent`.
    pub fn after(mut self, parent: Option<Uuid>) -> Self {
        self.parent = parent;
        self
    }

    /// The attachment in it, where it holds one.
    pub fn attachment(&self) -> Option<&Envelope> {
        match &self.kind {
            EntryKind::Attachment(envelope) => Some(envelope),
            _ => None,
        }
    }
}

impl EntryKind {
    /// Words of a person.
    pub fn user(text: impl Into<Arc<str>>) -> Self {
        Self::User(UserInput::default().content(vec![ContentBlock::text(text)]))
    }

    /// The model's answer in blocks.
    pub fn assistant(content: Vec<ContentBlock>) -> Self {
        Self::Assistant(AssistantReply::default().content(content))
    }

    /// What a tool answered.
    pub fn tool_result(block: ToolResultBlock) -> Self {
        Self::ToolResult(ToolResult::new(block))
    }

    /// The type in JSON.
    pub fn tag(&self) -> &str {
        match self {
            Self::User(_) => "user",
            Self::Assistant(_) => "assistant",
            Self::ToolResult(_) => "tool_result",
            Self::Attachment(_) => "attachment",
            Self::Context(_) => "context",
            Self::Boundary(_) => "boundary",
            Self::ViewEdit(_) => "view_edit",
            Self::Mark(_) => "mark",
            Self::Invalidate(_) => "invalidate",
            Self::States(_) => "states",
            Self::Host(_) => "host",
            Self::Unknown { tag, .. } => tag,
        }
    }

    fn read(tag: String, payload: Part) -> Result<Self, serde_json::Error> {
        Ok(match tag.as_str() {
            "user" => Self::User(payload.read()?),
            "assistant" => Self::Assistant(payload.read()?),
            "tool_result" => Self::ToolResult(read_tool_result(&payload)?),
            "attachment" => Self::Attachment(payload.read()?),
            "context" => Self::Context(payload.read()?),
            "boundary" => Self::Boundary(payload.read()?),
            "view_edit" => Self::ViewEdit(payload.read()?),
            "mark" => Self::Mark(payload.read()?),
            "invalidate" => Self::Invalidate(payload.read()?),
            "states" => Self::States(payload.read()?),
            "host" => Self::Host(payload.read()?),
            _ => Self::Unknown { tag, payload: payload.keep()? },
        })
    }
}

/// Reads the two halves of a tool result from the same object; serde's `flatten` would lose raw JSON in its blocks.
fn read_tool_result(payload: &Part) -> Result<ToolResult, serde_json::Error> {
    #[derive(Deserialize)]
    struct Beside {
        #[serde(default)]
        raw: bool,
        #[serde(default)]
        states: Vec<StateChange>,
    }
    let Beside { raw, states } = payload.read()?;
    Ok(ToolResult { block: payload.read()?, raw, states })
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Entry", 6)?;
        out.serialize_field("uuid", &self.uuid)?;
        out.serialize_field("parent_uuid", &self.parent)?;
        out.serialize_field("timestamp", &self.timestamp)?;
        out.serialize_field("turn", &self.turn)?;
        out.serialize_field("type", self.kind.tag())?;
        match &self.kind {
            EntryKind::User(payload) => out.serialize_field("payload", payload)?,
            EntryKind::Assistant(payload) => out.serialize_field("payload", payload)?,
            EntryKind::ToolResult(payload) => out.serialize_field("payload", payload)?,
            EntryKind::Attachment(payload) => out.serialize_field("payload", payload)?,
            EntryKind::Context(payload) => out.serialize_field("payload", payload)?,
            EntryKind::Boundary(payload) => out.serialize_field("payload", payload)?,
            EntryKind::ViewEdit(payload) => out.serialize_field("payload", payload)?,
            EntryKind::Mark(payload) => out.serialize_field("payload", payload)?,
            EntryKind::Invalidate(payload) => out.serialize_field("payload", payload)?,
            EntryKind::States(payload) => out.serialize_field("payload", payload)?,
            EntryKind::Host(payload) => out.serialize_field("payload", payload)?,
            EntryKind::Unknown { payload, .. } => out.serialize_field("payload", payload)?,
        }
        out.end()
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Line {
            uuid: Uuid,
            #[serde(default)]
            parent_uuid: Option<Uuid>,
            timestamp: Timestamp,
            #[serde(default)]
            turn: u64,
            #[serde(rename = "type")]
            tag: String,
            #[serde(default)]
            payload: Part,
        }
        let line = Line::deserialize(deserializer)?;
        let kind = EntryKind::read(line.tag, line.payload).map_err(serde::de::Error::custom)?;
        Ok(Self {
            uuid: line.uuid,
            parent: line.parent_uuid,
            timestamp: line.timestamp,
            turn: line.turn,
            kind,
        })
    }
}
