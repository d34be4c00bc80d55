//! Indexes of notes, of which the beginning is shown.

use std::path::Path;

use context_api::{Decision, Verdict};
use context_text::{cut_bytes, cut_lines, display_path, head_lines, line_count};

use crate::MemoryLimits;
use crate::item::about;
use crate::parsed::Parsed;
use crate::wording;

/// An index that was cut.
pub(crate) struct CutIndex {
    pub(crate) parsed: Parsed,
    pub(crate) decision: Decision,
}

/// The beginning of an index and a note, where it is longer than the limits.
pub(crate) fn cut(parsed: &Parsed, path: &Path, limits: &MemoryLimits) -> Option<CutIndex> {
    let kept = head_lines(&parsed.text, limits.index_lines);
    let kept = match cut_lines(kept, limits.index_bytes) {
        // Not even one line fits.
        "" => cut_bytes(kept, limits.index_bytes),
        kept => kept,
    };
    if kept.len() == parsed.text.len() {
        return None;
    }
    let (shown, lines) = (line_count(kept), line_count(&parsed.text));
    let left_out = (parsed.text.len() - kept.len()) as u64;
    // A line that is shown in part counts as shown, so that lines alone may not tell that anything is missing.
    let (note, detail) = if shown < lines {
        let detail = format!("{shown} of {lines} lines of the index are shown.");
        (wording::index_note(&display_path(path), shown, lines), detail)
    } else {
        let all = parsed.text.len();
        let detail = format!("{} of {all} bytes of the index are shown.", kept.len());
        (wording::index_bytes_note(&display_path(path), kept.len(), all), detail)
    };
    let decision = about(path, Verdict::Cut, "index_cut", detail).bytes(left_out);
    let mut cut = parsed.cut_to(format!("{}\n\n{note}", kept.trim_end()));
    // Positions are those of the text before comments were taken out, so this errs towards one include too many.
    cut.mentions.retain(|mention| mention.at < kept.len());
    Some(CutIndex { parsed: cut, decision })
}
