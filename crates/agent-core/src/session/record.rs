//! Taking in what came of a request.

use std::sync::Arc;

use context_api::{Decision, Entry, EntryKind, HostSignal, RuntimeEvent, UiEvent};
use uuid::Uuid;

use super::Session;

/// What came of recording an entry.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Recorded {
    /// The entry's identity.
    pub uuid: Uuid,
    /// What a person is shown.
    pub ui: Vec<UiEvent>,
    /// What the host is asked to do.
    pub signals: Vec<HostSignal>,
    /// What only the process needs.
    pub runtime: Vec<RuntimeEvent>,
    /// What was left out or went wrong.
    pub decisions: Vec<Decision>,
}

impl Session {
    /// Takes in the model's answer, a tool's result, or anything else that happened.
    pub fn record(&mut self, kind: EntryKind) -> Recorded {
        #[cfg(feature = "compaction")]
        if let EntryKind::Assistant(reply) = &kind
            && let Some(usage) = &reply.usage
        {
            self.learn(usage.sent());
        }
        let (entry, mut decisions) = self.append(kind);
        let seen = self.seen(std::slice::from_ref(&entry));
        decisions.extend(seen.decisions);
        Recorded { uuid: entry.uuid, ui: seen.ui, signals: seen.signals, runtime: seen.runtime, decisions }
    }

    pub(super) fn append(&mut self, kind: EntryKind) -> (Arc<Entry>, Vec<Decision>) {
        let parent = self.history.last().map(|entry| entry.uuid);
        let entry =
            Entry::new(self.parts.ids.next(), self.parts.clock.now(), self.turn + 1, kind).after(parent);
        let entry = Arc::new(entry);
        let decisions = self.take_in(std::slice::from_ref(&entry));
        self.offer();
        (entry, decisions)
    }
}
