//! Texts about limits of use.

use context_api::{
    BudgetUsd, CommandPermissions, CompactionReminder, ContextEfficiency, MaxTurnsReached, OutputTokenUsage,
    StructuredOutput, TokenUsage, ToolNames,
};

use super::line::{count, row};

pub(super) fn token_usage(it: &TokenUsage, _: &ToolNames) -> String {
    format!("Tokens of this session: {} of {} used, {} left.", it.used, it.total, it.remaining)
}

pub(super) fn budget_usd(it: &BudgetUsd, _: &ToolNames) -> String {
    let (used, total, left) = (it.used, it.total, it.remaining);
    format!("Cost of this session: ${used:.2} of ${total:.2} spent, ${left:.2} left.")
}

pub(super) fn output_token_usage(it: &OutputTokenUsage, _: &ToolNames) -> String {
    let (turn, session, budget) = (it.turn, it.session, it.budget);
    format!("Output tokens: {turn} in this turn, {session} in the session, {budget} allowed.")
}

pub(super) fn compaction_reminder(it: &CompactionReminder, _: &ToolNames) -> String {
    format!(
        "The context holds {} tokens; at {} the older part will be summarised. Nothing has to be hurried for it: the work goes \
         on afterwards. Write down now what must not be lost.",
        it.used, it.threshold
    )
}

pub(super) fn context_efficiency(it: &ContextEfficiency, _: &ToolNames) -> String {
    format!(
        "The context grew by {} tokens to {}, of which {} are old results of tools. Read parts instead of whole files, and \
         search with narrow patterns where that is enough.",
        it.grown, it.used, it.old_results
    )
}

pub(super) fn command_permissions(it: &CommandPermissions, _: &ToolNames) -> String {
    if it.tools.is_empty() { String::new() } else { format!("The command may use: {}", row(&it.tools)) }
}

pub(super) fn structured_output(it: &StructuredOutput, _: &ToolNames) -> String {
    format!("The answer of this run: {}", it.value.get())
}

pub(super) fn max_turns_reached(it: &MaxTurnsReached, _: &ToolNames) -> String {
    format!("The run ends here: it took {}, and {} are allowed.", count(it.turns, "turn"), it.max_turns)
}
