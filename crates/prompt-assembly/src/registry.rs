//! The sections of the base prompt, in order.

use context_api::{PromptFacts, Section, SectionScope, SystemPrompt};

use crate::{SectionSpec, wording};

/// Named sections in order. A value: two sessions may have two.
///
/// A key stands once. Whatever the order of insertion, global sections come first and volatile ones last.
#[derive(Debug, Clone, Default)]
pub struct SectionRegistry {
    sections: Vec<SectionSpec>,
}

/// No section has this key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no section {0:?} in the registry")]
pub struct UnknownSection(
    /// The key.
    pub String,
);

impl SectionRegistry {
    /// A registry without sections.
    pub fn empty() -> Self {
        Self::default()
    }

    /// The fourteen sections of this house.
    pub fn standard() -> Self {
        let mut registry = Self::empty();
        registry.push(SectionSpec::global("identity", "Identity", wording::identity));
        registry.push(SectionSpec::global("system_rules", "System rules", wording::system_rules));
        registry.push(SectionSpec::global("doing_tasks", "Doing tasks", wording::doing_tasks));
        registry.push(SectionSpec::global("actions", "Acting with care", wording::actions));
        registry.push(SectionSpec::global("using_tools", "Using tools", wording::using_tools));
        registry.push(SectionSpec::global("tone_and_style", "Tone and style", wording::tone_and_style));
        registry.push(SectionSpec::global("output_efficiency", "Length", wording::output_efficiency));
        registry.push(SectionSpec::session("session_guidance", "Session", wording::session_guidance));
        registry.push(SectionSpec::session("memory", "Auto memory", wording::memory));
        registry.push(SectionSpec::session("environment", "Environment", wording::environment));
        registry.push(SectionSpec::session("language", "Language", wording::language));
        registry.push(SectionSpec::volatile("mcp_instructions", "MCP servers", wording::mcp_instructions));
        registry.push(SectionSpec::session("scratchpad", "Temporary files", wording::scratchpad));
        registry.push(SectionSpec::session("token_budget", "Budget", wording::token_budget));
        registry
    }

    /// The section of `key`.
    pub fn get(&self, key: &str) -> Option<&SectionSpec> {
        self.sections.iter().find(|section| section.key() == key)
    }

    /// The keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(SectionSpec::key)
    }

    /// Puts `section` in the place of the one with its key, and gives that one back.
    ///
    /// # Errors
    /// There is no section of that key.
    pub fn replace(&mut self, section: SectionSpec) -> Result<SectionSpec, UnknownSection> {
        let place = self.place(section.key())?;
        Ok(std::mem::replace(&mut self.sections[place], section))
    }

    /// Takes the section of `key` out.
    pub fn remove(&mut self, key: &str) -> Option<SectionSpec> {
        self.place(key).ok().map(|place| self.sections.remove(place))
    }

    /// Puts `section` before the one of `key`. A section of the same key moves here.
    ///
    /// # Errors
    /// There is no section of `key`; nothing changed.
    pub fn insert_before(&mut self, key: &str, section: SectionSpec) -> Result<(), UnknownSection> {
        self.insert(key, section, 0)
    }

    /// Puts `section` after the one of `key`. A section of the same key moves here.
    ///
    /// # Errors
    /// There is no section of `key`; nothing changed.
    pub fn insert_after(&mut self, key: &str, section: SectionSpec) -> Result<(), UnknownSection> {
        self.insert(key, section, 1)
    }

    /// Puts `section` last. A section of the same key moves here.
    pub fn push(&mut self, section: SectionSpec) {
        self.remove(section.key());
        self.sections.push(section);
    }

    fn insert(&mut self, key: &str, section: SectionSpec, behind: usize) -> Result<(), UnknownSection> {
        let place = self.place(key)?;
        if section.key() == key {
            self.sections[place] = section;
            return Ok(());
        }
        self.remove(section.key());
        let place = self.place(key)?;
        self.sections.insert(place + behind, section);
        Ok(())
    }

    fn place(&self, key: &str) -> Result<usize, UnknownSection> {
        let place = self.sections.iter().position(|section| section.key() == key);
        place.ok_or_else(|| UnknownSection(key.to_owned()))
    }
}

impl SectionRegistry {
    fn computed(&self, scope: SectionScope, facts: &PromptFacts) -> impl Iterator<Item = Section> {
        let sections = self.sections.iter().filter(move |section| section.scope() == scope);
        sections.map(|section| section.compute(facts)).filter(|section| !section.text.trim().is_empty())
    }
}

impl SystemPrompt for SectionRegistry {
    fn sections(&self, facts: &PromptFacts) -> Vec<Section> {
        [SectionScope::Global, SectionScope::Session, SectionScope::Volatile]
            .into_iter()
            .flat_map(|scope| self.computed(scope, facts))
            .collect()
    }

    fn volatile(&self, facts: &PromptFacts) -> Vec<Section> {
        self.computed(SectionScope::Volatile, facts).collect()
    }
}
