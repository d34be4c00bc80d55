//! A little text around a difference.

use super::item::Item;

/// Bytes that two texts begin with alike, on a character bound of both.
pub(super) fn common(a: &str, b: &str) -> usize {
    let mut length = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    while !a.is_char_boundary(length) || !b.is_char_boundary(length) {
        length -= 1;
    }
    length
}

/// Both texts around their first difference, on one line each.
pub(super) fn around(was: &Item, is: Option<&Item>, chars: usize) -> (String, String) {
    let (was, is) = (shown(was), is.map_or("", shown));
    let at = common(was, is);
    (window(was, at, chars), window(is, at, chars))
}

fn shown(item: &Item) -> &str {
    item.parameter.as_deref().unwrap_or(&item.text)
}

fn window(text: &str, at: usize, chars: usize) -> String {
    let before = text[..at].char_indices().rev().take(chars).last().map_or(at, |(start, _)| start);
    let after = text[at..].char_indices().nth(chars).map_or(text.len(), |(end, _)| at + end);
    let cut = |yes| if yes { "…" } else { "" };
    let quoted = context_text::safe_line(&text[before..after]);
    format!("{}{quoted}{}", cut(before > 0), cut(after < text.len()))
}
