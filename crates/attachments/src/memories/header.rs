//! The head of a memory: what it says it is about.

use std::path::{Path, PathBuf};

use context_text::{Field, cut_chars, decode, head_lines, is_binary, parse_frontmatter, split_frontmatter};
use jiff::Timestamp;

use super::RelevantLimits;
use super::bm25::Document;

const DESCRIPTION: &str = "description";

/// What is known of a memory without reading all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryHeader {
    /// Canonical path.
    pub path: PathBuf,
    /// Its name: the path below the directory of notes, without its ending.
    pub name: String,
    /// What its frontmatter says it is about; may be empty.
    pub description: String,
    /// Its first lines, behind the frontmatter.
    pub first_lines: String,
    /// Days since it was last changed.
    pub days: u64,
}

impl MemoryHeader {
    /// The header of a file that begins with `bytes`; `None` for what is no text.
    pub(super) fn of(
        path: &Path,
        directory: &Path,
        bytes: &[u8],
        days: u64,
        limits: &RelevantLimits,
    ) -> Option<Self> {
        if is_binary(bytes) {
            return None;
        }
        let text = decode(bytes).text;
        let (yaml, body) = split_frontmatter(&text);
        let described = yaml.map(parse_frontmatter).and_then(|mut it| it.fields.remove(DESCRIPTION));
        let description = match described {
            Some(Field::Text(text)) => text.trim().to_owned(),
            _ => String::new(),
        };
        let name = path.strip_prefix(directory).unwrap_or(path).with_extension("");
        let first = head_lines(body.trim_start(), limits.first_lines);
        Some(Self {
            path: path.to_path_buf(),
            name: name.to_string_lossy().into_owned(),
            description,
            first_lines: cut_chars(first, limits.first_chars).trim_end().to_owned(),
            days,
        })
    }

    /// What counts as its title: name and description.
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.name, self.description)
    }

    /// The header as a text to be ranked.
    pub(super) fn document<'a>(&'a self, title: &'a str) -> Document<'a> {
        Document { title, body: &self.first_lines }
    }
}

/// Whole days between a file's last change and now; none for one from the future.
pub(super) fn days_since(mtime_ns: i64, now: Timestamp) -> u64 {
    const NANOSECONDS_A_DAY: i128 = 86_400 * 1_000_000_000;
    let passed = now.as_nanosecond() - i128::from(mtime_ns);
    u64::try_from(passed / NANOSECONDS_A_DAY).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> MemoryHeader {
        let (path, directory) = (Path::new("/m/web/deploy.md"), Path::new("/m"));
        MemoryHeader::of(path, directory, text.as_bytes(), 2, &RelevantLimits::default()).unwrap()
    }

    #[test]
    fn a_header_is_name_description_and_first_lines() {
        let it = header("---\nname: x\ndescription: How we ship\n---\n\n# Ship\nUse make.\n");
        assert_eq!(
            (&*it.name, &*it.description, &*it.first_lines),
            ("web/deploy", "How we ship", "# Ship\nUse make.")
        );
        let bare = header("Use make.");
        assert_eq!((&*bare.description, &*bare.first_lines), ("", "Use make."));
        let odd = header("---\ndescription: [a, b]\n---\n");
        assert_eq!((&*odd.description, &*odd.first_lines), ("", ""));
        let long = header(&"語".repeat(2_000));
        assert_eq!(long.first_lines.chars().count(), 500);
    }

    #[test]
    fn days_are_whole_and_never_negative() {
        let now: Timestamp = "2026-04-25T12:00:00Z".parse().unwrap();
        let at = |text: &str| i64::try_from(text.parse::<Timestamp>().unwrap().as_nanosecond()).unwrap();
        assert_eq!(days_since(at("2026-04-24T12:00:00Z"), now), 1);
        assert_eq!(days_since(at("2026-04-24T12:00:01Z"), now), 0);
        assert_eq!(days_since(at("2027-01-01T00:00:00Z"), now), 0);
        assert_eq!(days_since(i64::MIN, now), 127_320, "some 349 years");
    }
}
