//! What might be done about a usage.

use crate::row::UsageRow;
use crate::{Advice, ContextUsage};

/// When a row is worth a word.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdviceLimits {
    /// Percent of the window from which on one memory file is worth a word. Default 5.
    pub memory_percent: u64,
    /// Percent of the window from which on the tools of one server are. Default 5.
    pub server_percent: u64,
    /// Percent of the request from which on the results of one tool are. Default 40.
    pub results_percent: u64,
    /// Percent of the window from which on the whole request is. Default 75: a summary is near.
    pub full_percent: u64,
    /// Files that a forecast names, the largest first. Default 5.
    pub forecast_files: usize,
}

impl Default for AdviceLimits {
    fn default() -> Self {
        Self {
            memory_percent: 5,
            server_percent: 5,
            results_percent: 40,
            full_percent: 75,
            forecast_files: 5,
        }
    }
}

impl ContextUsage {
    /// The same with advice. `superseded` are results in it that a later one repeats.
    pub fn advised(mut self, superseded: usize, limits: &AdviceLimits) -> Self {
        let mut advice = Vec::new();
        let window = self.window;
        let of_window = |row: &UsageRow, percent| window > 0 && row.tokens * 100 >= window * percent;
        for file in children(&self.rows, &["Memory"]).filter(|row| of_window(row, limits.memory_percent)) {
            let text = format!(
                "The memory file {} is {} % of the window; it is sent with every request.",
                file.label,
                file.tokens * 100 / window
            );
            advice.push(note("memory_large", file, text));
        }
        for server in children(&self.rows, &["MCP tools"]).filter(|row| of_window(row, limits.server_percent))
        {
            let text = format!(
                "The tools of the server {} are {} % of the window; they can be deferred.",
                server.label,
                server.tokens * 100 / window
            );
            advice.push(note("server_large", server, text));
        }
        let total = self.total.max(1);
        for tool in children(&self.rows, &["Messages", "Tool results"]) {
            if tool.tokens * 100 >= total * limits.results_percent {
                let share = tool.tokens * 100 / total;
                let repeated = if superseded > 0 {
                    format!(", {superseded} of them shown again later")
                } else {
                    String::new()
                };
                let text = format!("Results of {} are {share} % of the request{repeated}.", tool.label);
                advice.push(note("results_large", tool, text));
            }
        }
        if window > 0 && self.total * 100 >= window * limits.full_percent {
            let text = format!("{} % of the window are taken; a summary is near.", self.total * 100 / window);
            advice.push(Advice {
                kind: "nearly_full".to_owned(),
                subject: "window".to_owned(),
                tokens: self.total,
                text,
            });
        }
        self.advice = advice;
        self
    }
}

fn note(kind: &str, row: &UsageRow, text: String) -> Advice {
    Advice { kind: kind.to_owned(), subject: row.label.clone(), tokens: row.tokens, text }
}

/// Rows below the row at `path`.
fn children<'a>(rows: &'a [UsageRow], path: &[&str]) -> Box<dyn Iterator<Item = &'a UsageRow> + 'a> {
    let Some((label, below)) = path.split_first() else { return Box::new(rows.iter()) };
    match rows.iter().find(|row| row.label == *label) {
        Some(row) => children(&row.children, below),
        None => Box::new(std::iter::empty()),
    }
}
