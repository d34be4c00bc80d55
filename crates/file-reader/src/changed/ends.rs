//! Changes that lines alone do not show.

use context_text::{LineEnds, line_ends};

use crate::wording;

/// What to say of the line ends; empty where they are as they were.
pub(super) fn note(old: &str, new: &str) -> String {
    let mut notes = Vec::new();
    let (was, is) = (line_ends(old), line_ends(new));
    if was != is && was != LineEnds::None && is != LineEnds::None {
        notes.push(wording::line_ends_changed(was, is));
    } else if was == LineEnds::Mixed && is == LineEnds::Mixed {
        notes.extend(moved_ends(old, new).then(|| wording::MIXED_ENDS_CHANGED.to_owned()));
    }
    if !old.is_empty() && !new.is_empty() && old.ends_with('\n') != new.ends_with('\n') {
        notes.push(wording::last_line_end(new.ends_with('\n')).to_owned());
    }
    notes.join("\n")
}

/// Whether the same lines end in another way.
fn moved_ends(old: &str, new: &str) -> bool {
    let same_lines = context_text::lines(old).eq(context_text::lines(new));
    same_lines && old.trim_end_matches(['\r', '\n']) != new.trim_end_matches(['\r', '\n'])
}
