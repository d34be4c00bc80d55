//! How the history is seen: the fold over boundaries and view edits.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use context_api::{Boundary, Entry, EntryKind, ViewEdit};
use uuid::Uuid;

/// What recorded edits say about entries. Looked up only, never walked.
#[derive(Clone, Default)]
pub(crate) struct View {
    boundary: Option<(usize, Arc<Entry>)>,
    kept: HashSet<Uuid>,
    context: Option<Arc<Entry>>,
    dropped: HashSet<Uuid>,
    folds: Vec<Arc<str>>,
    fold_of: HashMap<Uuid, usize>,
    results: HashMap<String, Arc<str>>,
    blocks: HashMap<(Uuid, usize), Arc<str>>,
    interrupted: HashSet<String>,
}

impl View {
    /// The fold over a whole history.
    pub(crate) fn of(entries: &[Arc<Entry>]) -> Self {
        let mut view = Self::default();
        for (index, entry) in entries.iter().enumerate() {
            match &entry.kind {
                EntryKind::Boundary(boundary) => view.cross(index, entry, boundary),
                EntryKind::Context(_) => view.context = Some(Arc::clone(entry)),
                EntryKind::ViewEdit(edit) => view.edit(edit),
                _ => {}
            }
        }
        view
    }

    fn cross(&mut self, index: usize, entry: &Arc<Entry>, boundary: &Boundary) {
        self.boundary = Some((index, Arc::clone(entry)));
        self.kept = boundary.kept.iter().copied().collect();
    }

    fn edit(&mut self, edit: &ViewEdit) {
        match edit {
            ViewEdit::Interrupted { tool_use_id } => self.interrupt(tool_use_id),
            ViewEdit::ReplaceResult { tool_use_id, text, .. } => {
                self.results.insert(tool_use_id.clone(), text.as_str().into());
            }
            ViewEdit::ReplaceBlock { entry, block, text, .. } => {
                self.blocks.insert((*entry, *block), text.as_str().into());
            }
            ViewEdit::Drop { entries, .. } => self.dropped.extend(entries),
            ViewEdit::Fold { entries, text } => {
                self.fold_of.extend(entries.iter().map(|entry| (*entry, self.folds.len())));
                self.folds.push(text.as_str().into());
            }
            ViewEdit::Unfold { entries } => entries.iter().for_each(|entry| {
                self.dropped.remove(entry);
                self.fold_of.remove(entry);
            }),
            _ => {}
        }
    }

    /// Has a call answered as interrupted.
    pub(crate) fn interrupt(&mut self, tool_use_id: &str) {
        self.interrupted.insert(tool_use_id.to_owned());
    }

    /// The entries in front of the history: the newest context, then the summary of the last boundary.
    pub(crate) fn front(&self) -> impl Iterator<Item = &Arc<Entry>> {
        let front = self.context.iter().chain(self.boundary.iter().map(|(_, entry)| entry));
        front.filter(|entry| self.shows(entry))
    }

    /// The entries that the last boundary leaves: those behind it, and before it those that it keeps.
    pub(crate) fn reach<'a>(&'a self, entries: &'a [Arc<Entry>]) -> impl Iterator<Item = &'a Arc<Entry>> {
        let start = self.boundary.as_ref().map_or(0, |(index, _)| *index);
        let all = entries.iter().enumerate();
        all.filter(move |(index, entry)| *index >= start || self.kept.contains(&entry.uuid))
            .map(|(_, entry)| entry)
    }

    /// Whether no edit drops an entry.
    pub(crate) fn shows(&self, entry: &Entry) -> bool {
        !self.dropped.contains(&entry.uuid)
    }

    /// The fold that an entry is a part of: its number and text.
    pub(crate) fn fold(&self, entry: Uuid) -> Option<(usize, &Arc<str>)> {
        let number = *self.fold_of.get(&entry)?;
        self.folds.get(number).map(|text| (number, text))
    }

    /// What stands in the place of a call's result.
    pub(crate) fn result(&self, tool_use_id: &str) -> Option<&Arc<str>> {
        self.results.get(tool_use_id)
    }

    /// What stands in the place of a block of an entry.
    pub(crate) fn block(&self, entry: Uuid, place: usize) -> Option<&Arc<str>> {
        if self.blocks.is_empty() { None } else { self.blocks.get(&(entry, place)) }
    }

    /// Whether a call is to be answered as interrupted.
    pub(crate) fn is_interrupted(&self, tool_use_id: &str) -> bool {
        self.interrupted.contains(tool_use_id)
    }
}
