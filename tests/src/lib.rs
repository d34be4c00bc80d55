//! Support for the tests across crates.

pub mod anthropic_rules;
