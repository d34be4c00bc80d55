//! Payloads about input that waited, tasks and other agents.

use std::path::PathBuf;

use crate::record::record;
use crate::{MailMessage, Origin, PastedImage};

record! {
    /// Input that arrived while the model worked.
    #[derive(Eq)]
    pub struct QueuedCommand {
        /// The host's id of it.
        pub source_id: String,
        /// `prompt` or `task-notification`.
        pub mode: String,
        /// The text.
        pub text: String,
        /// Whose it is.
        pub origin: Origin,
        /// Whether it is the host's word and not a person's.
        pub is_meta: bool,
        /// Pasted pictures.
        pub images: Vec<PastedImage>,
        /// The host's ids of pasted things.
        pub paste_ids: Vec<String>,
    }

    /// Messages for this sub-agent.
    #[derive(Eq)]
    pub struct AgentPendingMessage {
        /// Who wrote it.
        pub from: String,
        /// One line.
        pub summary: String,
        /// All of it.
        pub content: String,
    }

    /// A background task finished or changed.
    #[derive(Eq)]
    pub struct TaskStatus {
        /// Its id.
        pub task_id: String,
        /// What it does.
        pub description: String,
        /// `running`, `completed`, `failed`, `killed`.
        pub status: String,
        /// What is new in its output.
        pub summary: String,
        /// Where its output lies.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub output_file: Option<PathBuf>,
    }

    /// This agent is a member of a team.
    #[derive(Eq)]
    pub struct TeamContext {
        /// Name of the team.
        pub team: String,
        /// Name of this agent.
        pub agent: String,
        /// Who leads it.
        pub leader: String,
        /// Its members.
        pub members: Vec<String>,
        /// Where its task list lies.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub task_list: Option<PathBuf>,
    }

    /// Unread mail.
    #[derive(Eq)]
    pub struct TeammateMailbox {
        /// The messages.
        pub messages: Vec<MailMessage>,
    }

    /// Members that left.
    #[derive(Eq)]
    pub struct TeammateShutdownBatch {
        /// Their names.
        pub members: Vec<String>,
    }
}
