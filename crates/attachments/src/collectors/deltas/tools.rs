//! Tools whose definitions are kept back.

use context_api::{
    Attachment, CollectError, DeferredToolsDelta, McpServer, Outbox, Source, ToolSpec, TurnView,
};

use super::{DeltaLimits, all_announced, list};
use crate::delta::{Delta, DeltaItem, DeltaSource, Missing, Now};

/// Announces tools that are not sent with each request. One that is sent from now on is still there; one whose server can not
/// be reached is not gone.
#[derive(Debug, Clone, Default)]
pub struct DeferredTools(pub DeltaLimits);

impl DeltaSource for DeferredTools {
    fn kind(&self) -> &'static str {
        "deferred_tools_delta"
    }

    fn now<'a>(&self, turn: &'a TurnView) -> Now<'a> {
        let catalog = &turn.host.catalog;
        let tools = match list(&catalog.tools) {
            Ok(tools) => tools,
            Err(now) => return now,
        };
        let items = tools.iter().filter(|tool| tool.deferred).map(item).collect();
        Now::Ready { items, missing: Box::new(|name, server| missing(tools, &catalog.mcp, name, server)) }
    }

    fn tell(&self, _: &TurnView, delta: &Delta<'_>, out: &Outbox) -> Result<Attachment, CollectError> {
        let added = all_announced(&delta.added, self.0.tool_chars, out)?;
        let removed = delta.removed.clone();
        Ok(DeferredToolsDelta::default().added(added).removed(removed).is_initial(delta.is_initial).into())
    }
}

/// A line about a tool: the first of its description.
fn item(tool: &ToolSpec) -> DeltaItem<'_> {
    let line = tool.description.trim_start().lines().next().unwrap_or_default();
    DeltaItem::new(tool.name.as_str(), line).owner(tool.server.as_deref())
}

fn missing(tools: &[ToolSpec], servers: &Source<McpServer>, name: &str, server: Option<&str>) -> Missing {
    if tools.iter().any(|tool| tool.name == name) {
        return Missing::There;
    }
    let is_down = |down: &McpServer| Some(down.name.as_str()) == server && down.unavailable.is_some();
    let all_down = matches!(servers, Source::Unavailable(_)) && server.is_some();
    if all_down || servers.items().iter().any(is_down) { Missing::Unavailable } else { Missing::Gone }
}
