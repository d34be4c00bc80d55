//! Where the entries of a session last.
//!
//! [`MemoryStore`] keeps them as long as the process lives. It is a [`TranscriptStore`](context_api::TranscriptStore):
//! entries of one session stay in order, and one whose uuid is known already is a no-op.

mod memory;

pub use memory::MemoryStore;
