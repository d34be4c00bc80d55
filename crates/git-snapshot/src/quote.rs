//! Paths as git prints them.

use std::fmt::Write;

use gix::bstr::{BStr, BString, ByteSlice, ByteVec};

/// Which characters beyond ASCII are printed as they are (`core.quotePath`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Each byte as an octal number.
    Octal,
    /// As they are, where they are valid UTF-8.
    Plain,
}

/// `path` as `git status --short` shows it: in quotes when it holds a space, a quote, a backslash, a control character
/// or, by `beyond`, anything that is not ASCII.
pub(crate) fn path(path: &BStr, beyond: Beyond) -> String {
    let plain = path.bytes().all(|byte| matches!(byte, b'!'..=b'~') && byte != b'"' && byte != b'\\');
    if plain {
        return path.to_str_lossy().into_owned();
    }
    let mut out = String::with_capacity(path.len() + 2);
    let mut quoted = false;
    for chunk in path.utf8_chunks() {
        for character in chunk.valid().chars() {
            quoted |= push(&mut out, character, beyond);
        }
        for byte in chunk.invalid() {
            quoted = true;
            octal(&mut out, *byte);
        }
    }
    if quoted { format!("\"{out}\"") } else { out }
}

/// Adds one character and says whether it calls for quotes.
fn push(out: &mut String, character: char, beyond: Beyond) -> bool {
    let short = match character {
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '"' => '"',
        '\\' => '\\',
        other => {
            let numbers = other < ' ' || other == '\u{7f}' || (!other.is_ascii() && beyond == Beyond::Octal);
            if numbers {
                let mut buffer = [0; 4];
                other.encode_utf8(&mut buffer).bytes().for_each(|byte| octal(out, byte));
            } else {
                out.push(other);
            }
            return numbers || other == ' ';
        }
    };
    out.push('\\');
    out.push(short);
    true
}

fn octal(out: &mut String, byte: u8) {
    // Writing to a string does not fail.
    let _ = write!(out, "\\{byte:03o}");
}

/// `path` as seen from the directory `prefix` (with `/` at its end, or empty): `../b`, `./` for the directory itself.
pub(crate) fn relative(path: &BStr, prefix: &BStr) -> BString {
    if prefix.is_empty() {
        return path.to_owned();
    }
    if prefix.strip_prefix(path.as_bytes()).is_some_and(|rest| rest.starts_with(b"/")) {
        // A file that is gone, where the caller's directory or one above it now stands.
        return relative([path.as_bytes(), b"/".as_slice()].concat().as_bstr(), prefix);
    }
    let mut common = 0;
    for (at, (a, b)) in path.iter().zip(prefix.iter()).enumerate() {
        if a != b {
            break;
        }
        if *a == b'/' {
            common = at + 1;
        }
    }
    let mut out = BString::default();
    for _ in prefix[common..].iter().filter(|byte| **byte == b'/') {
        out.push_str("../");
    }
    out.push_str(&path[common..]);
    if out.is_empty() {
        out.push_str("./");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &[u8], octal: &str, plain: &str) {
        assert_eq!(path(input.as_bstr(), Beyond::Octal), octal);
        assert_eq!(path(input.as_bstr(), Beyond::Plain), plain);
    }

    #[test]
    fn quotes_like_git() {
        check(b"a/b.txt", "a/b.txt", "a/b.txt");
        check(b"a b", "\"a b\"", "\"a b\"");
        check(b"a\"b\\c", r#""a\"b\\c""#, r#""a\"b\\c""#);
        check(b"two\nlines\t\x01", r#""two\nlines\t\001""#, r#""two\nlines\t\001""#);
        check("é".as_bytes(), r#""\303\251""#, "é");
        check(b"bad\xe9", r#""bad\351""#, r#""bad\351""#);
        check(b"\x7f", r#""\177""#, r#""\177""#);
    }

    #[test]
    fn paths_are_seen_from_the_callers_directory() {
        let seen = |path: &str, prefix: &str| relative(path.into(), prefix.into()).to_string();
        assert_eq!(seen("b", ""), "b");
        assert_eq!(seen("b", "d/e/"), "../../b");
        assert_eq!(seen("d/x", "d/e/"), "../x");
        assert_eq!(seen("d/e/x", "d/e/"), "x");
        assert_eq!(seen("d/", "d/"), "./");
        assert_eq!(seen("d/", "d/e/"), "../");
        assert_eq!(seen("de", "d/"), "../de");
        assert_eq!(seen("d", "d/"), "./");
        assert_eq!(seen("d", "d/e/"), "../");
    }
}
