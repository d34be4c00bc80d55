//! A quick name for a text that was announced.

/// Odd numbers with about as many ones as zeros (digits of pi), which is all that mixing asks for.
const MIX: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7345];
/// Bytes that are mixed in at once.
const WORD: usize = size_of::<u64>();

/// 64 bits of `text` as 16 hexadecimal digits, the same in every process.
///
/// Hundreds of texts are compared in each turn, for which [`context_text::content_hash`] takes too long. Nothing hangs on
/// who made a text: one that is made to collide with another hides an update of itself.
pub(crate) fn digest(text: &str) -> String {
    format!("{:016x}", bits(text))
}

/// Whether a digest is that of `text`.
pub(crate) fn is_of(digest: &str, text: &str) -> bool {
    u64::from_str_radix(digest, 16) == Ok(bits(text))
}

fn bits(text: &str) -> u64 {
    let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
    let (words, rest) = text.as_bytes().as_chunks::<WORD>();
    let words = words.iter().map(|bytes| u64::from_le_bytes(*bytes));
    let last = (!rest.is_empty()).then(|| word(rest));
    mix(words.chain(last).fold(mix(length ^ MIX[0], MIX[1]), |state, word| mix(state ^ word, MIX[0])), MIX[1])
}

fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; WORD];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// Both halves of a product, folded into one.
fn mix(a: u64, b: u64) -> u64 {
    let [low, high] = halves(u128::from(a) * u128::from(b));
    low ^ high.rotate_left(32)
}

fn halves(wide: u128) -> [u64; 2] {
    let bytes = wide.to_le_bytes();
    let half = |at: usize| word(&bytes[at..at + WORD]);
    [half(0), half(WORD)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_digest_is_the_same_in_every_version() {
        insta::assert_snapshot!(format!("{} {}", digest(""), digest("searches notes")), @"a0c2681bdc152a86 fccaedda1d4ccc70");
    }

    #[test]
    fn texts_that_differ_a_little_have_other_digests() {
        let texts = (0..2_000)
            .flat_map(|number| [format!("tool {number}"), format!("{number}\0"), "\0".repeat(number)]);
        let texts: BTreeSet<String> = texts.collect();
        let digests: BTreeSet<String> = texts.iter().map(|text| digest(text)).collect();
        assert_eq!(digests.len(), texts.len());
        assert!(texts.iter().all(|text| is_of(&digest(text), text)));
        assert!(!is_of("", "a") && !is_of(&digest("a"), "b"));
    }
}
