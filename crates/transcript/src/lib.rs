//! Where the entries of a session last, and the bytes that they only name.
//!
//! [`MemoryStore`] keeps entries as long as the process lives. It is a [`TranscriptStore`](context_api::TranscriptStore):
//! entries of one session stay in order, and one whose uuid is known already is a no-op. [`FileBlobs`] and [`MemoryBlobs`]
//! keep bytes: pictures, the whole of results that are shown in part, texts to compare with.

mod limits;
mod name;
mod owners;
mod private;

mod memory;

mod file_blobs;
mod memory_blobs;
mod sweep;

pub use file_blobs::FileBlobs;
pub use limits::BlobLimits;
pub use memory::MemoryStore;
pub use memory_blobs::MemoryBlobs;
