//! Results that are too large are put aside, their beginning stays.

use context_api::{
    BlobKey, BlobKind, ContentBlock, Decision, EntryKind, HistoryStage, HistoryView, PlannedBlob, SeenResult,
    StageBudget, StageOutcome, ToolResultBlock, ViewEdit,
};
use context_text::{content_hash, cut_bytes, display_path};

use crate::{StageLimits, wording};

/// Puts aside results over a size, and the largest of a message whose results are too much together.
///
/// What was put aside stays so: the edit is recorded. Pictures in a result stay in their places.
#[derive(Debug, Clone, Default)]
pub struct ResultBudget {
    limits: StageLimits,
}

/// A result that may be put aside.
struct Candidate<'a> {
    seen: SeenResult<'a>,
    block: &'a ToolResultBlock,
    chars: usize,
}

/// What is looked at of a result before its characters are counted: bytes, which are no fewer.
type Bytes<'a> = (SeenResult<'a>, &'a ToolResultBlock, usize);

impl ResultBudget {
    /// With these limits.
    pub fn new(limits: StageLimits) -> Self {
        Self { limits }
    }

    /// Results of each message that may be too much, which are those that follow one answer.
    fn messages<'a>(&self, view: &'a HistoryView) -> Vec<Vec<Candidate<'a>>> {
        let mut messages = Vec::new();
        let (mut message, mut last) = (Vec::<Bytes<'a>>::new(), None);
        for seen in view.results() {
            let EntryKind::ToolResult(result) = &view.entries[seen.place].entry.kind else { continue };
            if last.is_none_or(|last| last + 1 != seen.place) {
                messages.extend(self.candidates(&message));
                message.clear();
            }
            last = Some(seen.place);
            let bytes = texts(&result.block).map(str::len).sum();
            if seen.replaced.is_none() && !is_replaced(view, &seen) {
                message.push((seen, &result.block, bytes));
            }
        }
        messages.extend(self.candidates(&message));
        messages
    }

    /// The results of one message, unless all of them are small.
    fn candidates<'a>(&self, message: &[Bytes<'a>]) -> Option<Vec<Candidate<'a>>> {
        let sum: usize = message.iter().map(|(.., bytes)| bytes).sum();
        let largest = message.iter().map(|(.., bytes)| *bytes).max().unwrap_or_default();
        if sum <= self.limits.message_chars && largest <= self.limits.result_chars {
            return None;
        }
        let counted = |(seen, block, _): &Bytes<'a>| Candidate { seen: *seen, block, chars: chars(block) };
        Some(message.iter().map(counted).collect())
    }

    fn put_aside(
        &self,
        candidate: &Candidate<'_>,
        view: &HistoryView,
        budget: &StageBudget<'_>,
        out: &mut StageOutcome,
    ) {
        let Candidate { seen, block, .. } = candidate;
        let texts = block.content.iter().enumerate().filter_map(|(at, inner)| Some((at, inner.as_text()?)));
        let only_text = block.content.iter().all(|inner| inner.as_text().is_some());
        let uuid = view.entries[seen.place].entry.uuid;
        if only_text {
            let text = texts.map(|(_, text)| text).collect::<Vec<_>>().join("\n");
            let shown = self.kept(&text, budget, out);
            if budget.counter.text(&shown) < seen.tokens {
                let (tool_use_id, reason) = (seen.id.to_owned(), REASON.to_owned());
                out.edits.push(ViewEdit::ReplaceResult { tool_use_id, text: shown, reason });
                out.decisions.push(decision(seen, text.len()));
            }
            return;
        }
        for (at, text) in texts.filter(|(_, text)| text.len() > self.limits.preview_bytes * 2) {
            let shown = self.kept(text, budget, out);
            let reason = REASON.to_owned();
            out.edits.push(ViewEdit::ReplaceBlock { entry: uuid, block: at, text: shown, reason });
            out.decisions.push(decision(seen, text.len()));
        }
    }

    /// What stays of a text; the whole is put aside where there is a place for it.
    fn kept(&self, text: &str, budget: &StageBudget<'_>, out: &mut StageOutcome) -> String {
        let key = BlobKey::default()
            .kind(BlobKind::ToolResult)
            .name(content_hash(text.as_bytes()))
            .extension("txt");
        let path = budget.blobs.and_then(|path| path(&key)).map(|path| display_path(&path));
        if path.is_some() {
            out.blobs.push(PlannedBlob { key, bytes: text.as_bytes().into() });
        }
        wording::put_aside(text.len(), path.as_deref(), cut_bytes(text, self.limits.preview_bytes).trim_end())
    }
}

/// Why the edits are there.
const REASON: &str = "result_put_aside";

impl HistoryStage for ResultBudget {
    fn name(&self) -> &str {
        "result_budget"
    }

    fn plan(&self, view: &HistoryView, budget: &StageBudget<'_>) -> StageOutcome {
        let mut out = StageOutcome::default();
        for mut message in self.messages(view) {
            let mut sum: usize = message.iter().map(|candidate| candidate.chars).sum();
            message.retain(|candidate| !candidate.seen.pinned && candidate.chars > 0);
            // The largest first; among equals the earlier.
            message.sort_by_key(|candidate| std::cmp::Reverse(candidate.chars));
            for candidate in &message {
                let is_read = candidate.seen.tool == budget.tools.read;
                let alone = candidate.chars > self.limits.result_chars && !is_read;
                let together =
                    sum > self.limits.message_chars && candidate.chars > self.limits.preview_bytes * 2;
                if alone || together {
                    sum -= candidate.chars;
                    self.put_aside(candidate, view, budget, &mut out);
                }
            }
        }
        out
    }
}

fn is_replaced(view: &HistoryView, seen: &SeenResult<'_>) -> bool {
    let entry = &view.entries[seen.place].entry;
    let EntryKind::ToolResult(result) = &entry.kind else { return false };
    (0..result.block.content.len()).any(|at| view.is_replaced(entry.uuid, at))
}

fn texts(block: &ToolResultBlock) -> impl Iterator<Item = &str> {
    block.content.iter().filter_map(ContentBlock::as_text)
}

fn chars(block: &ToolResultBlock) -> usize {
    texts(block).map(|text| text.chars().count()).sum()
}

fn decision(seen: &SeenResult<'_>, bytes: usize) -> Decision {
    let detail = "The result is too large: its beginning is shown, and where the whole lies.";
    Decision::cut(format!("result of {}", seen.tool), REASON, detail).bytes(bytes as u64)
}
