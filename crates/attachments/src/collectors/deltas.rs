//! What the host's catalog holds, announced as it changes.

mod agents;
mod limits;
mod mcp;
mod output_style;
mod tools;

use context_api::{AnnouncedItem, CollectError, Decision, Outbox, Source};
use context_text::{cut_chars, safe_line};

use crate::delta::{DeltaItem, Now};

pub use agents::AgentListing;
pub use limits::DeltaLimits;
pub use mcp::McpInstructions;
pub use output_style::OutputStyleSource;
pub use tools::DeferredTools;

/// The list of a source, or why there is none.
fn list<T>(source: &Source<T>) -> Result<&[T], Now<'_>> {
    match source {
        Source::NotReported => Err(Now::NotReported),
        Source::Unavailable(why) => Err(Now::Unavailable(why.into())),
        Source::Ready(items) => Ok(items),
    }
}

/// An item with its text cut to `chars` characters; a cut is a decision.
fn announced(item: &DeltaItem<'_>, chars: usize, out: &Outbox) -> Result<AnnouncedItem, CollectError> {
    let text = item.text.trim();
    let shown = cut_chars(text, chars);
    let named = AnnouncedItem::default().name(&*item.name);
    if shown.len() == text.len() {
        return Ok(named.text(text));
    }
    let detail = format!("Only the first {chars} characters of its text are announced.");
    let left = u64::try_from(text.len() - shown.len()).unwrap_or(u64::MAX);
    out.decide(Decision::cut(safe_line(&item.name), "text_too_long", detail).bytes(left))?;
    Ok(named.text(format!("{}…", shown.trim_end())))
}

/// All items, each with its text cut.
fn all_announced(
    items: &[DeltaItem<'_>],
    chars: usize,
    out: &Outbox,
) -> Result<Vec<AnnouncedItem>, CollectError> {
    items.iter().map(|item| announced(item, chars, out)).collect()
}
