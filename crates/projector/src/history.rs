//! The projected history of a session, as it grows.

use std::collections::HashSet;
use std::sync::Arc;

use context_api::{Decision, Entry, ModelMessage, ProjectionConfig, Projector};

use crate::normalise::{Normalised, Rules, Stream};
use crate::wording::{StandardWording, Wording};

/// A history as messages, kept as it grows. A clone goes its own way and shares what is complete.
///
/// What is complete is never made again, so that a turn costs what is new in it.
///
/// At every moment [`ProjectedHistory::messages`] equals [`crate::normalise()`] of all entries taken in. A boundary, a
/// context or a view edit makes everything anew; the edit that records a call as interrupted, which is the common one, does
/// not unless the call has a result.
///
/// ```
/// use std::sync::Arc;
/// use context_api::{Entry, EntryKind, ProjectionConfig};
/// use projector::{ProjectedHistory, StandardProjector};
///
/// let mut history = ProjectedHistory::new(Arc::new(StandardProjector::default()), ProjectionConfig::default());
/// let entry = Arc::new(Entry::new(uuid::Uuid::from_u128(1), Default::default(), 1, EntryKind::user("hello")));
/// assert_eq!(history.preview(&[entry.clone()]).messages.len(), 1);
/// assert!(history.messages().is_empty());
/// history.extend(&[entry]);
/// assert_eq!(history.messages().len(), 1);
/// ```
#[derive(Clone)]
pub struct ProjectedHistory {
    projector: Arc<dyn Projector>,
    wording: Arc<dyn Wording>,
    config: ProjectionConfig,
    entries: Vec<Arc<Entry>>,
    stream: Stream,
    told: HashSet<[String; 3]>,
}

impl ProjectedHistory {
    /// A history without entries.
    pub fn new(projector: Arc<dyn Projector>, config: ProjectionConfig) -> Self {
        Self {
            projector,
            wording: Arc::new(StandardWording),
            config,
            entries: Vec::new(),
            stream: Stream::default(),
            told: HashSet::new(),
        }
    }

    /// The same history with other words for what the history itself needs to say. Before any entry is taken in.
    pub fn with_wording(mut self, wording: Arc<dyn Wording>) -> Self {
        self.wording = wording;
        self
    }

    /// Takes entries in. Returns what was decided about what is complete now and was not returned before; what concerns a
    /// group that is still open is returned once it is closed.
    pub fn extend(&mut self, entries: &[Arc<Entry>]) -> Vec<Decision> {
        self.entries.extend_from_slice(entries);
        let rules = Rules { projector: &*self.projector, wording: &*self.wording, config: &self.config };
        if !append_all(&mut self.stream, entries, &rules) {
            self.stream = Stream::of(&self.entries, &rules);
        }
        let mut decisions = self.stream.settle();
        decisions.retain(|decision| self.told.insert(key(decision)));
        decisions
    }

    /// The messages as they would be with further entries, every call answered; nothing changes. Decisions are those that
    /// [`ProjectedHistory::extend`] has not returned.
    pub fn preview(&self, further: &[Arc<Entry>]) -> Normalised {
        let rules = self.rules();
        let mut stream = self.stream.clone();
        if !append_all(&mut stream, further, &rules) {
            let all: Vec<_> = self.entries.iter().chain(further).cloned().collect();
            stream = Stream::of(&all, &rules);
        }
        let mut normalised = stream.finish(&rules);
        normalised.decisions.retain(|decision| !self.told.contains(&key(decision)));
        normalised
    }

    /// The messages of [`ProjectedHistory::preview`], for a look: what is complete is not copied.
    pub fn peek(&self, further: &[Arc<Entry>]) -> Peek<'_> {
        let rules = self.rules();
        let (complete, mut end) = self.stream.end();
        if append_all(&mut end, further, &rules) {
            return Peek { complete, newest: end.finish(&rules).messages };
        }
        Peek { complete: &[], newest: self.preview(further).messages }
    }

    /// The messages of all entries taken in, every call answered.
    pub fn messages(&self) -> Vec<Arc<ModelMessage>> {
        self.stream.messages(&self.rules())
    }

    /// All entries taken in.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// What the projection depends on besides the entries.
    pub fn config(&self) -> &ProjectionConfig {
        &self.config
    }

    fn rules(&self) -> Rules<'_> {
        Rules { projector: &*self.projector, wording: &*self.wording, config: &self.config }
    }
}

/// Messages of a history, looked at and not taken.
#[derive(Debug, Clone)]
pub struct Peek<'a> {
    complete: &'a [Arc<ModelMessage>],
    newest: Vec<Arc<ModelMessage>>,
}

impl Peek<'_> {
    /// All of them, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<ModelMessage>> {
        self.complete.iter().chain(&self.newest)
    }
}

/// Appends entries as long as none changes how earlier ones are seen; false where one does.
fn append_all(stream: &mut Stream, entries: &[Arc<Entry>], rules: &Rules<'_>) -> bool {
    for entry in entries {
        if stream.is_changed_by(entry) {
            return false;
        }
        stream.append(entry, rules);
    }
    true
}

fn key(decision: &Decision) -> [String; 3] {
    [decision.subject.clone(), decision.reason.clone(), decision.detail.clone()]
}
