//! PDFs: whole where they are short, by reference where they are not, by page as text where pages are asked for.

use std::path::Path;

use context_api::{Decision, FileContent, FilePdf, FileReference, ReadErrorKind, ReadRequest, StateKind};
use context_text::{display_path, safe_line};

use super::bytes::Whole;
use super::{Shown, StandardReader};
use crate::wording;

#[cfg(feature = "pdf")]
pub(super) fn show(
    reader: &StandardReader,
    request: &ReadRequest,
    path: &Path,
    whole: &Whole,
) -> Result<Shown, ReadErrorKind> {
    let facts = crate::pdf::facts(&whole.bytes, &reader.limits);
    if let Some(pages) = request.pages {
        return super::pages::show(reader, request, path, whole, (facts, pages));
    }
    Ok(match facts {
        Ok(facts) if facts.may_be_sent && fits(reader, facts.pages, whole) => {
            inline(reader, path, whole, Some(facts.pages))
        }
        Ok(facts) => reference(request, whole.meta.fingerprint.len, Some(facts.pages), reader),
        // Not known how long it is, so better not all of it.
        Err(crate::pdf::PdfProblem::TooComplex) => {
            reference(request, whole.meta.fingerprint.len, None, reader)
        }
        Err(problem) => unreadable(request, whole.meta.fingerprint.len, problem),
    })
}

/// Without the parser the pages are guessed by the size.
#[cfg(not(feature = "pdf"))]
pub(super) fn show(
    reader: &StandardReader,
    request: &ReadRequest,
    path: &Path,
    whole: &Whole,
) -> Result<Shown, ReadErrorKind> {
    if request.pages.is_some() {
        return Err(ReadErrorKind::Unusable { reason: wording::NO_PDF_PAGES.into() });
    }
    let size = whole.meta.fingerprint.len;
    let guess = size.div_ceil(reader.limits.pdf_page_bytes.max(1));
    let is_short = fits(reader, guess, whole);
    Ok(if is_short { inline(reader, path, whole, None) } else { reference(request, size, None, reader) })
}

fn fits(reader: &StandardReader, pages: u64, whole: &Whole) -> bool {
    pages <= reader.limits.pdf_pages && whole.bytes.len() <= reader.limits.pdf_bytes
}

fn inline(reader: &StandardReader, path: &Path, whole: &Whole, pages: Option<u64>) -> Shown {
    let title = path.file_name().map(|name| name.to_string_lossy());
    let pdf = FilePdf::default()
        .source(super::base64_source("application/pdf", &whole.bytes))
        .pages(pages)
        .title(safe_line(&title.unwrap_or_default()).into_owned());
    let state = reader.opaque_state(path, &whole.meta, &whole.bytes, StateKind::Other);
    Shown { content: FileContent::Pdf(pdf), state: Some(state), decisions: Vec::new() }
}

/// A PDF that is only named. The model has not seen it, so there is no state. The note is empty: it is kept for why a PDF can
/// not be read at all.
pub(super) fn reference(
    request: &ReadRequest,
    size: u64,
    pages: Option<u64>,
    reader: &StandardReader,
) -> Shown {
    let most = reader.limits.pdf_request_pages;
    let is_long = pages.is_some_and(|pages| pages > most);
    let kind = if is_long { wording::long_pdf(most) } else { wording::PDF.to_owned() };
    let decision =
        Decision::cut(display_path(&request.path), "pdf_by_reference", wording::PDF_BY_REFERENCE).bytes(size);
    named(FileReference::default().kind(kind).size(size).pages(pages), decision)
}

#[cfg(feature = "pdf")]
fn unreadable(request: &ReadRequest, size: u64, problem: crate::pdf::PdfProblem) -> Shown {
    let decision =
        Decision::left_out(display_path(&request.path), problem.reason(), problem.to_string()).bytes(size);
    named(FileReference::default().kind(wording::PDF).size(size).note(problem.to_string()), decision)
}

fn named(reference: FileReference, decision: Decision) -> Shown {
    Shown { content: FileContent::PdfReference(reference), state: None, decisions: vec![decision] }
}
