//! What a provider takes, as data: one check serves all.

use context_api::ContentBlock;

/// What one provider takes.
pub(crate) struct Rules {
    /// Tokens of output at least.
    pub(crate) output_tokens: u64,
    /// Tokens of thinking at least, below those of output; `None` where thinking has no bounds of its own.
    pub(crate) thinking_tokens: Option<u64>,
    pub(crate) messages: usize,
    /// Characters of one text.
    pub(crate) text_chars: usize,
    /// Whether every message has to keep something of its content.
    pub(crate) content_required: bool,
    /// Whether the model's last text may end in white space.
    pub(crate) open_end: bool,
    /// What the wire form can carry; anything else is left out with a decision.
    pub(crate) carries: fn(&ContentBlock) -> bool,
    pub(crate) tools: ToolRules,
    pub(crate) media: MediaRules,
    /// Cache breakpoints; `None` where the wire form has none.
    pub(crate) cache_marks: Option<usize>,
}

/// What holds for tools.
pub(crate) struct ToolRules {
    /// Tools of one request.
    pub(crate) count: usize,
    pub(crate) names: NameRule,
}

/// What a name consists of: letters, digits and some marks.
#[derive(Clone, Copy)]
pub(crate) struct NameRule {
    pub(crate) chars: usize,
    pub(crate) marks: &'static str,
    /// Whether it starts with a letter or `_`.
    pub(crate) letter_first: bool,
}

/// What holds for images and documents.
pub(crate) struct MediaRules {
    pub(crate) image_types: &'static [&'static str],
    /// Images of one request.
    pub(crate) images: usize,
    /// Characters of one image as base64.
    pub(crate) image_chars: usize,
    /// Pixels of an image's longest side.
    pub(crate) side: u64,
    /// Images above which `many_side` holds instead.
    pub(crate) many: usize,
    pub(crate) many_side: u64,
    /// Pages of all PDF documents.
    pub(crate) pdf_pages: u64,
    /// Whether the result of a failed call may hold more than text.
    pub(crate) in_failed_results: bool,
}

impl NameRule {
    /// Whether `name` obeys.
    pub(crate) fn holds(&self, name: &str) -> bool {
        let first = name
            .bytes()
            .next()
            .is_some_and(|byte| !self.letter_first || byte.is_ascii_alphabetic() || byte == b'_');
        first && name.len() <= self.chars && name.chars().all(|c| self.takes(c))
    }

    pub(crate) fn takes(&self, c: char) -> bool {
        c.is_ascii_alphanumeric() || self.marks.contains(c)
    }

    /// The rule in words.
    pub(crate) fn words(&self) -> String {
        let marks = self.marks.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let first = if self.letter_first { ", a letter or _ first" } else { "" };
        format!("1 to {} letters, digits and {marks}{first}", self.chars)
    }
}

/// Pictures that all providers of this crate but one take.
pub(crate) const PICTURES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];
