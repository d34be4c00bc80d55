//! Entries in, messages out, one after the other.

use std::collections::BTreeSet;
use std::sync::Arc;

use context_api::{Decision, Entry, EntryKind, ModelMessage, ProjectionConfig, Projector, ViewEdit};

use super::Normalised;
use super::builder::Builder;
use super::calls::Answer;
use super::read::{Read, fold, read};
use super::view::View;
use crate::wording::Wording;

/// What normalising depends on besides the entries.
pub(crate) struct Rules<'a> {
    pub(crate) projector: &'a dyn Projector,
    pub(crate) wording: &'a dyn Wording,
    pub(crate) config: &'a ProjectionConfig,
}

/// The state between two entries. Cheap to clone: what is complete is shared.
#[derive(Clone, Default)]
pub(crate) struct Stream {
    view: Arc<View>,
    builder: Builder,
    folds_shown: BTreeSet<usize>,
}

impl Stream {
    /// The state after a whole history.
    pub(crate) fn of(entries: &[Arc<Entry>], rules: &Rules<'_>) -> Self {
        let view = Arc::new(View::of(entries));
        let mut stream = Self { view: Arc::clone(&view), ..Self::default() };
        for entry in view.front() {
            stream.front(entry, rules);
        }
        for entry in view.reach(entries) {
            stream.push(entry, rules);
        }
        stream.builder.calls.settle();
        stream
    }

    /// Whether an entry changes how earlier ones are seen, so that the state has to be made anew.
    pub(crate) fn is_changed_by(&self, entry: &Entry) -> bool {
        match &entry.kind {
            EntryKind::Boundary(_) | EntryKind::Context(_) => true,
            EntryKind::ViewEdit(ViewEdit::Interrupted { tool_use_id }) => {
                self.builder.calls.answer(tool_use_id) == Some(Answer::Real)
            }
            EntryKind::ViewEdit(_) => true,
            _ => false,
        }
    }

    /// Takes in an entry that does not change how earlier ones are seen.
    pub(crate) fn append(&mut self, entry: &Entry, rules: &Rules<'_>) {
        if let EntryKind::ViewEdit(ViewEdit::Interrupted { tool_use_id }) = &entry.kind {
            Arc::make_mut(&mut self.view).interrupt(tool_use_id);
        } else {
            self.push(entry, rules);
        }
    }

    /// The context and the summary stand before everything; nothing else can stand in their message's place.
    fn front(&mut self, entry: &Arc<Entry>, rules: &Rules<'_>) {
        if let Read::Said(items) = read(entry, &self.view, rules, &mut self.builder.decisions) {
            self.builder.say(entry.turn, items, &self.view, rules);
            self.builder.close(&self.view, rules);
        }
    }

    fn push(&mut self, entry: &Entry, rules: &Rules<'_>) {
        let view = Arc::clone(&self.view);
        if matches!(entry.kind, EntryKind::Assistant(_)) {
            // also where the answer itself is out of view: what stood before it stays before what came after it
            self.builder.end_group(&view, rules);
        }
        if matches!(entry.kind, EntryKind::Context(_) | EntryKind::Boundary(_)) {
            return;
        }
        if !view.shows(entry) {
            return self.pass(entry);
        }
        if let Some((number, text)) = view.fold(entry.uuid) {
            if self.folds_shown.insert(number) {
                self.builder.say(entry.turn, fold(text, entry.uuid), &view, rules);
            }
            return self.pass(entry);
        }
        match read(entry, &view, rules, &mut self.builder.decisions) {
            Read::Reply(blocks) => self.builder.reply(entry.turn, blocks, &view, rules),
            Read::Said(items) => self.builder.say(entry.turn, items, &view, rules),
            Read::Failed => {}
        }
    }

    /// An entry of the user's side that is out of view still keeps apart what it stood between.
    fn pass(&mut self, entry: &Entry) {
        if matches!(entry.kind, EntryKind::User(_) | EntryKind::ToolResult(_) | EntryKind::Attachment(_)) {
            self.builder.pass();
        }
    }

    /// The decisions since they were last taken, and what is settled becomes shared.
    pub(crate) fn settle(&mut self) -> Vec<Decision> {
        self.builder.calls.settle();
        self.builder.unanswered.clear();
        std::mem::take(&mut self.builder.decisions)
    }

    /// The complete messages but the last, to which more may still be joined, and the state from there on.
    pub(crate) fn end(&self) -> (&[Arc<ModelMessage>], Self) {
        let (complete, builder) = self.builder.end();
        (complete, Self { view: Arc::clone(&self.view), builder, folds_shown: self.folds_shown.clone() })
    }

    /// The history as it stands, every call answered.
    pub(crate) fn finish(mut self, rules: &Rules<'_>) -> Normalised {
        let view = Arc::clone(&self.view);
        self.builder.close(&view, rules);
        let Builder { messages, decisions, unanswered, .. } = self.builder;
        Normalised { messages, decisions, unanswered }
    }

    /// The messages as they stand.
    pub(crate) fn messages(&self, rules: &Rules<'_>) -> Vec<Arc<ModelMessage>> {
        self.clone().finish(rules).messages
    }
}
