//! The numbers of this crate.

/// What pictures and documents cost where no provider counted them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Pixels of one token. Default 750 (Anthropic, vision: width × height / 750).
    pub pixels_per_token: u64,
    /// Pixels of an image's longest side; larger ones are scaled down before they are counted. Default 1,568 (vision).
    pub image_side: u64,
    /// Tokens of one image at most, and of one whose size nobody knows. Default 1,600 (vision).
    pub image_tokens: u64,
    /// Tokens of a PDF page. Default 3,000, the upper end of what the provider states (PDF support: 1,500 to 3,000).
    pub pdf_page_tokens: u64,
    /// Bytes of a PDF page where the pages can not be seen. Default 50,000: scanned pages have more, text has less.
    pub pdf_page_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pixels_per_token: 750,
            image_side: 1_568,
            image_tokens: 1_600,
            pdf_page_tokens: 3_000,
            pdf_page_bytes: 50_000,
        }
    }
}
