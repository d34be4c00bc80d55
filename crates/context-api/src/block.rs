//! Content blocks: what a message is made of.

use std::sync::Arc;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::RawJson;
use crate::json::{Part, read_tagged};

/// One block of a message.
///
/// In JSON each carries a `type` in snake case, with the field names of the Anthropic Messages API; an unknown type
/// survives a round trip unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContentBlock {
    /// Plain text.
    Text(TextBlock),
    /// A picture.
    Image(ImageBlock),
    /// A document, such as a PDF.
    Document(DocumentBlock),
    /// The model calls a tool.
    ToolUse(ToolUseBlock),
    /// What a tool answered.
    ToolResult(ToolResultBlock),
    /// The model's own thinking, signed by the provider.
    Thinking(ThinkingBlock),
    /// Thinking that the provider shows to nobody.
    RedactedThinking(RedactedThinkingBlock),
    /// A block of a type that this version does not know.
    Unknown(RawJson),
}

/// Plain text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextBlock {
    /// The text.
    pub text: Arc<str>,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImageBlock {
    /// Its bytes.
    pub source: MediaSource,
}

/// A document, such as a PDF.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocumentBlock {
    /// Its bytes.
    pub source: MediaSource,
    /// A name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// Bytes of a picture or document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MediaSource {
    /// The bytes themselves.
    Base64 {
        /// Such as `image/png`.
        media_type: String,
        /// Standard base64 with padding.
        data: Arc<str>,
    },
    /// An address that the provider fetches.
    Url {
        /// The address.
        url: String,
    },
    /// A blob of the session (see the transcript).
    Blob {
        /// Such as `image/png`.
        media_type: String,
        /// Name of the blob.
        id: String,
    },
}

/// The model calls a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolUseBlock {
    /// The call's id, which its result repeats.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them.
    pub input: RawJson,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolResultBlock {
    /// The id of the call.
    pub tool_use_id: String,
    /// Text, image and document blocks.
    #[serde(default, deserialize_with = "text_or_blocks")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::TextOrBlocks"))]
    pub content: Vec<ContentBlock>,
    /// Whether the tool failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

/// The model's own thinking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThinkingBlock {
    /// The text.
    pub thinking: Arc<str>,
    /// The provider's signature over it.
    #[serde(default)]
    pub signature: String,
}

/// Thinking that the provider shows to nobody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RedactedThinkingBlock {
    /// What has to be sent back.
    pub data: String,
}

impl ContentBlock {
    /// A text block.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(TextBlock { text: text.into() })
    }

    /// A picture given as base64.
    pub fn image(media_type: impl Into<String>, data: impl Into<Arc<str>>) -> Self {
        Self::Image(ImageBlock {
            source: MediaSource::Base64 { media_type: media_type.into(), data: data.into() },
        })
    }

    /// A call of a tool.
    pub fn tool_use(id: impl Into<String>, name: impl Into<String>, input: RawJson) -> Self {
        Self::ToolUse(ToolUseBlock { id: id.into(), name: name.into(), input })
    }

    /// A successful result of one text.
    pub fn tool_result(tool_use_id: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self::ToolResult(ToolResultBlock {
            tool_use_id: tool_use_id.into(),
            content: vec![Self::text(text)],
            is_error: false,
        })
    }

    /// The text, where it is a text block.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(block) => Some(&block.text),
            _ => None,
        }
    }

    /// The tag in JSON, `None` for an unknown type.
    pub fn tag(&self) -> Option<&'static str> {
        Some(match self {
            Self::Text(_) => "text",
            Self::Image(_) => "image",
            Self::Document(_) => "document",
            Self::ToolUse(_) => "tool_use",
            Self::ToolResult(_) => "tool_result",
            Self::Thinking(_) => "thinking",
            Self::RedactedThinking(_) => "redacted_thinking",
            Self::Unknown(_) => return None,
        })
    }
}

impl Serialize for ContentBlock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tag = self.tag().unwrap_or_default();
        match self {
            Self::Unknown(raw) => raw.serialize(serializer),
            Self::Text(block) => {
                let mut out = serializer.serialize_struct("Text", 2)?;
                out.serialize_field("type", tag)?;
                out.serialize_field("text", &block.text)?;
                out.end()
            }
            Self::Image(block) => Tagged { tag, payload: block }.serialize(serializer),
            Self::Document(block) => Tagged { tag, payload: block }.serialize(serializer),
            Self::ToolUse(block) => Tagged { tag, payload: block }.serialize(serializer),
            Self::ToolResult(block) => Tagged { tag, payload: block }.serialize(serializer),
            Self::Thinking(block) => Tagged { tag, payload: block }.serialize(serializer),
            Self::RedactedThinking(block) => Tagged { tag, payload: block }.serialize(serializer),
        }
    }
}

/// A payload with its `type` in front.
#[derive(Serialize)]
pub(crate) struct Tagged<'a, T> {
    #[serde(rename = "type")]
    pub(crate) tag: &'a str,
    #[serde(flatten)]
    pub(crate) payload: &'a T,
}

impl<'de> Deserialize<'de> for ContentBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (tag, raw) = read_tagged(deserializer)?;
        let read = match tag.as_str() {
            "text" => raw.read().map(Self::Text),
            "image" => raw.read().map(Self::Image),
            "document" => raw.read().map(Self::Document),
            "tool_use" => raw.read().map(Self::ToolUse),
            "tool_result" => raw.read().map(Self::ToolResult),
            "thinking" => raw.read().map(Self::Thinking),
            "redacted_thinking" => raw.read().map(Self::RedactedThinking),
            _ => return raw.keep().map(Self::Unknown).map_err(serde::de::Error::custom),
        };
        // A block of a known type whose payload has another shape than ours (a media source of a newer kind, say) is
        // kept as it came rather than lost.
        read.or_else(|_| raw.keep().map(Self::Unknown)).map_err(serde::de::Error::custom)
    }
}

/// Accepts a bare string where an array of blocks is meant, as providers do.
pub(crate) fn text_or_blocks<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<ContentBlock>, D::Error> {
    let raw = Part::deserialize(deserializer)?;
    if raw.get().trim_start().starts_with('"') {
        let text: String = raw.read().map_err(serde::de::Error::custom)?;
        return Ok(vec![ContentBlock::text(text)]);
    }
    raw.read().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_input_keeps_its_bytes() {
        let json = r#"{"type":"tool_use","id":"t1","name":"Read","input":{"b":1.50,"a":[ 1,2 ]}}"#;
        let block: ContentBlock = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&block).unwrap(), json);
    }

    #[test]
    fn unknown_block_survives_a_round_trip() {
        let json = r#"{"type":"server_tool_use","z":1,"a":{"k":1e400}}"#;
        let block: ContentBlock = serde_json::from_str(json).unwrap();
        assert!(matches!(block, ContentBlock::Unknown(_)));
        assert_eq!(serde_json::to_string(&block).unwrap(), json);
    }

    #[test]
    fn result_given_as_text_becomes_one_block() {
        let block: ContentBlock =
            serde_json::from_str(r#"{"type":"tool_result","tool_use_id":"t","content":"hi"}"#).unwrap();
        assert_eq!(block, ContentBlock::tool_result("t", "hi"));
    }
}
