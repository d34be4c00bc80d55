//! Limits of resources.

/// Limits of what is shown of one resource.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResourceLimits {
    /// Tokens of text, all parts together. Default 25,000, as for a file.
    pub tokens: u64,
    /// Bytes of text that are looked at. Default 1 MiB: what is longer does not fit the tokens anyway.
    pub text_bytes: usize,
    /// Parts. Default 100.
    pub parts: usize,
    /// Pictures. Default 20: beyond that providers ask for smaller ones.
    pub images: usize,
    /// Bytes of one picture before base64. Default 3,932,160 (3.75 MiB), as for a file.
    pub image_bytes: usize,
    /// Names that are tried for one mention, marks behind it given back. Default 3.
    pub names: usize,
    /// Characters of a resource's name, and of the type of a part. Default 200.
    pub name_chars: usize,
    /// Characters of a server's words about a failure. Default 200.
    pub error_chars: usize,
}

impl Default for ResourceLimits {
    fn default() -> Self {
        Self {
            tokens: 25_000,
            text_bytes: 1024 * 1024,
            parts: 100,
            images: 20,
            image_bytes: 3_932_160,
            names: 3,
            name_chars: 200,
            error_chars: 200,
        }
    }
}
