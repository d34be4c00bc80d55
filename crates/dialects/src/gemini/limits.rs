//! The provider's limits as data.

use crate::rules::{MediaRules, NameRule, Rules, ToolRules};

/// Limits of the Gemini API, from its public documentation as of 2026.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GeminiLimits {
    /// Tools of a request. Default 128 (function calling).
    pub tools: usize,
    /// Characters of a tool's name, from `a-z A-Z 0-9 _ . : -`, a letter or `_` first. Default 64 (function calling).
    pub tool_name_chars: usize,
    /// Images of a request. Default 3,600 (image understanding).
    pub images: usize,
    /// Pages of all PDF documents. Default 1,000 (document understanding).
    pub pdf_pages: u64,
    /// Bytes of the body. Default 20,000,000 (file input methods: requests with inline data).
    pub body_bytes: u64,
}

impl Default for GeminiLimits {
    fn default() -> Self {
        Self { tools: 128, tool_name_chars: 64, images: 3_600, pdf_pages: 1_000, body_bytes: 20_000_000 }
    }
}

impl GeminiLimits {
    pub(super) fn rules(&self) -> Rules {
        Rules {
            output_tokens: 1,
            thinking_tokens: None,
            messages: usize::MAX,
            text_chars: usize::MAX,
            content_required: true,
            open_end: true,
            carries: super::carries,
            tools: ToolRules {
                count: self.tools,
                names: NameRule { chars: self.tool_name_chars, marks: "_.:-", letter_first: true },
            },
            media: MediaRules {
                image_types: &["image/jpeg", "image/png", "image/webp"],
                images: self.images,
                image_chars: usize::MAX,
                side: u64::MAX,
                many: usize::MAX,
                many_side: u64::MAX,
                pdf_pages: self.pdf_pages,
                in_failed_results: true,
            },
            cache_marks: None,
        }
    }
}
