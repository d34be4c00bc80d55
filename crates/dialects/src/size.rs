//! How large a body will be, nearly.

use context_api::{ContentBlock, MediaSource, ModelRequest};

/// Bytes of a block's frame.
const FRAME: usize = 96;

/// Bytes that an escape makes of one at most: `\u0000`.
const ESCAPED: usize = 6;

/// Bytes that no body of a request has more of, the names of the model and of tools counted.
pub(crate) fn most_bytes(request: &ModelRequest) -> u64 {
    let names = request.tools.iter().map(|tool| tool.name.len()).sum::<usize>() + request.model.len();
    (size_hint(request).saturating_add(names + FRAME)).saturating_mul(ESCAPED) as u64
}

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
        ContentBlock::Document(block) => {
            of_source(&block.source) + block.title.as_ref().map_or(0, |title| title.len())
        }
        ContentBlock::ToolUse(call) => call.input.get().len() + call.id.len() + call.name.len(),
        ContentBlock::ToolResult(result) => {
            result.content.iter().map(|inner| of_block(inner) + FRAME).sum::<usize>()
                + result.tool_use_id.len()
                + FRAME
        }
        ContentBlock::Thinking(block) => block.thinking.len() + block.signature.len(),
        ContentBlock::RedactedThinking(block) => block.data.len(),
        ContentBlock::Unknown(raw) => raw.get().len(),
        _ => 0,
    }
}

fn of_source(source: &MediaSource) -> usize {
    match source {
        MediaSource::Base64 { media_type, data } => media_type.len() + data.len(),
        MediaSource::Url { url } => url.len(),
        MediaSource::Blob { id, .. } => id.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use context_api::{Dialect, ModelBlock, ModelMessage, Role, SystemBlock};

    #[test]
    fn no_body_is_longer_than_the_most_that_is_expected() {
        let text = "\u{1}".repeat(5_000);
        let mut request = ModelRequest::default();
        (request.model, request.max_tokens) = ("m".repeat(500), 1);
        request.system = vec![SystemBlock { text: text.clone(), cache: None, parts: Vec::new() }];
        let block = ModelBlock::plain(ContentBlock::text(text));
        request.messages = vec![ModelMessage::new(Role::User, vec![block.clone(), block]).into()];
        let body = crate::Anthropic::default().encode(&request).unwrap().body;
        let most = most_bytes(&request);
        assert!((body.len() as u64..2 * body.len() as u64).contains(&most), "{} {most}", body.len());
    }
}
