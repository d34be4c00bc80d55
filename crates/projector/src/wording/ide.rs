//! Texts about the editor.

use context_api::{
    Diagnostic, DiagnosticsAttachment, FileDiagnostics, LspDiagnostics, OpenedFileInIde, SelectedLinesInIde,
    Severity, ToolNames,
};
use context_text::display_path;

use super::line::{count, flat, lines, one, path, quoted};

fn editor(name: &str) -> String {
    if name.is_empty() { "the editor".to_owned() } else { one(name).into_owned() }
}

pub(super) fn selected_lines_in_ide(it: &SelectedLinesInIde, names: &ToolNames) -> String {
    let shown = path(&it.display_path, &it.path);
    let (start, end) = (it.start_line, it.end_line);
    let head = format!("In {}, the user has selected lines {start} to {end} of {shown}:", editor(&it.ide));
    let cut = match it.cut {
        0 => String::new(),
        cut => format!("({} of it left out; {} shows the file.)", count(cut, "character"), names.read),
    };
    lines(&[head, quoted(&it.text), cut, MAYBE_UNRELATED.to_owned()])
}

pub(super) fn opened_file_in_ide(it: &OpenedFileInIde, _: &ToolNames) -> String {
    let shown = path(&it.display_path, &it.path);
    format!("The user has {shown} open in {}. {MAYBE_UNRELATED}", editor(&it.ide))
}

const MAYBE_UNRELATED: &str = "It may have nothing to do with the task.";

pub(super) fn diagnostics(it: &DiagnosticsAttachment, _: &ToolNames) -> String {
    problems("New problems in files, as the editor reports them:", it)
}

pub(super) fn lsp_diagnostics(it: &LspDiagnostics, _: &ToolNames) -> String {
    problems("New problems in files, as a language server reports them:", it)
}

fn problems(head: &str, it: &DiagnosticsAttachment) -> String {
    let mut parts = vec![head.to_owned()];
    for file in it.files.iter().filter(|file| !file.items.is_empty()) {
        parts.extend(of_file(file));
    }
    if it.left_out > 0 {
        parts.push(format!("({} not listed.)", count(it.left_out, "more problem")));
    }
    lines(&parts)
}

fn of_file(file: &FileDiagnostics) -> impl Iterator<Item = String> {
    let head = format!("{}:", display_path(&file.path));
    [head].into_iter().chain(file.items.iter().map(problem))
}

fn problem(it: &Diagnostic) -> String {
    let code = it.code.as_deref().map(|code| format!(" [{}]", one(code))).unwrap_or_default();
    let source = it.source.as_deref().map(|source| format!(" ({})", one(source))).unwrap_or_default();
    let (mark, at) = (mark(it.severity), format!("{}:{}", it.line, it.column));
    format!("  {mark} {at}{code} {}{source}", flat(&it.message))
}

fn mark(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
        _ => "hint",
    }
}
