//! What a file is, by its bytes.

use context_text::is_binary;

/// Bytes that are looked at.
const HEAD: usize = 8_000;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text, or nothing at all.
    Text,
    /// A picture of a kind that models take, at least by its first bytes.
    Image,
    /// A PDF.
    Pdf,
    /// Anything else.
    Binary,
}

impl Kind {
    /// From the beginning of a file.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let head = &bytes[..bytes.len().min(HEAD)];
        if is_picture(head) {
            Self::Image
        } else if is_pdf(head) {
            Self::Pdf
        } else if is_binary(head) {
            Self::Binary
        } else {
            Self::Text
        }
    }
}

fn is_picture(head: &[u8]) -> bool {
    const STARTS: [&[u8]; 4] = [b"\x89PNG\r\n\x1a\n", b"\xFF\xD8\xFF", b"GIF87a", b"GIF89a"];
    let webp = head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP");
    webp || STARTS.iter().any(|start| head.starts_with(start))
}

/// Readers look for the mark within the first 1,024 bytes; in text it counts at the beginning only.
fn is_pdf(head: &[u8]) -> bool {
    const MARK: &[u8] = b"%PDF-";
    const WITHIN: usize = 1_024;
    if head.trim_ascii_start().starts_with(MARK) {
        return true;
    }
    let found = memchr::memmem::find(head, MARK).is_some_and(|at| at < WITHIN);
    found && is_binary(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_content() {
        for (bytes, kind) in [
            (&b""[..], Kind::Text),
            (b"GIF89 is a format", Kind::Text),
            (b"GIF89a\x01\0\x01\0", Kind::Image),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Kind::Image),
            (b"\xFF\xD8\xFF\xE0\0\x10JFIF", Kind::Image),
            (b"RIFF\x24\0\0\0WEBPVP8 ", Kind::Image),
            (b"RIFF\x24\0\0\0WAVEfmt ", Kind::Binary),
            (b"%PDF-1.4\n1 0 obj", Kind::Pdf),
            (b"\n\n%PDF-1.4\n", Kind::Pdf),
            (b"junk\0\0%PDF-1.7\n", Kind::Pdf),
            (b"The mark is %PDF-1.7\n", Kind::Text),
            (b"\x7FELF\x02\x01\x01\0\0", Kind::Binary),
            (b"\xFF\xFEa\0", Kind::Text),
        ] {
            assert_eq!(Kind::of(bytes), kind, "{bytes:?}");
        }
    }
}
