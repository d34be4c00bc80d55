//! What this crate promises, seen from outside.
#![expect(clippy::unwrap_used, reason = "a test that can not go on has failed")]

mod anthropic;
mod gemini;
mod judges;
mod openai_chat;
mod openai_responses;
mod random;
mod support;

#[path = "../../../../tests/src/anthropic_rules.rs"]
#[expect(unreachable_pub, reason = "the file belongs to a crate of its own, which shows it to others")]
mod anthropic_rules;
#[path = "../../../../tests/src/gemini_rules.rs"]
#[expect(unreachable_pub, reason = "the file belongs to a crate of its own, which shows it to others")]
mod gemini_rules;
#[path = "../../../../tests/src/openai_chat_rules.rs"]
#[expect(unreachable_pub, reason = "the file belongs to a crate of its own, which shows it to others")]
mod openai_chat_rules;
#[path = "../../../../tests/src/openai_responses_rules.rs"]
#[expect(unreachable_pub, reason = "the file belongs to a crate of its own, which shows it to others")]
mod openai_responses_rules;
