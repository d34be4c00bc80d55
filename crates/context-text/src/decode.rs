//! Bytes to text.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::memchr;
use serde::{Deserialize, Serialize};

const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";
const UTF16LE_BOM: &[u8] = b"\xFF\xFE";
const UTF16BE_BOM: &[u8] = b"\xFE\xFF";

/// Bytes from the start of a file that the content tests look at: what git looks at.
const SAMPLE_BYTES: usize = 8_000;
/// UTF-16 without a mark is recognised when at least this share of its pairs, in percent, has a zero on one side...
const UTF16_ZERO_PERCENT: usize = 70;
/// ...and at most this share has a zero on the other.
const UTF16_STRAY_PERCENT: usize = 5;
/// More control characters than this share of the bytes, in percent, and at least [`MIN_CONTROLS`], is binary.
/// Random bytes have 11 %, terminal logs (escape, backspace and form feed not counted) under 1 %.
const CONTROL_PERCENT: usize = 5;
const MIN_CONTROLS: usize = 2;

/// Text and what had to be done to get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without byte order mark, line ends as they were.
    pub text: String,
    /// The encoding it was read as, in lower case: `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`.
    pub encoding: &'static str,
    /// Whether a byte order mark was dropped.
    pub bom: bool,
    /// Whether bytes were replaced by U+FFFD: the text can not be turned back into the file.
    pub lossy: bool,
}

/// Reads bytes as UTF-8, or as UTF-16 where a byte order mark says so. Invalid sequences become one U+FFFD each:
/// a bad byte never costs the rest of the file.
pub fn decode(bytes: &[u8]) -> Decoded {
    if let Some(rest) = bytes.strip_prefix(UTF8_BOM) {
        return Decoded { bom: true, ..utf8(rest) };
    }
    if let Some(rest) = bytes.strip_prefix(UTF16LE_BOM) {
        return Decoded { bom: true, ..by_encoding(rest, UTF_16LE, "utf-16le") };
    }
    if let Some(rest) = bytes.strip_prefix(UTF16BE_BOM) {
        return Decoded { bom: true, ..by_encoding(rest, UTF_16BE, "utf-16be") };
    }
    utf8(bytes)
}

/// Like [`decode()`], and guesses where neither a mark nor UTF-8 fits: UTF-16 by its zero bytes; a few bad bytes in
/// text that has as many good multi-byte characters stay UTF-8 with U+FFFD; the rest is windows-1252.
pub fn decode_guess(bytes: &[u8]) -> Decoded {
    let marked = [UTF8_BOM, UTF16LE_BOM, UTF16BE_BOM].iter().any(|mark| bytes.starts_with(mark));
    if marked {
        return decode(bytes);
    }
    if let Some(order) = utf16_order(&bytes[..bytes.len().min(SAMPLE_BYTES)]) {
        return match order {
            ByteOrder::Little => by_encoding(bytes, UTF_16LE, "utf-16le"),
            ByteOrder::Big => by_encoding(bytes, UTF_16BE, "utf-16be"),
        };
    }
    let decoded = decode(bytes);
    if decoded.lossy && !decoded.bom && memchr(0, bytes).is_none() && !is_mostly_utf8(bytes) {
        return by_encoding(bytes, WINDOWS_1252, "windows-1252");
    }
    decoded
}

/// Whether the start of a file is no text: a zero byte that no UTF-16 explains, or many control characters.
/// A few kilobytes are enough; a character cut at the end does no harm.
pub fn is_binary(head: &[u8]) -> bool {
    let head = &head[..head.len().min(SAMPLE_BYTES)];
    if head.starts_with(UTF16LE_BOM) || head.starts_with(UTF16BE_BOM) || utf16_order(head).is_some() {
        return false;
    }
    if memchr(0, head).is_some() {
        return true;
    }
    let controls = head.iter().filter(|&&b| is_odd_control(b)).count();
    controls >= MIN_CONTROLS && controls * 100 > head.len() * CONTROL_PERCENT
}

