//! Bytes in base64 as a server hands them over: looked at as they are, since they go on in the same form.

/// Bytes that a group of four digits stands for.
const GROUP: (usize, usize) = (4, 3);

/// How many bytes `text` stands for, if it is what it should be: its end alone is looked at.
pub(super) fn size(text: &str) -> usize {
    (text.len() / GROUP.0 * GROUP.1).saturating_sub(padding(text))
}

fn padding(text: &str) -> usize {
    text.bytes().rev().take_while(|byte| *byte == b'=').count()
}

/// Whether `text` is standard base64 with padding.
pub(super) fn is_sound(text: &str) -> bool {
    let (bytes, padding) = (text.as_bytes(), padding(text));
    if !bytes.len().is_multiple_of(GROUP.0) || padding > 2 {
        return false;
    }
    // What the last digit says beyond the last byte means nothing: it has to be zero.
    let unused = (1 << (2 * padding)) - 1;
    let last = bytes[..bytes.len() - padding].iter().try_fold(0, |_, byte| value(*byte));
    last.is_some_and(|last| last & unused == 0)
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

/// What kind of picture the bytes begin like, by content and never by what a server says.
pub(super) fn picture(text: &str) -> Option<&'static str> {
    match text.as_bytes() {
        [b'i', b'V', b'B', b'O', b'R', b'w', b'0', b'K', ..] => Some("image/png"),
        [b'/', b'9', b'j', b'/', ..] => Some("image/jpeg"),
        [b'R', b'0', b'l', b'G', b'O', b'D', ..] => Some("image/gif"),
        // `RIFF`, four bytes of length, `WEBP`
        [b'U', b'k', b'l', b'G', b'R', _, _, _, _, _, _, b'X', b'R', b'U', b'J', b'Q', ..] => {
            Some("image/webp")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pictures_are_told_by_their_first_bytes() {
        for (start, kind) in [
            (&b"\x89PNG\r\n\x1a\n"[..], Some("image/png")),
            (&b"\xff\xd8\xff\xe0"[..], Some("image/jpeg")),
            (&b"GIF87a"[..], Some("image/gif")),
            (&b"GIF89a"[..], Some("image/gif")),
            (&b"RIFF\xff\x00\x12\x34WEBPVP8 "[..], Some("image/webp")),
            (&b"RIFF\xff\x00\x12\x34WAVEfmt "[..], None),
            (&b"%PDF-1.7"[..], None),
            (&b""[..], None),
        ] {
            assert_eq!(picture(&STANDARD.encode(start)), kind, "{start:?}");
        }
    }

    proptest! {
        #[test]
        fn lengths_are_those_of_the_decoded(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let text = STANDARD.encode(&bytes);
            prop_assert_eq!((is_sound(&text), size(&text)), (true, bytes.len()));
        }

        #[test]
        fn what_can_not_be_decoded_is_not_sound(text in "[AQgwZz09+/=\\-é ]{0,9}") {
            prop_assert_eq!(is_sound(&text), STANDARD.decode(&text).is_ok(), "{}", text);
        }
    }
}
