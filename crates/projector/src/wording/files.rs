//! Texts about files and resources.

use context_api::{
    AlreadyReadFile, CompactFileReference, DirectoryAttachment, EditedImageFile, EditedTextFile,
    FileAttachment, FileReference, McpResource, PdfReference, ToolNames,
};

use super::line::{count, lines, one, path, quoted};

/// Stands for a file of no bytes, in mentions and in a read tool's answer alike.
pub(crate) const EMPTY_FILE: &str = "(The file is empty.)";
/// Stands for a directory without entries.
pub(crate) const EMPTY_DIRECTORY: &str = "(The directory is empty.)";
/// Stands for a picture or document whose bytes are not there.
pub(crate) const NO_PICTURE: &str = "(The content can not be shown.)";
/// Stands for content of a kind that this version does not know.
pub(crate) const UNKNOWN_CONTENT: &str = "(The content is of an unknown kind and can not be shown.)";

/// Pages that a read tool takes at once.
const PAGES_A_CALL: u64 = 20;

pub(crate) fn entries_left_out(left_out: u64) -> String {
    let entries = if left_out == 1 { "entry is" } else { "entries are" };
    format!("({left_out} more {entries} not listed.)")
}

/// A file that is named and not shown.
pub(crate) fn reference(it: &FileReference) -> String {
    let kind = if it.kind.is_empty() { "binary file".into() } else { one(&it.kind) };
    let pages = it.pages.map(|pages| format!(", {}", count(pages, "page"))).unwrap_or_default();
    let head = format!("({kind}, {}{pages}: not shown.)", count(it.size, "byte"));
    if it.note.is_empty() { head } else { format!("{head}\n{}", it.note) }
}

pub(super) fn simulated_call(tool: &str, input: &str) -> String {
    format!("{tool} was called with {input} and answered:")
}

pub(super) fn media_follows(name: &str, place: u64) -> String {
    format!("[{name}: item {place} follows behind this text]")
}

pub(super) fn file(it: &FileAttachment, _: &ToolNames) -> String {
    format!("The user's message names {}, so it was read for you.", path(&it.display_path, &it.path))
}

pub(super) fn directory(it: &DirectoryAttachment, _: &ToolNames) -> String {
    format!("The user's message names {}, so it was listed for you.", path(&it.display_path, &it.path))
}

pub(super) fn already_read_file(it: &AlreadyReadFile, _: &ToolNames) -> String {
    format!(
        "The user's message names {}. You have read it before and it is unchanged.",
        path(&it.display_path, &it.path)
    )
}

pub(super) fn compact_file_reference(it: &CompactFileReference, names: &ToolNames) -> String {
    format!(
        "You read {} before the conversation was shortened. It is too long to be shown again here; use the tool {} if you need it.",
        path(&it.display_path, &it.path),
        names.read
    )
}

pub(super) fn pdf_reference(it: &PdfReference, names: &ToolNames) -> String {
    let shown = path(&it.display_path, &it.path);
    let pages =
        it.pages.map(|pages| count(pages, "page")).unwrap_or_else(|| "an unknown number of pages".into());
    let head = format!("The user's message names the PDF {shown} ({pages}, {}).", count(it.size, "byte"));
    if it.problem.is_empty() {
        let how = "by page range, at most";
        let read = &names.read;
        format!(
            "{head} It is too long to be shown whole: read what you need with the tool {read}, {how} {PAGES_A_CALL} pages a call."
        )
    } else {
        format!("{head} It can not be read: {}", one(&it.problem))
    }
}

pub(super) fn mcp_resource(it: &McpResource, _: &ToolNames) -> String {
    let name = if it.name.is_empty() { String::new() } else { format!(" ({})", one(&it.name)) };
    let head = format!("The resource {}{name} of the MCP server {}:", one(&it.uri), one(&it.server));
    let texts = it.texts.iter().filter(|text| !text.trim().is_empty()).map(|text| quoted(text));
    let none = (it.texts.iter().all(|text| text.trim().is_empty()) && it.images.is_empty())
        .then(|| "(It has no text.)".to_owned());
    let parts: Vec<String> = [head].into_iter().chain(texts).chain(none).chain([it.note.clone()]).collect();
    lines(&parts)
}

pub(super) fn edited_text_file(it: &EditedTextFile, names: &ToolNames) -> String {
    let shown = path(&it.display_path, &it.path);
    let what = format!("{} added, {} removed", count(it.added, "line"), count(it.removed, "line"));
    if it.withheld {
        return format!(
            "{shown} changed on the disk after you read it. A rule keeps its content from being read."
        );
    }
    let head = format!(
        "{shown} changed on the disk after you read it ({what}), by the user or by a program. Take the change as meant: \
         keep it, and do not tell the user of it unless it matters."
    );
    if it.snippet.trim().is_empty() {
        return format!("{head} Read it with the tool {} before you rely on it.", names.read);
    }
    let more = match it.regions_left_out {
        0 => String::new(),
        left => format!(
            "({} not shown; use the tool {} to see all.)",
            count(left, "more changed region"),
            names.read
        ),
    };
    lines(&[head, "The changed places, with line numbers:".into(), it.snippet.to_string(), more])
}

pub(super) fn edited_image_file(it: &EditedImageFile, _: &ToolNames) -> String {
    format!(
        "The picture {} changed on the disk after you saw it. This is the new one.",
        path(&it.display_path, &it.path)
    )
}
