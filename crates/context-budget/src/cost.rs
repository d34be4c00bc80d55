//! What one block costs.

use context_api::{ContentBlock, TokenCounter};

use crate::row::Share;
use crate::{Limits, media};

/// Tokens and bytes of a block.
pub(crate) fn share(content: &ContentBlock, counter: &dyn TokenCounter, limits: &Limits) -> Share<'static> {
    let text = |text: &str| Share::new(counter.text(text), text.len());
    match content {
        ContentBlock::Text(block) => text(&block.text),
        ContentBlock::ToolUse(block) => call(&block.name, block.input.get(), counter),
        ContentBlock::ToolResult(result) => {
            let inner = result.content.iter().map(|inner| share(inner, counter, limits));
            inner.fold(Share::new(0, 0), |sum, share| Share {
                tokens: sum.tokens + share.tokens,
                bytes: sum.bytes + share.bytes,
                source: None,
            })
        }
        ContentBlock::Image(block) => {
            let tokens = media::image(&block.source, counter, limits);
            Share { tokens, bytes: media::bytes(&block.source), source: None }
        }
        ContentBlock::Document(block) => {
            let tokens = media::document(&block.source, counter, limits);
            Share { tokens, bytes: media::bytes(&block.source), source: None }
        }
        ContentBlock::Thinking(block) => text(&block.thinking),
        ContentBlock::RedactedThinking(block) => text(&block.data),
        ContentBlock::Unknown(raw) => text(raw.get()),
        _ => Share::new(0, 0),
    }
}

/// Tokens and bytes of a call.
pub(crate) fn call(name: &str, input: &str, counter: &dyn TokenCounter) -> Share<'static> {
    Share::new(counter.text(name) + counter.text(input), name.len() + input.len())
}
