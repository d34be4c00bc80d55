//! Every text of this crate that a model or a person reads.

use std::ops::Range;
use std::path::Path;

use context_api::{ChangeKind, Decision, FileChange, LineSpan, ReadErrorKind, Verdict};
use context_text::{LineEnds, display_path};

pub(crate) const RELATIVE_PATH: &str = "the path is not absolute";
pub(crate) const BINARY: &str = "binary file";

/// The kind of a binary file by its media type.
pub(crate) fn binary_kind(media_type: &str) -> String {
    format!("{BINARY} ({media_type})")
}

pub(crate) fn entries_left_out(left_out: u64) -> String {
    format!("{left_out} more entries of the directory are not listed.")
}

pub(crate) fn entries_unreadable(failed: u64) -> String {
    format!("{failed} entries of the directory could not be read.")
}

/// What was cut of a text.
pub(crate) struct TextCut {
    /// Lines shown.
    pub(crate) shown: LineSpan,
    /// The last line asked for.
    pub(crate) last_wanted: u64,
    /// Lines of the file, where they were counted.
    pub(crate) total: Option<u64>,
    /// Lines that are shown in part, and the first of them.
    pub(crate) long_lines: u64,
    pub(crate) first_long: u64,
    /// Characters shown of a long line.
    pub(crate) line_chars: usize,
}

impl TextCut {
    /// The note for the model: what is missing, and how to get at it.
    pub(crate) fn note(&self) -> String {
        let last = self.shown.end.unwrap_or(self.shown.start);
        let mut note = self.which_lines(last);
        if self.total.is_none_or(|_| last < self.last_wanted) {
            note += &format!(" To read on, ask for lines from {} on.", last + 1);
        }
        if self.long_lines > 0 {
            note += &self.long_lines();
        }
        note
    }

    fn which_lines(&self, last: u64) -> String {
        let first = self.shown.start;
        match self.total {
            Some(total) => format!(
                "The file is too long to be shown at once: these are lines {first} to {last} of {total}."
            ),
            None => format!("The file is too long to be read to its end: these are lines {first} to {last}."),
        }
    }

    fn long_lines(&self) -> String {
        let (first, chars) = (self.first_long, self.line_chars);
        match self.long_lines {
            1 => format!(
                " Of line {first} only the first {chars} characters are shown; search in the file for what you need."
            ),
            count => format!(
                " Of {count} lines (the first is line {first}) only the first {chars} characters are shown; search in the file for what you need."
            ),
        }
    }
}

pub(crate) const TEXT_CUT: &str = "The text is too long to be shown at once; its note says what is missing.";
pub(crate) const LOSSY: &str = "Some bytes are no text in the file's encoding; each is shown as U+FFFD.";
pub(crate) const NUL: &str = "The text holds characters of the value zero; each is shown as U+2400.";
pub(crate) const NOT_AN_IMAGE: &str = "The name promises a picture, the content is text and is read as text.";
#[cfg(not(feature = "image"))]
pub(crate) const NO_IMAGES: &str = "Pictures can not be shown here.";

/// What was done to a picture; empty where nothing was.
#[cfg(feature = "image")]
pub(crate) fn image_note(fitted: &crate::FittedImage) -> String {
    let (width, height) = (fitted.original_width, fitted.original_height);
    if (fitted.width, fitted.height) != (width, height) {
        return format!(
            "The picture was scaled from {width} x {height} to {} x {} pixels.",
            fitted.width, fitted.height
        );
    }
    if fitted.is_rewritten {
        "The picture was turned or packed anew to fit.".to_owned()
    } else {
        String::new()
    }
}

pub(crate) const MIXED_ENDS_CHANGED: &str =
    "Some lines end in CRLF now where they ended in LF, or the other way round.";
pub(crate) const REGION_CUT: &str = "(The rest of this region is not shown.)";
pub(crate) const IGNORED: &str = "The file changed; a pattern of the host leaves such changes out.";
pub(crate) const TURNED: &str =
    "The file is of another kind now than when it was read; the change is not shown.";

pub(crate) fn line_ends_changed(was: LineEnds, is: LineEnds) -> String {
    format!("The lines end in {} now, before in {}.", ends(is), ends(was))
}

fn ends(ends: LineEnds) -> &'static str {
    match ends {
        LineEnds::CrLf => "CRLF",
        LineEnds::Mixed => "LF or CRLF",
        LineEnds::Lf | LineEnds::None => "LF",
    }
}

pub(crate) fn last_line_end(has_one: bool) -> &'static str {
    if has_one { "The last line has a line end now." } else { "The last line has no line end now." }
}

/// What stood in a place and what stands there; both count lines from 0 without the last one.
pub(crate) fn region_head(old: &Range<usize>, new: &Range<usize>) -> String {
    let was = match old.len() {
        0 => return format!("After line {}, now:", old.start),
        1 => format!("Line {}", old.end),
        _ => format!("Lines {} to {}", old.start + 1, old.end),
    };
    if new.is_empty() { format!("{was} before, now nothing.") } else { format!("{was} before, now:") }
}

/// A part of a long line, `skipped` characters from its beginning.
pub(crate) fn line_excerpt(part: &str, skipped: usize) -> String {
    match skipped {
        0 => format!("{part} [... the line goes on]"),
        _ => format!("[... {skipped} characters] {part} [...]"),
    }
}

