//! What the history says of a difference.

use std::path::PathBuf;
use std::sync::Arc;

use context_api::{
    Attachment, ContextPiece, ContextRecord, Entry, EntryKind, InvalidateEvent, ShownMemory, Trigger,
    ViewEdit,
};
use serde::Serialize;
use uuid::Uuid;

use super::{Blame, Change, Difference};

fn shown<S: serde::Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
    context_text::display_path(path).serialize(serializer)
}

fn shown_where_known<S: serde::Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(context_text::display_path).serialize(serializer)
}

/// What the history says of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Cause {
    /// The entry at fault.
    Entry {
        /// Its identity.
        entry: Uuid,
        /// Its type; that of the attachment for one.
        what: String,
        /// The file that it is about. In JSON safe to print.
        #[serde(serialize_with = "shown_where_known")]
        path: Option<PathBuf>,
    },
    /// A memory file that the first message shows.
    MemoryFile {
        /// Its path. In JSON safe to print.
        #[serde(serialize_with = "shown")]
        path: PathBuf,
        /// What happened to it.
        change: Change,
    },
    /// A piece of the first message or of the system context.
    ContextPiece {
        /// Its key.
        key: String,
        /// What happened to it.
        change: Change,
    },
    /// An earlier entry is seen otherwise.
    ViewEdit {
        /// What the edit does, in snake case.
        edit: String,
        /// Why, in snake case.
        reason: String,
    },
    /// The history was compacted.
    Compaction {
        /// What set it off.
        trigger: Trigger,
    },
    /// A named reason for which the prefix may change.
    Invalidate {
        /// The reason.
        event: InvalidateEvent,
        /// More about it.
        detail: String,
    },
}

/// Everything in `history` that explains `difference`: the entry at fault, then what was recorded for the requests after
/// `previous_turn`, in order.
pub(super) fn causes(difference: &Difference, history: &[Arc<Entry>], previous_turn: u64) -> Vec<Cause> {
    let recorded = history.iter().filter(|entry| entry.turn > previous_turn);
    let mut causes: Vec<_> = recorded.filter_map(|entry| recorded_cause(entry)).collect();
    let (context, named) = match &difference.blame {
        Blame::Message { source, .. } => {
            let entry = history.iter().find(|entry| Some(entry.uuid) == *source);
            let context = entry.is_some_and(|entry| matches!(entry.kind, EntryKind::Context(_)));
            (context, entry.filter(|_| !context).map(|entry| of_entry(entry)))
        }
        Blame::SystemContext { .. } => (true, None),
        _ => (false, None),
    };
    if context {
        causes.splice(0..0, context_changes(history, previous_turn));
    }
    named.into_iter().chain(causes).collect()
}

fn of_entry(entry: &Entry) -> Cause {
    let (what, path) = match entry.attachment() {
        Some(envelope) => (envelope.attachment.type_name(), path(&envelope.attachment)),
        None => (entry.kind.tag(), None),
    };
    Cause::Entry { entry: entry.uuid, what: what.to_owned(), path }
}

fn path(attachment: &Attachment) -> Option<PathBuf> {
    match attachment {
        Attachment::File(file) => Some(file.path.clone()),
        Attachment::Directory(directory) => Some(directory.path.clone()),
        Attachment::EditedTextFile(file) => Some(file.path.clone()),
        Attachment::EditedImageFile(file) => Some(file.path.clone()),
        Attachment::PdfReference(file) => Some(file.path.clone()),
        Attachment::NestedMemory(memory) => Some(memory.path.clone()),
        Attachment::MemoryDelta(memory) => Some(memory.path.clone()),
        Attachment::CurrentSessionMemory(memory) => Some(memory.path.clone()),
        _ => None,
    }
}

