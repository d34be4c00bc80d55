//! Which calls there were, and how they were answered.

use std::collections::HashMap;
use std::sync::Arc;

/// How a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Not answered yet.
    Open,
    /// By its own result.
    Real,
    /// As interrupted.
    Interrupted,
    /// As interrupted, and its result was told later.
    Late,
}

#[derive(Debug, Clone)]
struct Call {
    tool: Arc<str>,
    answer: Answer,
}

/// All calls in view by id. What is settled is shared between clones, so that a preview of a long history is cheap.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calls {
    settled: Arc<HashMap<String, Call>>,
    new: HashMap<String, Call>,
}

impl Calls {
    /// Takes a call in; false where its id is known.
    pub(crate) fn open(&mut self, id: &str, tool: &str) -> bool {
        if self.answer(id).is_some() {
            return false;
        }
        self.new.insert(id.to_owned(), Call { tool: tool.into(), answer: Answer::Open });
        true
    }

    /// How a call stands; none for an unknown one.
    pub(crate) fn answer(&self, id: &str) -> Option<Answer> {
        self.get(id).map(|call| call.answer)
    }

    /// The tool of a call.
    pub(crate) fn tool(&self, id: &str) -> Arc<str> {
        self.get(id).map(|call| Arc::clone(&call.tool)).unwrap_or_default()
    }

    /// Notes how a call was answered.
    pub(crate) fn set(&mut self, id: &str, answer: Answer) {
        if let Some(call) = self.get(id) {
            let call = Call { answer, ..call.clone() };
            self.new.insert(id.to_owned(), call);
        }
    }

    /// Makes what is new part of what is shared.
    pub(crate) fn settle(&mut self) {
        if !self.new.is_empty() {
            Arc::make_mut(&mut self.settled).extend(self.new.drain());
        }
    }

    fn get(&self, id: &str) -> Option<&Call> {
        self.new.get(id).or_else(|| self.settled.get(id))
    }
}
