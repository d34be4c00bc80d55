//! JSON text that a strict reader would refuse.

use memchr::memchr;
use std::borrow::Cow;

/// Bytes of an escaped code unit: a backslash, `u` and four hexadecimal digits.
const ESCAPE: usize = 6;
const REPLACEMENT: &str = "\\ufffd";

/// JSON text in which each escape that is half of a surrogate pair (`\ud83d` alone, as left by a cut in the middle of
/// an emoji) is `\ufffd`. Whole pairs, escaped backslashes and everything else stay byte for byte.
pub fn repair_surrogates(json: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = memchr(b'\\', &json.as_bytes()[at..]) {
        at += found;
        match escape_at(json, at) {
            Escape::Half => {
                out.push_str(&json[copied..at]);
                out.push_str(REPLACEMENT);
                at += ESCAPE;
                copied = at;
            }
            Escape::Whole(length) => at = (at + length).min(json.len()),
        }
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    out.push_str(&json[copied..]);
    Cow::Owned(out)
}

enum Escape {
    /// Half of a surrogate pair.
    Half,
    /// Anything else: this many bytes.
    Whole(usize),
}

fn escape_at(json: &str, at: usize) -> Escape {
    match unit_at(json, at) {
        Some(0xD800..=0xDBFF) => match unit_at(json, at + ESCAPE) {
            Some(0xDC00..=0xDFFF) => Escape::Whole(2 * ESCAPE),
            _ => Escape::Half,
        },
        Some(0xDC00..=0xDFFF) => Escape::Half,
        Some(_) => Escape::Whole(ESCAPE),
        None => Escape::Whole(2),
    }
}

/// The code unit that is escaped at byte `at`.
fn unit_at(json: &str, at: usize) -> Option<u16> {
    let escape = json.as_bytes().get(at..at + ESCAPE)?;
    let digits = escape.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit * 16 + char::from(digit).to_digit(16)? as u16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn half_pairs_are_replaced_and_nothing_else_changes() {
        for (json, expected) in [
            (r#"{"a":1}"#, r#"{"a":1}"#),
            (r#""MARK_A \ud83d end""#, r#""MARK_A \ufffd end""#),
            (r#""\uD83D\uDD25""#, r#""\uD83D\uDD25""#),
            (r#""\uDD25\uD83D""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\ud83d\udd25""#, r#""\ufffd\ud83d\udd25""#),
            (r#""\ud83d\n""#, r#""\ufffd\n""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\ud83d\\udd25""#, r#""\ufffd\\udd25""#),
            (r#""é\u00e9🔥""#, r#""é\u00e9🔥""#),
            (r#""\ud8"#, r#""\ud8"#),
            ("\"\\é\"", "\"\\é\""),
            ("\\", "\\"),
        ] {
            assert_eq!(repair_surrogates(json), expected, "{json}");
        }
    }

    proptest! {
        #[test]
        fn what_is_repaired_is_read_by_a_strict_reader(
            parts in prop::collection::vec(
                prop::sample::select(vec![r"\ud83d", r"\udd25", r"\\", r"\n", "u", "d83d", "é", r"\u00e9"]), 0..12)
        ) {
            let json = format!("\"{}\"", parts.concat());
            let repaired = repair_surrogates(&json);
            prop_assert!(serde_json::from_str::<String>(&repaired).is_ok(), "{}", repaired);
            prop_assert_eq!(&*repair_surrogates(&repaired), &*repaired);
            if serde_json::from_str::<String>(&json).is_ok() {
                prop_assert_eq!(&*repaired, &*json);
            }
        }
    }
}
