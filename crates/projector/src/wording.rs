//! Every text that a model is shown, and the trait to replace any of them.

mod budget;
mod catalog;
pub(crate) mod files;
mod history;
mod hooks;
mod ide;
mod line;
mod memory;
mod modes;
mod work;

use context_api::{Attachment, ContextPiece, RelevantMemory, ToolNames, Trust};

/// Version of the texts here, for [`context_api::ProjectionConfig::wording_version`]: the texts of one version never
/// change, since a session's prefix holds them.
pub const WORDING_VERSION: u32 = 1;

/// The words of this crate.
#[derive(Debug, Clone, Copy, Default)]
pub struct StandardWording;

impl Wording for StandardWording {}

macro_rules! wording {
    ($($variant:ident($payload:ident) = $name:ident, $group:ident;)+) => {
        /// Answers: in which words is a model told?
        ///
        /// Each method has the words of this crate as its default, so that an embedder replaces those it wants to. Pure:
        /// the same payload gives the same text in every process. A text needs no care about what foreign text holds:
        /// whatever a method returns is neutralised before it is fenced. An empty text is not sent at all.
        pub trait Wording: Send + Sync + 'static {
            $(
                #[doc = concat!("The text of a `", stringify!($name), "`; see [`context_api::", stringify!($payload), "`].")]
                fn $name(&self, it: &context_api::$payload, names: &ToolNames) -> String {
                    $group::$name(it, names)
                }
            )+

            /// The text of one of the `relevant_memories`, each in a reminder of its own.
            fn relevant_memory(&self, it: &RelevantMemory) -> String {
                memory::relevant_memory(it)
            }

            /// A simulated call as text, its result follows. `input` is JSON.
            fn simulated_call(&self, tool: &str, input: &str) -> String {
                files::simulated_call(tool, input)
            }

            /// Stands in a text where the picture or document number `place` of `name` was; it follows behind the text.
            fn media_follows(&self, name: &str, place: u64) -> String {
                files::media_follows(name, place)
            }

            /// What is said at the end of a reminder about text of this origin; empty says nothing.
            fn trust_note(&self, trust: Trust) -> String {
                history::trust_note(trust)
            }

            /// The context in front of the history.
            fn context(&self, pieces: &[&ContextPiece]) -> String {
                history::context(pieces)
            }

            /// The summary of what a compaction took out of view.
            fn summary(&self, summary: &str) -> String {
                history::summary(summary)
            }

            /// Answers a call of `tool` that was interrupted. Not fenced: it is a tool's result.
            fn interrupted(&self, tool: &str) -> String {
                history::interrupted(tool)
            }

            /// The result of a call of `tool`, answered as interrupted before.
            fn late_result(&self, tool: &str, id: &str, text: &str) -> String {
                history::late_result(tool, id, text)
            }

            /// Stands in a result without any content. Not fenced.
            fn empty_result(&self) -> String {
                history::EMPTY_RESULT.to_owned()
            }

            /// The user's message in front of a history that starts with an answer.
            fn first_message(&self) -> String {
                history::FIRST_MESSAGE.to_owned()
            }
        }

        /// The text of an attachment; empty for the types whose text is made elsewhere.
        pub(crate) fn text_of(wording: &dyn Wording, attachment: &Attachment, names: &ToolNames) -> String {
            match attachment {
                $(Attachment::$variant(it) => wording.$name(it, names),)+
                Attachment::Custom(it) => it.text.clone(),
                _ => String::new(),
            }
        }
    };
}

