//! What a provider would refuse, and where.

use context_api::{DialectError, ViewEdit};
use uuid::Uuid;

/// One thing in a request that a provider would refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The place, such as `messages[3].content[0]`.
    pub place: String,
    /// The entry that it comes from.
    pub entry: Option<Uuid>,
    /// What is wrong with it, as the end of a sentence.
    pub problem: String,
    /// The edit that takes it out of view for good, where one block alone is at fault.
    pub remedy: Option<ViewEdit>,
}

impl Fault {
    pub(crate) fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), entry: None, problem: problem.into(), remedy: None }
    }

    pub(crate) fn of(mut self, entry: Option<Uuid>) -> Self {
        self.entry = entry;
        self
    }

    pub(crate) fn error(&self, dialect: &str) -> DialectError {
        let at = match self.entry {
            Some(entry) => format!("{} (entry {entry})", self.place),
            None => self.place.clone(),
        };
        DialectError { dialect: dialect.to_owned(), at, problem: self.problem.clone() }
    }
}
