//! File text with line numbers, as a model sees it.

use memchr::memchr;

/// Decimal digits of the largest line number, `u64::MAX`, and one to spare.
const MAX_DIGITS: usize = 21;

/// The lines of a text: split at `\n`, without the `\n` and a `\r` before it. A trailing line end makes no extra
/// line; a `\r` that ends the text without `\n` stays.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(end) = memchr(b'\n', rest.as_bytes()) else {
            return Some(std::mem::take(&mut rest));
        };
        let line = &rest[..end];
        rest = &rest[end + 1..];
        Some(line.strip_suffix('\r').unwrap_or(line))
    })
}

/// How many lines [`lines`] yields.
pub fn line_count(text: &str) -> u64 {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
    ends + u64::from(!text.is_empty() && !text.ends_with('\n'))
}

/// Each line as `N`, a tab and its text, counted from `first`, joined by `\n` without a final one. Empty text gives
/// empty text. The only renderer of file text there is.
pub fn numbered(text: &str, first: u64) -> String {
    let mut counter = Counter::new(first);
    let mut out = String::with_capacity(text.len() + text.len() / 4 + MAX_DIGITS);
    for (index, line) in lines(text).enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push_str(counter.digits());
        out.push('\t');
        out.push_str(line);
        counter.step();
    }
    out
}

/// The numbers and lines of what [`numbered`] made; none where a line has no number.
pub fn parse_numbered(text: &str) -> Option<Vec<(u64, &str)>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.split('\n')
        .map(|line| {
            let (number, line) = line.split_once('\t')?;
            Some((number.parse().ok()?, line))
        })
        .collect()
}

/// A line number kept as digits: counting up is cheaper than formatting.
struct Counter {
    digits: [u8; MAX_DIGITS],
    start: usize,
}

impl Counter {
    fn new(first: u64) -> Self {
        let mut counter = Self { digits: [b'0'; MAX_DIGITS], start: MAX_DIGITS - 1 };
        let text = first.to_string();
        counter.start = MAX_DIGITS - text.len();
        counter.digits[counter.start..].copy_from_slice(text.as_bytes());
        counter
    }

    fn digits(&self) -> &str {
        std::str::from_utf8(&self.digits[self.start..]).unwrap_or_default()
    }

    fn step(&mut self) {
        for at in (0..MAX_DIGITS).rev() {
            self.start = self.start.min(at);
            if self.digits[at] != b'9' {
                self.digits[at] += 1;
                return;
            }
            self.digits[at] = b'0';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbered_shows_lines_as_they_are() {
        for (text, first, expected) in [
            ("", 1, ""),
            ("\n", 1, "1\t"),
            ("a", 1, "1\ta"),
            ("a\n", 1, "1\ta"),
            ("a\n\n", 1, "1\ta\n2\t"),
            ("a\r\nb\r\n", 9, "9\ta\n10\tb"),
            ("a\r", 1, "1\ta\r"),
            ("a\r\r\nb", 1, "1\ta\r\n2\tb"),
            ("\ta\n", 99, "99\t\ta"),
            ("é\n🔥", 999, "999\té\n1000\t🔥"),
        ] {
            assert_eq!(numbered(text, first), expected, "{text:?}");
        }
    }

    #[test]
    fn numbers_count_over_every_power_of_ten() {
        let text = "x\n".repeat(1_200);
        let expected: Vec<_> = (0..1_200).map(|n| format!("{n}\tx")).collect();
        assert_eq!(numbered(&text, 0), expected.join("\n"));
        assert!(numbered("a\nb", u64::MAX).starts_with(&u64::MAX.to_string()));
    }

    #[test]
    fn parse_numbered_refuses_what_has_no_number() {
        for text in ["a", "\tx", "1\ta\nb", "-1\ta"] {
            assert_eq!(parse_numbered(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn numbered_parsed_back_is_the_file(text in "[a\t\r\nü0-9]{0,60}", first in 0u64..2_000) {
            let shown = numbered(&text, first);
            let parsed = parse_numbered(&shown).unwrap();
            let numbers: Vec<_> = parsed.iter().map(|&(n, _)| n).collect();
            let back: Vec<_> = parsed.iter().map(|&(_, line)| line).collect();
            prop_assert_eq!(back, lines(&text).collect::<Vec<_>>());
            prop_assert_eq!(numbers, (first..first + line_count(&text)).collect::<Vec<_>>());
        }

        #[test]
        fn lines_joined_are_the_text(text in "[ab\n]{0,40}") {
            let mut joined = lines(&text).collect::<Vec<_>>().join("\n");
            if text.ends_with('\n') {
                joined.push('\n');
            }
            prop_assert_eq!(joined, text);
        }
    }
}
