//! A session without an engine: what the bus hands in becomes history.

use std::sync::Arc;

use attachments::{Bus, BusLimits, Collection, Runs};
use context_api::{
    AssistantReply, Attachment, Boundary, Collector, ContentBlock, Decision, Entry, EntryKind, HostSnapshot,
    Ledger, StatesNote, Trigger, Usage,
};
use uuid::Uuid;

use crate::support::{Spawner, parts};

pub(crate) struct Life {
    bus: Bus,
    history: Arc<Vec<Arc<Entry>>>,
    ledger: Arc<Ledger>,
    turn: u64,
    /// Tokens at which the history is summarised by itself.
    pub(crate) compacts_at: Option<u64>,
    pub(crate) decisions: Vec<Decision>,
}

impl Life {
    pub(crate) fn with(collector: impl Collector) -> Self {
        let mut limits = BusLimits::default();
        limits.deadline = std::time::Duration::from_secs(15);
        let mut bus = Bus::new(Arc::new(Spawner::default()), limits);
        bus.register(Arc::new(collector));
        let (history, ledger) = Default::default();
        Self { bus, history, ledger, turn: 0, compacts_at: None, decisions: Vec::new() }
    }

    /// A request: what it tells, committed.
    pub(crate) fn turn(&mut self, host: &HostSnapshot, input: &str) -> Vec<Attachment> {
        let collection = self.look(host, input);
        self.commit(collection)
    }

    /// A request that is dropped before it is committed.
    pub(crate) fn look(&self, host: &HostSnapshot, input: &str) -> Collection {
        let mut parts = parts(input);
        parts.turn = self.turn + 1;
        parts.history = Arc::clone(&self.history);
        parts.ledger = Arc::clone(&self.ledger);
        parts.host = Arc::new(host.clone());
        parts.compacts_at = self.compacts_at;
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(self.bus.collect(parts, &Runs::new()))
    }

    fn commit(&mut self, collection: Collection) -> Vec<Attachment> {
        self.turn += 1;
        self.decisions = collection.decisions;
        if !collection.keys.is_empty() {
            self.push(EntryKind::States(StatesNote::default().keys(collection.keys)));
        }
        let drafts = collection.drafts.into_iter();
        drafts
            .map(|draft| {
                let attachment = draft.attachment.clone();
                let envelope = draft.commit(self.next(), "2026-04-25T12:00:00Z".parse().unwrap());
                self.push(EntryKind::Attachment(envelope));
                attachment
            })
            .collect()
    }

    pub(crate) fn answer(&mut self) {
        self.push(EntryKind::assistant(vec![ContentBlock::text("Done.")]));
    }

    /// An answer that calls a tool.
    pub(crate) fn call(&mut self, tool: &str) {
        let call = ContentBlock::tool_use(format!("c{}", self.history.len()), tool, Default::default());
        self.push(EntryKind::assistant(vec![call]));
    }

    /// An answer whose request and output took so many tokens.
    pub(crate) fn counted(&mut self, tokens: u64) {
        let usage = Usage::default().input_tokens(tokens);
        let reply = AssistantReply::default().content(vec![ContentBlock::text("Done.")]).usage(Some(usage));
        self.push(EntryKind::Assistant(reply));
    }

    pub(crate) fn boundary(&mut self, trigger: Trigger) {
        self.push(EntryKind::Boundary(Boundary::default().trigger(trigger)));
    }

    pub(crate) fn push(&mut self, kind: EntryKind) {
        let entry = Entry::new(self.next(), "2026-04-25T12:00:00Z".parse().unwrap(), self.turn + 1, kind);
        Arc::make_mut(&mut self.ledger).apply(&entry);
        Arc::make_mut(&mut self.history).push(Arc::new(entry));
    }

    /// Goes on from the entries alone, as a resumed session does.
    pub(crate) fn resumed(&mut self) {
        self.ledger = Arc::new(Ledger::of(self.history.iter().map(|entry| &**entry)));
    }

    fn next(&self) -> Uuid {
        Uuid::from_u128(u128::try_from(self.history.len()).unwrap() + 1)
    }
}

/// The types of what was told, in order.
pub(crate) fn types(told: &[Attachment]) -> Vec<&'static str> {
    told.iter().map(Attachment::type_name).collect()
}
