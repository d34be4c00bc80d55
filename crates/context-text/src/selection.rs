//! What stands behind a path: lines, or a heading.

use serde::{Deserialize, Serialize};

/// Lines of a file: 1-based, inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LineRange {
    /// The first line.
    pub start: u64,
    /// The last line; none where one line alone was named.
    pub end: Option<u64>,
}

/// A target and the lines selected at its end by `#L10`, `#L10-20`, `#L10-L20`, `:10` or `:10-20`. Columns, as in `:10:5` of a
/// compiler and `#L10C3-L20C1` of a web page, are passed over. Reversed ends are swapped, line 0 counts as line 1, and a
/// target that is nothing but a selection has none.
///
/// Try the target as a whole first: a file whose name really ends so wins.
pub fn split_selection(target: &str) -> (&str, Option<LineRange>) {
    let parsed = split_at_last(target, "#L")
        .and_then(|(path, lines)| Some((path, parse_lines(lines, true)?)))
        .or_else(|| {
            split_at_last(target, ":").and_then(|(path, lines)| Some((path, parse_lines(lines, false)?)))
        });
    let with_column = parsed.filter(|(_, range)| range.end.is_none()).and_then(|(path, _)| {
        let (path, line) = split_at_last(path, ":")?;
        Some((path, LineRange { start: parse_line(line)?, end: None }))
    });
    let parsed = with_column.or(parsed);
    match parsed {
        Some((path, range)) => (path, Some(range)),
        None => (target, None),
    }
}

/// A target and the heading behind its last `#`, which may be empty. A target that is nothing but a fragment has none.
pub fn split_fragment(target: &str) -> (&str, Option<&str>) {
    match split_at_last(target, "#") {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (target, None),
    }
}

fn split_at_last<'a>(target: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    target.rsplit_once(mark).filter(|(path, _)| !path.is_empty())
}

fn parse_lines(text: &str, with_letter: bool) -> Option<LineRange> {
    let line = |text| parse_line(if with_letter { without_column(text) } else { text });
    let Some((start, end)) = text.split_once('-') else {
        return Some(LineRange { start: line(text)?, end: None });
    };
    let end = if with_letter { end.strip_prefix('L').unwrap_or(end) } else { end };
    let (start, end) = (line(start)?, line(end)?);
    Some(LineRange { start: start.min(end), end: Some(start.max(end)) })
}

fn without_column(text: &str) -> &str {
    text.split_once('C').filter(|(_, column)| parse_line(column).is_some()).map_or(text, |(line, _)| line)
}

fn parse_line(digits: &str) -> Option<u64> {
    let only_digits = digits.bytes().all(|b| b.is_ascii_digit());
    let line: u64 = digits.parse().ok().filter(|_| only_digits)?;
    Some(line.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_are_split_off() {
        for (target, path, range) in [
            ("a.rs", "a.rs", None),
            ("a.rs#L10", "a.rs", Some((10, None))),
            ("a.rs#L10-20", "a.rs", Some((10, Some(20)))),
            ("a.rs#L10-L20", "a.rs", Some((10, Some(20)))),
            ("a.rs#L20-L10", "a.rs", Some((10, Some(20)))),
            ("a.rs:10", "a.rs", Some((10, None))),
            ("a.rs:10-20", "a.rs", Some((10, Some(20)))),
            ("a.rs:20-10", "a.rs", Some((10, Some(20)))),
            ("a.rs:0", "a.rs", Some((1, None))),
            ("a.rs:10:5", "a.rs", Some((10, None))),
            ("a.rs:10:5:1", "a.rs:10", Some((5, None))),
            ("C:\\a.rs:7:2", "C:\\a.rs", Some((7, None))),
            ("a.rs#L10C3-L20C1", "a.rs", Some((10, Some(20)))),
            ("a.rs#L10C3", "a.rs", Some((10, None))),
            ("a.rs#L10Cx", "a.rs#L10Cx", None),
            ("C:\\a.rs:7", "C:\\a.rs", Some((7, None))),
            ("c#/a.cs#L3", "c#/a.cs", Some((3, None))),
            ("a.rs#10", "a.rs#10", None),
            ("a.rs:10-L20", "a.rs:10-L20", None),
            ("a.rs:", "a.rs:", None),
            ("a.rs#L", "a.rs#L", None),
            ("a.rs#L10-", "a.rs#L10-", None),
            ("a.rs:+1", "a.rs:+1", None),
            ("a.rs:99999999999999999999999", "a.rs:99999999999999999999999", None),
            ("docs:guide.md", "docs:guide.md", None),
            (":10", ":10", None),
            ("#L10", "#L10", None),
            ("", "", None),
        ] {
            let range = range.map(|(start, end)| LineRange { start, end });
            assert_eq!(split_selection(target), (path, range), "{target}");
        }
    }

    #[test]
    fn fragments_are_split_off() {
        for (target, expected) in [
            ("guide.md#naming", ("guide.md", Some("naming"))),
            ("c#/x.md#a", ("c#/x.md", Some("a"))),
            ("guide.md#", ("guide.md", Some(""))),
            ("guide.md", ("guide.md", None)),
            ("#naming", ("#naming", None)),
        ] {
            assert_eq!(split_fragment(target), expected);
        }
    }

    #[test]
    fn line_ranges_are_plain_data() {
        let range = LineRange { start: 3, end: None };
        assert_eq!(serde_json::to_string(&range).unwrap(), r#"{"start":3,"end":null}"#);
    }
}
