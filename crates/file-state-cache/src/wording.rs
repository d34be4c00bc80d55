//! What is said about states that had to go.

use std::path::Path;

use context_api::Decision;
use context_text::display_path;

pub(crate) fn evicted(path: &Path, bytes: usize) -> Decision {
    Decision::left_out(
        display_path(path),
        "state_evicted",
        "What was seen of this file is forgotten: it was used least recently, and the file states are full.",
    )
    .bytes(bytes as u64)
}

pub(crate) fn content_dropped(path: &Path, bytes: usize, limit: usize) -> Decision {
    Decision::cut(
        display_path(path),
        "state_content_too_large",
        format!("Only fingerprint and hash are kept: the content is larger than all file states may be ({limit} bytes)."),
    )
    .bytes(bytes as u64)
}
