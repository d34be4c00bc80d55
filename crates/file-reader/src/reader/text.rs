//! Text: decoded, selected, cut.

use std::borrow::Cow;
use std::path::Path;

use context_api::{Decision, FileContent, FileText, LineSpan, ReadErrorKind, ReadRequest};
use context_text::{LineEnds, cut_chars, decode_guess, display_path, estimate_tokens, line_count, line_ends};

use super::bytes::Whole;
use super::state::View;
use super::{Shown, StandardReader};
use crate::ReadLimits;
use crate::wording::{self, TextCut};

/// A text as it was decoded.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) encoding: &'static str,
    pub(super) lossy: bool,
}

pub(super) fn show(
    reader: &StandardReader,
    request: &ReadRequest,
    path: &Path,
    whole: Whole,
) -> Result<Shown, ReadErrorKind> {
    let Whole { bytes, meta } = whole;
    show_decoded(reader, request, path, &meta, decode(bytes))
}

pub(super) fn show_decoded(
    reader: &StandardReader,
    request: &ReadRequest,
    path: &Path,
    meta: &context_api::FileMeta,
    decoded: Text,
) -> Result<Shown, ReadErrorKind> {
    let total = line_count(&decoded.text);
    let lines = request.lines.map(|lines| selection(lines, total)).transpose()?.flatten();
    let (first, last) = lines.map_or((1, total), |span| (span.start, span.end.unwrap_or(total)));
    let cut = cut(selected(&decoded.text, first, last), first, &reader.limits);
    let note = cut.note(last, Some(total), &reader.limits);
    let (text, has_nul) = visible(&cut.text);
    let view = View { lines, is_partial: !cut.is_whole || has_nul };
    let decisions = decisions(&request.path, &cut, decoded.lossy, has_nul);
    let state = reader.text_state(path, meta, &decoded.text, view);
    let content = content(&decoded, text, first).total_lines(total).note(note);
    let content = if decoded.text.is_empty() { FileContent::Empty } else { FileContent::Text(content) };
    Ok(Shown { content, state: Some(state), decisions })
}

pub(super) fn content(decoded: &Text, text: Cow<'_, str>, first: u64) -> FileText {
    FileText::default()
        .line_ends(ends_word(line_ends(&decoded.text)))
        .encoding(decoded.encoding)
        .first_line(first)
        .text(text.as_ref())
}

/// The bytes as text, without a copy where they are UTF-8 already, as a large file may be.
pub(super) fn decode(mut bytes: Vec<u8>) -> Text {
    const BOM: &[u8] = b"\xEF\xBB\xBF";
    // Zero bytes may be UTF-16 without a mark.
    if memchr::memchr(0, &bytes).is_none() && std::str::from_utf8(&bytes).is_ok() {
        if bytes.starts_with(BOM) {
            bytes.drain(..BOM.len());
        }
        let text = String::from_utf8(bytes).unwrap_or_default();
        return Text { text, encoding: "utf-8", lossy: false };
    }
    let is_marked = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    let decoded = if is_marked { context_text::decode(&bytes) } else { decode_guess(&bytes) };
    Text { text: decoded.text, encoding: decoded.encoding, lossy: decoded.lossy }
}

fn ends_word(ends: LineEnds) -> &'static str {
    match ends {
        LineEnds::None => "none",
        LineEnds::Lf => "lf",
        LineEnds::CrLf => "crlf",
        LineEnds::Mixed => "mixed",
    }
}

/// The lines that are meant, of a file of `total`: turned around where they are reversed, within the file. `None` where they
/// are all there are.
pub(super) fn selection(lines: LineSpan, total: u64) -> Result<Option<LineSpan>, ReadErrorKind> {
    let end = lines.end.unwrap_or(u64::MAX);
    let (first, last) = (lines.start.min(end).max(1), lines.start.max(end).min(total));
    if first > last {
        return Err(ReadErrorKind::EmptySelection { lines: total });
    }
    Ok((first > 1 || last < total).then(|| LineSpan::default().start(first).end(last)))
}

/// Lines `first` to `last` with their line ends.
fn selected(text: &str, first: u64, last: u64) -> &str {
    let start = after_lines(text, first.saturating_sub(1));
    let rest = &text[start..];
    &rest[..after_lines(rest, last + 1 - first.min(last + 1))]
}

