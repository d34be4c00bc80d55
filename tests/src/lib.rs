//! Support for the tests across crates.

pub mod anthropic_rules;
pub mod gemini_rules;
pub mod openai_chat_rules;
pub mod openai_responses_rules;
