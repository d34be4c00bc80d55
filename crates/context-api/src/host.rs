//! What a host knows: state, in groups, all of it optional.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::RawJson;
use crate::record::{record, words};

/// A keyed list from the host that may not be there.
///
/// A field that was forgotten is [`Source::NotReported`] and never retracts anything.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SourceOf{T}"))]
#[serde(rename_all = "snake_case")]
pub enum Source<T> {
    /// The host says nothing about it.
    #[default]
    NotReported,
    /// The host would know, but can not say now, for the reason given: nothing is to be taken for gone.
    Unavailable(String),
    /// The whole list.
    #[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
    Ready(Arc<[T]>),
}

impl<T> Source<T> {
    /// A full list.
    pub fn ready(items: impl IntoIterator<Item = T>) -> Self {
        Self::Ready(items.into_iter().collect())
    }

    /// The list, empty unless it is ready.
    pub fn items(&self) -> &[T] {
        match self {
            Self::Ready(items) => items,
            _ => &[],
        }
    }

    /// Whether the list is known.
    pub fn is_ready(&self) -> bool {
        matches!(self, Self::Ready(_))
    }
}

record! {
    /// What the host knows at the start of a turn.
    pub struct HostSnapshot {
        /// The editor.
        pub ide: IdeState,
        /// Modes of the session.
        pub modes: ModeState,
        /// Todos, tasks, plans.
        pub work: WorkState,
        /// Tools, agents, servers, skills.
        pub catalog: CatalogState,
        /// Other agents.
        pub team: TeamState,
        /// Limits of use.
        pub budgets: BudgetState,
    }

    /// The editor.
    pub struct IdeState {
        /// Its name, such as `VS Code`.
        pub name: String,
        /// Selected text.
        pub selection: Option<IdeSelection>,
        /// The file in focus.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub opened_file: Option<PathBuf>,
        /// Problems that the editor shows.
        pub diagnostics: Source<FileDiagnostics>,
        /// Problems that language servers pushed.
        pub lsp_diagnostics: Source<FileDiagnostics>,
    }

    /// Selected text.
    #[derive(Eq)]
    pub struct IdeSelection {
        /// The file.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// First selected line, 1-based.
        pub start_line: u64,
        /// Last selected line, inclusive.
        pub end_line: u64,
        /// The text.
        pub text: String,
    }

    /// Problems of one file.
    #[derive(Eq)]
    pub struct FileDiagnostics {
        /// The file.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// Its problems.
        pub items: Vec<Diagnostic>,
    }

    /// One problem.
    #[derive(Eq, Hash)]
    pub struct Diagnostic {
        /// How bad.
        pub severity: Severity,
        /// Line, 1-based.
        pub line: u64,
        /// Column, 1-based.
        pub column: u64,
        /// Such as `E0308`.
        pub code: Option<String>,
        /// Who says so, such as `rustc`.
        pub source: Option<String>,
        /// What is wrong.
        pub message: String,
    }

    /// Modes of the session.
    pub struct ModeState {
        /// Plan mode.
        pub plan: PlanState,
        /// Whether auto mode is on.
        pub auto: bool,
        /// The output style; `None` is the default one.
        pub output_style: Option<OutputStyleSpec>,
        /// A text that stands in each request.
        pub critical_reminder: Option<String>,
        /// A companion of the user.
        pub companion: Option<CompanionSpec>,
        /// The language to answer in.
        pub language: Option<String>,
        /// Whether the word for more thinking in the input counts.
        pub effort_keyword: Option<String>,
    }

    /// Plan mode.
    #[derive(Eq)]
    pub struct PlanState {
        /// Whether it is on.
        pub active: bool,
        /// Where the plan is written.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub plan_file: Option<PathBuf>,
        /// Whether that file is there already.
        pub plan_exists: bool,
    }

    /// An output style.
    #[derive(Eq)]
    pub struct OutputStyleSpec {
        /// Its name.
        pub name: String,
        /// What it asks for.
        pub text: String,
    }