wording! {
    File(FileAttachment) = file, files;
    AlreadyReadFile(AlreadyReadFile) = already_read_file, files;
    CompactFileReference(CompactFileReference) = compact_file_reference, files;
    PdfReference(PdfReference) = pdf_reference, files;
    Directory(DirectoryAttachment) = directory, files;
    McpResource(McpResource) = mcp_resource, files;
    AgentMention(AgentMention) = agent_mention, catalog;
    SelectedLinesInIde(SelectedLinesInIde) = selected_lines_in_ide, ide;
    OpenedFileInIde(OpenedFileInIde) = opened_file_in_ide, ide;
    Diagnostics(DiagnosticsAttachment) = diagnostics, ide;
    LspDiagnostics(LspDiagnostics) = lsp_diagnostics, ide;
    EditedTextFile(EditedTextFile) = edited_text_file, files;
    EditedImageFile(EditedImageFile) = edited_image_file, files;
    MemoryDelta(MemoryDelta) = memory_delta, memory;
    NestedMemory(NestedMemory) = nested_memory, memory;
    CurrentSessionMemory(CurrentSessionMemory) = current_session_memory, memory;
    SkillListing(SkillListing) = skill_listing, catalog;
    SkillDiscovery(SkillDiscovery) = skill_discovery, catalog;
    DynamicSkill(DynamicSkill) = dynamic_skill, catalog;
    InvokedSkills(InvokedSkills) = invoked_skills, catalog;
    QueuedCommand(QueuedCommand) = queued_command, work;
    AgentPendingMessage(AgentPendingMessage) = agent_pending_message, work;
    DateChange(DateChange) = date_change, modes;
    UltrathinkEffort(UltrathinkEffort) = ultrathink_effort, modes;
    DeferredToolsDelta(DeferredToolsDelta) = deferred_tools_delta, catalog;
    AgentListingDelta(AgentListingDelta) = agent_listing_delta, catalog;
    McpInstructionsDelta(McpInstructionsDelta) = mcp_instructions_delta, catalog;
    PlanMode(PlanMode) = plan_mode, modes;
    PlanModeReentry(PlanModeReentry) = plan_mode_reentry, modes;
    PlanModeExit(PlanModeExit) = plan_mode_exit, modes;
    AutoMode(AutoMode) = auto_mode, modes;
    AutoModeExit(AutoModeExit) = auto_mode_exit, modes;
    TodoReminder(TodoReminder) = todo_reminder, work;
    TaskReminder(TaskReminder) = task_reminder, work;
    VerifyPlanReminder(VerifyPlanReminder) = verify_plan_reminder, work;
    CriticalSystemReminder(CriticalSystemReminder) = critical_system_reminder, modes;
    CompanionIntro(CompanionIntro) = companion_intro, modes;
    OutputStyle(OutputStyle) = output_style, modes;
    TaskStatus(TaskStatus) = task_status, work;
    AsyncHookResponse(AsyncHookResponse) = async_hook_response, hooks;
    HookSuccess(HookSuccess) = hook_success, hooks;
    HookAdditionalContext(HookAdditionalContext) = hook_additional_context, hooks;
    HookBlockingError(HookBlockingError) = hook_blocking_error, hooks;
    HookStoppedContinuation(HookStoppedContinuation) = hook_stopped_continuation, hooks;
    HookNonBlockingError(HookNonBlockingError) = hook_non_blocking_error, hooks;
    HookErrorDuringExecution(HookErrorDuringExecution) = hook_error_during_execution, hooks;
    HookCancelled(HookCancelled) = hook_cancelled, hooks;
    HookSystemMessage(HookSystemMessage) = hook_system_message, hooks;
    HookPermissionDecision(HookPermissionDecision) = hook_permission_decision, hooks;
    TeamContext(TeamContext) = team_context, work;
    TeammateMailbox(TeammateMailbox) = teammate_mailbox, work;
    TeammateShutdownBatch(TeammateShutdownBatch) = teammate_shutdown_batch, work;
    TokenUsage(TokenUsage) = token_usage, budget;
    BudgetUsd(BudgetUsd) = budget_usd, budget;
    OutputTokenUsage(OutputTokenUsage) = output_token_usage, budget;
    CompactionReminder(CompactionReminder) = compaction_reminder, budget;
    ContextEfficiency(ContextEfficiency) = context_efficiency, budget;
    CommandPermissions(CommandPermissions) = command_permissions, budget;
    StructuredOutput(StructuredOutput) = structured_output, budget;
    MaxTurnsReached(MaxTurnsReached) = max_turns_reached, budget;
}

#[cfg(test)]
mod tests {
    use super::*;
    use context_api::DateChange;

    struct Terse;
    impl Wording for Terse {
        fn date_change(&self, it: &DateChange, _: &ToolNames) -> String {
            it.date.to_string()
        }
    }

    #[test]
    fn one_text_can_be_replaced_and_the_others_stay() {
        let names = ToolNames::default();
        let wording: &dyn Wording = &Terse;
        let change = DateChange::default();
        let said = change.date.to_string();
        assert_eq!(text_of(wording, &Attachment::from(change), &names), said);
        assert_eq!(wording.empty_result(), StandardWording.empty_result());
    }
}
