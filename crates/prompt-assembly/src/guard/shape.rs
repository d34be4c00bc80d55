//! What volatile values look like.

/// Shapes: `9` stands for a digit, `x` for a hexadecimal digit, anything else for itself.
const SHAPES: [(&str, &str); 3] =
    [("a date", "9999-99-99"), ("a time", "99:99:99"), ("a uuid", "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")];

/// The first value in `text` that looks volatile, and what it looks like.
pub(super) fn find(text: &str) -> Option<(&'static str, &str)> {
    SHAPES.into_iter().find_map(|(name, shape)| Some((name, find_shape(text, shape)?)))
}

fn find_shape<'a>(text: &'a str, shape: &str) -> Option<&'a str> {
    let bytes = text.as_bytes();
    let place = bytes
        .windows(shape.len())
        .position(|window| window.iter().zip(shape.bytes()).all(|(b, s)| fits(*b, s)))?;
    let end = place + shape.len();
    let word = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphanumeric);
    let alone = !word(place.checked_sub(1).and_then(|before| bytes.get(before))) && !word(bytes.get(end));
    if alone { text.get(place..end) } else { find_shape(text.get(end..)?, shape) }
}

fn fits(byte: u8, shape: u8) -> bool {
    match shape {
        b'9' => byte.is_ascii_digit(),
        b'x' => byte.is_ascii_hexdigit(),
        other => byte == other,
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn dates_times_and_uuids_are_found_where_they_stand_alone() {
        for (text, expected) in [
            ("on 2026-04-25.", Some(("a date", "2026-04-25"))),
            ("at 12:30:00", Some(("a time", "12:30:00"))),
            (
                "id 0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
                Some(("a uuid", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")),
            ),
            ("part 12026-04-251 then 2026-04-25", Some(("a date", "2026-04-25"))),
            ("é 99 – no é2026-4-25", None),
            ("", None),
        ] {
            assert_eq!(find(text), expected, "{text}");
        }
    }
}
