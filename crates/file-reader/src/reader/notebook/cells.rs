//! The cells of a notebook, of format 3 and later.

use serde_json::Value;

/// One cell.
pub(super) struct Cell {
    /// `code`, `markdown`, `raw`, and the language of code.
    pub(super) kind: String,
    pub(super) source: String,
    pub(super) outputs: Vec<Output>,
}

/// One output of a cell.
pub(super) enum Output {
    Text(String),
    /// Base64.
    Image(String),
    /// Something with neither text nor picture.
    Rich,
}

/// Pictures, best first.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/gif"];
/// Texts, best first.
const TEXTS: [&str; 5] = ["text/markdown", "text/latex", "text/plain", "application/json", "text/html"];

pub(super) fn of(notebook: &Value) -> Option<Vec<Cell>> {
    let language = notebook.pointer("/metadata/language_info/name").and_then(Value::as_str);
    let sheets = notebook.get("worksheets").and_then(Value::as_array);
    let cells: Vec<&Value> = match notebook.get("cells") {
        Some(cells) => cells.as_array()?.iter().collect(),
        None => sheets?.iter().filter_map(|sheet| sheet.get("cells")?.as_array()).flatten().collect(),
    };
    Some(cells.into_iter().map(|value| cell(value, language)).collect())
}

fn cell(value: &Value, language: Option<&str>) -> Cell {
    let kind = value.get("cell_type").and_then(Value::as_str).unwrap_or("unknown");
    let kind = match language.filter(|_| kind == "code") {
        Some(language) => format!("{kind}, {language}"),
        None => kind.to_owned(),
    };
    let source = value.get("source").or_else(|| value.get("input")).map(joined).unwrap_or_default();
    let outputs =
        value.get("outputs").and_then(Value::as_array).into_iter().flatten().filter_map(output).collect();
    Cell { kind, source, outputs }
}

fn output(value: &Value) -> Option<Output> {
    if let Some(traceback) =
        value.get("traceback").and_then(Value::as_array).filter(|lines| !lines.is_empty())
    {
        let lines: Vec<_> = traceback.iter().filter_map(Value::as_str).map(plain).collect();
        return Some(Output::Text(lines.join("\n")));
    }
    if let Some(name) = value.get("ename").and_then(Value::as_str) {
        let message = value.get("evalue").and_then(Value::as_str).unwrap_or_default();
        return Some(Output::Text(format!("{name}: {message}")));
    }
    if let Some(text) = value.get("text") {
        return Some(Output::Text(plain(&joined(text)))).filter(is_some_text);
    }
    let data = value.get("data")?;
    let find = |kinds: &[&str]| kinds.iter().find_map(|kind| data.get(*kind)).map(joined);
    let image = find(&IMAGES).map(Output::Image);
    Some(image.or_else(|| find(&TEXTS).map(|text| Output::Text(plain(&text)))).unwrap_or(Output::Rich))
}

fn is_some_text(output: &Output) -> bool {
    matches!(output, Output::Text(text) if !text.is_empty())
}

/// Text is kept as one string or as lines.
fn joined(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Without the colours of a terminal, and of a line that was written over only the last state.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' && chars.next_if_eq(&'[').is_some() {
            let _command = chars.find(|c| ('\u{40}'..='\u{7e}').contains(c));
        } else {
            out.push(c);
        }
    }
    out.split('\n').map(last_state).collect::<Vec<_>>().join("\n")
}

/// Progress bars go back to the beginning of their line again and again.
fn last_state(line: &str) -> &str {
    let line = line.strip_suffix('\r').unwrap_or(line);
    line.rsplit('\r').next().unwrap_or(line)
}