pub(crate) fn can_not_look(path: &Path, error: &ReadErrorKind) -> Decision {
    let detail = format!("Whether the file changed can not be told: {error}.");
    Decision::left_out(display_path(path), error.reason(), detail)
}

pub(crate) fn still_changing(path: &Path) -> Decision {
    let detail = "The file is being written; it is looked at again next turn.";
    Decision::new(display_path(path), Verdict::Deferred, ReadErrorKind::Unsettled.reason(), detail)
}

pub(crate) fn changed_too_large(path: &Path, size: u64) -> Decision {
    let detail = "The file changed and is too large now to be compared.";
    Decision::left_out(display_path(path), "too_large", detail).bytes(size)
}

/// The model is told that the file changed, and not how.
pub(crate) fn change_withheld(path: &Path) -> Decision {
    let detail = "The file changed, and a rule denies reading it by now: only that it changed is told.";
    Decision::left_out(display_path(path), "denied_by_policy", detail)
}

/// Says so where a change is not shown in full.
pub(crate) fn cut_change(change: &FileChange) -> Option<Decision> {
    let subject = display_path(&change.path);
    let (added, removed) = (change.added, change.removed);
    match change.kind {
        ChangeKind::Text if change.snippet.is_empty() => {
            let detail = format!("Only counted, for want of room: {added} lines added, {removed} removed.");
            Some(Decision::cut(subject, "change_counted_only", detail))
        }
        ChangeKind::Text if change.regions_left_out > 0 => {
            let detail = format!("{} changed regions are not shown in full.", change.regions_left_out);
            Some(Decision::cut(subject, "change_cut", detail))
        }
        ChangeKind::Other => {
            Some(Decision::cut(subject, "change_not_shown", "The file changed; how can not be shown."))
        }
        _ => None,
    }
}

pub(crate) const PDF: &str = "PDF document";
pub(crate) const PDF_BY_REFERENCE: &str =
    "The PDF is too long to be sent whole; it is named, to be read by page range.";
#[cfg(not(feature = "pdf"))]
pub(crate) const NO_PDF_PAGES: &str = "Pages of PDFs can not be read here.";

/// What a PDF with more pages than a request may hold is called.
pub(crate) fn long_pdf(request_pages: u64) -> String {
    format!("{PDF} of more than the {request_pages} pages that a request may hold")
}

#[cfg(feature = "pdf")]
pub(crate) use pdf::*;

#[cfg(feature = "pdf")]
mod pdf {
    pub(crate) const ENCRYPTED: &str = "it is protected by a password.";
    pub(crate) const BROKEN: &str = "it is damaged, no page of it can be found.";
    pub(crate) const TOO_COMPLEX: &str = "it is too large or too involved to be taken apart.";
    pub(crate) const PAGES_TEXT_CUT: &str =
        "Their text is too long to be shown at once and ends early: ask for fewer pages.";
    const NO_TEXT: &str = "(This page has no text; it may be a picture.)";
    const NO_PAGE: &str = "(The text of this page can not be read.)";

    pub(crate) fn page_behind_the_end(pages: u64) -> String {
        format!("the PDF has only {pages} pages")
    }

    /// One page as text, with its number.
    pub(crate) fn page(number: u64, text: Option<&str>) -> String {
        let text = match text.map(str::trim) {
            None => NO_PAGE,
            Some("") => NO_TEXT,
            Some(text) => text,
        };
        format!("[Page {number}]\n{text}\n")
    }

    /// Says which pages these are, and how to get at the others.
    pub(crate) fn pages_note(first: u64, last: u64, total: u64, cut: &str) -> String {
        let rest = if last < total {
            format!(" To read on, ask for pages from {} on.", last + 1)
        } else {
            String::new()
        };
        let cut = if cut.is_empty() { String::new() } else { format!(" {cut}") };
        format!("These are pages {first} to {last} of {total}, their text only.{rest}{cut}")
    }

    pub(crate) fn pages_cut(last: u64, a_call: u64) -> String {
        format!("Only the pages up to {last} are shown: {a_call} pages are the most at once.")
    }
}

pub(crate) const NOTEBOOK_BROKEN: &str = "The notebook can not be understood and is read as text.";
pub(crate) const NOTEBOOK_CUT: &str =
    "The notebook is too long to be shown at once; its note says what is missing.";
pub(crate) const OUTPUT: &str = "[Output]";
pub(crate) const PICTURE_LEFT_OUT: &str = "(A picture of the output is not shown.)";
pub(crate) const OUTPUT_CUT: &str = "(The output goes on.)";
pub(crate) const RICH_OUTPUT: &str = "(Output that can not be shown as text.)";

/// The head of a cell, counted from 1.
pub(crate) fn cell_head(number: usize, kind: &str) -> String {
    format!("[Cell {number}: {kind}]")
}

/// Which cells of how many are shown, and how to get at the rest.
pub(crate) fn cells_note(shown: usize, total: usize) -> String {
    match shown < total {
        true => format!(
            "The notebook is too long to be shown at once: these are cells 1 to {shown} of {total}. Ask for lines to read the file itself."
        ),
        false => "Parts of its cells are cut. Ask for lines to read the file itself.".to_owned(),
    }
}
