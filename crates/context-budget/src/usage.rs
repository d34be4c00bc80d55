//! Where the tokens of a request are.

mod advice;
mod forecast;
mod messages;

use std::collections::BTreeMap;

use context_api::{ModelRequest, RequestTool, SystemBlock, TokenCounter};
use serde::Serialize;

pub use advice::AdviceLimits;

use crate::row::{Share, UsageRow, add};
use crate::{Limits, Provenance};

/// What a key of a system part begins with where it is a piece of the system context.
const CONTEXT_KEY: &str = "context.";
const GIT: &str = "context.gitStatus";

/// Where the tokens of a request are: a tree whose leaves add up to the total.
///
/// In JSON `window`, `total`, `free`, `rows`, `advice` and `forecast`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct ContextUsage {
    /// Tokens of the model's window; 0 where nobody said.
    pub window: u64,
    /// Tokens of the request.
    pub total: u64,
    /// Tokens left in the window.
    pub free: u64,
    /// Tokens of those that are kept for the answer, and for a summary before they are reached.
    pub buffer: u64,
    /// The outermost rows.
    pub rows: Vec<UsageRow>,
    /// What might be done about it.
    pub advice: Vec<Advice>,
    /// Tokens that would be free, by what would be done.
    pub forecast: BTreeMap<String, u64>,
}

/// Something worth knowing about a usage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Advice {
    /// A stable word in snake case.
    pub kind: String,
    /// The row it is about.
    pub subject: String,
    /// Its tokens.
    pub tokens: u64,
    /// One sentence, for people.
    pub text: String,
}

impl ContextUsage {
    /// Counts a request. Blocks of entries that `provenance` does not know count as their role's own text.
    pub fn of(request: &ModelRequest, provenance: &Provenance, counter: &dyn TokenCounter) -> Self {
        Self::with_limits(request, provenance, counter, &Limits::default())
    }

    /// [`ContextUsage::of`] with other limits.
    pub fn with_limits(
        request: &ModelRequest,
        provenance: &Provenance,
        counter: &dyn TokenCounter,
        limits: &Limits,
    ) -> Self {
        let mut rows = Vec::new();
        for block in &request.system {
            system(&mut rows, block, counter);
        }
        for tool in &request.tools {
            tools(&mut rows, tool, counter);
        }
        messages::count(&mut rows, request, provenance, counter, limits);
        let total = rows.iter().map(|row| row.tokens).sum();
        Self { total, rows, ..Self::default() }
    }

    /// The same usage of a window of so many tokens.
    pub fn window(mut self, tokens: u64) -> Self {
        self.window = tokens;
        self.free = tokens.saturating_sub(self.total);
        self
    }

    /// The same usage with so many tokens that no request may take.
    pub fn buffer(mut self, tokens: u64) -> Self {
        self.buffer = tokens;
        self
    }

    /// The leaves of all rows.
    pub fn leaves(&self) -> Vec<&UsageRow> {
        self.rows.iter().flat_map(UsageRow::leaves).collect()
    }
}

/// One leaf a part; text that belongs to no part counts with the part behind it, or alone.
fn system(rows: &mut Vec<UsageRow>, block: &SystemBlock, counter: &dyn TokenCounter) {
    let mut from = 0;
    for part in &block.parts {
        let Some(text) = block.text.get(from..part.range.end) else { continue };
        let share = Share::new(counter.text(text), text.len());
        match part.key.strip_prefix(CONTEXT_KEY) {
            Some(_) if part.key == GIT => add(rows, &["Git facts"], share),
            Some(key) => add(rows, &["System context", key], share),
            None => add(rows, &["System prompt", &part.label], share),
        }
        from = part.range.end;
    }
    let rest = &block.text[from..];
    if !rest.is_empty() {
        add(rows, &["System prompt", "Other"], Share::new(counter.text(rest), rest.len()));
    }
}

fn tools(rows: &mut Vec<UsageRow>, tool: &RequestTool, counter: &dyn TokenCounter) {
    let RequestTool { name, description, input_schema, server, .. } = tool;
    let texts = [name.as_str(), description, input_schema.get()];
    let tokens = texts.iter().map(|text| counter.text(text)).sum();
    let share = Share::new(tokens, texts.iter().map(|text| text.len()).sum());
    match server {
        Some(server) => add(rows, &["MCP tools", server, name], share),
        None => add(rows, &["Tools", "Built-in", name], share),
    }
}
