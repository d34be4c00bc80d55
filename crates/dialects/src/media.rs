//! What can be seen of pictures and documents without decoding them as a whole.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Base64 characters that hold a picture's header. The size of a JPEG stands behind its thumbnails, which take 64 KiB each.
const HEAD_CHARS: usize = 256 * 1024;

/// What the bytes of a picture say of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Picture {
    /// The media type by its bytes.
    pub(crate) media_type: &'static str,
    pub(crate) width: u64,
    pub(crate) height: u64,
}

/// Reads a picture's header; `None` where it is no JPEG, PNG, GIF or WebP.
pub(crate) fn picture(base64: &str) -> Option<Picture> {
    let head = base64.get(..HEAD_CHARS).unwrap_or(base64);
    look(&STANDARD.decode(head).ok()?).or_else(|| look(&STANDARD.decode(base64).ok()?))
}

fn look(bytes: &[u8]) -> Option<Picture> {
    let media_type = match imagesize::image_type(bytes).ok()? {
        imagesize::ImageType::Jpeg => "image/jpeg",
        imagesize::ImageType::Png => "image/png",
        imagesize::ImageType::Gif => "image/gif",
        imagesize::ImageType::Webp => "image/webp",
        _ => return None,
    };
    let size = imagesize::blob_size(bytes).ok()?;
    Some(Picture { media_type, width: size.width as u64, height: size.height as u64 })
}

/// The bytes that a base64 text stands for.
pub(crate) fn decode(base64: &str) -> Option<Vec<u8>> {
    STANDARD.decode(base64).ok()
}

/// Pages of a PDF as far as they can be seen without unpacking it: pages in compressed object streams are not counted.
pub(crate) fn visible_pages(pdf: &[u8]) -> u64 {
    let types = memchr::memmem::find_iter(pdf, b"/Type");
    types.filter(|at| is_page(pdf[at + b"/Type".len()..].trim_ascii_start())).count() as u64
}

/// `/Page` and not `/Pages`.
fn is_page(value: &[u8]) -> bool {
    value.strip_prefix(b"/Page").is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_and_page_trees_are_not() {
        let pdf = b"<< /Type /Pages /Count 3 >> << /Type/Page >> << /Type  /Page /X 1 >> << /Type /PageLabel >> /Type";
        assert_eq!(visible_pages(pdf), 2);
    }

    #[test]
    fn a_text_is_no_picture() {
        assert_eq!(picture("aGVsbG8gd29ybGQgaGVsbG8="), None);
        assert_eq!(picture("!"), None);
        assert_eq!(picture(""), None);
    }

    #[test]
    fn a_png_says_its_size() {
        let dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        assert_eq!(picture(dot), Some(Picture { media_type: "image/png", width: 1, height: 1 }));
    }
}
