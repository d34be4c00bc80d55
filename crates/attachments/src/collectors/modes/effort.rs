//! The word for more thinking.

use context_api::{Closed, Draft, Outbox, TurnView, UltrathinkEffort};

use crate::collectors::look::looks;

/// Asks for more thinking when the host's keyword stands in the user's input as a word, in whatever case.
#[derive(Debug, Clone)]
pub struct EffortCollector {
    level: String,
}

looks!(EffortCollector, "ultrathink_effort", Everywhere);

impl Default for EffortCollector {
    fn default() -> Self {
        Self::new("high")
    }
}

impl EffortCollector {
    /// A collector that asks for the effort `level`.
    pub fn new(level: impl Into<String>) -> Self {
        Self { level: level.into() }
    }

    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let keyword = turn.host.modes.effort_keyword.as_deref().unwrap_or_default();
        let text = turn.input.as_ref().filter(|input| !input.is_meta).map_or("", |input| &*input.text);
        if !has_word(text, keyword) {
            return Ok(());
        }
        out.push(Draft::new(UltrathinkEffort::default().level(self.level.clone())))
    }
}

/// Whether `word` stands in `text` with no letter, digit or underscore beside it.
fn has_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_lowercase(), word.trim().to_lowercase());
    let is_free = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    !word.is_empty()
        && text.match_indices(&word).any(|(at, found)| {
            is_free(text[..at].chars().next_back()) && is_free(text[at + found.len()..].chars().next())
        })
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn a_word_stands_by_itself() {
        for text in
            ["ultrathink", "please Ultrathink!", "(ULTRATHINK)", "a\nultrathink: b", "不ultra、ultrathink。"]
        {
            assert!(has_word(text, "ultrathink"), "{text}");
        }
        for text in ["", "ultrathinking", "my_ultrathink", "ultrathink2", "ultra think", "不ultrathink不"] {
            assert!(!has_word(text, "ultrathink"), "{text}");
        }
        assert!(!has_word("anything", "") && !has_word("any thing", " "));
    }
}
