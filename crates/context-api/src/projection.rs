//! One look at an entry gives every destination's view of it.

use crate::record::{record, words};
use crate::{Entry, HostSignal, ModelMessage, RuntimeEvent, TranscriptEvent, UiEvent};

/// Every destination's view of one entry.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Projection {
    /// What a model sees.
    pub model: Vec<ModelMessage>,
    /// What the transcript keeps.
    pub transcript: Option<TranscriptEvent>,
    /// What a person is shown.
    pub ui: Option<UiEvent>,
    /// What only the process needs.
    pub runtime: Vec<RuntimeEvent>,
    /// What the host is asked to do.
    pub host: Vec<HostSignal>,
}

record! {
    /// What projection depends on besides the entry. Recorded in the session; a change of it is an
    /// [`crate::InvalidateEvent::Projection`].
    #[derive(Eq)]
    pub struct ProjectionConfig {
        /// How simulated tool calls look.
        pub tool_shape: ToolShape,
        /// Names of the embedder's tools.
        pub tool_names: ToolNames,
        /// Version of the wording; the texts of one version never change.
        pub wording_version: u32,
    }
}

words! {
    /// How simulated tool calls look.
    pub enum ToolShape {
        /// As text inside a reminder: every provider and thinking mode takes it.
        Text,
        /// As a `tool_use` and its `tool_result`.
        Blocks,
    }
}

/// Names of the embedder's tools, so that simulated calls and prompts equal what its model knows.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct ToolNames {
    /// Reads a file.
    pub read: String,
    /// Lists a directory.
    pub list: String,
    /// Edits a file.
    pub edit: String,
    /// Writes a file.
    pub write: String,
    /// Searches contents.
    pub search: String,
    /// Finds files by name.
    pub find: String,
    /// Runs a shell command.
    pub shell: String,
    /// Keeps the todo list.
    pub todo: String,
    /// Keep the task list: make tasks, change them.
    pub tasks: Vec<String>,
    /// Starts an agent.
    pub agent: String,
    /// Loads a skill.
    pub skill: String,
}

impl Default for ToolNames {
    fn default() -> Self {
        let name = |name: &str| name.to_owned();
        Self {
            read: name("Read"),
            list: name("LS"),
            edit: name("Edit"),
            write: name("Write"),
            search: name("Grep"),
            find: name("Glob"),
            shell: name("Bash"),
            todo: name("TodoWrite"),
            tasks: vec![name("TaskCreate"), name("TaskUpdate")],
            agent: name("Task"),
            skill: name("Skill"),
        }
    }
}

/// Answers: how does each destination see this entry?
///
/// Pure: the same entry and configuration give the same projection, in every process. What a model sees of an entry never
/// depends on other entries; how entries stand together is the business of normalising.
pub trait Projector: Send + Sync + 'static {
    /// Every destination's view of `entry`.
    fn project(&self, entry: &Entry, config: &ProjectionConfig) -> Projection;
}

impl<T: Projector + ?Sized> Projector for std::sync::Arc<T> {
    fn project(&self, entry: &Entry, config: &ProjectionConfig) -> Projection {
        (**self).project(entry, config)
    }
}
