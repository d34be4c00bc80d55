//! What makes a request impossible.

use context_api::DialectError;

/// What makes an engine or a request impossible. Everything else is a decision.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The engine can not be built.
    #[error("can not build the engine: {part}: {reason}")]
    Build {
        /// The part at fault.
        part: &'static str,
        /// One sentence.
        reason: String,
    },
    /// The provider would refuse the request.
    #[error(transparent)]
    Dialect(#[from] DialectError),
    /// A hook blocked the turn: there is no request.
    #[error("the turn was blocked: {reason}")]
    Blocked {
        /// Why.
        reason: String,
    },
    /// The request does not fit the window, whatever is left out of what may be.
    #[cfg(feature = "compaction")]
    #[error("the request has {tokens} tokens and there is room for {room}: {}", largest(.usage))]
    ContextTooLarge {
        /// Its tokens.
        tokens: u64,
        /// Tokens that it may have.
        room: u64,
        /// Where they are.
        usage: Box<context_budget::ContextUsage>,
    },
    /// A setting has the wrong form.
    #[error("settings {path}: {reason}", path = .path.display())]
    Settings {
        /// The file.
        path: std::path::PathBuf,
        /// One sentence.
        reason: String,
    },
    /// The session was cancelled: nothing of the request counts.
    #[error("the session was cancelled")]
    Cancelled,
    /// The engine keeps no transcripts.
    #[error("the engine has no store: there is nothing to resume or fork")]
    NoStore,
    /// The transcript could not be read.
    #[error(transparent)]
    Store(#[from] context_api::StoreError),
}

/// The outermost rows, the largest first.
#[cfg(feature = "compaction")]
fn largest(usage: &context_budget::ContextUsage) -> String {
    let mut rows: Vec<_> = usage.rows.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.tokens));
    rows.iter().map(|row| format!("{} {}", row.label, row.tokens)).collect::<Vec<_>>().join(", ")
}