/// Where the text goes on after so many lines.
fn after_lines(text: &str, lines: u64) -> usize {
    let Some(last) = lines.checked_sub(1) else { return 0 };
    let last = usize::try_from(last).unwrap_or(usize::MAX);
    memchr::memchr_iter(b'\n', text.as_bytes()).nth(last).map_or(text.len(), |end| end + 1)
}

/// What is shown of a text.
pub(super) struct Cut<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) is_whole: bool,
    first: u64,
    lines: u64,
    long_lines: u64,
    first_long: u64,
}

impl Cut<'_> {
    pub(super) fn note(&self, last_wanted: u64, total: Option<u64>, limits: &ReadLimits) -> String {
        if self.is_whole {
            return String::new();
        }
        let shown = LineSpan::default().start(self.first).end((self.first + self.lines).saturating_sub(1));
        let (long_lines, first_long, line_chars) = (self.long_lines, self.first_long, limits.line_chars);
        TextCut { shown, last_wanted, total, long_lines, first_long, line_chars }.note()
    }
}

/// All of it where it is small enough, else its first lines, the long ones cut. There is always something to see.
pub(super) fn cut<'a>(text: &'a str, first: u64, limits: &ReadLimits) -> Cut<'a> {
    if text.len() <= limits.text_bytes && estimate_tokens(text) <= limits.tokens {
        let lines = line_count(text);
        return Cut { text: Cow::Borrowed(text), is_whole: true, first, lines, long_lines: 0, first_long: 0 };
    }
    let mut cut = cut_to_lines(text, first, limits);
    // A text a little over the limit may be one line that is shown all the same.
    cut.is_whole = cut.text.len() == text.len();
    cut
}

pub(super) fn cut_to_lines<'a>(text: &'a str, first: u64, limits: &ReadLimits) -> Cut<'a> {
    let mut out = String::new();
    let mut cut =
        Cut { text: Cow::Borrowed(""), is_whole: false, first, lines: 0, long_lines: 0, first_long: 0 };
    let mut tokens = 0;
    for line in text.split_inclusive('\n').take(usize::try_from(limits.lines).unwrap_or(usize::MAX)) {
        let (body, end) = split_end(line);
        let room = limits.tokens.saturating_sub(tokens);
        let mut shown = cut_chars(body, limits.line_chars);
        if cut.lines == 0 {
            shown = shrink(shown, room);
        }
        tokens += estimate_tokens(shown) + 1;
        if cut.lines > 0 && tokens > limits.tokens {
            break;
        }
        if shown.len() < body.len() {
            cut.first_long = if cut.long_lines == 0 { first + cut.lines } else { cut.first_long };
            cut.long_lines += 1;
        }
        cut.lines += 1;
        out.push_str(shown);
        out.push_str(end);
    }
    cut.text = Cow::Owned(out);
    cut
}

/// A first line that fits by itself, however dear its characters are.
fn shrink(line: &str, tokens: u64) -> &str {
    let mut line = line;
    while estimate_tokens(line) > tokens && line.len() > 1 {
        line = cut_chars(line, line.chars().count() / 2);
    }
    line
}

fn split_end(line: &str) -> (&str, &str) {
    let body = line.strip_suffix('\n').unwrap_or(line);
    let body = if body.len() < line.len() { body.strip_suffix('\r').unwrap_or(body) } else { body };
    (body, &line[body.len()..])
}

/// A zero character makes some providers refuse the whole request.
pub(super) fn visible<'a>(text: &'a str) -> (Cow<'a, str>, bool) {
    match memchr::memchr(0, text.as_bytes()) {
        Some(_) => (Cow::Owned(text.replace('\0', "\u{2400}")), true),
        None => (Cow::Borrowed(text), false),
    }
}

fn decisions(path: &Path, cut: &Cut<'_>, lossy: bool, has_nul: bool) -> Vec<Decision> {
    let subject = display_path(path);
    let included = |reason, detail| Decision::new(&*subject, context_api::Verdict::Included, reason, detail);
    let cut = (!cut.is_whole).then(|| too_long(path));
    let lossy = lossy.then(|| included("invalid_bytes_replaced", wording::LOSSY));
    let nul = has_nul.then(|| included("zero_characters_replaced", wording::NUL));
    cut.into_iter().chain(lossy).chain(nul).collect()
}

pub(super) fn too_long(path: &Path) -> Decision {
    Decision::cut(display_path(path), "text_too_long", wording::TEXT_CUT)
}