/// How the lines of a text end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineEnds {
    /// No line end at all.
    None,
    /// `\n` only.
    Lf,
    /// `\r\n` only.
    CrLf,
    /// Both.
    Mixed,
}

/// The line ends of a text. A lone `\r` is no line end.
pub fn line_ends(text: &str) -> LineEnds {
    let bytes = text.as_bytes();
    let (mut lf, mut crlf) = (false, false);
    for at in memchr::memchr_iter(b'\n', bytes) {
        if at > 0 && bytes[at - 1] == b'\r' {
            crlf = true;
        } else {
            lf = true;
        }
        if lf && crlf {
            return LineEnds::Mixed;
        }
    }
    match (lf, crlf) {
        (false, false) => LineEnds::None,
        (true, _) => LineEnds::Lf,
        (false, true) => LineEnds::CrLf,
    }
}

fn utf8(bytes: &[u8]) -> Decoded {
    let (text, lossy) = match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (String::from_utf8_lossy(bytes).into_owned(), true),
    };
    Decoded { text, encoding: "utf-8", bom: false, lossy }
}

fn by_encoding(bytes: &[u8], encoding: &'static Encoding, name: &'static str) -> Decoded {
    let (text, lossy) = encoding.decode_without_bom_handling(bytes);
    Decoded { text: text.into_owned(), encoding: name, bom: false, lossy }
}

enum ByteOrder {
    Little,
    Big,
}

/// The byte order of UTF-16 that has no mark: mostly Latin text has its zeros on one side only.
fn utf16_order(head: &[u8]) -> Option<ByteOrder> {
    let (mut even, mut odd) = (0, 0);
    let pairs = head.chunks_exact(2);
    let count = head.len() / 2;
    for pair in pairs {
        even += usize::from(pair[0] == 0);
        odd += usize::from(pair[1] == 0);
        if pair == [0, 0] {
            return None;
        }
    }
    let many = |zeros: usize| zeros * 100 >= count * UTF16_ZERO_PERCENT;
    let few = |zeros: usize| zeros * 100 <= count * UTF16_STRAY_PERCENT;
    let whole_pairs = head.len().is_multiple_of(2);
    if count < 2 || !whole_pairs || utf16_has_controls(head, odd > even) {
        return None;
    }
    if many(odd) && few(even) {
        return Some(ByteOrder::Little);
    }
    (many(even) && few(odd)).then_some(ByteOrder::Big)
}

