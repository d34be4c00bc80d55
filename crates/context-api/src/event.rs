//! What a host hands in, and what it is handed back.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::record::{record, words};
use crate::{Attachment, HookAnswer, MailMessage, QueuedInput, RawJson, TaskChange};

/// Something that happened in the host; handed in through the session's handle and delivered exactly once, or still in
/// hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HostEvent {
    /// Input that arrived while the model worked.
    Queued(QueuedInput),
    /// Mail of another agent.
    Mail(MailMessage),
    /// What a hook answered.
    Hook(HookAnswer),
    /// A task in the background changed.
    Task(TaskChange),
    /// An attachment that the host or another part made by itself.
    HandIn(HandIn),
}

record! {
    /// An attachment that was made elsewhere.
    pub struct HandIn {
        /// The host's id of it.
        pub id: String,
        /// The attachment.
        pub attachment: Attachment,
    }
}

impl HostEvent {
    /// The host's id of the event.
    pub fn id(&self) -> &str {
        match self {
            Self::Queued(event) => &event.id,
            Self::Mail(event) => &event.id,
            Self::Hook(event) => &event.id,
            Self::Task(event) => &event.id,
            Self::HandIn(event) => &event.id,
        }
    }

    /// The same with `id` as its id.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        let its = match &mut self {
            Self::Queued(event) => &mut event.id,
            Self::Mail(event) => &mut event.id,
            Self::Hook(event) => &mut event.id,
            Self::Task(event) => &mut event.id,
            Self::HandIn(event) => &mut event.id,
        };
        *its = id.into();
        self
    }
}

/// What the engine asks of the host.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "signal", rename_all = "snake_case")]
#[non_exhaustive]
pub enum HostSignal {
    /// These events are in the history now and can be forgotten.
    Delivered {
        /// The host's ids.
        ids: Vec<String>,
    },
    /// The run's answer in a schema.
    StructuredOutput {
        /// The answer.
        value: RawJson,
    },
    /// The run is over.
    EndRun {
        /// Such as `error_max_turns`.
        reason: String,
    },
    /// A person's queued input became part of the conversation: show it as theirs.
    ReplayUser {
        /// The entry.
        entry: Uuid,
        /// The text.
        text: String,
    },
    /// A hook blocked: nothing is to be sent.
    Block {
        /// Why.
        reason: String,
    },
    /// A hook stopped the run.
    StopContinuation {
        /// Why.
        reason: String,
    },
    /// Think with this effort.
    Effort {
        /// Such as `high`.
        level: String,
    },
    /// What a hook says about a tool call.
    Permission {
        /// The call.
        tool_use_id: String,
        /// `allow`, `deny` or `ask`.
        behavior: String,
    },
    /// What a custom attachment asks.
    Custom {
        /// Its kind.
        kind: String,
        /// Its data.
        data: RawJson,
    },
}

/// Answers: what does the host do with this signal?
pub trait HostHandler: Send + Sync + 'static {
    /// Takes a signal; [`Handled::No`] becomes a decision.
    fn handle(&self, signal: &HostSignal) -> Handled;
}

/// Whether a host did something about a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handled {
    /// It did.
    Yes,
    /// It does not know such signals.
    No,
}

/// A handler that handles nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unhandled;

impl HostHandler for Unhandled {
    fn handle(&self, _: &HostSignal) -> Handled {
        Handled::No
    }
}

record! {
    /// What a person is shown of an entry.
    #[derive(Eq)]
    pub struct UiEvent {
        /// The type of the attachment, or of the entry.
        pub kind: String,
        /// One line.
        pub title: String,
        /// More, where there is more.
        pub body: String,
        /// How much it matters.
        pub severity: UiSeverity,
        /// The file it is about, safe to print.
        pub path: Option<String>,
    }
}

words! {
    /// How much an event matters to a person.
    pub enum UiSeverity {
        /// Good to know.
        Info,
        /// Something was cut or left out.
        Warning,
        /// Something failed or was blocked.
        Error,
    }
}

/// What only the process needs to know.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RuntimeEvent {
    /// A command may use these tools.
    CommandPermissions {
        /// Names or patterns.
        tools: Vec<String>,
    },
    /// What a custom attachment says.
    Custom {
        /// Its kind.
        kind: String,
        /// Its data.
        data: RawJson,
    },
}

/// What the transcript keeps of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TranscriptEvent {
    /// All of it, as one line.
    Whole,
}
