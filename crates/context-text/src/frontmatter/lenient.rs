//! Frontmatter line by line, for what is no YAML and means something all the same.

use super::{Field, Frontmatter, RAW_KEY};
use crate::glob::split_top_level;

/// Reads `key: value` lines, lists of `- item` below a key or alone, and a raw value that stands alone. Deeper
/// indented lines belong to the key above and make it a [`Field::Other`].
pub(super) fn parse(yaml: &str) -> Frontmatter {
    let mut reader = Reader::default();
    let content: Vec<(usize, &str)> = yaml
        .lines()
        .enumerate()
        .map(|(at, line)| (at + 1, without_comment(line)))
        .filter(|(_, l)| !l.is_empty())
        .collect();
    if let [(_, line)] = content[..]
        && key_and_value(line).is_none()
        && list_item(line).is_none()
    {
        reader.set(RAW_KEY, scalar_or_list(line.trim()));
        return reader.frontmatter;
    }
    for (number, line) in content {
        reader.read(number, line);
    }
    reader.frontmatter
}

#[derive(Default)]
struct Reader {
    frontmatter: Frontmatter,
    /// The key that items and deeper lines belong to.
    key: Option<String>,
}

impl Reader {
    fn read(&mut self, number: usize, line: &str) {
        if let Some(item) = list_item(line) {
            self.add_item(item);
        } else if line.starts_with([' ', '\t']) {
            self.nest();
        } else if let Some((key, value)) = key_and_value(line) {
            self.key = Some(key.to_owned());
            self.set(key, scalar_or_list(value));
        } else {
            self.report(format!("line {number} has no key"));
        }
    }

    fn set(&mut self, key: &str, field: Field) {
        if field == Field::Other {
            self.report(format!("the value of `{key}` is not closed"));
        }
        self.frontmatter.fields.insert(key.to_owned(), field);
    }

    fn add_item(&mut self, item: &str) {
        let key = self.key.get_or_insert_with(|| RAW_KEY.to_owned()).clone();
        let field = self.frontmatter.fields.entry(key).or_insert_with(|| Field::List(Vec::new()));
        match field {
            Field::Text(text) if text.is_empty() => *field = Field::List(vec![unquoted(item)]),
            Field::List(items) => items.push(unquoted(item)),
            Field::Text(_) | Field::Other => *field = Field::Other,
        }
    }

    /// A deeper line: the text above goes on, or a mapping begins.
    fn nest(&mut self) {
        if let Some(field) = self.key.as_ref().and_then(|key| self.frontmatter.fields.get_mut(key)) {
            *field = Field::Other;
        }
    }

    fn report(&mut self, problem: String) {
        self.frontmatter.problem.get_or_insert(problem);
    }
}

/// The line without a comment and blanks at its end. A `#` is a comment at the start or behind a blank, outside quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') if before.is_whitespace() => return line[..at].trim_end(),
            (None, '"' | '\'') if matches!(before, ' ' | '[' | ',' | ':' | '-') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
        before = c;
    }
    line.trim_end()
}

/// `key: value` or `key:`; a key is one plain word.
fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let spaced = value.is_empty() || value.starts_with([' ', '\t']);
    let key = unquote(key.trim_end());
    (spaced && !key.is_empty() && key.chars().all(is_word)).then(|| (key, value.trim()))
}

fn list_item(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('-')?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| rest.trim())
}

/// `[a, b]` as a list, anything else as text. An opening bracket without its end, where no pattern begins so, is neither.
fn scalar_or_list(value: &str) -> Field {
    let Some(inner) = value.strip_prefix('[') else { return Field::Text(unquoted(value)) };
    if let Some(inner) = inner.strip_suffix(']') {
        let items = split_top_level(inner).into_iter().map(str::trim).filter(|i| !i.is_empty());
        return Field::List(items.map(unquoted).collect());
    }
    if inner.contains(']') { Field::Text(value.to_owned()) } else { Field::Other }
}

fn unquoted(value: &str) -> String {
    unquote(value).to_owned()
}

fn unquote(value: &str) -> &str {
    ['"', '\''].iter().find_map(|&quote| value.strip_prefix(quote)?.strip_suffix(quote)).unwrap_or(value)
}
