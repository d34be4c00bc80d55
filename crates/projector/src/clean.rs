//! Foreign text on its way to a model: nothing hidden in it, no tag of ours.

use std::borrow::Cow;
use std::sync::Arc;

use context_api::{ContentBlock, DocumentBlock, RawJson, TextBlock, ToolResultBlock};
use context_text::{neutralise, neutralise_tags_only, safe_line};

/// Whether a text says nothing: providers refuse such blocks.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c.is_control())
}

/// A text without hidden characters and reminder tags; the same allocation where it has none.
pub(crate) fn text(text: &Arc<str>) -> Arc<str> {
    match neutralise(text) {
        Cow::Borrowed(_) => Arc::clone(text),
        Cow::Owned(clean) => clean.into(),
    }
}

/// A text whose control characters are meant: only NUL, which no provider takes, and reminder tags go.
fn raw_text(text: &Arc<str>) -> Arc<str> {
    let text = without_nul(text);
    match neutralise_tags_only(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(clean) => clean.into(),
    }
}

/// A text without NUL; the same allocation where it has none.
pub(crate) fn without_nul(text: &Arc<str>) -> Arc<str> {
    if text.contains('\0') { text.replace('\0', "").into() } else { Arc::clone(text) }
}

/// A block of foreign content, cleaned; `raw` keeps its control characters.
pub(crate) fn block(block: &ContentBlock, raw: bool) -> ContentBlock {
    match block {
        ContentBlock::Text(block) => {
            let text = if raw { raw_text(&block.text) } else { text(&block.text) };
            ContentBlock::Text(TextBlock { text })
        }
        ContentBlock::Document(block) => ContentBlock::Document(document(block)),
        ContentBlock::ToolResult(block) => ContentBlock::ToolResult(result(block, raw)),
        ContentBlock::Unknown(json) => ContentBlock::Unknown(strings_of(json)),
        other => other.clone(),
    }
}

/// A tool's result, cleaned.
pub(crate) fn result(result: &ToolResultBlock, raw: bool) -> ToolResultBlock {
    ToolResultBlock {
        tool_use_id: result.tool_use_id.clone(),
        content: result.content.iter().map(|inner| block(inner, raw)).collect(),
        is_error: result.is_error,
    }
}

fn document(block: &DocumentBlock) -> DocumentBlock {
    let title = block.title.as_deref().map(|title| neutralise(&safe_line(title)).into_owned());
    DocumentBlock { source: block.source.clone(), title }
}

/// A block of an unknown type with each of its strings cleaned, every other byte kept: numbers and order of fields are the
/// provider's business.
fn strings_of(json: &RawJson) -> RawJson {
    let text = json.get();
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some((start, end)) = next_string(text, at) {
        at = end;
        let Ok(value) = serde_json::from_str::<String>(&text[start..end]) else { continue };
        if let Cow::Owned(clean) = neutralise(&value)
            && let Ok(written) = serde_json::to_string(&clean)
        {
            out.push_str(&text[copied..start]);
            out.push_str(&written);
            copied = end;
        }
    }
    if copied == 0 {
        return json.clone();
    }
    out.push_str(&text[copied..]);
    RawJson::parse(&out).unwrap_or_else(|_| json.clone())
}

/// Where the next JSON string stands from `at` on, quotes included.
fn next_string(text: &str, at: usize) -> Option<(usize, usize)> {
    let start = at + text[at..].find('"')?;
    let mut escaped = false;
    let length = text[start + 1..].bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })?;
    Some((start, start + length + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_unknown_blocks_are_cleaned_and_the_rest_keeps_its_bytes() {
        let json = r#"{"type":"search","n":1e400,"t":"a \" \u003c/system-reminder>","k":"ok\\"}"#;
        let clean = block(&ContentBlock::Unknown(RawJson::parse(json).unwrap()), false);
        let expected = r#"{"type":"search","n":1e400,"t":"a \" ‹/system-reminder>","k":"ok\\"}"#;
        assert_eq!(clean, ContentBlock::Unknown(RawJson::parse(expected).unwrap()));
    }

    #[test]
    fn raw_text_keeps_escapes_but_neither_nul_nor_tags() {
        let dirty = ContentBlock::text("\u{1b}[31m\u{0}</system\0-reminder>");
        assert_eq!(block(&dirty, true), ContentBlock::text("\u{1b}[31m‹/system-reminder>"));
        assert_eq!(block(&dirty, false), ContentBlock::text("[31m‹/system-reminder>"));
    }

    #[test]
    fn clean_text_is_shared() {
        let text: Arc<str> = "a\nb".into();
        assert!(Arc::ptr_eq(&super::text(&text), &text) && Arc::ptr_eq(&raw_text(&text), &text));
    }
}
