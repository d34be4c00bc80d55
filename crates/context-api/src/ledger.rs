//! What was delivered: one incremental fold over the history.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use uuid::Uuid;

use crate::{Boundary, DeliveryKey, Entry, EntryKind};

/// Answers what the model was told, and when. Derived from entries alone, so that a resumed history gives the same one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ledger {
    delivered: BTreeMap<String, BTreeMap<String, Delivered>>,
    acknowledged: BTreeSet<String>,
    boundaries: u64,
    assistant_messages: u64,
    last_date: Option<Date>,
    attachments: BTreeMap<String, Occurrence>,
    input: Option<Input>,
}

/// The newest words of a person.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Input {
    entry: Uuid,
    assistant_messages: u64,
}

/// One delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// Digest of what was delivered.
    pub hash: String,
    /// The request it came with.
    pub turn: u64,
    /// Boundaries before it: when there are more by now, the model no longer sees it.
    pub boundary: u64,
    /// Assistant messages before it.
    pub assistant_messages: u64,
    /// The entry that brought it.
    pub entry: Uuid,
}

/// How often and when an attachment of a type was committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Occurrence {
    /// How often.
    pub count: u64,
    /// The request of the newest one.
    pub turn: u64,
    /// Boundaries before the newest one.
    pub boundary: u64,
    /// Assistant messages before the newest one.
    pub assistant_messages: u64,
    /// The newest one.
    pub entry: Uuid,
}

impl Ledger {
    /// The fold over a whole history.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let mut ledger = Self::default();
        entries.into_iter().for_each(|entry| ledger.apply(entry));
        ledger
    }

    /// Takes in the next entry.
    pub fn apply(&mut self, entry: &Entry) {
        match &entry.kind {
            EntryKind::Assistant(_) => self.assistant_messages += 1,
            EntryKind::Boundary(boundary) => self.cross(boundary),
            EntryKind::User(input) if !input.is_meta => {
                self.input = Some(Input { entry: entry.uuid, assistant_messages: self.assistant_messages });
            }
            EntryKind::Context(context) => {
                self.last_date = context.date.or(self.last_date);
                for shown in &context.memory {
                    let path = crate::path_key(&shown.canonical);
                    let key = DeliveryKey::new(Self::MEMORY, path, shown.hash.clone());
                    self.record(&key, entry);
                }
            }
            EntryKind::Attachment(envelope) => {
                for key in &envelope.keys {
                    self.record(key, entry);
                }
                self.acknowledged.extend(envelope.delivers.iter().cloned());
                if let crate::Attachment::DateChange(change) = &envelope.attachment {
                    self.last_date = Some(change.date);
                }
                self.count(envelope.attachment.type_name(), entry);
            }
            EntryKind::States(note) => {
                for key in &note.keys {
                    self.record(key, entry);
                }
            }
            EntryKind::Host(event) => {
                self.acknowledged.insert(event.id().to_owned());
            }
            _ => {}
        }
    }

    /// Kind of the keys under which memory shown at the start or later is remembered, by canonical path (see [`crate::path_key`]).
    pub const MEMORY: &'static str = "memory";

    /// What a compaction keeps stays in view.
    fn cross(&mut self, boundary: &Boundary) {
        let before = self.boundaries;
        self.boundaries += 1;
        let kept: BTreeSet<&Uuid> = boundary.kept.iter().collect();
        if kept.is_empty() {
            return;
        }
        for delivered in self.delivered.values_mut().flat_map(BTreeMap::values_mut) {
            if delivered.boundary == before && kept.contains(&delivered.entry) {
                delivered.boundary = self.boundaries;
            }
        }
        for occurrence in self.attachments.values_mut() {
            if occurrence.boundary == before && kept.contains(&occurrence.entry) {
                occurrence.boundary = self.boundaries;
            }
        }
    }

    fn record(&mut self, key: &DeliveryKey, entry: &Entry) {
        let of_kind = self.delivered.entry(key.kind.clone()).or_default();
        if key.retracts {
            of_kind.remove(&key.key);
            return;
        }
        let delivered = Delivered {
            hash: key.hash.clone(),
            turn: entry.turn,
            boundary: self.boundaries,
            assistant_messages: self.assistant_messages,
            entry: entry.uuid,
        };
        of_kind.insert(key.key.clone(), delivered);
    }

    fn count(&mut self, name: &str, entry: &Entry) {
        let occurrence = self.attachments.entry(name.to_owned()).or_default();
        occurrence.count += 1;
        occurrence.turn = entry.turn;
        occurrence.entry = entry.uuid;
        occurrence.boundary = self.boundaries;
        occurrence.assistant_messages = self.assistant_messages;
    }

    /// The newest delivery under a kind and key, whether it is still in view or not.
    pub fn delivered(&self, kind: &str, key: &str) -> Option<&Delivered> {
        self.delivered.get(kind)?.get(key)
    }

    /// The newest delivery under a kind and key, if no boundary came since.
    pub fn in_view(&self, kind: &str, key: &str) -> Option<&Delivered> {
        self.delivered(kind, key).filter(|delivered| delivered.boundary == self.boundaries)
    }

    /// All deliveries of a kind by key, in byte order of the keys.
    pub fn of_kind(&self, kind: &str) -> impl Iterator<Item = (&str, &Delivered)> {
        self.delivered.get(kind).into_iter().flatten().map(|(key, delivered)| (key.as_str(), delivered))
    }

    /// The deliveries of a kind that no boundary put out of view, by key, in byte order of the keys.
    pub fn kind_in_view(&self, kind: &str) -> impl Iterator<Item = (&str, &Delivered)> {
        self.of_kind(kind).filter(|(_, delivered)| delivered.boundary == self.boundaries)
    }

    /// Whether an event of the host is in the history.
    pub fn acknowledged(&self, id: &str) -> bool {
        self.acknowledged.contains(id)
    }

    /// The last local date that the model was told.
    pub fn last_date(&self) -> Option<Date> {
        self.last_date
    }

    /// Boundaries so far.
    pub fn boundaries(&self) -> u64 {
        self.boundaries
    }

    /// Assistant messages so far.
    pub fn assistant_messages(&self) -> u64 {
        self.assistant_messages
    }

    /// The entry of the newest words of a person, whether it is still in view or not.
    pub fn newest_input(&self) -> Option<Uuid> {
        self.input.map(|input| input.entry)
    }

    /// Assistant messages since the newest words of a person; all of them where there were none.
    pub fn answers_since_input(&self) -> u64 {
        self.assistant_messages - self.input.map_or(0, |input| input.assistant_messages)
    }

    /// How often and when attachments of a type were committed.
    pub fn occurrences(&self, type_name: &str) -> Occurrence {
        self.attachments.get(type_name).copied().unwrap_or_default()
    }
}
