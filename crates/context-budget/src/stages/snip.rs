//! Exchanges that may go.

use context_api::{Decision, EntryKind, HistoryStage, HistoryView, StageBudget, StageOutcome, ViewEdit};

use super::exchange::exchanges;

/// Drops whole exchanges that were marked as droppable, once they are no longer the newest. Announcements that stand in
/// them stay, since nothing would make them again.
#[derive(Debug, Clone, Copy, Default)]
pub struct Snip;

impl HistoryStage for Snip {
    fn name(&self) -> &str {
        "snip"
    }

    fn plan(&self, view: &HistoryView, _: &StageBudget<'_>) -> StageOutcome {
        let mut out = StageOutcome::default();
        if !view.entries.iter().any(|seen| seen.droppable) {
            return out;
        }
        let mut exchanges = exchanges(view);
        exchanges.pop();
        for exchange in exchanges {
            let seen = &view.entries[exchange];
            if !seen.iter().any(|seen| seen.droppable) || seen.iter().any(|seen| seen.pinned) {
                continue;
            }
            let goes = |kind: &EntryKind| match kind {
                EntryKind::Attachment(envelope) => envelope.keys.is_empty(),
                _ => true,
            };
            let gone: Vec<_> = seen.iter().filter(|seen| goes(&seen.entry.kind)).collect();
            let tokens: u64 = gone.iter().map(|seen| seen.tokens).sum();
            let detail = format!(
                "{} entries of an exchange that was marked as droppable ({tokens} tokens).",
                gone.len()
            );
            let entries = gone.iter().map(|seen| seen.entry.uuid).collect();
            out.edits.push(ViewEdit::Drop { entries, reason: "droppable".to_owned() });
            out.decisions.push(Decision::left_out("history", "exchange_snipped", detail));
        }
        out
    }
}
