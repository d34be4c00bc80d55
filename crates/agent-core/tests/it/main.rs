//! The engine from outside.
#![expect(clippy::unwrap_used, reason = "a test that can not go on fails")]
#![cfg(all(
    feature = "claudemd",
    feature = "git",
    feature = "files",
    feature = "dialects",
    feature = "compaction"
))]

mod broken_parts;
mod compaction;
mod context;
mod dropped;
mod exactly_once;
mod fits;
mod host;
#[cfg(feature = "memories")]
mod late;
mod prefix;
mod profile;
mod resume;
mod settings;
mod signals;
mod summaries_at_random;
mod summarizer;
mod support;
mod usage;
