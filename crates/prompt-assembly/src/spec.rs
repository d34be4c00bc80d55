//! A section before it is computed.

use std::fmt;
use std::sync::Arc;

use context_api::{PromptFacts, Section, SectionScope, ToolNames};

/// A section as a registry holds it: a key, a label, a scope and the way to its text.
///
/// A global section is given the names of tools and nothing else, so it can not hold what differs between users,
/// machines, directories or days.
#[derive(Clone)]
pub struct SectionSpec {
    key: String,
    label: String,
    content: Content,
}

#[derive(Clone)]
enum Content {
    Global(Arc<dyn Fn(&ToolNames) -> String + Send + Sync>),
    Session(Arc<dyn Fn(&PromptFacts) -> String + Send + Sync>),
    Volatile(Arc<dyn Fn(&PromptFacts) -> String + Send + Sync>),
}

impl SectionSpec {
    /// A section that is the same for everybody.
    pub fn global(
        key: impl Into<String>,
        label: impl Into<String>,
        content: impl Fn(&ToolNames) -> String + Send + Sync + 'static,
    ) -> Self {
        Self { key: key.into(), label: label.into(), content: Content::Global(Arc::new(content)) }
    }

    /// A section that holds for a session.
    pub fn session(
        key: impl Into<String>,
        label: impl Into<String>,
        content: impl Fn(&PromptFacts) -> String + Send + Sync + 'static,
    ) -> Self {
        Self { key: key.into(), label: label.into(), content: Content::Session(Arc::new(content)) }
    }

    /// A section that is computed for each request. It costs the cache of everything behind it.
    pub fn volatile(
        key: impl Into<String>,
        label: impl Into<String>,
        content: impl Fn(&PromptFacts) -> String + Send + Sync + 'static,
    ) -> Self {
        Self { key: key.into(), label: label.into(), content: Content::Volatile(Arc::new(content)) }
    }

    /// Its name for programs.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Its name for people.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// How far its text is the same.
    pub fn scope(&self) -> SectionScope {
        match self.content {
            Content::Global(_) => SectionScope::Global,
            Content::Session(_) => SectionScope::Session,
            Content::Volatile(_) => SectionScope::Volatile,
        }
    }

    /// The section with its text.
    pub fn compute(&self, facts: &PromptFacts) -> Section {
        let text = match &self.content {
            Content::Global(content) => content(&facts.tool_names),
            Content::Session(content) | Content::Volatile(content) => content(facts),
        };
        Section::default().key(self.key.as_str()).label(self.label.as_str()).scope(self.scope()).text(text)
    }
}

impl fmt::Debug for SectionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SectionSpec")
            .field("key", &self.key)
            .field("scope", &self.scope())
            .finish_non_exhaustive()
    }
}
