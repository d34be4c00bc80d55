//! Ids of calls that another provider made up.

use std::borrow::Cow;

use context_text::content_hash;

/// What an id consists of on one provider's wire.
#[derive(Clone, Copy)]
pub(crate) struct IdRule {
    pub(crate) chars: usize,
    /// Whether it consists of letters, digits, `_` and `-` alone.
    pub(crate) words: bool,
}

/// Characters of the digest that keeps two changed ids apart.
const DIGEST_CHARS: usize = 16;

impl IdRule {
    /// The id on the wire. One that obeys stays as it is; another becomes, always in the same way, one that does. So a
    /// session can go on with another provider.
    pub(crate) fn wire<'a>(&self, id: &'a str) -> Cow<'a, str> {
        let fits = |c: char| !self.words || c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if !id.is_empty() && id.len() <= self.chars && id.chars().all(fits) {
            return Cow::Borrowed(id);
        }
        let kept = id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' });
        let kept = kept.take(self.chars.saturating_sub(DIGEST_CHARS + 1));
        let digest = content_hash(id.as_bytes());
        Cow::Owned(kept.chain(['_']).chain(digest.chars().take(DIGEST_CHARS)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RULE: IdRule = IdRule { chars: 40, words: true };

    #[test]
    fn good_ids_stay_and_others_become_good_and_different() {
        assert_eq!(RULE.wire("toolu_01-a"), "toolu_01-a");
        let changed = RULE.wire("functions.Read:0");
        assert!(changed.starts_with("functions_Read_0_") && changed.len() == 33, "{changed}");
        assert_ne!(RULE.wire("functions.Read:0"), RULE.wire("functions_Read.0"));
        assert_eq!(RULE.wire(&"a".repeat(41)).len(), 40);
        assert_eq!(IdRule { chars: 64, words: false }.wire("a.b"), "a.b");
    }

    proptest! {
        #[test]
        fn every_id_becomes_one_that_obeys(id in any::<String>()) {
            let wire = RULE.wire(&id).into_owned();
            prop_assert!((1..=40).contains(&wire.len()));
            prop_assert!(wire.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
            prop_assert_eq!(RULE.wire(&wire), wire.as_str(), "stable");
        }
    }
}
