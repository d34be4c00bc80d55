//! Entries to be.

use std::sync::Arc;

use context_api::{
    ContentBlock, DeliveryKey, Draft, Entry, EntryKind, StateChange, StatesNote, TurnInput, UserInput,
};
use uuid::Uuid;

use super::Session;

/// Entries to be, each behind the one before.
pub(super) struct Line<'a> {
    session: &'a Session,
    parent: Option<Uuid>,
    pub(super) entries: Vec<Arc<Entry>>,
}

impl<'a> Line<'a> {
    pub(super) fn after(session: &'a Session) -> Self {
        let parent = session.history.last().map(|entry| entry.uuid);
        Self { session, parent, entries: Vec::new() }
    }

    pub(super) fn push(&mut self, kind: EntryKind) {
        let uuid = self.session.parts.ids.next();
        self.push_as(uuid, kind);
    }

    fn push_as(&mut self, uuid: Uuid, kind: EntryKind) {
        let now = self.session.parts.clock.now();
        let entry = Entry::new(uuid, now, self.session.turn + 1, kind).after(self.parent);
        self.parent = Some(uuid);
        self.entries.push(Arc::new(entry));
    }

    pub(super) fn push_draft(&mut self, draft: Draft) {
        let uuid = self.session.parts.ids.next();
        let now = self.session.parts.clock.now();
        self.push_as(uuid, EntryKind::Attachment(draft.commit(uuid, now)));
    }

    /// What became known without a word to the model, where something did.
    pub(super) fn push_note(&mut self, states: Vec<StateChange>, keys: Vec<DeliveryKey>) {
        if !states.is_empty() || !keys.is_empty() {
            self.push(EntryKind::States(StatesNote::default().states(states).keys(keys)));
        }
    }

    /// What the user said, where that is anything.
    pub(super) fn push_input(&mut self, input: Option<TurnInput>) {
        let Some(input) = input else { return };
        let images = input
            .images
            .iter()
            .map(|image| ContentBlock::image(image.media_type.clone(), image.data.clone()));
        let text = (!input.text.is_empty()).then(|| ContentBlock::text(Arc::clone(&input.text)));
        let content: Vec<ContentBlock> = images.chain(text).collect();
        if !content.is_empty() {
            self.push(EntryKind::User(UserInput::default().content(content).is_meta(input.is_meta)));
        }
    }
}
