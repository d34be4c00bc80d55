//! The collectors that come with the engine.

mod date_change;
mod mentions;
mod nested_memory;

pub use date_change::DateChangeCollector;
pub use mentions::{MentionLimits, MentionSources, Mentions};
pub use nested_memory::NestedMemoryCollector;