    /// A companion of the user.
    #[derive(Eq)]
    pub struct CompanionSpec {
        /// Its name.
        pub name: String,
        /// What the model should know of it.
        pub text: String,
    }

    /// Todos, tasks, plans.
    pub struct WorkState {
        /// The todo list.
        pub todos: Source<TodoItem>,
        /// The task list.
        pub tasks: Source<TaskItem>,
        /// Tasks that run in the background.
        pub background: Source<BackgroundTask>,
        /// A plan that was carried out.
        pub plan: Option<PlanProgress>,
        /// The file that holds the notes of this session.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub session_memory: Option<PathBuf>,
    }

    /// One todo.
    #[derive(Eq)]
    pub struct TodoItem {
        /// What is to be done.
        pub content: String,
        /// `pending`, `in_progress`, `completed`.
        pub status: String,
    }

    /// One task.
    #[derive(Eq)]
    pub struct TaskItem {
        /// Its id.
        pub id: String,
        /// What is to be done.
        pub subject: String,
        /// `pending`, `in_progress`, `completed`.
        pub status: String,
    }

    /// A task that runs in the background.
    #[derive(Eq)]
    pub struct BackgroundTask {
        /// Its id.
        pub id: String,
        /// What it does.
        pub description: String,
        /// `running`, `completed`, `failed`, `killed`.
        pub status: String,
        /// What is new in its output since it was last told.
        pub summary: String,
        /// Where its output lies.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub output_file: Option<PathBuf>,
    }

    /// A plan that was carried out.
    #[derive(Eq)]
    pub struct PlanProgress {
        /// Whether all of it was done.
        pub done: bool,
        /// Whether it was checked since.
        pub verified: bool,
    }

    /// Tools, agents, servers, skills.
    pub struct CatalogState {
        /// Tools that the model may call.
        pub tools: Source<ToolSpec>,
        /// Agents that it may start.
        pub agents: Source<AgentSpec>,
        /// MCP servers.
        pub mcp: Source<McpServer>,
        /// Skills beyond those that are found on the disk.
        pub skills: Source<SkillSpec>,
    }

    /// A tool.
    #[derive(Eq)]
    pub struct ToolSpec {
        /// Its name.
        pub name: String,
        /// What it does.
        pub description: String,
        /// JSON schema of its input.
        pub input_schema: RawJson,
        /// The MCP server it belongs to; `None` for a built-in one.
        pub server: Option<String>,
        /// Whether its schema is kept back until asked for.
        pub deferred: bool,
    }

    /// An agent that the model may start.
    #[derive(Eq)]
    pub struct AgentSpec {
        /// Its name.
        pub name: String,
        /// When to use it.
        pub description: String,
        /// Tools it has.
        pub tools: Vec<String>,
        /// Where its notes of earlier sessions lie, where it has any.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub memory: Option<PathBuf>,
    }

    /// An MCP server.
    #[derive(Eq)]
    pub struct McpServer {
        /// Its name.
        pub name: String,
        /// How to use it.
        pub instructions: Option<String>,
        /// Why it can not be reached now.
        pub unavailable: Option<String>,
    }

    /// A skill.
    #[derive(Eq)]
    pub struct SkillSpec {
        /// Its name.
        pub name: String,
        /// What it does.
        pub description: String,
        /// When to use it.
        pub when_to_use: String,
        /// Where its text lies.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub path: Option<PathBuf>,
        /// How often it was used.
        pub uses: u64,
        /// The plugin it comes from.
        pub plugin: Option<String>,
    }

    /// Other agents.
    pub struct TeamState {
        /// Name of the team; `None` outside one.
        pub name: Option<String>,
        /// Name of this agent in it.
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

