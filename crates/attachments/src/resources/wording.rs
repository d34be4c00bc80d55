//! What a model is told of the parts of a resource that it does not see.

use context_text::safe_line;

/// Texts that were cut.
pub(super) fn cut(shown: usize, all: usize) -> String {
    format!("(Cut: {shown} of {all} bytes of its text are shown.)")
}

/// Bytes that are no picture, or none that can be shown.
pub(super) fn bytes(media_type: &str, size: usize) -> String {
    let kind = if media_type.is_empty() { "unknown type".into() } else { safe_line(media_type) };
    format!("(A part of {size} bytes, {kind}, is not shown.)")
}

/// Parts beyond the limit.
pub(super) fn more(parts: usize) -> String {
    let parts = if parts == 1 { "1 more part is".to_owned() } else { format!("{parts} more parts are") };
    format!("({parts} not shown.)")
}
