//! A test's guard over what is the same for everybody.

mod shape;

use context_api::{ModelRequest, PromptFacts};

/// Finds volatile values in what stands before the boundary: tools, header and the global part of the system prompt.
/// Embedders put it into their own tests.
///
/// ```
/// use context_api::{PromptFacts, Section, SectionScope};
/// use prompt_assembly::{CacheGuard, RequestParts, assemble};
/// let facts = PromptFacts::default().cwd("/home/ann/proj");
/// let section = Section::default().key("rules").scope(SectionScope::Global).text("Work in /home/ann/proj only.");
/// let (request, _) = assemble(RequestParts::default().sections(vec![section]));
/// let breach = CacheGuard::new().facts(&facts).check(&request).unwrap_err();
/// assert_eq!((breach.place.as_str(), breach.value.as_str()), ("section rules", "working directory"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CacheGuard {
    values: Vec<(String, String)>,
}

/// A volatile value before the boundary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place} holds {value}: {text:?}; whatever stands behind it is sent anew when that changes")]
#[non_exhaustive]
pub struct CacheBreach {
    /// Where it stands, such as `section identity` or `tool Read`.
    pub place: String,
    /// Its name, or what it looks like.
    pub value: String,
    /// The text found.
    pub text: String,
}

/// Characters of a value below which it is not looked for: `sh` stands in too many words.
const SHORTEST: usize = 3;

impl CacheGuard {
    /// A guard that knows what dates, times and uuids look like, and no values yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks for a value too, such as the user's name.
    pub fn value(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.values.push((name.into(), text.into()));
        self
    }

    /// Looks for everything that differs between sessions.
    pub fn facts(self, facts: &PromptFacts) -> Self {
        let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let optional = |text: &Option<String>| text.clone().unwrap_or_default();
        let directories = facts.additional_directories.iter();
        let guard =
            directories.fold(self, |guard, directory| guard.value("additional directory", path(directory)));
        guard
            .value("working directory", path(&facts.cwd))
            .value("model", facts.model.clone())
            .value("shell", optional(&facts.shell))
            .value("system version", optional(&facts.os_version))
            .value("scratch directory", facts.scratchpad.as_deref().map(path).unwrap_or_default())
            .value("memory directory", facts.memory_directory.as_deref().map(path).unwrap_or_default())
    }

    /// Looks through everything before the boundary.
    ///
    /// # Errors
    /// The first volatile value found.
    pub fn check(&self, request: &ModelRequest) -> Result<(), CacheBreach> {
        for (place, text) in before_boundary(request) {
            let named = self.values.iter().find(|(_, value)| stands_in(value, text));
            let found =
                named.map(|(name, value)| (name.as_str(), value.as_str())).or_else(|| shape::find(text));
            if let Some((value, text)) = found {
                return Err(CacheBreach { place, value: value.to_owned(), text: text.to_owned() });
            }
        }
        Ok(())
    }

    /// Holds two requests, built for two users, machines or days, against each other.
    ///
    /// # Errors
    /// The first part before the boundary that differs.
    pub fn compare(one: &ModelRequest, other: &ModelRequest) -> Result<(), CacheBreach> {
        let (one, other) = (before_boundary(one), before_boundary(other));
        let differs = |index: &usize| one.get(*index) != other.get(*index);
        let Some(index) = (0..one.len().max(other.len())).find(differs) else { return Ok(()) };
        let found = other.get(index).or_else(|| one.get(index));
        let (place, text) =
            found.map(|(place, text)| (place.clone(), (*text).to_owned())).unwrap_or_default();
        Err(CacheBreach { place, value: "what differs between two builds".to_owned(), text })
    }
}

/// Whether `value` stands in `text` as a word or path of its own.
fn stands_in(value: &str, text: &str) -> bool {
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let alone =
        |at: usize| !word(text[..at].chars().next_back()) && !word(text[at + value.len()..].chars().next());
    value.chars().count() >= SHORTEST && text.match_indices(value).any(|(at, _)| alone(at))
}

/// Names and texts of everything before the boundary, in order.
fn before_boundary(request: &ModelRequest) -> Vec<(String, &str)> {
    let built_in = request.tools.iter().filter(|tool| tool.server.is_none());
    let tools = built_in.flat_map(|tool| {
        [tool.description.as_str(), tool.input_schema.get()].map(|text| (format!("tool {}", tool.name), text))
    });
    let blocks = &request.system[..boundary(request)];
    let parts = blocks.iter().flat_map(|block| {
        let part = |part: &context_api::SystemPart| {
            Some((format!("section {}", part.key), block.text.get(part.range.clone())?))
        };
        let whole = block.parts.is_empty().then(|| ("system prompt".to_owned(), block.text.as_str()));
        block.parts.iter().filter_map(part).chain(whole).collect::<Vec<_>>()
    });
    tools.chain(parts).collect()
}

/// Blocks of the system prompt that are the same for everybody: up to the first breakpoint, unless it is the only one and
/// not global, for then all is the session's.
fn boundary(request: &ModelRequest) -> usize {
    let marks: Vec<_> = request.system.iter().map(|block| block.cache).collect();
    let global = marks.iter().position(|mark| *mark == Some(context_api::CacheMark::Global));
    let first = marks.iter().position(Option::is_some).filter(|_| marks.iter().flatten().count() > 1);
    global.or(first).map_or(0, |last| last + 1)
}
