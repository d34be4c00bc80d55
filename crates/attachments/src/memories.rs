//! Memories that match what the user asks: found in the background, delivered once.
//!
//! A [`MemoryFinder`] looks through the notes of earlier sessions for those that fit the user's newest words. The
//! [`MemorySearch`] it starts is the guard of that work: dropping it gives the work up. What it found is polled without waiting,
//! and filtered once more when it is delivered.

mod ask;
mod bm25;
mod deliver;
mod disk;
mod finder;
mod header;
mod limits;
mod read;
mod scan;
mod search;
mod select;
mod wording;

use std::path::PathBuf;
use std::sync::Arc;

use context_api::{Decision, Fingerprint, Ledger};

pub use ask::MemoryAsk;
pub use deliver::{Delivery, Known};
pub use finder::MemoryFinder;
pub use header::MemoryHeader;
pub use limits::RelevantLimits;
pub use search::MemorySearch;
pub use select::{MemorySelector, SelectError, SelectRequest};

/// What the attachment is called; the kind of the ledger's keys, and the subject of decisions about all of it.
const KIND: &str = "relevant_memories";

/// What came of a search.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct FoundMemories {
    /// The best first.
    pub memories: Vec<FoundMemory>,
    /// What was left out on the way, and why.
    pub decisions: Vec<Decision>,
}

impl FoundMemories {
    /// What two searches found, the earlier one first.
    pub fn and(mut self, later: &Self) -> Self {
        let known = |memory: &&FoundMemory| !self.memories.iter().any(|one| one.path == memory.path);
        let new: Vec<FoundMemory> = later.memories.iter().filter(known).cloned().collect();
        self.memories.extend(new);
        self.decisions.extend(later.decisions.iter().cloned());
        self
    }
}

/// A memory as it will be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundMemory {
    /// Canonical path.
    pub path: PathBuf,
    /// What stands above it.
    pub header: String,
    /// Its text, cut where a note at its end says so.
    pub text: Arc<str>,
    /// Bytes of its text without the note.
    pub bytes: u64,
    /// Whether there is more of it on the disk.
    pub is_cut: bool,
    /// Its whole text.
    pub content: Arc<str>,
    /// Digest of the whole text.
    pub hash: String,
    /// Facts of the file when it was read.
    pub fingerprint: Fingerprint,
}

/// The digest under which the ledger remembers a memory: how many bytes of it are shown stand in front, so that what a session
/// was shown can be added up.
fn digest(found: &FoundMemory) -> String {
    format!("{} {}", found.bytes, found.hash)
}

/// Bytes of memories that are in view.
fn shown_bytes(ledger: &Ledger) -> u64 {
    let bytes = |hash: &str| hash.split_once(' ').and_then(|(bytes, _)| bytes.parse::<u64>().ok());
    ledger.kind_in_view(KIND).filter_map(|(_, shown)| bytes(&shown.hash)).sum()
}
