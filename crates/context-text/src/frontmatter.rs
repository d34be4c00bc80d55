//! YAML frontmatter, as people write it.

mod lenient;
mod strict;

use crate::glob::split_top_level;
use std::collections::BTreeMap;

/// A frontmatter longer than this, in bytes, is not read: real ones are under a kilobyte.
pub(crate) const MAX_BYTES: usize = 256 * 1024;
const BOM: char = '\u{feff}';
const FENCE: &str = "---";
/// Keys that name the paths a rule holds for, first found first; the empty one is a frontmatter of one raw value.
const PATH_KEYS: [&str; 4] = ["paths", "globs", "applyTo", RAW_KEY];
/// The key of a value that stands alone, without one.
const RAW_KEY: &str = "";

/// The frontmatter of a text and the rest. It stands between two lines `---`, the first of which is the first line (a
/// byte order mark before it and blanks behind it are allowed). One that is not closed is none, and the text is whole.
pub fn split_frontmatter(text: &str) -> (Option<&str>, &str) {
    let Some((first, mut at)) = line_at(text, 0) else { return (None, text) };
    if !is_fence(first.strip_prefix(BOM).unwrap_or(first)) {
        return (None, text);
    }
    let start = at;
    while let Some((line, end)) = line_at(text, at) {
        if is_fence(line) {
            return (Some(&text[start..at]), &text[end..]);
        }
        at = end;
    }
    (None, text)
}

/// What a frontmatter says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frontmatter {
    /// Its values by key. A single value without a key (a raw line such as `**/*.ts`) has the empty key.
    pub fields: BTreeMap<String, Field>,
    /// Why part of it could not be read; the fields hold what could.
    pub problem: Option<String>,
}

/// A value of a frontmatter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// A scalar as it was written; empty where there was none.
    Text(String),
    /// A list of scalars.
    List(Vec<String>),
    /// Anything else: a mapping, a nested list, something that could not be read.
    Other,
}

/// Reads a frontmatter: as YAML, within budgets that a hostile file can not exceed, and where that fails line by line,
/// so that `paths: **/*.ts`, `globs: *.rs,*.ts` and `description: Use this: when…` mean what they look like. The last
/// of equal keys wins. Never fails: what can not be read is a [`Frontmatter::problem`].
pub fn parse_frontmatter(yaml: &str) -> Frontmatter {
    let yaml = yaml.strip_prefix(BOM).unwrap_or(yaml);
    if yaml.len() > MAX_BYTES {
        let problem = Some(format!("longer than {MAX_BYTES} bytes"));
        return Frontmatter { problem, ..Frontmatter::default() };
    }
    let by_line = lenient::parse(yaml);
    match strict::parse(yaml) {
        Some(fields) => Frontmatter { fields: with_plain_values(fields, by_line.fields), problem: None },
        None => by_line,
    }
}

/// Which paths a rule holds for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Patterns {
    /// It does not say.
    None,
    /// It says so with an empty list: for any path.
    Any,
    /// For paths that these patterns match, at least one, none of them empty.
    Some(Vec<String>),
}

/// The patterns under `paths`, else `globs`, else `applyTo`, else the raw line that is all of the frontmatter. A value
/// of a form that is neither text nor a list says nothing.
pub fn path_patterns(frontmatter: &Frontmatter) -> Patterns {
    let Some(field) = PATH_KEYS.iter().find_map(|key| frontmatter.fields.get(*key)) else {
        return Patterns::None;
    };
    let patterns = match field {
        Field::Text(text) => split_patterns(text),
        Field::List(items) => items.iter().map(|i| i.trim().to_owned()).filter(|i| !i.is_empty()).collect(),
        Field::Other => return Patterns::None,
    };
    if patterns.is_empty() { Patterns::Any } else { Patterns::Some(patterns) }
}

/// Patterns in one string, separated by commas or line ends, blanks around them removed; a comma inside braces or behind a
/// backslash does not split.
pub fn split_patterns(text: &str) -> Vec<String> {
    text.lines()
        .flat_map(split_top_level)
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The line that starts at byte `at`, without its end, and the byte behind that end.
fn line_at(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
    let end = memchr::memchr(b'\n', rest.as_bytes());
    Some((&rest[..end.unwrap_or(rest.len())], at + end.map_or(rest.len(), |e| e + 1)))
}

fn is_fence(line: &str) -> bool {
    line.trim_end_matches([' ', '\t', '\r']) == FENCE
}

/// YAML reads `1.10` as a number, `{a,b}` as a mapping and `!a` as a tag without value; where the line itself is plain,
/// what was typed counts.
fn with_plain_values(
    fields: BTreeMap<String, strict::Value>,
    mut typed: BTreeMap<String, Field>,
) -> BTreeMap<String, Field> {
    fields
        .into_iter()
        .map(|(key, value)| {
            let line = typed.remove(&key);
            let field = match (value, line) {
                (strict::Value::Number(_), Some(Field::Text(line))) => Field::Text(line),
                (strict::Value::Text(text), Some(Field::Text(line)))
                    if text.is_empty() && line.starts_with('!') =>
                {
                    Field::Text(line)
                }
                (strict::Value::List(items), Some(Field::List(lines)))
                    if items.iter().any(String::is_empty) =>
                {
                    Field::List(lines)
                }
                (strict::Value::Other, Some(Field::Text(line))) if line.contains(": ") => Field::Other,
                (strict::Value::Other, line) => line.unwrap_or(Field::Other),
                (strict::Value::Text(text) | strict::Value::Number(text), _) => Field::Text(text),
                (strict::Value::List(items), _) => Field::List(items),
            };
            (key, field)
        })
        .collect()
}

#[cfg(test)]
mod tests;
