//! How much of a request a provider can reuse, and what is to blame for the rest.

mod cause;
mod item;
mod quote;

use std::collections::BTreeSet;
use std::sync::Arc;

use context_api::{Entry, ModelRequest};
use context_text::estimate_tokens;
use serde::Serialize;
use uuid::Uuid;

pub use cause::Cause;

use crate::Limits;
use item::{Item, items};

/// What two consecutive requests have in common, in the order of a provider's prefix: tools, system, messages.
///
/// It reads both requests as a whole; make one when somebody asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CacheReport {
    /// Bytes of the common prefix.
    pub common_bytes: u64,
    /// Its tokens, estimated.
    pub common_tokens: u64,
    /// Bytes up to the last breakpoint of the request before that lies in the common prefix: what the provider kept.
    pub reusable_bytes: u64,
    /// Their tokens, estimated.
    pub reusable_tokens: u64,
    /// Bytes of the newer request.
    pub total_bytes: u64,
    /// Its tokens, estimated.
    pub total_tokens: u64,
    /// What broke the prefix; `None` where the newer request only adds to the one before.
    pub difference: Option<Difference>,
    /// What the history says of it, where it was asked.
    pub causes: Vec<Cause>,
    /// One sentence, for people.
    pub reason: String,
}

/// The first block that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// Its place in the newer request, such as `system[1]` or `messages[3].content[0]`.
    pub place: String,
    /// What it is.
    pub blame: Blame,
    /// What happened to it.
    pub change: Change,
    /// A little of the text before, around the first difference.
    pub was: String,
    /// A little of the text now.
    pub is: String,
}

/// What a block of a request is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Blame {
    /// The model: each has a cache of its own.
    Model,
    /// The budget for thinking.
    Thinking,
    /// A tool.
    Tool {
        /// Its name.
        name: String,
    },
    /// A section of the system prompt, or its header.
    Section {
        /// Its key.
        key: String,
    },
    /// A piece of the system context.
    SystemContext {
        /// Its key.
        key: String,
    },
    /// A block of a message.
    Message {
        /// The message.
        index: usize,
        /// The block in it.
        block: usize,
        /// The entry it was projected from.
        source: Option<Uuid>,
    },
}

/// What happened to a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Change {
    /// Its bytes are others.
    Changed,
    /// It was not there before.
    Added,
    /// It is no longer there.
    Removed,
    /// It stands elsewhere.
    Moved,
}

impl CacheReport {
    /// Compares a request with the one before it.
    pub fn compare(previous: &ModelRequest, next: &ModelRequest) -> Self {
        Self::compare_with(previous, next, &Limits::default())
    }

    /// [`CacheReport::compare`] with other limits.
    pub fn compare_with(previous: &ModelRequest, next: &ModelRequest, limits: &Limits) -> Self {
        let (before, now) = (items(previous), items(next));
        let equal = before.iter().zip(&now).take_while(|(a, b)| a.same_bytes(b)).count();
        let kept = before[..equal].iter().rposition(|item| item.mark).map_or(0, |last| last + 1);
        let partial = partial(&before, &now, equal);
        let difference = difference(&before, &now, equal, limits);
        Self {
            common_bytes: bytes(&now[..equal]) + partial.len() as u64,
            common_tokens: tokens(&now[..equal]) + estimate_tokens(partial),
            reusable_bytes: bytes(&now[..kept]),
            reusable_tokens: tokens(&now[..kept]),
            total_bytes: bytes(&now),
            total_tokens: tokens(&now),
            reason: reason(difference.as_ref()),
            causes: Vec::new(),
            difference,
        }
    }

    /// The same report with what the history says of the difference: which attachment, memory file or view edit it is.
    /// `previous_turn` is the number of the request before.
    pub fn explained(mut self, history: &[Arc<Entry>], previous_turn: u64) -> Self {
        let Some(difference) = &self.difference else { return self };
        self.causes = cause::causes(difference, history, previous_turn);
        if !self.causes.is_empty() {
            let causes = self.causes.iter().map(Cause::to_string).collect::<Vec<_>>().join("; ");
            self.reason = format!("{}: {causes}.", self.reason.trim_end_matches('.'));
        }
        self
    }

    /// Whether the newer request only adds to the one before.
    pub fn extends(&self) -> bool {
        self.difference.is_none()
    }
}

fn bytes(items: &[Item]) -> u64 {
    items.iter().map(|item| item.text.len() as u64).sum()
}

fn tokens(items: &[Item]) -> u64 {
    items.iter().map(|item| estimate_tokens(&item.text)).sum()
}

/// The equal beginning of the first block that differs.
fn partial<'a>(before: &[Item], now: &'a [Item], equal: usize) -> &'a str {
    match (before.get(equal), now.get(equal)) {
        (Some(a), Some(b)) if a.parameter.is_none() && b.parameter.is_none() => {
            &b.text[..quote::common(&a.text, &b.text)]
        }
        _ => "",
    }
}

fn difference(before: &[Item], now: &[Item], equal: usize, limits: &Limits) -> Option<Difference> {
    let was = before.get(equal)?;
    let is = now.get(equal);
    let change = is.map_or(Change::Removed, |is| change(before, now, was, is));
    let named = is.filter(|_| change != Change::Removed).unwrap_or(was);
    let (was_text, is_text) = quote::around(was, is, limits.quote_chars);
    Some(Difference {
        place: is.unwrap_or(was).place.clone(),
        blame: named.blame.clone(),
        change,
        was: was_text,
        is: is_text,
    })
}

fn change(before: &[Item], now: &[Item], was: &Item, is: &Item) -> Change {
    if was.identity() == is.identity() {
        return Change::Changed;
    }
    let known = |items: &[Item], wanted: &Item| {
        items.iter().map(Item::identity).collect::<BTreeSet<_>>().contains(&wanted.identity())
    };
    match (known(now, was), known(before, is)) {
        (_, false) => Change::Added,
        (false, true) => Change::Removed,
        (true, true) => Change::Moved,
    }
}

fn reason(difference: Option<&Difference>) -> String {
    let Some(Difference { place, blame, change, .. }) = difference else {
        return "The request only adds to the one before.".to_owned();
    };
    format!("{blame} {change} ({place}).")
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Changed => "changed",
            Self::Added => "is new",
            Self::Removed => "is gone",
            Self::Moved => "stands elsewhere",
        })
    }
}

impl std::fmt::Display for Blame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Model => f.write_str("The model"),
            Self::Thinking => f.write_str("The budget for thinking"),
            Self::Tool { name } => write!(f, "Tool {name}"),
            Self::Section { key } => write!(f, "Section {key}"),
            Self::SystemContext { key } => write!(f, "System context {key}"),
            Self::Message { source: Some(source), .. } => write!(f, "What entry {source} says"),
            Self::Message { .. } => f.write_str("A message of no entry"),
        }
    }
}
