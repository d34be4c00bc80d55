//! Where the blocks of a request come from.

mod attachment;
mod context;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use context_api::{Entry, EntryKind, MemoryFile};
use uuid::Uuid;

/// What the entries behind a request are: for each the row it counts for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Provenance {
    entries: BTreeMap<Uuid, Origin>,
}

/// What one entry counts for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Origin {
    /// Labels of its rows, outermost first, such as `Messages`, `Attachments`, `file`. Empty is its role's text.
    pub path: Vec<String>,
    /// The file it comes from.
    pub source: Option<PathBuf>,
    /// Parts of its text that count for rows of their own.
    pub parts: Vec<Part>,
}

/// A part of an entry's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Labels of its rows, outermost first.
    pub path: Vec<String>,
    /// The file it comes from.
    pub source: Option<PathBuf>,
    /// The text.
    pub text: Arc<str>,
}

impl Origin {
    /// An entry that counts for the row at `path`.
    pub fn new(path: &[&str]) -> Self {
        Self { path: owned(path), ..Self::default() }
    }

    /// The same, from a file.
    pub fn source(mut self, source: impl AsRef<Path>) -> Self {
        self.source = Some(source.as_ref().to_path_buf());
        self
    }

    /// The same with a part that counts for a row of its own.
    pub fn part(mut self, path: &[&str], source: Option<&Path>, text: Arc<str>) -> Self {
        self.parts.push(Part { path: owned(path), source: source.map(Path::to_path_buf), text });
        self
    }
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|&label| label.to_owned()).collect()
}

impl Provenance {
    /// What the entries of a history say of themselves. `memory` are the files that the contexts show: each is a row.
    pub fn of(history: &[Arc<Entry>], memory: &[MemoryFile]) -> Self {
        let mut provenance = Self::default();
        for entry in history {
            match &entry.kind {
                EntryKind::Attachment(envelope) => {
                    provenance.insert(entry.uuid, attachment::origin(&envelope.attachment));
                }
                EntryKind::Context(record) => provenance.insert(entry.uuid, context::origin(record, memory)),
                EntryKind::Boundary(_) => {
                    provenance.insert(entry.uuid, Origin::new(&["Messages", "Summary"]))
                }
                _ => {}
            }
        }
        provenance
    }

    /// Says what an entry counts for.
    pub fn insert(&mut self, entry: Uuid, origin: Origin) {
        self.entries.insert(entry, origin);
    }

    /// What an entry counts for, where it is known.
    pub fn get(&self, entry: Uuid) -> Option<&Origin> {
        self.entries.get(&entry)
    }
}
