//! What a provider would refuse, and where.

use context_api::{Decision, DialectError, ViewEdit};
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
        DialectError { dialect: dialect.to_owned(), at: self.at(), problem: self.problem.clone() }
    }

    /// The place, with the entry where there is one.
    fn at(&self) -> String {
        match self.entry {
            Some(entry) => format!("{} (entry {entry})", self.place),
            None => self.place.clone(),
        }
    }
}

/// The edits that mend `faults`, each block and result once.
pub(crate) fn remedies(faults: &[Fault]) -> Vec<(ViewEdit, Decision)> {
    let mut mended = Vec::new();
    let mut edits = Vec::new();
    for fault in faults {
        let Some((edit, target)) = fault.remedy.as_ref().and_then(|edit| Some((edit, target(edit)?))) else {
            continue;
        };
        if mended.contains(&target) {
            continue;
        }
        let detail = format!("It is replaced by a text for good: {}.", fault.problem);
        edits.push((edit.clone(), Decision::left_out(fault.at(), target.reason, detail)));
        mended.push(target);
    }
    edits
}

/// What an edit replaces, and why.
struct Target<'a> {
    entry: Option<(Uuid, usize)>,
    call: Option<&'a str>,
    reason: &'a str,
}

impl PartialEq for Target<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.entry, self.call) == (other.entry, other.call)
    }
}

fn target(edit: &ViewEdit) -> Option<Target<'_>> {
    match edit {
        ViewEdit::ReplaceBlock { entry, block, reason, .. } => {
            Some(Target { entry: Some((*entry, *block)), call: None, reason })
        }
        ViewEdit::ReplaceResult { tool_use_id, reason, .. } => {
            Some(Target { entry: None, call: Some(tool_use_id), reason })
        }
        _ => None,
    }
}
