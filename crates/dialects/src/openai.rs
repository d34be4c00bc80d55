//! What the two APIs of OpenAI have in common.

mod limits;

use context_api::{ContentBlock, MediaSource, ModelRequest};

pub use limits::OpenAiLimits;

/// The system prompt as one text.
pub(crate) fn instructions(request: &ModelRequest) -> String {
    request.system.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n\n")
}

/// The text of a document of text.
pub(crate) fn document_text(source: &MediaSource) -> Option<String> {
    let MediaSource::Base64 { media_type, data } = source else { return None };
    if !media_type.starts_with("text/") {
        return None;
    }
    crate::media::decode(data).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a block is no thinking.
pub(crate) fn no_thinking(content: &ContentBlock) -> bool {
    !matches!(content, ContentBlock::Thinking(_) | ContentBlock::RedactedThinking(_))
}
