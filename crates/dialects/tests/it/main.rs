//! What this crate promises, seen from outside.
#![expect(clippy::unwrap_used, reason = "a test that can not go on has failed")]

mod anthropic;
mod random;
mod support;

#[path = "../../../../tests/src/anthropic_rules.rs"]
#[expect(unreachable_pub, reason = "the file belongs to a crate of its own, which shows it to others")]
mod anthropic_rules;
