//! The collectors that come with the engine.

mod changed_files;
mod date_change;
mod memory_delta;
mod mentions;
mod nested_memory;

pub use changed_files::ChangedFilesCollector;
pub use date_change::DateChangeCollector;
pub use memory_delta::MemoryDeltaCollector;
pub use mentions::{MentionLimits, MentionSources, Mentions};
pub use nested_memory::NestedMemoryCollector;