fn recorded_cause(entry: &Entry) -> Option<Cause> {
    match &entry.kind {
        EntryKind::ViewEdit(edit) => Some(of_edit(edit)),
        EntryKind::Boundary(boundary) => Some(Cause::Compaction { trigger: boundary.trigger }),
        EntryKind::Invalidate(invalidate) => {
            Some(Cause::Invalidate { event: invalidate.event, detail: invalidate.detail.clone() })
        }
        _ => None,
    }
}

fn of_edit(edit: &ViewEdit) -> Cause {
    let (edit, reason) = match edit {
        ViewEdit::Interrupted { .. } => ("interrupted", "interrupted"),
        ViewEdit::ReplaceResult { reason, .. } => ("replace_result", reason.as_str()),
        ViewEdit::ReplaceBlock { reason, .. } => ("replace_block", reason.as_str()),
        ViewEdit::Drop { reason, .. } => ("drop", reason.as_str()),
        ViewEdit::Fold { .. } => ("fold", "folded"),
        ViewEdit::Unfold { .. } => ("unfold", "expanded"),
        _ => ("edit", ""),
    };
    Cause::ViewEdit { edit: edit.to_owned(), reason: reason.to_owned() }
}

/// What differs between the context that held at `previous_turn` and the newest one.
fn context_changes(history: &[Arc<Entry>], previous_turn: u64) -> Vec<Cause> {
    let records = || {
        history.iter().filter_map(|entry| match &entry.kind {
            EntryKind::Context(record) => Some((entry.turn, record)),
            _ => None,
        })
    };
    let before = records().rfind(|(turn, _)| *turn <= previous_turn);
    let (Some((_, before)), Some((_, now))) = (before, records().next_back()) else { return Vec::new() };
    let memory =
        changes(&before.memory, &now.memory, |file: &ShownMemory| &file.path, |a, b| a.hash == b.hash);
    let memory: Vec<_> =
        memory.map(|(path, change)| Cause::MemoryFile { path: path.clone(), change }).collect();
    pieces(before, now).chain(memory).collect()
}

fn pieces<'a>(before: &'a ContextRecord, now: &'a ContextRecord) -> impl Iterator<Item = Cause> + 'a {
    let of = |before: &'a [ContextPiece], now: &'a [ContextPiece]| {
        changes(before, now, |piece: &ContextPiece| &piece.key, |a, b| a.text == b.text)
    };
    let all = of(&before.user, &now.user).chain(of(&before.system, &now.system));
    all.map(|(key, change)| Cause::ContextPiece { key: key.clone(), change })
}

/// Keys of what changed, came or went, in that order.
fn changes<'a, T, K: PartialEq + 'a>(
    before: &'a [T],
    now: &'a [T],
    key: fn(&T) -> &K,
    same: fn(&T, &T) -> bool,
) -> impl Iterator<Item = (&'a K, Change)> {
    let find = move |items: &'a [T], wanted: &T| items.iter().find(|item| key(item) == key(wanted));
    let changed = now.iter().filter_map(move |item| match find(before, item) {
        Some(old) if same(old, item) => None,
        Some(_) => Some((key(item), Change::Changed)),
        None => Some((key(item), Change::Added)),
    });
    let gone = before.iter().filter(move |item| find(now, item).is_none());
    changed.chain(gone.map(move |item| (key(item), Change::Removed)))
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Entry { what, path: Some(path), .. } => write!(f, "{what} of {}", path.display()),
            Self::Entry { what, .. } => f.write_str(what),
            Self::MemoryFile { path, change } => write!(f, "memory file {} {change}", path.display()),
            Self::ContextPiece { key, change } => write!(f, "context {key} {change}"),
            Self::ViewEdit { edit, reason } => write!(f, "view edit {edit} ({reason})"),
            Self::Compaction { .. } => f.write_str("the history was compacted"),
            Self::Invalidate { event, detail } => {
                f.write_str("invalidated by ")?;
                event.serialize(&mut *f)?;
                if detail.is_empty() { Ok(()) } else { write!(f, ": {detail}") }
            }
        }
    }
}
