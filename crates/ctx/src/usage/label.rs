//! Labels that are too long for their place.

/// What stands where something was taken out.
const CUT: char = '…';

/// A label of at most `wide` characters: both ends stay, more of the end, where names that begin alike differ. What is
/// taken out of a path are whole names in its middle, as far as that leaves enough.
pub(super) fn shortened(label: &str, wide: usize) -> String {
    let chars: Vec<char> = label.chars().collect();
    if chars.len() <= wide {
        return label.to_owned();
    }
    let Some(kept) = wide.checked_sub(1) else { return String::new() };
    let head = kept / 3;
    let slash = chars[..head].iter().rposition(|c| *c == '/');
    let head = slash.map(|slash| slash + 1).filter(|whole| whole * 2 > head).unwrap_or(head);
    let from = chars.len() - (kept - head);
    // A name that begins right here is whole.
    let slash = chars[from - 1..].iter().position(|c| *c == '/').filter(|slash| slash * 2 < kept - head);
    let from = from + slash.map_or(0, |slash| slash.saturating_sub(1));
    chars[..head].iter().chain([&CUT]).chain(&chars[from..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_label_stay() {
        for (label, wide, expected) in [
            ("short", 8, "short"),
            ("/home/ann/code/shop/web/CLAUDE.md (project)", 34, "/home/ann/…web/CLAUDE.md (project)"),
            ("mcp__issues__list_all_open_issues_of_a_project", 24, "mcp__is…ues_of_a_project"),
            (
                "without /srv/builds/2026/nightly/logs/output-of-the-tests.txt",
                40,
                "without /srv/…/output-of-the-tests.txt",
            ),
            ("/srv/a/b/c/d/e/f/g/CLAUDE.md", 20, "/srv/…/f/g/CLAUDE.md"),
            ("日本語の長いラベルです", 6, "日…ベルです"),
            ("abcdef", 1, "…"),
            ("abcdef", 0, ""),
        ] {
            let short = shortened(label, wide);
            assert!(short.chars().count() <= wide, "{short}");
            assert_eq!(short, expected);
        }
    }
}
