//! Names shown on one line.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::{MAIN_SEPARATOR, Path};

/// A path as text that stays on its line and hides nothing: control, invisible and direction characters as `\n`,
/// `\t`, `\r` or `\u{202e}`, bytes that are no UTF-8 as `\xNN`. Different paths stay different: a backslash is doubled
/// (not on Windows, where it separates).
pub fn display_path(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' if MAIN_SEPARATOR != '\\' => out.push_str("\\\\"),
                c => push_visible(&mut out, c),
            }
        }
        for byte in chunk.invalid() {
            // writing to a string can not fail
            let _ = write!(out, "\\x{byte:02X}");
        }
    }
    out
}

/// Text on one line, the characters escaped that [`display_path`] escapes. Backslashes stay, so that twice is as once.
pub fn safe_line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    text.chars().for_each(|c| push_visible(&mut out, c));
    Cow::Owned(out)
}

fn push_visible(out: &mut String, c: char) {
    match c {
        '\n' | '\r' | '\t' => out.extend(c.escape_default()),
        c if is_hidden(c) => out.extend(c.escape_unicode()),
        c => out.push(c),
    }
}

/// Characters that end a line, can not be seen, or change the direction of what stands around them.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_stay_on_one_line() {
        for (text, expected) in [
            ("src/a.rs", "src/a.rs"),
            ("日本 é 👩\u{200d}👧.txt", "日本 é 👩\u{200d}👧.txt"),
            ("two\nlines.md", "two\\nlines.md"),
            ("a\r\tb", "a\\r\\tb"),
            ("a\u{1b}[31m", "a\\u{1b}[31m"),
            ("a\u{202e}txt.exe", "a\\u{202e}txt.exe"),
            ("a\u{2028}b\u{e0041}", "a\\u{2028}b\\u{e0041}"),
        ] {
            assert_eq!(display_path(Path::new(text)), expected);
            assert_eq!(safe_line(text), expected);
        }
        assert_eq!(safe_line("a\\nb"), "a\\nb");
        assert!(matches!(safe_line("plain"), Cow::Borrowed(_)));
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_shown() {
        use std::os::unix::ffi::OsStrExt;
        let shown = |bytes: &[u8]| display_path(Path::new(std::ffi::OsStr::from_bytes(bytes)));
        assert_eq!(shown(b"bad\xE9name.txt"), "bad\\xE9name.txt");
        assert_eq!(shown(b"bad\\xE9name.txt"), "bad\\\\xE9name.txt");
        assert_eq!(shown(b"\xF0\x9F"), "\\xF0\\x9F");
    }

    #[cfg(unix)]
    proptest! {
        #[test]
        fn different_paths_stay_different(
            a in prop::collection::vec(prop::sample::select(b"\\xE9n\nu\xE9{}".to_vec()), 0..6),
            b in prop::collection::vec(prop::sample::select(b"\\xE9n\nu\xE9{}".to_vec()), 0..6),
        ) {
            use std::os::unix::ffi::OsStrExt;
            let shown = |bytes: &[u8]| display_path(Path::new(std::ffi::OsStr::from_bytes(bytes)));
            prop_assert_eq!(a == b, shown(&a) == shown(&b));
        }

        #[test]
        fn a_safe_line_is_one_line_and_stays(text in any::<String>()) {
            let safe = safe_line(&text);
            prop_assert!(!safe.chars().any(is_hidden));
            prop_assert_eq!(safe_line(&safe), &*safe);
        }
    }
}
