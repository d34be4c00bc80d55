//! Typed events of one turn, and the table of them.

mod budget;
mod catalog;
mod files;
mod hooks;
mod ide;
mod memory;
mod modes;
mod work;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use budget::*;
pub use catalog::*;
pub use files::*;
pub use hooks::*;
pub use ide::*;
pub use memory::*;
pub use modes::*;
pub use work::*;

use crate::block::Tagged;
use crate::json::read_tagged;
#[cfg(feature = "schema")]
use crate::schema::{Case, tagged};
use crate::{Destination, Destinations, ModelShape, RawJson, Stage, Trust};

/// One row of the table of attachment types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttachmentRow {
    /// The tag in JSON.
    pub name: &'static str,
    /// When it is collected; `None` is handed in by the host or by another part.
    pub stage: Option<Stage>,
    /// How a model sees it.
    pub shape: ModelShape,
    /// Who sees it.
    pub destinations: Destinations,
    /// Whose text it is.
    pub trust: Trust,
    /// What it is, in one line.
    pub summary: &'static str,
}

/// Everybody whom a type reaches: the transcript always, the model unless its shape is `None`, and those named.
const fn reach(shape: ModelShape, also: &[Destination]) -> Destinations {
    let all = Destinations::of(also).with(Destination::Transcript);
    if matches!(shape, ModelShape::None) { all } else { all.with(Destination::Model) }
}

macro_rules! attachments {
    ($($(#[doc = $doc:literal])+ $variant:ident($payload:ty) = $name:literal, $stage:expr, $shape:ident, [$($also:ident),*], $trust:ident;)+) => {
        /// A typed event of one turn.
        ///
        /// In JSON an object with a `type` tag in snake case and the payload's fields beside it. A type that this version
        /// does not know survives a round trip unchanged.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Attachment {
            $($(#[doc = $doc])+ $variant($payload),)+
            /// An attachment of the embedder's own.
            Custom(CustomAttachment),
            /// An attachment of a type that this version does not know.
            Unknown(RawJson),
        }

        impl Attachment {
            /// The table of all types but the embedder's own.
            pub const TABLE: &'static [AttachmentRow] = &[$(AttachmentRow {
                name: $name,
                stage: $stage,
                shape: ModelShape::$shape,
                destinations: reach(ModelShape::$shape, &[$(Destination::$also),*]),
                trust: Trust::$trust,
                summary: concat!($($doc),+),
            },)+];

            /// The tag in JSON; `unknown` for an unknown type.
            pub fn type_name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)+
                    Self::Custom(_) => "custom",
                    Self::Unknown(_) => "unknown",
                }
            }
        }

        $(impl From<$payload> for Attachment {
            fn from(payload: $payload) -> Self {
                Self::$variant(payload)
            }
        })+

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for Attachment {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "Attachment".into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let known = [
                    $(Case::of::<$payload>($name, concat!($($doc),+), generator),)+
                    Case::of::<CustomAttachment>("custom", "An attachment of the embedder's own.", generator),
                ];
                tagged("A typed event of one turn.", &known)
            }
        }

        impl Serialize for Attachment {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(payload) => Tagged { tag: $name, payload }.serialize(serializer),)+
                    Self::Custom(payload) => Tagged { tag: "custom", payload }.serialize(serializer),
                    Self::Unknown(raw) => raw.serialize(serializer),
                }
            }
        }

        impl<'de> Deserialize<'de> for Attachment {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let (tag, raw) = read_tagged(deserializer)?;
                let read = match tag.as_str() {
                    $($name => raw.read().map(Self::$variant),)+
                    "custom" => raw.read().map(Self::Custom),
                    _ => return raw.keep().map(Self::Unknown).map_err(serde::de::Error::custom),
                };
                read.map_err(serde::de::Error::custom)
            }
        }
    };
}

