//! Requests to encode.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use context_api::{
    CacheMark, ContentBlock, MediaSource, ModelBlock, ModelMessage, ModelRequest, RawJson, RequestTool, Role,
    SystemBlock, ThinkingBlock, ToolResultBlock,
};
use uuid::Uuid;

pub(crate) fn request(messages: Vec<ModelMessage>) -> ModelRequest {
    let mut request = ModelRequest::default();
    request.model = "some-model".to_owned();
    request.max_tokens = 4096;
    request.messages = messages.into_iter().map(Arc::new).collect();
    request
}

pub(crate) fn user(blocks: Vec<ContentBlock>) -> ModelMessage {
    ModelMessage::new(Role::User, blocks.into_iter().map(ModelBlock::plain).collect())
}

pub(crate) fn assistant(blocks: Vec<ContentBlock>) -> ModelMessage {
    ModelMessage::new(Role::Assistant, blocks.into_iter().map(ModelBlock::plain).collect())
}

pub(crate) fn from_entry(entry: u128, mut message: ModelMessage) -> ModelMessage {
    for block in &mut message.blocks {
        block.source = Some(Uuid::from_u128(entry));
    }
    message
}

pub(crate) fn text(text: &str) -> ContentBlock {
    ContentBlock::text(text)
}

pub(crate) fn json(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

pub(crate) fn call(id: &str) -> ContentBlock {
    ContentBlock::tool_use(id, "Read", json(r#"{"file_path":"/p/a"}"#))
}

/// A PNG of a size and nothing else: a header is all that anybody looks at.
pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend(b"\x08\x02\0\0\0\0\0\0\0");
    bytes
}

pub(crate) fn image(bytes: &[u8]) -> ContentBlock {
    ContentBlock::image("image/png", STANDARD.encode(bytes))
}

pub(crate) fn document(media_type: &str, bytes: &[u8]) -> ContentBlock {
    let source = MediaSource::Base64 { media_type: media_type.into(), data: STANDARD.encode(bytes).into() };
    ContentBlock::Document(context_api::DocumentBlock { source, title: Some("a \"title\"".into()) })
}

/// As many bytes as a PDF of `pages` pages shows.
pub(crate) fn pdf(pages: usize) -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n<< /Type /Pages /Count 1 >>\n".to_vec();
    bytes.extend(b"<< /Type /Page >>\n".repeat(pages));
    bytes
}

/// One request with every kind of block.
pub(crate) fn everything() -> ModelRequest {
    let mut messages = vec![
        user(vec![text("look"), image(&png(1, 1)), document("application/pdf", &pdf(1))]),
        assistant(vec![
            ContentBlock::Thinking(ThinkingBlock { thinking: "hm".into(), signature: "s".into() }),
            text("I read."),
            ContentBlock::tool_use("t1", "Read", json(r#"{"b": 1.50, "a":"\ud83d \ud83d\udd25"}"#)),
            call("t2"),
        ]),
        user(vec![
            ContentBlock::tool_result("t1", "1\tone\n2\t\"two\""),
            ContentBlock::ToolResult(ToolResultBlock {
                tool_use_id: "t2".into(),
                content: vec![],
                is_error: true,
            }),
            document("text/markdown", "# é".as_bytes()),
        ]),
    ];
    messages[2].blocks[2].cache = Some(CacheMark::Session);
    let mut request = request(messages);
    request.thinking = Some(1024);
    request.system = vec![
        SystemBlock { text: "global".into(), cache: Some(CacheMark::Global), parts: vec![] },
        SystemBlock { text: "volatile".into(), cache: None, parts: vec![] },
    ];
    request.tools = vec![RequestTool {
        name: "Read".into(),
        description: "Reads\ta file".into(),
        input_schema: json(r#"{"type":"object", "properties":{}}"#),
        ..RequestTool::default()
    }];
    request
}
