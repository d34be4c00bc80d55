//! Pieces that texts are made of.

use std::borrow::Cow;
use std::path::Path;

use context_text::{display_path, safe_line};

/// A name or a short text, kept on its line.
pub(super) fn one(text: &str) -> Cow<'_, str> {
    safe_line(text)
}

/// A text of several lines on one: white space in a row is one space.
pub(super) fn flat(text: &str) -> String {
    one(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// A path: as it is shown, or all of it where nothing is said of that.
pub(super) fn path(shown: &str, full: &Path) -> String {
    if shown.is_empty() { display_path(full) } else { safe_line(shown).into_owned() }
}

/// Text of somebody else in a fence of its own, which is longer than any run of marks in it.
pub(super) fn quoted(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).saturating_add(1).max(3));
    format!("{fence}\n{}\n{fence}", text.trim_end_matches(['\n', '\r']))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// One item a line.
pub(super) fn list<T>(items: impl IntoIterator<Item = T>, line: impl Fn(T) -> String) -> String {
    items.into_iter().map(|item| format!("- {}", line(item))).collect::<Vec<_>>().join("\n")
}

/// Names in a row.
pub(super) fn row(names: &[String]) -> String {
    names.iter().map(|name| one(name)).collect::<Vec<_>>().join(", ")
}

/// Paragraphs that are there, a line end between them.
pub(super) fn lines(parts: &[String]) -> String {
    parts.iter().filter(|part| !part.trim().is_empty()).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// `1 line`, `2 lines`.
pub(super) fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(quoted("a\n"), "```\na\n```");
        assert_eq!(quoted("````\nb"), "`````\n````\nb\n`````");
    }
}
