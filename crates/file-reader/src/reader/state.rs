//! What the model will have seen.

use std::path::Path;
use std::sync::Arc;

use context_api::{FileMeta, FileState, LineSpan, StateKind};
use context_text::content_hash;

use super::StandardReader;

/// How much of a text the model gets.
#[derive(Clone, Copy, Default)]
pub(super) struct View {
    /// The lines asked for, where they are not the whole file.
    pub(super) lines: Option<LineSpan>,
    /// Whether what is shown of them is not what stands there.
    pub(super) is_partial: bool,
}

impl StandardReader {
    /// The state of a text. The hash is that of the decoded text, so that whoever has only the text gets the same one. Of a
    /// text that was seen in part the content serves no comparison; a large one is not kept.
    pub(super) fn text_state(&self, path: &Path, meta: &FileMeta, text: &str, view: View) -> FileState {
        let seen_whole = view.lines.is_none() && !view.is_partial;
        let keep = seen_whole || text.len() <= self.limits.text_bytes;
        self.bare_state(path, meta)
            .content(keep.then(|| Arc::from(text)))
            .hash(content_hash(text.as_bytes()))
            .lines(view.lines)
            .is_partial_view(view.is_partial)
            .kind(StateKind::Text)
    }

    /// The state of anything else: the hash of its bytes.
    pub(super) fn opaque_state(
        &self,
        path: &Path,
        meta: &FileMeta,
        bytes: &[u8],
        kind: StateKind,
    ) -> FileState {
        self.bare_state(path, meta).hash(content_hash(bytes)).kind(kind)
    }

    pub(super) fn bare_state(&self, path: &Path, meta: &FileMeta) -> FileState {
        FileState::default().path(path).fingerprint(meta.fingerprint).read_at(self.clock.now())
    }
}