    /// Limits of use.
    pub struct BudgetState {
        /// Tokens of the session.
        pub tokens: Option<TokenBudget>,
        /// Money.
        pub usd: Option<UsdBudget>,
        /// Output tokens.
        pub output_tokens: Option<OutputBudget>,
        /// Assistant turns that the run may take.
        pub max_turns: Option<u64>,
        /// Output tokens that a turn should aim at, for the prompt's section.
        pub turn_target: Option<u64>,
    }

    /// Tokens of the session.
    #[derive(Eq)]
    pub struct TokenBudget {
        /// Spent.
        pub used: u64,
        /// Allowed.
        pub total: u64,
    }

    /// Money, in US dollars.
    pub struct UsdBudget {
        /// Spent.
        pub used: f64,
        /// Allowed.
        pub total: f64,
    }

    /// Output tokens.
    #[derive(Eq)]
    pub struct OutputBudget {
        /// Of this turn.
        pub turn: u64,
        /// Of the session.
        pub session: u64,
        /// Allowed.
        pub budget: u64,
    }
}

words! {
    /// How bad a problem is.
    pub enum Severity {
        /// It is wrong.
        Error,
        /// It may be wrong.
        Warning,
        /// Worth knowing.
        Info,
        /// A hint.
        Hint,
    }

    /// Whose input it is that waited in the queue.
    pub enum Origin {
        /// A person typed it.
        Human,
        /// A task in the background reports.
        Task,
        /// A hook or schedule made it.
        Hook,
        /// Another agent.
        Agent,
        /// A channel from outside.
        Channel,
    }
}

/// Modes of queued input that have a meaning here; others stay queued.
pub mod queue_mode {
    /// A prompt of the user.
    pub const PROMPT: &str = "prompt";
    /// A note that a background task is done.
    pub const TASK_NOTIFICATION: &str = "task-notification";
}

record! {
    /// Input that arrived while the model worked.
    pub struct QueuedInput {
        /// The host's id of it; acknowledged once it is delivered.
        pub id: String,
        /// `prompt`, `task-notification`, or a mode that stays queued.
        pub mode: String,
        /// The text.
        pub text: String,
        /// Whose it is.
        pub origin: Origin,
        /// Whether it is the host's word and not a person's.
        pub is_meta: bool,
        /// Pasted pictures: base64 with their media types.
        pub images: Vec<PastedImage>,
        /// The host's ids of pasted things.
        pub paste_ids: Vec<String>,
    }

    /// A pasted picture.
    #[derive(Eq)]
    pub struct PastedImage {
        /// Such as `image/png`.
        pub media_type: String,
        /// Standard base64.
        pub data: Arc<str>,
    }

    /// Mail of another agent.
    #[derive(Eq)]
    pub struct MailMessage {
        /// The host's id of it.
        pub id: String,
        /// Who wrote it.
        pub from: String,
        /// One line of what it says.
        pub summary: String,
        /// All of it.
        pub content: String,
        /// Whether the sender left the team with it.
        pub shutdown: bool,
    }

    /// What a hook answered, raw.
    #[derive(Eq)]
    pub struct HookAnswer {
        /// The host's id of it.
        pub id: String,
        /// Such as `UserPromptSubmit`.
        pub event: String,
        /// The hook's name.
        pub name: String,
        /// The tool it belongs to.
        pub tool: Option<String>,
        /// The call of that tool.
        pub tool_use_id: Option<String>,
        /// Exit code; `None` where it did not end by itself.
        pub exit_code: Option<i64>,
        /// Standard output, raw.
        pub output: String,
        /// Standard error, raw.
        pub stderr: String,
        /// Why it could not be run at all; empty otherwise.
        pub error: String,
        /// Whether it ran in the background.
        #[serde(rename = "async")]
        pub is_async: bool,
        /// The process, where it ran in the background.
        pub process: Option<String>,
    }

    /// A change of a task in the background.
    #[derive(Eq)]
    pub struct TaskChange {
        /// The host's id of the change.
        pub id: String,
        /// The task as it is now.
        pub task: BackgroundTask,
    }
}

/// Environment variables by name, as an embedder passes them in.
pub type Variables = BTreeMap<String, String>;
