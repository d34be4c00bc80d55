//! Files that stand in a history more than once.

use std::collections::HashSet;
use std::path::Path;

use context_api::{
    Attachment, Decision, EntryKind, FileContent, HistoryStage, HistoryView, LineSpan, SeenEntry,
    StageBudget, StageOutcome, StateChange, ViewEdit,
};
use context_text::display_path;

use crate::{StageLimits, wording};

/// Replaces a file's content that comes again unchanged by a pointer to the later one.
#[derive(Debug, Clone, Default)]
pub struct Duplicates {
    limits: StageLimits,
}

impl Duplicates {
    /// With these limits.
    pub fn new(limits: StageLimits) -> Self {
        Self { limits }
    }
}

/// Why the edits are there.
const REASON: &str = "shown_again_later";

/// What makes two contents the same.
type Content<'a> = (&'a Path, &'a str, Lines);

/// Lines of a file; `None` is all of it.
type Lines = Option<(u64, Option<u64>)>;

impl HistoryStage for Duplicates {
    fn name(&self) -> &str {
        "duplicates"
    }

    fn plan(&self, view: &HistoryView, budget: &StageBudget<'_>) -> StageOutcome {
        let mut later: HashSet<Content<'_>> = HashSet::new();
        let mut out = StageOutcome::default();
        let mut freed = 0;
        for seen in view.entries.iter().rev() {
            let Some(content) = content(view, seen, &budget.tools.read) else { continue };
            if later.insert(content) || seen.pinned {
                continue;
            }
            let path = display_path(content.0);
            let text = wording::repeated(&path);
            let tokens = budget.counter.text(&text);
            if tokens >= seen.tokens {
                continue;
            }
            freed += seen.tokens - tokens;
            out.edits.push(edit(seen, text));
            out.decisions.push(Decision::left_out(path, REASON, "The same content stands further down."));
        }
        if freed < self.limits.repeated_tokens.max(1) {
            return StageOutcome::default();
        }
        out.edits.reverse();
        out.decisions.reverse();
        out
    }
}

fn edit(seen: &SeenEntry, text: String) -> ViewEdit {
    let reason = REASON.to_owned();
    match &seen.entry.kind {
        EntryKind::ToolResult(result) => {
            ViewEdit::ReplaceResult { tool_use_id: result.block.tool_use_id.clone(), text, reason }
        }
        _ => ViewEdit::ReplaceBlock { entry: seen.entry.uuid, block: 0, text, reason },
    }
}

/// The one file whose text an entry shows as it was read, where it is still shown.
fn content<'a>(view: &HistoryView, seen: &'a SeenEntry, read: &str) -> Option<Content<'a>> {
    match &seen.entry.kind {
        EntryKind::ToolResult(result) => {
            let id = result.block.tool_use_id.as_str();
            let shown = view.replaced(id).is_none();
            let [StateChange::Put(state)] = result.states.as_slice() else { return None };
            let is_read = view.tool(id) == read && !result.block.is_error;
            (shown && is_read).then_some((state.path.as_path(), state.hash.as_str(), lines(state.lines)))
        }
        EntryKind::Attachment(envelope) => match &envelope.attachment {
            Attachment::File(file) if matches!(file.content, FileContent::Text(_)) => {
                let shown = !view.is_replaced(seen.entry.uuid, 0);
                shown.then_some((file.path.as_path(), file.hash.as_str(), lines(file.lines)))
            }
            _ => None,
        },
        _ => None,
    }
}

fn lines(span: Option<LineSpan>) -> Lines {
    span.map(|span| (span.start, span.end))
}
