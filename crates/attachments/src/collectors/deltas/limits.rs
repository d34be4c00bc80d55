//! Limits of announcements.

/// Limits of announcements.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeltaLimits {
    /// Characters of the line about a deferred tool, whose definition can be looked up. Default 250.
    pub tool_chars: usize,
    /// Characters of the text about an agent. Default 1,536, as for skills.
    pub agent_chars: usize,
    /// Characters of the instructions of one MCP server. Default 40,000: whole for any real one, a bound for a hostile one.
    pub instructions_chars: usize,
    /// Characters of the text of an output style. Default 40,000.
    pub style_chars: usize,
}

impl Default for DeltaLimits {
    fn default() -> Self {
        Self { tool_chars: 250, agent_chars: 1_536, instructions_chars: 40_000, style_chars: 40_000 }
    }
}
