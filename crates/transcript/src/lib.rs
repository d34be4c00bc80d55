//! Where the entries of a session last, and the bytes that they only name.
//!
//! [`JsonlStore`] keeps each session as a file of JSON lines, [`MemoryStore`] as long as the process lives. Both are a
//! [`TranscriptStore`](context_api::TranscriptStore): entries of one session stay in order, one whose uuid is known already
//! is a no-op, and what is loaded is what a session needs to go on. [`FileBlobs`] and [`MemoryBlobs`] keep bytes: pictures,
//! the whole of results that are shown in part, texts to compare with.

mod limits;
mod name;
mod owners;
mod private;

mod memory;

mod chain;
mod index;
mod line;
mod lines;
mod load;
mod problems;

mod fork;
mod jsonl;
mod list;
mod session_file;
mod writer;

mod file_blobs;
mod memory_blobs;
mod sweep;

pub use file_blobs::FileBlobs;
pub use jsonl::JsonlStore;
pub use limits::{BlobLimits, StoreLimits, SyncPolicy};
pub use list::SessionSummary;
pub use memory::MemoryStore;
pub use memory_blobs::MemoryBlobs;
