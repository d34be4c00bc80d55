//! The engine from outside.
#![cfg(all(
    feature = "claudemd",
    feature = "git",
    feature = "files",
    feature = "dialects",
    feature = "compaction"
))]

mod broken_parts;
mod dropped;
mod prefix;
mod signals;
mod support;
