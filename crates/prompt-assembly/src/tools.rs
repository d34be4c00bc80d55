//! The order of tools.

use std::collections::BTreeSet;

use context_api::{Decision, RequestTool, ToolSpec, Verdict};

/// Built-in tools by name, then those of MCP servers by name, so that one that arrives late moves no other of its group.
pub(crate) fn in_order(tools: &[ToolSpec], decisions: &mut Vec<Decision>) -> Vec<RequestTool> {
    let mut sent: Vec<_> = tools.iter().filter(|tool| loaded(tool, decisions)).collect();
    sent.sort_by_key(|tool| (tool.server.is_some(), tool.name.as_str()));
    let mut seen = BTreeSet::new();
    sent.retain(|tool| seen.insert(tool.name.as_str()) || doubled(tool, decisions));
    sent.into_iter().map(RequestTool::from).collect()
}

fn loaded(tool: &ToolSpec, decisions: &mut Vec<Decision>) -> bool {
    if tool.deferred {
        decisions.push(Decision::new(
            format!("tool {}", tool.name),
            Verdict::Deferred,
            "deferred_tool",
            "The tool is announced by name and loaded when it is asked for.",
        ));
    }
    !tool.deferred
}

fn doubled(tool: &ToolSpec, decisions: &mut Vec<Decision>) -> bool {
    decisions.push(Decision::left_out(
        format!("tool {}", tool.name),
        "duplicate_tool_name",
        "Another tool of the same name stands before it.",
    ));
    false
}
