//! Pages of a PDF as text.

use std::path::Path;

use context_api::{Decision, FileContent, FileText, LineSpan, ReadErrorKind, ReadRequest, StateKind};
use context_text::display_path;

use super::bytes::Whole;
use super::{Shown, StandardReader, text};
use crate::pdf::{Facts, PdfProblem};
use crate::wording;

type Asked = (Result<Facts, PdfProblem>, LineSpan);

pub(super) fn show(
    reader: &StandardReader,
    request: &ReadRequest,
    path: &Path,
    whole: &Whole,
    (facts, pages): Asked,
) -> Result<Shown, ReadErrorKind> {
    let total = facts.map_err(|problem| unusable(&problem.to_string()))?.pages;
    let asked = text::selection(pages, total)
        .map_err(|_| unusable(&wording::page_behind_the_end(total)))?
        .unwrap_or_else(|| LineSpan::default().start(1_u64).end(total));
    let wanted = asked.end.unwrap_or(total);
    let last = wanted.min(asked.start.saturating_add(reader.limits.pdf_pages_a_call) - 1);
    let texts = crate::pdf::page_texts(&whole.bytes, asked.start..=last, &reader.limits)
        .map_err(|problem| unusable(&problem.to_string()))?;
    let joined: String =
        (asked.start..).zip(&texts).map(|(number, text)| wording::page(number, text.as_deref())).collect();
    let cut = text::cut(&joined, 1, &reader.limits);
    let cut_note = if cut.is_whole { "" } else { wording::PAGES_TEXT_CUT };
    let content = FileText::default()
        .text(text::visible(&cut.text).0.as_ref())
        .first_line(1_u64)
        .encoding("pdf")
        .line_ends("lf")
        .note(wording::pages_note(asked.start, last, total, cut_note));
    let state = reader.opaque_state(path, &whole.meta, &whole.bytes, StateKind::Other).is_partial_view(true);
    let too_many = (last < wanted).then(|| wording::pages_cut(last, reader.limits.pdf_pages_a_call));
    let too_many =
        too_many.map(|detail| Decision::cut(display_path(&request.path), "too_many_pages", detail));
    let too_long = (!cut.is_whole).then(|| text::too_long(&request.path));
    let decisions = too_many.into_iter().chain(too_long).collect();
    Ok(Shown { content: FileContent::Text(content), state: Some(state), decisions })
}

fn unusable(reason: &str) -> ReadErrorKind {
    ReadErrorKind::Unusable { reason: reason.to_owned() }
}
