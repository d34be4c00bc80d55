//! The request, before any provider's form.

use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::record::{record, words};
use crate::{
    AgentSpec, CacheMark, Decision, McpServer, ModelMessage, RawJson, ToolNames, ToolSpec, ViewEdit,
};

/// What a model is asked, in no provider's form.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ModelRequest {
    /// The model's name.
    pub model: String,
    /// The system prompt.
    pub system: Vec<SystemBlock>,
    /// The conversation, normalised.
    pub messages: Vec<std::sync::Arc<ModelMessage>>,
    /// Tools in the order in which they are sent.
    pub tools: Vec<RequestTool>,
    /// Output limit, tokens.
    pub max_tokens: u64,
    /// Budget for thinking, tokens; `None` is off.
    pub thinking: Option<u64>,
}

/// A tool as it is sent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RequestTool {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON schema of its input.
    pub input_schema: RawJson,
    /// The MCP server it belongs to.
    pub server: Option<String>,
    /// Whether a cache breakpoint stands on it.
    pub cache: Option<CacheMark>,
}

impl From<&ToolSpec> for RequestTool {
    fn from(tool: &ToolSpec) -> Self {
        Self {
            name: tool.name.clone(),
            description: tool.description.clone(),
            input_schema: tool.input_schema.clone(),
            server: tool.server.clone(),
            cache: None,
        }
    }
}

/// One block of the system prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SystemBlock {
    /// Its text; never empty.
    pub text: String,
    /// Whether a cache breakpoint stands on it, and how far it reaches.
    pub cache: Option<CacheMark>,
    /// Which part of the text comes from where.
    pub parts: Vec<SystemPart>,
}

/// Where a part of a system block comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemPart {
    /// Key of the section or context.
    pub key: String,
    /// Its label, for people.
    pub label: String,
    /// Bytes of the block's text.
    pub range: Range<usize>,
}

words! {
    /// How far a section is the same.
    pub enum SectionScope {
        /// For everybody.
        Global,
        /// For this session.
        Session,
        /// For one request only; costs the cache.
        Volatile,
    }
}

record! {
    /// A section of the system prompt, computed.
    #[derive(Eq)]
    pub struct Section {
        /// Its name for programs.
        pub key: String,
        /// Its name for people.
        pub label: String,
        /// How far it is the same.
        pub scope: SectionScope,
        /// Its text; an empty section is left out.
        pub text: String,
    }

    /// What sections may speak of. The engine fills it once a session.
    pub struct PromptFacts {
        /// The model's name.
        pub model: String,
        /// What the model's knowledge ends with, such as `January 2026`.
        pub knowledge_cutoff: Option<String>,
        /// The working directory.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub cwd: PathBuf,
        /// Further directories.
        #[serde(with = "crate::path::list")]
        #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::path::Written>"))]
        pub additional_directories: Vec<PathBuf>,
        /// Whether the working directory lies in a git repository; `None` where nobody looked.
        pub is_git: Option<bool>,
        /// Such as `linux`.
        pub platform: String,
        /// Such as `/bin/bash`.
        pub shell: Option<String>,
        /// Such as `Linux 6.1`.
        pub os_version: Option<String>,
        /// The language to answer in.
        pub language: Option<String>,
        /// A directory for temporary files.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub scratchpad: Option<PathBuf>,
        /// Where auto memory lies.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub memory_directory: Option<PathBuf>,
        /// Output tokens that a turn should aim at.
        pub turn_target: Option<u64>,
        /// Agents that may be started.
        pub agents: Vec<AgentSpec>,
        /// Whether there are skills.
        pub has_skills: bool,
        /// MCP servers whose instructions belong into the prompt.
        pub mcp: Vec<McpServer>,
        /// Names of the embedder's tools.
        pub tool_names: ToolNames,
    }
}

/// Answers: which sections make the base prompt?
///
/// Called once a session, and again when a named event says so. Global sections come first and have the same bytes for
/// every user, machine, directory and date.
pub trait SystemPrompt: Send + Sync + 'static {
    /// The sections in order.
    fn sections(&self, facts: &PromptFacts) -> Vec<Section>;

    /// The sections of [`SectionScope::Volatile`] alone, asked for with each request. Worth replacing where the others
    /// are not cheap.
    fn volatile(&self, facts: &PromptFacts) -> Vec<Section> {
        let mut sections = self.sections(facts);
        sections.retain(|section| section.scope == SectionScope::Volatile);
        sections
    }
}

/// Answers: how many tokens is this?
pub trait TokenCounter: Send + Sync + 'static {
    /// Tokens of a text.
    fn text(&self, text: &str) -> u64;
    /// Tokens of a picture of `width` × `height` pixels.
    fn image(&self, width: u32, height: u32) -> u64;
}

/// A request in a provider's form.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodedRequest {
    /// The body: UTF-8 JSON.
    pub body: Vec<u8>,
    /// What the provider's form could not carry.
    pub decisions: Vec<Decision>,
}

impl EncodedRequest {
    /// A body without losses.
    pub fn new(body: Vec<u8>) -> Self {
        Self { body, decisions: Vec::new() }
    }
}

/// Answers: what does this provider want on the wire?
///
/// Checks the provider's limits before anything is sent; an error names the entry at fault. Pure.
pub trait Dialect: Send + Sync + 'static {
    /// Its name, such as `anthropic`.
    fn name(&self) -> &str;

    /// The body.
    ///
    /// # Errors
    /// A limit of the provider is broken.
    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, DialectError>;

    /// What [`Dialect::encode`] would decide, without the bytes where that is cheaper.
    ///
    /// The first `accepted` messages are, one by one and as the same shared ones, those with which a request began that this
    /// dialect took before: nothing in them needs another look, but for what a whole request is limited to.
    ///
    /// # Errors
    /// A limit of the provider is broken: the same that `encode` would name.
    fn check(&self, request: &ModelRequest, accepted: usize) -> Result<Vec<Decision>, DialectError> {
        let _ = accepted;
        Ok(self.encode(request)?.decisions)
    }

    /// The edits that take single blocks out of view, once and for good, which this provider would refuse, so that one bad
    /// picture never ends a session. With them recorded and the history projected anew, what is left to refuse is no
    /// block's fault.
    fn remedies(&self, request: &ModelRequest) -> Vec<(ViewEdit, Decision)> {
        let _ = request;
        Vec::new()
    }
}

/// A request that a provider would refuse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{dialect}: {at}: {problem}")]
pub struct DialectError {
    /// The dialect.
    pub dialect: String,
    /// The place, such as `messages[3].content[0]`, with the entry where there is one.
    pub at: String,
    /// What is wrong with it.
    pub problem: String,
}
