//! What a summarizer is asked.

use std::sync::Arc;

use context_api::{ContentBlock, ModelBlock, ModelMessage};

use crate::wording;

/// The task behind the history: our words, and the user's own instructions.
pub fn summary_task(instructions: &str, max_tokens: u64) -> String {
    wording::summary_task(instructions, max_tokens)
}

/// The same messages with pictures and documents replaced by markers. A message without any is shared.
pub fn without_media(messages: &[Arc<ModelMessage>]) -> Vec<Arc<ModelMessage>> {
    messages
        .iter()
        .map(|message| if has_media(message) { Arc::new(marked(message)) } else { Arc::clone(message) })
        .collect()
}

fn has_media(message: &ModelMessage) -> bool {
    message.blocks.iter().any(|block| match &block.content {
        ContentBlock::ToolResult(result) => result.content.iter().any(is_media),
        content => is_media(content),
    })
}

fn is_media(content: &ContentBlock) -> bool {
    matches!(content, ContentBlock::Image(_) | ContentBlock::Document(_))
}

fn marked(message: &ModelMessage) -> ModelMessage {
    let blocks = message.blocks.iter().map(|block| {
        let content = match &block.content {
            ContentBlock::ToolResult(result) => {
                let mut result = result.clone();
                result.content = result.content.iter().map(marker).collect();
                ContentBlock::ToolResult(result)
            }
            content => marker(content),
        };
        ModelBlock { content, ..block.clone() }
    });
    ModelMessage::new(message.role, blocks.collect())
}

fn marker(content: &ContentBlock) -> ContentBlock {
    match content {
        ContentBlock::Image(_) => ContentBlock::text(wording::PICTURE),
        ContentBlock::Document(_) => ContentBlock::text(wording::DOCUMENT),
        other => other.clone(),
    }
}
