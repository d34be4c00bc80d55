//! Every text of this crate that a model or a person reads.

use context_api::LineSpan;

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
