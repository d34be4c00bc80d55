//! Files and directories as a model sees them: the same bytes in a mention and in a read tool's answer.

use context_api::{
    ContentBlock, DocumentBlock, FileContent, FileImage, FileNotebook, FilePdf, FileText, ImageBlock,
};
use context_text::{numbered, safe_line};

use crate::wording::files as words;

/// The content of a file as blocks: text with line numbers and the note of what was cut, pictures and PDFs as blocks of
/// their own. A read tool that returns these gives a model the same bytes as a mention of the file.
///
/// ```
/// use context_api::{ContentBlock, FileContent, FileText};
/// let content = FileContent::Text(FileText::default().text("a\nb\n").first_line(7u64));
/// assert_eq!(projector::file_blocks(&content), [ContentBlock::text("7\ta\n8\tb")]);
/// ```
pub fn file_blocks(content: &FileContent) -> Vec<ContentBlock> {
    match content {
        FileContent::Text(text) => vec![ContentBlock::text(numbered_text(text))],
        FileContent::Empty => vec![ContentBlock::text(words::EMPTY_FILE)],
        FileContent::Image(image) => image_blocks(image),
        FileContent::Pdf(pdf) => pdf_blocks(pdf),
        FileContent::PdfReference(reference) | FileContent::Binary(reference) => {
            vec![ContentBlock::text(words::reference(reference))]
        }
        FileContent::Notebook(notebook) => notebook_blocks(notebook),
        FileContent::Directory(listing) => {
            vec![ContentBlock::text(list_text(&listing.entries, listing.left_out))]
        }
        _ => vec![ContentBlock::text(words::UNKNOWN_CONTENT)],
    }
}

/// One level of a directory: a name a line, and how many were left out. What a list tool returns.
///
/// ```
/// assert_eq!(projector::list_text(&["a/".to_owned(), "b".to_owned()], 0), "a/\nb");
/// ```
pub fn list_text(entries: &[String], left_out: u64) -> String {
    let mut lines: Vec<String> = entries.iter().map(|name| safe_line(name).into_owned()).collect();
    if lines.is_empty() && left_out == 0 {
        lines.push(words::EMPTY_DIRECTORY.to_owned());
    }
    if left_out > 0 {
        lines.push(words::entries_left_out(left_out));
    }
    lines.join("\n")
}

fn numbered_text(text: &FileText) -> String {
    let shown = numbered(&text.text, text.first_line.max(1));
    match (shown.is_empty(), text.note.is_empty()) {
        (true, true) => words::EMPTY_FILE.to_owned(),
        (true, false) => text.note.clone(),
        (false, true) => shown,
        (false, false) => format!("{shown}\n\n{}", text.note),
    }
}

fn image_blocks(image: &FileImage) -> Vec<ContentBlock> {
    let source = image.source.clone().map(|source| ContentBlock::Image(ImageBlock { source }));
    let missing = source.is_none().then(|| ContentBlock::text(words::NO_PICTURE));
    source.into_iter().chain(missing).chain(note(&image.note)).collect()
}

fn pdf_blocks(pdf: &FilePdf) -> Vec<ContentBlock> {
    let title = (!pdf.title.is_empty()).then(|| pdf.title.clone());
    match pdf.source.clone() {
        Some(source) => vec![ContentBlock::Document(DocumentBlock { source, title })],
        None => vec![ContentBlock::text(words::NO_PICTURE)],
    }
}

fn notebook_blocks(notebook: &FileNotebook) -> Vec<ContentBlock> {
    let empty = notebook.blocks.is_empty().then(|| ContentBlock::text(words::EMPTY_FILE));
    notebook.blocks.iter().cloned().chain(empty).chain(note(&notebook.note)).collect()
}

fn note(text: &str) -> Option<ContentBlock> {
    (!text.is_empty()).then(|| ContentBlock::text(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use context_api::{DirectoryListing, FileReference};

    fn only_text(content: FileContent) -> String {
        let blocks = file_blocks(&content);
        assert_eq!(blocks.len(), 1);
        blocks[0].as_text().unwrap().to_owned()
    }

    #[test]
    fn text_is_numbered_from_its_first_line_and_carries_its_note() {
        let text = FileText::default().text("x\r\ny").first_line(9u64).note("12 lines were left out.");
        assert_eq!(only_text(FileContent::Text(text)), "9\tx\n10\ty\n\n12 lines were left out.");
    }

    #[test]
    fn nothing_is_ever_an_empty_text() {
        for content in [
            FileContent::Empty,
            FileContent::Text(FileText::default()),
            FileContent::Image(FileImage::default()),
            FileContent::Pdf(FilePdf::default()),
            FileContent::Notebook(FileNotebook::default()),
            FileContent::Binary(FileReference::default()),
            FileContent::Directory(DirectoryListing::default()),
        ] {
            assert!(!only_text(content).trim().is_empty());
        }
    }

    #[test]
    fn a_newline_in_a_name_makes_no_second_line() {
        let entries = ["two\nlines.md".to_owned(), "z/".to_owned()];
        assert_eq!(list_text(&entries, 0), "two\\nlines.md\nz/");
        assert_eq!(list_text(&entries, 3).lines().count(), 3);
    }
}
