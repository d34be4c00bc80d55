//! Payloads about limits of use, and what only the process or the host needs.

use crate::record::record;
use crate::{Destinations, ModelShape, RawJson, Trust};

record! {
    /// Tokens of the session against their budget.
    #[derive(Eq)]
    pub struct TokenUsage {
        /// Spent.
        pub used: u64,
        /// Allowed.
        pub total: u64,
        /// Left.
        pub remaining: u64,
    }

    /// Money against its budget, in US dollars.
    pub struct BudgetUsd {
        /// Spent.
        pub used: f64,
        /// Allowed.
        pub total: f64,
        /// Left.
        pub remaining: f64,
    }

    /// Output tokens against their budget.
    #[derive(Eq)]
    pub struct OutputTokenUsage {
        /// Of this turn.
        pub turn: u64,
        /// Of the session.
        pub session: u64,
        /// Allowed.
        pub budget: u64,
    }

    /// The history will soon be compacted.
    #[derive(Eq)]
    pub struct CompactionReminder {
        /// Tokens in use.
        pub used: u64,
        /// Tokens at which compaction starts.
        pub threshold: u64,
    }

    /// The context grew, mostly by old tool results.
    #[derive(Eq)]
    pub struct ContextEfficiency {
        /// Tokens in use.
        pub used: u64,
        /// Tokens since the last such note.
        pub grown: u64,
        /// Tokens of old tool results.
        pub old_results: u64,
    }

    /// Tools that a command may use.
    #[derive(Eq)]
    pub struct CommandPermissions {
        /// Names or patterns.
        pub tools: Vec<String>,
        /// The model the command asks for.
        pub model: Option<String>,
    }

    /// The answer in a schema.
    #[derive(Eq)]
    pub struct StructuredOutput {
        /// The answer.
        pub value: RawJson,
    }

    /// The turn limit.
    #[derive(Eq)]
    pub struct MaxTurnsReached {
        /// The limit.
        pub max_turns: u64,
        /// Turns taken.
        pub turns: u64,
    }

    /// An attachment of the embedder's own.
    #[derive(Eq)]
    pub struct CustomAttachment {
        /// What it is, in the embedder's words.
        pub kind: String,
        /// Its data.
        pub data: RawJson,
        /// The text that a model sees, where it sees one.
        pub text: String,
        /// How a model sees it.
        pub shape: ModelShape,
        /// Who sees it.
        pub destinations: Destinations,
        /// Whose text it is.
        pub trust: Trust,
    }
}
