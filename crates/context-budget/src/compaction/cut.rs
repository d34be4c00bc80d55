//! Where a history is cut.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use context_api::{ContentBlock, EntryKind, HistoryView, SeenEntry};
use uuid::Uuid;

use crate::CompactionLimits;
use crate::stages::exchange::{call_ids, units};

/// What of a history is summarised and what stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Cut {
    /// Entries that stay in view, oldest first.
    pub kept: Vec<Uuid>,
    /// Entries that go out of view, oldest first.
    pub gone: Vec<Uuid>,
    /// The first entry of the newest messages that stay: the summary is about what stands before it. `None`: about all.
    pub from: Option<Uuid>,
    /// Tokens of what stays.
    pub kept_tokens: u64,
    /// Tokens of what goes.
    pub gone_tokens: u64,
}

impl Cut {
    /// Cuts a history for a request of `room` tokens.
    ///
    /// The newest messages stay, within bounds; where all of them would, none does, so that there is something to
    /// summarise. What the model has to answer next always stays: its last calls with their results, and the words that
    /// they serve. So does what is pinned. A call and its result are never parted.
    pub fn of(view: &HistoryView, room: u64, limits: &CompactionLimits) -> Self {
        let units = units(view);
        let open = open_from(view, &units);
        let first = tail_from(view, &units, open, room, limits);
        let mut kept: BTreeSet<usize> = (first..view.entries.len()).collect();
        if open < view.entries.len() {
            kept.extend(view.newest_words());
        }
        for unit in &units {
            if view.entries[unit.clone()].iter().any(|seen| seen.pinned) {
                kept.extend(unit.clone());
            }
        }
        without_orphans(view, &mut kept);
        Self::from_kept(view, &kept, first)
    }

    fn from_kept(view: &HistoryView, kept: &BTreeSet<usize>, first: usize) -> Self {
        let mut cut = Self { from: view.entries.get(first).map(|seen| seen.entry.uuid), ..Self::default() };
        for (place, seen) in view.entries.iter().enumerate() {
            let (uuids, tokens) = match kept.contains(&place) {
                true => (&mut cut.kept, &mut cut.kept_tokens),
                false => (&mut cut.gone, &mut cut.gone_tokens),
            };
            uuids.push(seen.entry.uuid);
            *tokens += seen.tokens;
        }
        cut
    }

    /// The same with everything that came after the history was looked at: it stays too.
    pub fn and_kept(mut self, later: impl IntoIterator<Item = Uuid>) -> Self {
        self.kept.extend(later);
        self
    }
}

/// Place from which on the model has not answered in words: its last calls and their results, or what the user said last.
fn open_from(view: &HistoryView, units: &[Range<usize>]) -> usize {
    let Some(answer) = units.iter().rev().find(|unit| is_answer(&view.entries[unit.start])) else { return 0 };
    let calls = view.entries[answer.clone()].iter().any(|seen| call_ids(&seen.entry).next().is_some());
    if calls { answer.start } else { answer.end }
}

fn is_answer(seen: &SeenEntry) -> bool {
    matches!(seen.entry.kind, EntryKind::Assistant(_))
}

fn has_text(seen: &SeenEntry) -> bool {
    let content = match &seen.entry.kind {
        EntryKind::User(input) => &input.content,
        EntryKind::Assistant(reply) => &reply.content,
        _ => return false,
    };
    content.iter().filter_map(ContentBlock::as_text).any(|text| !text.trim().is_empty())
}

/// Place of the first of the newest messages that stay.
fn tail_from(
    view: &HistoryView,
    units: &[Range<usize>],
    open: usize,
    room: u64,
    limits: &CompactionLimits,
) -> usize {
    let most = limits.kept_most.min(room / limits.kept_divisor.max(1));
    let least = limits.kept_least.min(most / limits.least_divisor.max(1));
    let (mut first, mut tokens, mut texts) = (view.entries.len(), 0, 0);
    for unit in units.iter().rev() {
        let seen = &view.entries[unit.clone()];
        let more: u64 = seen.iter().map(|seen| seen.tokens).sum();
        let needed = unit.start >= open;
        let enough = tokens >= least && texts >= limits.kept_messages;
        if !needed && (enough || tokens + more > most) {
            break;
        }
        (first, tokens) = (unit.start, tokens + more);
        texts += seen.iter().filter(|seen| has_text(seen)).count();
    }
    if first == 0 { open.min(view.entries.len()) } else { first }
}

/// Takes calls without their results and results without their calls out of what stays.
fn without_orphans(view: &HistoryView, kept: &mut BTreeSet<usize>) {
    let calls: HashSet<&str> = kept.iter().flat_map(|&at| call_ids(&view.entries[at].entry)).collect();
    let orphans: Vec<usize> = kept
        .iter()
        .copied()
        .filter(|&at| match &view.entries[at].entry.kind {
            EntryKind::ToolResult(result) => !calls.contains(result.block.tool_use_id.as_str()),
            _ => false,
        })
        .collect();
    orphans.iter().for_each(|at| {
        kept.remove(at);
    });
}

/// The oldest entries that make up `percent` of the tokens, whole units: what a further try leaves out. Never all.
pub fn oldest(view: &HistoryView, percent: u64) -> Vec<Uuid> {
    let wanted = view.tokens() * percent.min(100) / 100;
    let mut tokens = 0;
    let mut gone = Vec::new();
    let units = units(view);
    for unit in units.iter().take(units.len().saturating_sub(1)) {
        if tokens >= wanted {
            break;
        }
        let seen = &view.entries[unit.clone()];
        tokens += seen.iter().map(|seen| seen.tokens).sum::<u64>();
        gone.extend(seen.iter().map(|seen| seen.entry.uuid));
    }
    gone
}