/// Whether the pairs read in that order hold control characters, which small binary headers do and text does not.
fn utf16_has_controls(head: &[u8], little: bool) -> bool {
    head.chunks_exact(2).any(|pair| {
        let (low, high) = if little { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
        high == 0 && is_odd_control(low)
    })
}

/// Control characters that text does not have. Tab, line feed, form feed, carriage return, backspace and escape it has.
fn is_odd_control(byte: u8) -> bool {
    matches!(byte, 0..=0x07 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F)
}

/// Whether there are at least as many good multi-byte characters as bad sequences.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().bytes().filter(|&b| b >= 0xC0).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good >= bad
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(decoded: &Decoded) -> (&str, &str, bool, bool) {
        (&decoded.text, decoded.encoding, decoded.bom, decoded.lossy)
    }

    fn utf16(text: &str, little: bool) -> Vec<u8> {
        text.encode_utf16().flat_map(|u| if little { u.to_le_bytes() } else { u.to_be_bytes() }).collect()
    }

    #[test]
    fn a_mark_is_dropped_by_the_guess_too() {
        let bytes: Vec<u8> =
            [0xFF, 0xFE].into_iter().chain("plain".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let decoded = decode_guess(&bytes);
        assert_eq!((decoded.text.as_str(), decoded.bom, decoded.encoding), ("plain", true, "utf-16le"));
    }

    #[test]
    fn decode_reads_marks_and_keeps_what_it_can() {
        for (bytes, expected) in [
            (&b""[..], ("", "utf-8", false, false)),
            (b"a\r\nb", ("a\r\nb", "utf-8", false, false)),
            (b"\xEF\xBB\xBFa", ("a", "utf-8", true, false)),
            (b"\xEF\xBB\xBF", ("", "utf-8", true, false)),
            (b"\xEF\xBB\xBF\xEF\xBB\xBFa", ("\u{feff}a", "utf-8", true, false)),
            (b"\xFF\xFEa\0\n\0", ("a\n", "utf-16le", true, false)),
            (b"\xFE\xFF\0a\0\n", ("a\n", "utf-16be", true, false)),
            (b"\xFF\xFEa\0\x3D\xD8", ("a\u{fffd}", "utf-16le", true, true)),
            (b"MARK_START caf\xE9 MARK_END\n", ("MARK_START caf\u{fffd} MARK_END\n", "utf-8", false, true)),
            (b"a\xF0\x9F\x94b", ("a\u{fffd}b", "utf-8", false, true)),
            (b"a\0b", ("a\0b", "utf-8", false, false)),
        ] {
            assert_eq!(shown(&decode(bytes)), expected, "{bytes:?}");
        }
    }

    #[test]
    fn decode_guess_tells_latin_from_damaged_utf8() {
        for (bytes, text, encoding, lossy) in [
            (&b"caf\xE9 \x93x\x94"[..], "café “x”", "windows-1252", false),
            (b"caf\xC3\xA9 and caf\xE9", "café and caf\u{fffd}", "utf-8", true),
            ("日本語".as_bytes(), "日本語", "utf-8", false),
            (b"\xEF\xBB\xBFcaf\xE9", "caf\u{fffd}", "utf-8", true),
            (b"", "", "utf-8", false),
        ] {
            let decoded = decode_guess(bytes);
            assert_eq!(
                (&*decoded.text, decoded.encoding, decoded.lossy),
                (text, encoding, lossy),
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn decode_guess_finds_utf16_without_a_mark() {
        let text = "name,value\r\nçà,1\r\n";
        assert_eq!(shown(&decode_guess(&utf16(text, true))), (text, "utf-16le", false, false));
        assert_eq!(shown(&decode_guess(&utf16(text, false))), (text, "utf-16be", false, false));
    }

    #[test]
    fn is_binary_goes_by_content() {
        let elf = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0\xFE\xFF\xFD\xFC\0\x01";
        let random: Vec<u8> =
            (1u32..400).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).filter(|&b| b != 0).collect();
        let latin: Vec<u8> = b"caf\xE9 \x93quoted\x94\n".repeat(9);
        for (bytes, binary) in [
            (&elf[..], true),
            (b"ok\0\0more\x01\x02\x0A", true),
            (b"a\0", true),
            (&random, true),
            (b"", false),
            (b"plain\ttext\r\n", false),
            (b"\x1B[31mred\x1B[0m\n", false),
            (&latin, false),
            ("日本語 🔥".as_bytes(), false),
            (&"日本語".as_bytes()[..8], false),
            (&utf16("hello\n", true), false),
            (&utf16("hello\n", false), false),
            (b"\xFF\xFE\x2D\x4E\x87\x65", false),
            (b"one\0two\0three\0", true),
            (b"ab\0\n", true),
            (b"a\0b\n", true),
        ] {
            assert_eq!(is_binary(bytes), binary, "{bytes:?}");
        }
    }

    #[test]
    fn line_ends_are_told_apart() {
        for (text, ends) in [
            ("", LineEnds::None),
            ("a\rb", LineEnds::None),
            ("a\nb", LineEnds::Lf),
            ("\n", LineEnds::Lf),
            ("a\r\nb\r\n", LineEnds::CrLf),
            ("a\r\nb\n", LineEnds::Mixed),
        ] {
            assert_eq!(line_ends(text), ends, "{text:?}");
        }
        assert_eq!(serde_json::to_string(&LineEnds::CrLf).unwrap(), "\"cr_lf\"");
    }
}
