//! How long a PDF is and what its pages say, in bounded time and memory.
//!
//! The parser takes up to sixty bytes of memory for a byte of text, and unpacks what says it is packed. So it never sees a file
//! as it is but an [`outline`] of it: the data of streams that do not matter are blanks there, what is left is bounded.

mod outline;

use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lopdf::{Document, LoadOptions};

use crate::{ReadLimits, wording};
use outline::{Keep, outline};

/// What is known of a PDF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Pages that are really there, whatever the file says of itself.
    pub(crate) pages: u64,
    /// Whether providers take it: they refuse encrypted ones even where no password is needed.
    pub(crate) may_be_sent: bool,
}

/// Why the pages of a PDF can not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PdfProblem {
    #[error("{}", wording::ENCRYPTED)]
    Encrypted,
    #[error("{}", wording::BROKEN)]
    Broken,
    #[error("{}", wording::TOO_COMPLEX)]
    TooComplex,
}

impl PdfProblem {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Encrypted => "pdf_encrypted",
            Self::Broken => "pdf_broken",
            Self::TooComplex => "pdf_too_complex",
        }
    }
}

/// Counts the pages by walking the page tree; the count that the file gives is not believed.
pub(crate) fn facts(bytes: &[u8], limits: &ReadLimits) -> Result<Facts, PdfProblem> {
    let document = load(bytes, Keep::Structure, limits)?;
    let pages = guarded(|| document.page_iter().count() as u64).unwrap_or(0);
    match pages {
        0 if document.is_encrypted() => Err(PdfProblem::Encrypted),
        0 => Err(PdfProblem::Broken),
        pages => Ok(Facts { pages, may_be_sent: !document.was_encrypted() }),
    }
}

/// The text of each page; `None` for one whose text can not be read.
pub(crate) fn page_texts(
    bytes: &[u8],
    pages: RangeInclusive<u64>,
    limits: &ReadLimits,
) -> Result<Vec<Option<String>>, PdfProblem> {
    let document = load(bytes, Keep::Text, limits)?;
    let text = |page: u64| {
        let page = [u32::try_from(page).ok()?];
        guarded(|| document.extract_text_with_limit(&page, limits.pdf_content_bytes))?.ok()
    };
    Ok(pages.map(text).collect())
}

fn load(bytes: &[u8], keep: Keep, limits: &ReadLimits) -> Result<Document, PdfProblem> {
    let outline = outline(bytes, keep, limits).ok_or(PdfProblem::TooComplex)?;
    let options = LoadOptions::with_max_decompressed_size(limits.pdf_unpacked_bytes);
    guarded(|| Document::load_mem_with_options(&outline, options))
        .and_then(Result::ok)
        .ok_or(PdfProblem::Broken)
}

/// A parser that panics on hostile bytes costs this document and nothing else.
fn guarded<T>(act: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(act)).ok()
}
