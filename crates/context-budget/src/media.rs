//! What pictures and documents cost.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use context_api::{MediaSource, TokenCounter};

use crate::Limits;

/// Tokens of a picture; the most that one can cost where its size is not to be seen.
pub(crate) fn image(source: &MediaSource, counter: &dyn TokenCounter, limits: &Limits) -> u64 {
    let size = match source {
        MediaSource::Base64 { data, .. } => size_of(data.get(..head(limits)).unwrap_or(data)),
        _ => None,
    };
    size.map_or(limits.image_tokens, |(width, height)| counter.image(width, height))
}

/// Tokens of a picture of so many pixels, scaled down first where it is too large.
pub(crate) fn picture(width: u32, height: u32, limits: &Limits) -> u64 {
    let (width, height) = (u64::from(width), u64::from(height));
    let longest = width.max(height).max(1);
    let scaled =
        |side: u64| if longest > limits.image_side { side * limits.image_side / longest } else { side };
    let pixels = scaled(width).max(1) * scaled(height).max(1);
    pixels.div_ceil(limits.pixels_per_token.max(1)).min(limits.image_tokens)
}

/// Characters of a beginning that can be decoded by itself: four of them are three bytes.
fn head(limits: &Limits) -> usize {
    limits.header_chars / 4 * 4
}

fn size_of(base64: &str) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(&STANDARD.decode(base64).ok()?).ok()?;
    Some((size.width.try_into().ok()?, size.height.try_into().ok()?))
}

/// Tokens of a document: those of its text, or so many for each page.
pub(crate) fn document(source: &MediaSource, counter: &dyn TokenCounter, limits: &Limits) -> u64 {
    let MediaSource::Base64 { media_type, data } = source else { return limits.pdf_page_tokens };
    let bytes = STANDARD.decode(data.as_ref()).unwrap_or_default();
    if media_type.starts_with("text/") {
        return counter.text(&String::from_utf8_lossy(&bytes));
    }
    let pages = match visible_pages(&bytes) {
        0 => (bytes.len() as u64).div_ceil(limits.pdf_page_bytes.max(1)).max(1),
        pages => pages,
    };
    pages * limits.pdf_page_tokens
}

/// Pages that can be seen without unpacking the file.
fn visible_pages(pdf: &[u8]) -> u64 {
    let types = memchr::memmem::find_iter(pdf, b"/Type");
    types.filter(|at| is_page(pdf[at + b"/Type".len()..].trim_ascii_start())).count() as u64
}

/// `/Page` and not `/Pages`.
fn is_page(value: &[u8]) -> bool {
    value.strip_prefix(b"/Page").is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
}

/// Bytes that a source puts into a request.
pub(crate) fn bytes(source: &MediaSource) -> u64 {
    match source {
        MediaSource::Base64 { data, .. } => data.len() as u64,
        MediaSource::Url { url } => url.len() as u64,
        MediaSource::Blob { .. } => 0,
    }
}
