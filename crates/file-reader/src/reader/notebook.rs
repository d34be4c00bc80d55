//! Notebooks: cells with their outputs.

mod cells;

use std::path::Path;

use context_api::{
    ContentBlock, Decision, FileContent, FileNotebook, ReadErrorKind, ReadRequest, StateKind, Verdict,
};
use context_text::{cut_chars, display_path, estimate_tokens, repair_surrogates};
use serde_json::Value;

use super::bytes::Whole;
use super::{Shown, StandardReader, text};
use crate::{ReadLimits, wording};
use cells::{Cell, Output};

/// Whether the name promises a notebook.
pub(super) fn is_named_so(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb"))
}

/// The cells; the file as text where lines are asked for or it is no notebook.
pub(super) fn show(
    reader: &StandardReader,
    request: &ReadRequest,
    path: &Path,
    whole: Whole,
) -> Result<Shown, ReadErrorKind> {
    let Whole { bytes, meta } = whole;
    let decoded = text::decode(bytes);
    if request.lines.is_some() || decoded.text.is_empty() {
        return text::show_decoded(reader, request, path, &meta, decoded);
    }
    let Some(cells) = parse(&decoded.text) else {
        let mut shown = text::show_decoded(reader, request, path, &meta, decoded)?;
        let subject = display_path(&request.path);
        let broken = Decision::new(subject, Verdict::Included, "notebook_broken", wording::NOTEBOOK_BROKEN);
        shown.decisions.push(broken);
        return Ok(shown);
    };
    let mut page = Page::new(&reader.limits);
    let fitting = cells.iter().enumerate().take_while(|(index, cell)| page.cell(index + 1, cell)).count();
    let is_cut = page.is_cut || fitting < cells.len();
    let note = if is_cut { wording::cells_note(fitting, cells.len()) } else { String::new() };
    let cut = is_cut
        .then(|| Decision::cut(display_path(&request.path), "notebook_too_long", wording::NOTEBOOK_CUT));
    let notebook = FileNotebook::default().blocks(page.finish()).note(note);
    let state =
        reader.opaque_state(path, &meta, decoded.text.as_bytes(), StateKind::Other).is_partial_view(is_cut);
    Ok(Shown {
        content: FileContent::Notebook(notebook),
        state: Some(state),
        decisions: cut.into_iter().collect(),
    })
}

fn parse(text: &str) -> Option<Vec<Cell>> {
    let notebook: Value = serde_json::from_str(&repair_surrogates(text)).ok()?;
    cells::of(&notebook)
}

/// Text and pictures in their order, within the limits.
struct Page<'a> {
    limits: &'a ReadLimits,
    blocks: Vec<ContentBlock>,
    text: String,
    tokens: u64,
    images: usize,
    is_cut: bool,
}

impl<'a> Page<'a> {
    fn new(limits: &'a ReadLimits) -> Self {
        Self { limits, blocks: Vec::new(), text: String::new(), tokens: 0, images: 0, is_cut: false }
    }

    /// Whether it had room. The first cell has, its source cut where need be.
    fn cell(&mut self, number: usize, cell: &Cell) -> bool {
        if self.tokens >= self.limits.tokens {
            return false;
        }
        self.line(&wording::cell_head(number, &cell.kind));
        self.passage(&cell.source, self.limits.tokens);
        if !cell.outputs.is_empty() {
            self.line(wording::OUTPUT);
        }
        for output in &cell.outputs {
            match output {
                Output::Text(text) => self.passage(text, self.limits.output_tokens),
                Output::Image(data) => self.image(data),
                Output::Rich => self.line(wording::RICH_OUTPUT),
            }
        }
        true
    }

    /// As much of a text as there is room for, by whole lines, long ones cut.
    fn passage(&mut self, text: &str, most: u64) {
        let mut room = most.min(self.limits.tokens.saturating_sub(self.tokens));
        for line in context_text::lines(text) {
            let shown = cut_chars(line, self.limits.line_chars);
            self.is_cut |= shown.len() < line.len();
            let tokens = estimate_tokens(shown) + 1;
            if tokens > room {
                self.is_cut = true;
                return self.line(wording::OUTPUT_CUT);
            }
            room -= tokens;
            self.line(shown);
        }
    }

    fn line(&mut self, line: &str) {
        self.tokens += estimate_tokens(line) + 1;
        self.text.push_str(&text::visible(line).0);
        self.text.push('\n');
    }

    fn image(&mut self, data: &str) {
        let block =
            if self.images < self.limits.notebook_images { image_block(data, self.limits) } else { None };
        let Some(block) = block else {
            self.is_cut = true;
            return self.line(wording::PICTURE_LEFT_OUT);
        };
        self.images += 1;
        self.flush();
        self.blocks.push(block);
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim_end();
        if !text.is_empty() {
            self.blocks.push(ContentBlock::text(text));
        }
    }

    fn finish(mut self) -> Vec<ContentBlock> {
        self.flush();
        self.blocks
    }
}

#[cfg(feature = "image")]
fn image_block(data: &str, limits: &ReadLimits) -> Option<ContentBlock> {
    use base64::Engine;
    let packed: String = data.split_ascii_whitespace().collect();
    let bytes = base64::engine::general_purpose::STANDARD.decode(packed).ok()?;
    let fitted = crate::fit_image_within(&bytes, &limits.image).ok()?;
    let data = base64::engine::general_purpose::STANDARD.encode(&fitted.bytes);
    Some(ContentBlock::image(fitted.media_type, data))
}

#[cfg(not(feature = "image"))]
fn image_block(_: &str, _: &ReadLimits) -> Option<ContentBlock> {
    None
}
