//! Which base prompt holds.

use context_api::{Section, SectionScope};

use crate::setters::setters;

/// Keys of the default sections that stand behind an agent's own prompt.
const BESIDE_AGENT: [&str; 2] = ["session_guidance", "environment"];
/// Key of the section that may stand behind a custom prompt.
const MEMORY: &str = "memory";

/// The texts that may take the place of the default sections. One wins, they do not merge: `replace`, then
/// `coordinator`, then `agent`, then `custom`, then the default sections.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BasePrompt {
    /// Alone, with nothing appended.
    pub replace: Option<String>,
    /// The prompt of a session that only directs others.
    pub coordinator: Option<String>,
    /// An agent's own prompt; the sections on the environment and on the session's skills follow it.
    pub agent: Option<String>,
    /// The host's prompt instead of the default sections and of the system context.
    pub custom: Option<String>,
    /// Last, behind everything but `replace`.
    pub append: Option<String>,
    /// Whether the section on memory stays beside a custom prompt.
    pub keep_memory_section: bool,
}

setters!(BasePrompt {
    replace: Option<String>,
    coordinator: Option<String>,
    agent: Option<String>,
    custom: Option<String>,
    append: Option<String>,
    keep_memory_section: bool,
});

/// The winner.
enum Choice<'a> {
    Replace(&'a str),
    Coordinator(&'a str),
    Agent(&'a str),
    Custom(&'a str),
    Default,
}

impl BasePrompt {
    /// The sections that hold. `default` is called only where a default section is in them.
    pub fn choose(&self, default: impl FnOnce() -> Vec<Section>) -> Vec<Section> {
        let mut sections = match self.winner() {
            Choice::Replace(text) => return vec![own("override", "Override", text)],
            Choice::Coordinator(text) => vec![own("coordinator", "Coordinator", text)],
            Choice::Agent(text) => with(own("agent", "Agent", text), default, &BESIDE_AGENT),
            Choice::Custom(text) if self.keep_memory_section => {
                with(own("custom", "Custom prompt", text), default, &[MEMORY])
            }
            Choice::Custom(text) => vec![own("custom", "Custom prompt", text)],
            Choice::Default => default(),
        };
        if let Some(text) = given(&self.append) {
            sections.push(own("append", "Appended", text));
        }
        sections
    }

    /// Whether the default sections are the base prompt.
    pub fn uses_default_sections(&self) -> bool {
        matches!(self.winner(), Choice::Default)
    }

    /// Whether the system context stands at the end of the prompt. It does not behind an override or a custom prompt,
    /// so it need not be computed then.
    pub fn wants_system_context(&self) -> bool {
        !matches!(self.winner(), Choice::Replace(_) | Choice::Custom(_))
    }

    fn winner(&self) -> Choice<'_> {
        given(&self.replace)
            .map(Choice::Replace)
            .or_else(|| given(&self.coordinator).map(Choice::Coordinator))
            .or_else(|| given(&self.agent).map(Choice::Agent))
            .or_else(|| given(&self.custom).map(Choice::Custom))
            .unwrap_or(Choice::Default)
    }
}

/// A text of white space is no text.
fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.trim().is_empty())
}

fn own(key: &str, label: &str, text: &str) -> Section {
    Section::default().key(key).label(label).scope(SectionScope::Session).text(text)
}

fn with(own: Section, default: impl FnOnce() -> Vec<Section>, keys: &[&str]) -> Vec<Section> {
    let kept = default().into_iter().filter(|section| keys.contains(&section.key.as_str()));
    std::iter::once(own).chain(kept).collect()
}
