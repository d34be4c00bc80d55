//! Texts cut to so many tokens.

use context_text::{cut_bytes, cut_lines, estimate_tokens};

/// The longest head of whole lines that takes no more tokens than that; empty where not even one does.
pub(crate) fn lines_within(text: &str, tokens: u64) -> &str {
    within(text, tokens, cut_lines)
}

/// The same; where not even a line fits, whole characters of it.
pub(crate) fn head_within(text: &str, tokens: u64) -> &str {
    match lines_within(text, tokens) {
        "" => within(text, tokens, cut_bytes),
        lines => lines,
    }
}

fn within(text: &str, tokens: u64, cut: fn(&str, usize) -> &str) -> &str {
    let mut shown = text;
    // An estimate grows with the text: each round takes off in proportion what is too much, and a little more.
    loop {
        let takes = estimate_tokens(shown);
        if takes <= tokens || shown.is_empty() {
            return shown;
        }
        let share = shown.len().saturating_mul(usize::try_from(tokens).unwrap_or(usize::MAX))
            / usize::try_from(takes).unwrap_or(usize::MAX).max(1);
        shown = cut(shown, share.min(shown.len() - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_stay_whole_and_a_single_long_one_is_cut_between_characters() {
        let text = "one two three\nfour five six\nseven";
        assert_eq!(lines_within(text, 5), "one two three\n");
        assert_eq!(lines_within(&"語".repeat(100), 10), "");
        let head = "語".repeat(100);
        let head = head_within(&head, 10);
        assert!(!head.is_empty() && estimate_tokens(head) <= 10, "{head}");
    }

    proptest! {
        #[test]
        fn heads_are_prefixes_within_their_tokens(text in "[a-z\n 語🔥]{0,200}", tokens in 0u64..50) {
            for head in [lines_within(&text, tokens), head_within(&text, tokens)] {
                prop_assert!(text.starts_with(head) && estimate_tokens(head) <= tokens);
            }
        }
    }
}
