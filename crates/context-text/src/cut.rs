//! Cuts that fall between characters and between lines.

use memchr::memrchr;

/// Joins emoji into one; at the end of a cut it would join the emoji to whatever follows.
const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// The largest character boundary of `text` at or before byte `at`.
pub fn floor_char(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// The first `max_chars` characters, fewer where the last would be a joiner with nothing to join.
pub fn cut_chars(text: &str, max_chars: usize) -> &str {
    if text.len() <= max_chars {
        return text;
    }
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => without_joiner(&text[..end]),
        None => text,
    }
}

/// The whole characters within the first `max_bytes` bytes, without a dangling joiner.
pub fn cut_bytes(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        return text;
    }
    without_joiner(&text[..floor_char(text, max_bytes)])
}

/// The whole lines, with their line ends, within the first `max_bytes` bytes; empty where not even one fits.
pub fn cut_lines(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        return text;
    }
    match memrchr(b'\n', &text.as_bytes()[..max_bytes]) {
        Some(end) => &text[..=end],
        None => "",
    }
}

/// The first `n` lines, with their line ends.
pub fn head_lines(text: &str, n: usize) -> &str {
    let Some(last) = n.checked_sub(1) else { return "" };
    match memchr::memchr_iter(b'\n', text.as_bytes()).nth(last) {
        Some(end) => &text[..=end],
        None => text,
    }
}

fn without_joiner(text: &str) -> &str {
    text.trim_end_matches(ZERO_WIDTH_JOINER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FAMILY: &str = "👩\u{200d}👩\u{200d}👧é語";

    #[test]
    fn cuts_by_characters() {
        for (text, max, expected) in [
            ("", 0, ""),
            ("abc", 0, ""),
            ("abc", 2, "ab"),
            ("abc", 3, "abc"),
            ("日本語", 2, "日本"),
            (FAMILY, 1, "👩"),
            (FAMILY, 2, "👩"),
            (FAMILY, 3, "👩\u{200d}👩"),
        ] {
            assert_eq!(cut_chars(text, max), expected, "{text:?} {max}");
        }
    }

    #[test]
    fn cuts_by_bytes() {
        for (text, max, expected) in [
            ("abc", 2, "ab"),
            ("日本", 5, "日"),
            ("日本", 2, ""),
            (FAMILY, 7, "👩"),
            (FAMILY, 6, "👩"),
            ("é", 9, "é"),
        ] {
            assert_eq!(cut_bytes(text, max), expected, "{text:?} {max}");
        }
    }

    #[test]
    fn cuts_by_lines() {
        for (text, max, expected) in [
            ("a\nbb\nc", 6, "a\nbb\nc"),
            ("a\nbb\nc", 5, "a\nbb\n"),
            ("a\nbb\nc", 4, "a\n"),
            ("a\r\nb", 2, ""),
            ("a\r\nb", 3, "a\r\n"),
            ("é\né", 4, "é\n"),
            ("abc", 2, ""),
        ] {
            assert_eq!(cut_lines(text, max), expected, "{text:?} {max}");
        }
        for (text, n, expected) in [
            ("a\nb\n", 0, ""),
            ("a\nb\n", 1, "a\n"),
            ("a\nb\n", 2, "a\nb\n"),
            ("a\nb", 2, "a\nb"),
            ("", 3, ""),
        ] {
            assert_eq!(head_lines(text, n), expected, "{text:?} {n}");
        }
    }

    proptest! {
        #[test]
        fn every_cut_is_a_prefix_within_its_limit(text in "[a-c\u{200d}é語🔥\r\n]{0,30}", max in 0usize..80) {
            for (cut, size) in [
                (cut_chars(&text, max), cut_chars(&text, max).chars().count()),
                (cut_bytes(&text, max), cut_bytes(&text, max).len()),
                (cut_lines(&text, max), cut_lines(&text, max).len()),
                (head_lines(&text, max), crate::line_count(head_lines(&text, max)) as usize),
            ] {
                prop_assert!(text.starts_with(cut));
                prop_assert!(size <= max);
            }
            let cut = cut_bytes(&text, max);
            prop_assert!(cut == text || !cut.ends_with(ZERO_WIDTH_JOINER));
            let cut = cut_lines(&text, max);
            prop_assert!(cut == text || cut.is_empty() || cut.ends_with('\n'));
            prop_assert!(text.is_char_boundary(floor_char(&text, max)));
        }
    }
}
