//! What settles after a request was built.

use std::sync::Arc;
use std::time::Duration;

use context_api::{Decision, Entry, EntryKind, HostSignal, RuntimeEvent, UiEvent};

use super::Session;
use super::line::Line;
use super::prepare::delivered;

/// What was handed out between two requests. Its entries are part of the session's history.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Late {
    /// What became part of the history.
    pub entries: Vec<Arc<Entry>>,
    /// What a person is shown, in order.
    pub ui: Vec<UiEvent>,
    /// What the host is asked to do, in order.
    pub signals: Vec<HostSignal>,
    /// What only the process needs, in order.
    pub runtime: Vec<RuntimeEvent>,
    /// Everything that was left out, cut, or failed.
    pub decisions: Vec<Decision>,
}

impl Session {
    /// Hands out what settled since the last request was built: memories that match what the user asked, notices of tasks in
    /// the background, and what changed in the host's catalog (as the last turn told it). What it returns is part of
    /// the history and comes with the next request; what is not polled comes with it too. Never waits; before the first
    /// request there is nothing.
    pub fn poll_late(&mut self) -> Late {
        if self.turn == 0 {
            return Late::default();
        }
        let view = self.view(None, self.thread.clone(), &self.host, &self.handle.snapshot());
        let collection = self.parts.bus.late(view, &self.runs);
        let found = self.settled_now().unwrap_or_default();
        let ids = delivered(&collection);
        let mut decisions = collection.decisions;
        decisions.extend(found.decisions);
        let mut line = Line::after(self);
        line.push_note(collection.states, collection.keys);
        collection.settled.into_iter().for_each(|event| line.push(EntryKind::Host(event)));
        collection.drafts.into_iter().chain(found.drafts).for_each(|draft| line.push_draft(draft));
        let entries = line.entries;
        decisions.extend(self.take_in(&entries));
        self.offer();
        self.handle.delivered(&ids, 0, Vec::new());
        let mut seen = self.seen(&entries);
        if !ids.is_empty() {
            seen.signals.push(HostSignal::Delivered { ids });
        }
        decisions.extend(seen.decisions);
        Late { entries, ui: seen.ui, signals: seen.signals, runtime: seen.runtime, decisions }
    }

    /// Waits no longer than `most` until the search for memories settles; whether it did. What else there is to poll does not
    /// wait.
    pub async fn wait_late(&self, most: Duration) -> bool {
        self.wait_for_search(None, most).await;
        self.has_settled()
    }
}
