//! What a request that is too large goes without, the cheapest loss first.

use context_api::{
    Attachment, Decision, EntryKind, HistoryView, SeenEntry, StageOutcome, TokenCounter, ViewEdit,
};

use crate::wording;

/// Kinds of losses, the cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loss {
    Listing,
    File,
    Resource,
    RelevantMemories,
    NestedMemory,
}

const LOSSES: [Loss; 5] =
    [Loss::Listing, Loss::File, Loss::Resource, Loss::RelevantMemories, Loss::NestedMemory];

/// Takes attachments out of a request that is `over` tokens too large, until it fits or nothing is left to take: listings
/// of directories, then files, then resources, then relevant memories, then nested memory; of a kind the largest first. What
/// the model sees in their place names them. Words of a person, input that waited, and the memory in front of the history are never
/// touched.
pub fn lighten(view: &HistoryView, over: u64, counter: &dyn TokenCounter) -> StageOutcome {
    let mut out = StageOutcome::default();
    let mut freed = 0;
    for loss in LOSSES {
        let mut seen: Vec<&SeenEntry> =
            view.entries.iter().filter(|seen| !seen.pinned && loss_of(seen) == Some(loss)).collect();
        seen.sort_by_key(|seen| std::cmp::Reverse(seen.tokens));
        for seen in seen {
            if freed >= over {
                return out;
            }
            let Some((name, text)) = place_of(seen) else { continue };
            let tokens = counter.text(&text);
            if tokens >= seen.tokens {
                continue;
            }
            freed += seen.tokens - tokens;
            out.decisions.push(decision(loss, name, seen.tokens));
            out.edits.push(ViewEdit::Fold { entries: vec![seen.entry.uuid], text });
        }
    }
    out
}

fn attachment(seen: &SeenEntry) -> Option<&Attachment> {
    match &seen.entry.kind {
        EntryKind::Attachment(envelope) => Some(&envelope.attachment),
        _ => None,
    }
}

fn loss_of(seen: &SeenEntry) -> Option<Loss> {
    Some(match attachment(seen)? {
        Attachment::Directory(_) => Loss::Listing,
        Attachment::File(_) => Loss::File,
        Attachment::McpResource(_) => Loss::Resource,
        Attachment::RelevantMemories(_) => Loss::RelevantMemories,
        Attachment::NestedMemory(_) => Loss::NestedMemory,
        _ => return None,
    })
}

/// What stands in the place of an attachment: its name for people, and the text.
fn place_of(seen: &SeenEntry) -> Option<(String, String)> {
    Some(match attachment(seen)? {
        Attachment::Directory(it) => (it.display_path.clone(), wording::listing_left_out(&it.display_path)),
        Attachment::File(it) => (it.display_path.clone(), wording::file_left_out(&it.display_path)),
        Attachment::McpResource(it) => {
            let name = format!("{}:{}", it.server, it.uri);
            let text = wording::resource_left_out(&name);
            (context_text::safe_line(&name).into_owned(), text)
        }
        Attachment::NestedMemory(it) => (it.display_path.clone(), wording::memory_left_out(&it.display_path)),
        Attachment::RelevantMemories(it) => {
            let paths: Vec<String> =
                it.memories.iter().map(|memory| context_text::display_path(&memory.path)).collect();
            ("relevant memories".to_owned(), wording::memory_left_out(&paths.join(", ")))
        }
        _ => return None,
    })
}

fn decision(loss: Loss, name: String, tokens: u64) -> Decision {
    let reason = match loss {
        Loss::Listing => "listing_did_not_fit",
        Loss::File => "file_did_not_fit",
        Loss::Resource => "resource_did_not_fit",
        Loss::RelevantMemories => "memories_did_not_fit",
        Loss::NestedMemory => "memory_did_not_fit",
    };
    let detail =
        format!("The request did not fit the window: these {tokens} tokens are named and not shown.");
    Decision::cut(name, reason, detail)
}
