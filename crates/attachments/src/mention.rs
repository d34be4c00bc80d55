//! Mentions: what the input names.

mod parse;
mod resolve;

pub use parse::{Mention, MentionKind, parse_mentions};
pub use resolve::{ResolvedMention, resolve_mention};
