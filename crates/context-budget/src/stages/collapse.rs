//! Runs of calls that only looked.

use std::ops::Range;

use context_api::{
    ContentBlock, Decision, EntryKind, HistoryStage, HistoryView, StageBudget, StageOutcome, StateChange,
    ToolNames, ViewEdit,
};
use context_text::display_path;

use super::exchange::{call_ids, units};
use crate::{StageLimits, wording};

/// Folds runs of calls that only looked into one line, once the room is mostly taken. The entries stay: unfolding brings
/// them back.
#[derive(Debug, Clone, Default)]
pub struct Collapse {
    limits: StageLimits,
}

impl Collapse {
    /// With these limits.
    pub fn new(limits: StageLimits) -> Self {
        Self { limits }
    }

    /// Runs of neighbouring units that only looked.
    fn runs(&self, view: &HistoryView, names: &ToolNames) -> Vec<Range<usize>> {
        let mut units = units(view);
        let answers =
            units.iter().rev().filter(|unit| is_answer(view, unit)).take(self.limits.newest_answers);
        let newest = answers.last().map_or(0, |unit| unit.start);
        units.retain(|unit| unit.end <= newest);
        let mut runs: Vec<Range<usize>> = Vec::new();
        for unit in units.into_iter().filter(|unit| only_looked(view, unit, names)) {
            match runs.last_mut() {
                Some(run) if run.end == unit.start => run.end = unit.end,
                _ => runs.push(unit),
            }
        }
        runs.retain(|run| calls(view, run).count() >= self.limits.run_calls);
        runs
    }

    fn line(&self, view: &HistoryView, run: &Range<usize>) -> String {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for id in calls(view, run) {
            let tool = view.tool(id);
            match counts.iter_mut().find(|(name, _)| name == tool) {
                Some((_, count)) => *count += 1,
                None => counts.push((tool.to_owned(), 1)),
            }
        }
        let mut files = files(view, run);
        let more = files.len().saturating_sub(self.limits.named_files);
        files.truncate(self.limits.named_files);
        wording::looked(&counts, &files, more)
    }
}

impl HistoryStage for Collapse {
    fn name(&self) -> &str {
        "collapse"
    }

    fn plan(&self, view: &HistoryView, budget: &StageBudget<'_>) -> StageOutcome {
        let mut out = StageOutcome::default();
        if budget.used * 100 < budget.room * self.limits.collapse_percent {
            return out;
        }
        for run in self.runs(view, budget.tools) {
            let text = self.line(view, &run);
            let seen = &view.entries[run.clone()];
            let tokens: u64 = seen.iter().map(|seen| seen.tokens).sum();
            if budget.counter.text(&text) >= tokens {
                continue;
            }
            let detail = format!(
                "{} calls that only looked ({tokens} tokens) are one line now.",
                calls(view, &run).count()
            );
            out.edits
                .push(ViewEdit::Fold { entries: seen.iter().map(|seen| seen.entry.uuid).collect(), text });
            out.decisions.push(Decision::cut("history", "calls_folded", detail));
        }
        out
    }
}

fn is_answer(view: &HistoryView, unit: &Range<usize>) -> bool {
    matches!(view.entries[unit.start].entry.kind, EntryKind::Assistant(_))
}

fn calls<'a>(view: &'a HistoryView, run: &Range<usize>) -> impl Iterator<Item = &'a str> {
    view.entries[run.clone()].iter().flat_map(|seen| call_ids(&seen.entry))
}

/// An answer of nothing but calls of tools that look, each with its result, none of them pinned.
fn only_looked(view: &HistoryView, unit: &Range<usize>, names: &ToolNames) -> bool {
    let seen = &view.entries[unit.clone()];
    let looks = [&names.read, &names.list, &names.search, &names.find];
    let answer = |block: &ContentBlock| match block {
        ContentBlock::ToolUse(call) => looks.contains(&&call.name),
        ContentBlock::Thinking(_) | ContentBlock::RedactedThinking(_) => true,
        _ => false,
    };
    let fits = |kind: &EntryKind| match kind {
        EntryKind::Assistant(reply) => reply.content.iter().all(answer),
        EntryKind::ToolResult(_) => true,
        _ => false,
    };
    is_answer(view, unit)
        && seen.iter().all(|seen| !seen.pinned && fits(&seen.entry.kind))
        && seen.iter().filter(|seen| matches!(seen.entry.kind, EntryKind::ToolResult(_))).count()
            == calls(view, unit).count()
}

/// Files that the results show, each once, in order.
fn files(view: &HistoryView, run: &Range<usize>) -> Vec<String> {
    let mut files = Vec::new();
    for seen in &view.entries[run.clone()] {
        let EntryKind::ToolResult(result) = &seen.entry.kind else { continue };
        for change in &result.states {
            let StateChange::Put(state) = change else { continue };
            let path = display_path(&state.path);
            if !files.contains(&path) {
                files.push(path);
            }
        }
    }
    files
}
