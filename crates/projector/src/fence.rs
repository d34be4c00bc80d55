//! What the engine itself says: meta blocks, and the reminder around them.

use context_api::{ContentBlock, ModelBlock, ModelMessage, Role};
use context_text::neutralise;

const OPEN: &str = "<system-reminder>";
const CLOSE: &str = "</system-reminder>";

/// A reminder around `text`. Everything inside is neutralised here, once and for every type, so that no text of any origin
/// and no wording can close or open one.
pub(crate) fn reminder(text: &str) -> ContentBlock {
    ContentBlock::text(format!("{OPEN}\n{}\n{CLOSE}", neutralise(text.trim_end())))
}

/// A meta message of one reminder; none for a text that says nothing.
pub(crate) fn message(text: &str) -> Option<ModelMessage> {
    (!crate::clean::is_blank(text)).then(|| of_blocks(vec![reminder(text)]))
}

/// A meta user message of the given blocks.
pub(crate) fn of_blocks(blocks: Vec<ContentBlock>) -> ModelMessage {
    ModelMessage::new(Role::User, blocks.into_iter().map(ModelBlock::meta).collect())
}
