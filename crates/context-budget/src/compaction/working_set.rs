//! What a model has behind a boundary.

use context_api::{Decision, Verdict};
use serde::Serialize;

/// What came back behind a boundary, in what form, and what did not and why.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct WorkingSet {
    /// One item a thing, in the order in which they stand.
    pub items: Vec<WorkingItem>,
}

/// One thing that a model had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct WorkingItem {
    /// The path or part.
    pub subject: String,
    /// In what form it is there.
    pub form: Form,
    /// Why so, in snake case.
    pub reason: String,
    /// One sentence, for people.
    pub detail: String,
    /// Its tokens.
    pub tokens: u64,
}

/// In what form something is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Form {
    /// It never left.
    Kept,
    /// As a whole.
    Whole,
    /// A part of it.
    Cut,
    /// By name.
    Reference,
    /// Not at all.
    LeftOut,
}

impl WorkingSet {
    /// Notes one thing.
    pub fn note(
        &mut self,
        subject: impl Into<String>,
        form: Form,
        reason: &str,
        detail: impl Into<String>,
        tokens: u64,
    ) {
        let (subject, reason, detail) = (subject.into(), reason.to_owned(), detail.into());
        self.items.push(WorkingItem { subject, form, reason, detail, tokens });
    }

    /// Tokens of what came back; what never left does not count.
    pub fn tokens(&self) -> u64 {
        self.items.iter().filter(|item| item.form != Form::Kept).map(|item| item.tokens).sum()
    }

    /// The same as decisions.
    pub fn decisions(&self) -> Vec<Decision> {
        let decision = |item: &WorkingItem| {
            let verdict = match item.form {
                Form::Kept | Form::Whole => Verdict::Included,
                Form::Cut | Form::Reference => Verdict::Cut,
                Form::LeftOut => Verdict::LeftOut,
            };
            Decision::new(item.subject.clone(), verdict, item.reason.clone(), item.detail.clone())
        };
        self.items.iter().map(decision).collect()
    }
}
