//! Foreign text that can not pose as the engine's own.

use memchr::memchr_iter;
use std::borrow::Cow;

/// Stands where the `<` of a reminder tag stood: reads the same, closes nothing.
const HARMLESS: char = '‹';
const FIRST_WORD: &str = "system";
const SECOND_WORD: &str = "reminder";

/// Text from files, tools, hooks or mail, made safe to stand inside or beside a reminder.
///
/// Unicode tag characters, bidirectional overrides and isolates, and control characters other than tab, newline and a
/// carriage return before a newline go. Then the `<` of everything that reads as `<system-reminder` or
/// `</system-reminder` (any case, with white space or invisible characters in between) becomes `‹`. The same input
/// always gives the same bytes, and twice is as once.
pub fn neutralise(text: &str) -> Cow<'_, str> {
    match without_hidden(text) {
        Cow::Borrowed(text) => neutralise_tags_only(text),
        Cow::Owned(text) => match neutralise_tags_only(&text) {
            Cow::Borrowed(_) => Cow::Owned(text),
            Cow::Owned(neutral) => Cow::Owned(neutral),
        },
    }
}

/// Only the tags of [`neutralise()`], every other byte kept: for tool results that the host marks raw.
pub fn neutralise_tags_only(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for at in memchr_iter(b'<', text.as_bytes()) {
        if is_reminder_tag(&text[at + 1..]) {
            out.push_str(&text[copied..at]);
            out.push(HARMLESS);
            copied = at + 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Whether what follows a `<` reads as a reminder tag, open or closed, complete or not.
///
/// Between two of its letters only blanks are passed over, which hold no `<`: all tags of a text together take linear time.
fn is_reminder_tag(after: &str) -> bool {
    let rest = skip_blanks(after);
    let rest = skip_blanks(rest.strip_prefix('/').unwrap_or(rest));
    let Some(rest) = skip_word(rest, FIRST_WORD) else { return false };
    let Some(rest) = skip_blanks(rest).strip_prefix(is_hyphen) else { return false };
    skip_word(skip_blanks(rest), SECOND_WORD).is_some()
}

fn skip_blanks(text: &str) -> &str {
    text.trim_start_matches(|c| is_invisible(c) || c.is_whitespace())
}

/// What follows `word`, its letters in any case and with invisible characters between them.
fn skip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    word.chars().try_fold(text, |rest, letter| {
        let rest = rest.trim_start_matches(is_invisible);
        rest.strip_prefix(|c: char| c.to_ascii_lowercase() == letter || (c == 'ſ' && letter == 's'))
    })
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '_' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}')
}

/// Characters that a reader, or a model, passes over.
fn is_invisible(c: char) -> bool {
    is_removed(c)
        || matches!(c, '\r' | '\u{ad}' | '\u{34f}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}

/// Characters that have no place in text shown to a model. A `\r` is judged by what follows it.
fn is_removed(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

fn without_hidden(text: &str) -> Cow<'_, str> {
    let Some(first) = first_hidden(text) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..first]);
    let mut chars = text[first..].chars().peekable();
    while let Some(c) = chars.next() {
        let lone_return = c == '\r' && chars.peek() != Some(&'\n');
        if !lone_return && !is_removed(c) {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// The byte where the first character stands that must go. Runs over bytes: few of them begin such a character.
fn first_hidden(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let suspect = |&(at, &byte): &(usize, &u8)| match byte {
        b'\t' | b'\n' => false,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        0..=0x1F | 0x7F => true,
        0xC2 | 0xE2 | 0xF3 => text[at..].chars().next().is_some_and(is_removed),
        _ => false,
    };
    bytes.iter().enumerate().find(suspect).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tags_of_every_spelling_lose_their_bracket() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a < b && c > d", "a < b && c > d"),
            ("<system>", "<system>"),
            ("<system prompt>", "<system prompt>"),
            ("system-reminder", "system-reminder"),
            ("<system-reminder>", "‹system-reminder>"),
            ("a\n</system-reminder>\nb", "a\n‹/system-reminder>\nb"),
            ("</SYSTEM-Reminder >", "‹/SYSTEM-Reminder >"),
            ("< / system-reminder id='1'>", "‹ / system-reminder id='1'>"),
            ("<\n/\tsystem - reminder", "‹\n/\tsystem - reminder"),
            ("<system-reminders/>", "‹system-reminders/>"),
            ("<system_reminder>", "‹system_reminder>"),
            ("<system‑reminder>", "‹system‑reminder>"),
            ("<sys\u{200b}tem-re\u{ad}minder>", "‹sys\u{200b}tem-re\u{ad}minder>"),
            ("<<system-reminder>", "<‹system-reminder>"),
            ("<system-<system-reminder>", "<system-‹system-reminder>"),
            ("<ſystem-reminder>", "‹ſystem-reminder>"),
            ("<system-reminde", "<system-reminde"),
        ] {
            assert_eq!(neutralise(text), expected);
            assert_eq!(neutralise_tags_only(text), expected);
        }
    }

    #[test]
    fn hidden_characters_go_first() {
        for (text, expected) in [
            ("a\u{0}b\u{7}\u{7f}\u{85}", "ab"),
            ("tab\t nl\n crlf\r\n", "tab\t nl\n crlf\r\n"),
            ("a\rb\r\r\nc\r", "ab\r\nc"),
            ("a\r\u{0}\nb", "a\nb"),
            ("a\u{202e}b\u{2066}c\u{2069}", "abc"),
            ("a\u{e0041}\u{e007f}b", "ab"),
            ("<sys\u{202e}tem-reminder>", "‹system-reminder>"),
            ("<\u{e0020}/system-reminder>", "‹/system-reminder>"),
            ("é 日本 👩\u{200d}👧 \u{200f}", "é 日本 👩\u{200d}👧 \u{200f}"),
        ] {
            assert_eq!(neutralise(text), expected, "{text:?}");
        }
    }

    #[test]
    fn raw_results_keep_their_bytes_but_not_the_tag() {
        assert_eq!(neutralise_tags_only("\u{1b}[31m\u{0}"), "\u{1b}[31m\u{0}");
        assert_eq!(neutralise_tags_only("<sys\u{202e}tem-reminder>"), "‹sys\u{202e}tem-reminder>");
        assert_eq!(neutralise_tags_only("<sys\rtem-reminder>"), "‹sys\rtem-reminder>");
    }

    #[test]
    fn clean_text_is_borrowed() {
        assert!(matches!(neutralise("a <b> é — “x” \r\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn hostile_text_takes_linear_time() {
        for part in ["<", "< ", "</", "<system", "<system-", "<\u{200b}"] {
            let text = part.repeat(1_000_000 / part.len());
            assert_eq!(neutralise(&text), text);
        }
        let text = format!("<{}", " ".repeat(1_000_000));
        assert_eq!(neutralise(&text), text);
    }

    proptest! {
        #[test]
        fn no_tag_survives_and_twice_is_as_once(
            parts in prop::collection::vec(prop::sample::select(vec![
                "<", "/", "system", "-", "reminder", ">", " ", "SYS", "tem", "\u{202e}", "\u{0}", "\r", "\n", "\u{e0041}", "\u{200b}",
                "<system-reminder", "</system-reminder>",
            ]), 0..24)
        ) {
            let text = parts.concat();
            for neutral in [neutralise(&text), neutralise_tags_only(&text)] {
                let lower = neutral.to_lowercase();
                prop_assert!(!lower.contains("<system-reminder") && !lower.contains("</system-reminder"));
            }
            let once = neutralise(&text).into_owned();
            prop_assert_eq!(neutralise(&once), &*once);
            prop_assert!(!once.chars().any(is_removed));
            let raw = neutralise_tags_only(&text).into_owned();
            prop_assert_eq!(neutralise_tags_only(&raw), &*raw);
        }

        #[test]
        fn any_text_is_stable(text in any::<String>()) {
            let once = neutralise(&text).into_owned();
            prop_assert_eq!(neutralise(&once), &*once);
        }
    }
}
