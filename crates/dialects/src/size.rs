//! How large a body will be, nearly.

use context_api::{ContentBlock, MediaSource, ModelRequest};

/// Bytes of a block's frame.
const FRAME: usize = 96;

/// Bytes to set aside for a body, so that it is not copied as it grows. Text with few escapes fits.
pub(crate) fn size_hint(request: &ModelRequest) -> usize {
    let system: usize = request.system.iter().map(|block| block.text.len() + FRAME).sum();
    let tools = request.tools.iter();
    let tools: usize = tools.map(|tool| tool.description.len() + tool.input_schema.get().len() + FRAME).sum();
    let blocks = request.messages.iter().flat_map(|message| &message.blocks);
    let messages: usize = blocks.map(|block| of_block(&block.content) + FRAME).sum();
    let text = system + tools + messages;
    text + text / 16
}

fn of_block(block: &ContentBlock) -> usize {
    match block {
        ContentBlock::Text(block) => block.text.len(),
        ContentBlock::Image(block) => of_source(&block.source),
        ContentBlock::Document(block) => of_source(&block.source),
        ContentBlock::ToolUse(call) => call.input.get().len() + call.id.len() + call.name.len(),
        ContentBlock::ToolResult(result) => {
            result.content.iter().map(|inner| of_block(inner) + FRAME).sum::<usize>() + FRAME
        }
        ContentBlock::Thinking(block) => block.thinking.len() + block.signature.len(),
        ContentBlock::RedactedThinking(block) => block.data.len(),
        ContentBlock::Unknown(raw) => raw.get().len(),
        _ => 0,
    }
}

fn of_source(source: &MediaSource) -> usize {
    match source {
        MediaSource::Base64 { data, .. } => data.len(),
        MediaSource::Url { url } => url.len(),
        MediaSource::Blob { id, .. } => id.len(),
    }
}
