//! The provider's limits as data.

use crate::rules::{MediaRules, NameRule, PICTURES, Rules, ToolRules};

/// Limits of the Messages API, from its public documentation as of 2026.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnthropicLimits {
    /// Cache breakpoints of a request. Default 4 (prompt caching).
    pub cache_marks: usize,
    /// Images of a request. Default 100 (vision).
    pub images: usize,
    /// Characters of one image as base64. Default 5 MiB (vision: the limit holds for the encoded size).
    pub image_base64_chars: usize,
    /// Pixels of an image's longest side. Default 8,000 (vision).
    pub image_side: u64,
    /// Images above which `many_images_side` holds. Default 20 (vision).
    pub many_images: usize,
    /// Pixels of an image's longest side among many. Default 2,000 (vision).
    pub many_images_side: u64,
    /// Pages of all PDF documents. Default 100 (PDF support).
    pub pdf_pages: u64,
    /// Bytes of the body. Default 32,000,000 (errors: `request_too_large` at 32 MB).
    pub body_bytes: u64,
    /// Characters of a tool's name, from `a-z A-Z 0-9 _ -`. Default 128 (tools reference).
    pub tool_name_chars: usize,
    /// Tokens that thinking needs at least. Default 1,024 (extended thinking).
    pub thinking_tokens: u64,
    /// Messages of a request. Default 100,000 (messages reference).
    pub messages: usize,
    /// Bytes of encoded messages that are kept for the next request. Default 64 MiB: a dozen sessions of a million tokens.
    /// Not the provider's.
    pub kept_bytes: usize,
}

impl AnthropicLimits {
    pub(super) fn rules(&self) -> Rules {
        Rules {
            output_tokens: 1,
            thinking_tokens: Some(self.thinking_tokens),
            messages: self.messages,
            text_chars: usize::MAX,
            content_required: true,
            open_end: false,
            carries: super::carries,
            tools: ToolRules {
                count: usize::MAX,
                names: NameRule { chars: self.tool_name_chars, marks: "_-", letter_first: false },
            },
            media: MediaRules {
                image_types: PICTURES,
                images: self.images,
                image_chars: self.image_base64_chars,
                side: self.image_side,
                many: self.many_images,
                many_side: self.many_images_side,
                pdf_pages: self.pdf_pages,
                in_failed_results: false,
            },
            cache_marks: Some(self.cache_marks),
        }
    }
}

impl Default for AnthropicLimits {
    fn default() -> Self {
        Self {
            cache_marks: 4,
            images: 100,
            image_base64_chars: 5 << 20,
            image_side: 8_000,
            many_images: 20,
            many_images_side: 2_000,
            pdf_pages: 100,
            body_bytes: 32_000_000,
            tool_name_chars: 128,
            thinking_tokens: 1_024,
            messages: 100_000,
            kept_bytes: 64 << 20,
        }
    }
}
