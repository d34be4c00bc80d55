//! Texts of hooks within their limit.

use context_api::Decision;
use context_text::{cut_chars, safe_line};

use super::HookLimits;

/// A text of a hook, cut to the limit.
pub(crate) struct Bounded {
    /// What is kept.
    pub(crate) text: String,
    /// The size of all of it in bytes, where only a part is kept.
    pub(crate) whole: Option<u64>,
}

impl Bounded {
    pub(crate) fn of(text: &str, limits: &HookLimits) -> Self {
        let kept = cut_chars(text, limits.text_chars);
        let whole = (kept.len() < text.len()).then_some(text.len() as u64);
        let mark = if whole.is_some() { "…" } else { "" };
        Self { text: format!("{kept}{mark}"), whole }
    }

    /// What there is to say about the cut.
    pub(crate) fn decision(&self, subject: &str) -> Option<Decision> {
        let whole = self.whole?;
        let detail = format!("It said {whole} bytes; what is beyond the limit is left out.");
        Some(Decision::cut(subject, "hook_output_cut", detail).bytes(whole))
    }
}

/// What decisions about a hook are about.
pub(crate) fn subject(name: &str, event: &str) -> String {
    let named = [name, event, "hook"].into_iter().find(|name| !name.is_empty());
    safe_line(named.unwrap_or_default()).into_owned()
}
