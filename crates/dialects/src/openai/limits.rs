//! The provider's limits as data.

use context_api::ContentBlock;

use crate::rules::{MediaRules, NameRule, PICTURES, Rules, ToolRules};

/// Limits of OpenAI's Responses and Chat Completions APIs, from their public documentation and error messages as of 2026.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenAiLimits {
    /// Tools of a request. Default 128 (function calling).
    pub tools: usize,
    /// Characters of a tool's name, from `a-z A-Z 0-9 _ -`. Default 64 (function calling).
    pub tool_name_chars: usize,
    /// Characters of a call's id in Responses. Default 64 (its error message).
    pub response_id_chars: usize,
    /// Characters of a call's id in Chat Completions. Default 40 (its error message).
    pub chat_id_chars: usize,
    /// Characters of one text. Default 10,485,760 (the error message `string_above_max_length`).
    pub text_chars: usize,
    /// Images of a request. Default 500 (images and vision).
    pub images: usize,
    /// Bytes of the body. Default 50,000,000 (images and vision; file inputs).
    pub body_bytes: u64,
    /// Output tokens at least, in Responses. Default 16 (responses reference).
    pub response_output_tokens: u64,
    /// Thinking budget from which effort is `medium`, tokens. Default 4,096: below it, a page or two of thinking.
    pub medium_effort: u64,
    /// Thinking budget from which effort is `high`, tokens. Default 16,384.
    pub high_effort: u64,
}

impl Default for OpenAiLimits {
    fn default() -> Self {
        Self {
            tools: 128,
            tool_name_chars: 64,
            response_id_chars: 64,
            chat_id_chars: 40,
            text_chars: 10_485_760,
            images: 500,
            body_bytes: 50_000_000,
            response_output_tokens: 16,
            medium_effort: 4_096,
            high_effort: 16_384,
        }
    }
}

impl OpenAiLimits {
    pub(crate) fn rules(&self, output_tokens: u64, carries: fn(&ContentBlock) -> bool) -> Rules {
        Rules {
            output_tokens,
            thinking_tokens: None,
            messages: usize::MAX,
            text_chars: self.text_chars,
            content_required: false,
            open_end: true,
            carries,
            tools: ToolRules {
                count: self.tools,
                names: NameRule { chars: self.tool_name_chars, marks: "_-", letter_first: false },
            },
            media: MediaRules {
                image_types: PICTURES,
                images: self.images,
                image_chars: usize::MAX,
                side: u64::MAX,
                many: usize::MAX,
                many_side: u64::MAX,
                pdf_pages: u64::MAX,
                in_failed_results: true,
            },
            cache_marks: None,
        }
    }

    /// The effort that stands for a budget.
    pub(crate) fn effort(&self, budget: u64) -> &'static str {
        match budget {
            budget if budget >= self.high_effort => "high",
            budget if budget >= self.medium_effort => "medium",
            _ => "low",
        }
    }
}
