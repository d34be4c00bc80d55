//! Agents that the model may start.

use std::borrow::Cow;

use context_api::{AgentListingDelta, AgentSpec, Attachment, CollectError, Outbox, TurnView};

use super::{DeltaLimits, all_announced, list};
use crate::delta::{Delta, DeltaItem, DeltaSource, Now};

/// Announces the agents that the model may start.
#[derive(Debug, Clone, Default)]
pub struct AgentListing(pub DeltaLimits);

impl DeltaSource for AgentListing {
    fn kind(&self) -> &'static str {
        "agent_listing_delta"
    }

    fn now<'a>(&self, turn: &'a TurnView) -> Now<'a> {
        list(&turn.host.catalog.agents).map_or_else(|now| now, |agents| Now::ready(agents.iter().map(item)))
    }

    fn tell(&self, _: &TurnView, delta: &Delta<'_>, out: &Outbox) -> Result<Attachment, CollectError> {
        let added = all_announced(&delta.added, self.0.agent_chars, out)?;
        let removed = delta.removed.clone();
        Ok(AgentListingDelta::default().added(added).removed(removed).is_initial(delta.is_initial).into())
    }
}

fn item(agent: &AgentSpec) -> DeltaItem<'_> {
    let text: Cow<'_, str> = match agent.tools.is_empty() {
        true => agent.description.as_str().into(),
        false => format!("{} (tools: {})", agent.description.trim_end(), agent.tools.join(", ")).into(),
    };
    DeltaItem::new(agent.name.as_str(), text)
}