/// Two types that share a payload need two Rust types, so that each `From` is unambiguous.
macro_rules! same_payload {
    ($($(#[doc = $doc:literal])+ $name:ident($payload:ty);)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(pub $payload);

        impl std::ops::Deref for $name {
            type Target = $payload;
            fn deref(&self) -> &$payload {
                &self.0
            }
        }
    )+};
}

same_payload! {
    /// Problems that a language server pushed.
    LspDiagnostics(DiagnosticsAttachment);
    /// A hook failed without blocking.
    HookNonBlockingError(HookNotice);
    /// A hook could not be run.
    HookErrorDuringExecution(HookNotice);
    /// A hook was cancelled.
    HookCancelled(HookNotice);
    /// A hook has a message for the user.
    HookSystemMessage(HookNotice);
}

const I: Option<Stage> = Some(Stage::Input);
const E: Option<Stage> = Some(Stage::Everywhere);
const M: Option<Stage> = Some(Stage::MainThread);
const H: Option<Stage> = None;

attachments! {
    /// A file that the input names, whole or some lines of it.
    File(FileAttachment) = "file", I, Tool, [Ui], Repository;
    /// A file that the input names and whose content the model has.
    AlreadyReadFile(AlreadyReadFile) = "already_read_file", I, None, [Ui], Host;
    /// A file that was read before a compaction and is too large to come back.
    CompactFileReference(CompactFileReference) = "compact_file_reference", H, Reminder, [Ui], Host;
    /// A PDF that has to be read by page range.
    PdfReference(PdfReference) = "pdf_reference", I, Reminder, [Ui], Repository;
    /// A directory that the input names.
    Directory(DirectoryAttachment) = "directory", I, Tool, [Ui], Repository;
    /// A resource of an MCP server that the input names.
    McpResource(McpResource) = "mcp_resource", I, Reminder, [Ui], Network;
    /// An agent that the input names.
    AgentMention(AgentMention) = "agent_mention", I, Reminder, [Ui], User;
    /// A selection in the IDE.
    SelectedLinesInIde(SelectedLinesInIde) = "selected_lines_in_ide", M, Reminder, [Ui], Repository;
    /// A file in focus with no selection.
    OpenedFileInIde(OpenedFileInIde) = "opened_file_in_ide", M, Reminder, [], Host;
    /// Problems that are new since they were last delivered.
    Diagnostics(DiagnosticsAttachment) = "diagnostics", M, Reminder, [Ui], Tool;
    /// Problems that a language server pushed.
    LspDiagnostics(LspDiagnostics) = "lsp_diagnostics", M, Reminder, [Ui], Tool;
    /// A whole-read file whose text on disk differs from what the model has.
    EditedTextFile(EditedTextFile) = "edited_text_file", E, Reminder, [Ui], Repository;
    /// A picture that the model has and that changed on the disk.
    EditedImageFile(EditedImageFile) = "edited_image_file", E, Tool, [Ui], Repository;
    /// A memory file that was shown and changed on the disk.
    MemoryDelta(MemoryDelta) = "memory_delta", E, Reminder, [], Repository;
    /// Memory and rules that hold for a path touched this turn.
    NestedMemory(NestedMemory) = "nested_memory", E, Reminder, [], Repository;
    /// Memories that match the input.
    RelevantMemories(RelevantMemories) = "relevant_memories", H, Reminder, [], User;
    /// The session's memory file grew.
    CurrentSessionMemory(CurrentSessionMemory) = "current_session_memory", E, Reminder, [], User;
    /// Skills never announced to this agent.
    SkillListing(SkillListing) = "skill_listing", E, Reminder, [], Repository;
    /// Skills that match the input, or what the host asks for.
    SkillDiscovery(SkillDiscovery) = "skill_discovery", I, Reminder, [], Repository;
    /// Skill folders found below a touched path.
    DynamicSkill(DynamicSkill) = "dynamic_skill", E, None, [Ui], Repository;
    /// Skills used in this session, told again after a compaction.
    InvokedSkills(InvokedSkills) = "invoked_skills", H, Reminder, [], Repository;
    /// Input that arrived while the model worked.
    QueuedCommand(QueuedCommand) = "queued_command", E, User, [Ui, HostControl], User;
    /// Messages for this sub-agent.
    AgentPendingMessage(AgentPendingMessage) = "agent_pending_message", E, User, [], Host;
    /// The local date differs from the last one announced.
    DateChange(DateChange) = "date_change", E, Reminder, [], Host;
    /// The word for more thinking stands in the input.
    UltrathinkEffort(UltrathinkEffort) = "ultrathink_effort", E, Reminder, [HostControl], Host;
    /// Deferred tools added or removed since last announced.
    DeferredToolsDelta(DeferredToolsDelta) = "deferred_tools_delta", E, Reminder, [], Network;
    /// Agents added or removed since last announced.
    AgentListingDelta(AgentListingDelta) = "agent_listing_delta", E, Reminder, [], Repository;
    /// Instructions of MCP servers added or removed since last announced.
    McpInstructionsDelta(McpInstructionsDelta) = "mcp_instructions_delta", E, Reminder, [], Network;
    /// Plan mode is on.
    PlanMode(PlanMode) = "plan_mode", E, Reminder, [Ui], Host;
    /// Plan mode was entered again with an earlier plan file.
    PlanModeReentry(PlanModeReentry) = "plan_mode_reentry", E, Reminder, [], Host;
    /// Plan mode was left.
    PlanModeExit(PlanModeExit) = "plan_mode_exit", E, Reminder, [Ui], Host;
    /// Auto mode is on.
    AutoMode(AutoMode) = "auto_mode", E, Reminder, [], Host;
    /// Auto mode was left.
    AutoModeExit(AutoModeExit) = "auto_mode_exit", E, Reminder, [], Host;
    /// The todo list was not touched for long.
    TodoReminder(TodoReminder) = "todo_reminder", E, Reminder, [], Host;
    /// The task list was not touched for long.
    TaskReminder(TaskReminder) = "task_reminder", E, Reminder, [], Host;
    /// A plan was carried out and not checked.
    VerifyPlanReminder(VerifyPlanReminder) = "verify_plan_reminder", E, Reminder, [], Host;
    /// The host's standing text.
    CriticalSystemReminder(CriticalSystemReminder) = "critical_system_reminder", E, Reminder, [], Host;
    /// A companion introduces itself.
    CompanionIntro(CompanionIntro) = "companion_intro", E, Reminder, [], Host;
    /// The output style.
    OutputStyle(OutputStyle) = "output_style", M, Reminder, [], User;
    /// A background task finished or changed.
    TaskStatus(TaskStatus) = "task_status", M, Reminder, [Ui], Tool;
    /// A hook that ran in the background answered.
    AsyncHookResponse(AsyncHookResponse) = "async_hook_response", M, Reminder, [Ui], Tool;
    /// A hook succeeded and printed something.
    HookSuccess(HookSuccess) = "hook_success", H, Reminder, [Ui], Tool;
    /// A hook added context.
    HookAdditionalContext(HookAdditionalContext) = "hook_additional_context", H, Reminder, [Ui], Tool;
    /// A hook blocked.
    HookBlockingError(HookBlockingError) = "hook_blocking_error", H, Reminder, [Ui, HostControl], Tool;
    /// A hook stopped the turn.
    HookStoppedContinuation(HookStoppedContinuation) = "hook_stopped_continuation", H, Reminder, [Ui, HostControl], Tool;
    /// A hook failed without blocking.
    HookNonBlockingError(HookNonBlockingError) = "hook_non_blocking_error", H, None, [Ui], Tool;
    /// A hook could not be run.
    HookErrorDuringExecution(HookErrorDuringExecution) = "hook_error_during_execution", H, None, [Ui], Tool;
    /// A hook was cancelled.
    HookCancelled(HookCancelled) = "hook_cancelled", H, None, [Ui], Tool;
    /// A hook has a message for the user.
    HookSystemMessage(HookSystemMessage) = "hook_system_message", H, None, [Ui], Tool;
    /// What a hook says about a tool call.
    HookPermissionDecision(HookPermissionDecision) = "hook_permission_decision", H, None, [HostControl], Tool;
    /// This agent is a member of a team.
    TeamContext(TeamContext) = "team_context", E, Reminder, [], Host;
    /// Unread mail.
    TeammateMailbox(TeammateMailbox) = "teammate_mailbox", E, Reminder, [Ui], Network;
    /// Several members left the team.
    TeammateShutdownBatch(TeammateShutdownBatch) = "teammate_shutdown_batch", E, None, [Ui], Host;
    /// Tokens of the session against their budget.
    TokenUsage(TokenUsage) = "token_usage", M, Reminder, [], Host;
    /// Money against its budget.
    BudgetUsd(BudgetUsd) = "budget_usd", M, Reminder, [], Host;
    /// Output tokens against their budget.
    OutputTokenUsage(OutputTokenUsage) = "output_token_usage", M, Reminder, [], Host;
    /// The history will soon be compacted.
    CompactionReminder(CompactionReminder) = "compaction_reminder", E, Reminder, [], Host;
    /// The context grew, mostly by old tool results.
    ContextEfficiency(ContextEfficiency) = "context_efficiency", E, Reminder, [], Host;
    /// Tools that a command may use.
    CommandPermissions(CommandPermissions) = "command_permissions", H, None, [Runtime], Host;
    /// The answer in a schema.
    StructuredOutput(StructuredOutput) = "structured_output", H, None, [HostControl], Host;
    /// The turn limit.
    MaxTurnsReached(MaxTurnsReached) = "max_turns_reached", H, None, [HostControl], Host;
}

impl From<CustomAttachment> for Attachment {
    fn from(payload: CustomAttachment) -> Self {
        Self::Custom(payload)
    }
}

impl Default for Attachment {
    fn default() -> Self {
        Self::Unknown(RawJson::default())
    }
}

impl Attachment {
    /// The row of this attachment's type; `None` for the embedder's own and for unknown ones.
    pub fn row(&self) -> Option<&'static AttachmentRow> {
        let name = self.type_name();
        Self::TABLE.iter().find(|row| row.name == name)
    }

    /// Who sees it, by its type. A custom one names them itself; an unknown one reaches the transcript.
    pub fn destinations(&self) -> Destinations {
        match self {
            Self::Custom(custom) => custom.destinations,
            _ => self.row().map_or(Destinations::of(&[Destination::Transcript]), |row| row.destinations),
        }
    }

    /// How a model sees it, by its type.
    pub fn shape(&self) -> ModelShape {
        match self {
            Self::Custom(custom) => custom.shape,
            _ => self.row().map_or(ModelShape::None, |row| row.shape),
        }
    }

    /// Whose text it is, by its type.
    pub fn trust(&self) -> Trust {
        match self {
            Self::Custom(custom) => custom.trust,
            _ => self.row().map_or(Trust::Network, |row| row.trust),
        }
    }
}
