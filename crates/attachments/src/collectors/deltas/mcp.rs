//! What MCP servers say about their use.

use context_api::{Attachment, CollectError, McpInstructionsDelta, McpServer, Outbox, TurnView};

use super::{DeltaLimits, all_announced, list};
use crate::delta::{Delta, DeltaItem, DeltaSource, Missing, Now};

/// Announces the instructions of MCP servers. A server that can not be reached takes nothing back.
#[derive(Debug, Clone, Default)]
pub struct McpInstructions(pub DeltaLimits);

impl DeltaSource for McpInstructions {
    fn kind(&self) -> &'static str {
        "mcp_instructions_delta"
    }

    fn now<'a>(&self, turn: &'a TurnView) -> Now<'a> {
        let servers = match list(&turn.host.catalog.mcp) {
            Ok(servers) => servers,
            Err(now) => return now,
        };
        let items = servers.iter().filter_map(item).collect();
        Now::Ready { items, missing: Box::new(|name, _| missing(servers, name)) }
    }

    fn tell(&self, _: &TurnView, delta: &Delta<'_>, out: &Outbox) -> Result<Attachment, CollectError> {
        let added = all_announced(&delta.added, self.0.instructions_chars, out)?;
        let removed = delta.removed.clone();
        Ok(McpInstructionsDelta::default().added(added).removed(removed).is_initial(delta.is_initial).into())
    }
}

/// The instructions of a server that can be reached and has some.
fn item(server: &McpServer) -> Option<DeltaItem<'_>> {
    let text = server.instructions.as_deref().filter(|text| !text.trim().is_empty())?;
    server.unavailable.is_none().then(|| DeltaItem::new(server.name.as_str(), text))
}

fn missing(servers: &[McpServer], name: &str) -> Missing {
    match servers.iter().find(|server| server.name == name) {
        Some(server) if server.unavailable.is_some() => Missing::Unavailable,
        _ => Missing::Gone,
    }
}
