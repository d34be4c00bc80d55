//! Files that are named and not shown.

use context_api::{FileContent, FileReference};

use super::Shown;
use crate::wording;

/// A binary file by its kind and size. The model has not seen it, so there is no state.
pub(super) fn name(head: &[u8], size: u64, note: &str) -> Shown {
    let reference = FileReference::default().kind(kind_of(head)).size(size).note(note);
    Shown { content: FileContent::Binary(reference), ..Shown::default() }
}

fn kind_of(head: &[u8]) -> String {
    infer::get(head).map_or_else(|| wording::BINARY.into(), |found| wording::binary_kind(found.mime_type()))
}
