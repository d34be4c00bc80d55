//! Other agents: the team, their mail.

use async_trait::async_trait;
use context_api::{
    AgentPendingMessage, Attachment, CollectError, Collector, DeliveryKey, Draft, HostEvent, MailMessage,
    Outbox, Stage, TeamContext, TeammateMailbox, TeammateShutdownBatch, Thread, TurnView, Work,
};

/// Kind of the ledger's key for the team that was told.
const TEAM: &str = "team_context";
/// From how many members on that left at once one event stands for all of them.
const BATCH: usize = 2;

/// Tells an agent which team it is a member of: once, and again after a boundary.
#[derive(Debug, Clone, Copy, Default)]
pub struct TeamContextCollector;

#[async_trait]
impl Collector for TeamContextCollector {
    fn label(&self) -> &str {
        TEAM
    }

    fn stage(&self) -> Stage {
        Stage::Everywhere
    }

    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let team = &turn.host.team;
        let Some(name) = team.name.as_ref().filter(|name| turn.ledger.in_view(TEAM, name).is_none()) else {
            return Ok(());
        };
        let payload = TeamContext::default()
            .team(name.clone())
            .agent(team.agent.clone())
            .leader(team.leader.clone())
            .members(team.members.clone())
            .task_list(team.task_list.clone());
        Ok(out.push(Draft::new(payload).key(DeliveryKey::new(TEAM, name, "")))?)
    }
}

/// Delivers mail of other agents: to a sub-agent outside a team as messages for it, else as mail. Each message once.
#[derive(Debug, Clone, Copy, Default)]
pub struct MailCollector;

#[async_trait]
impl Collector for MailCollector {
    fn label(&self) -> &str {
        "teammate_mailbox"
    }

    fn stage(&self) -> Stage {
        Stage::Everywhere
    }

    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let unread = unread(turn);
        if unread.is_empty() {
            return Ok(());
        }
        let is_for_agent = matches!(turn.thread, Thread::Agent(_)) && turn.host.team.name.is_none();
        if is_for_agent {
            return Ok(unread.into_iter().try_for_each(|mail| out.push(message(mail)))?);
        }
        let left: Vec<String> =
            unread.iter().filter(|mail| mail.shutdown).map(|mail| mail.from.clone()).collect();
        out.push(mailbox(unread))?;
        if left.len() >= BATCH {
            out.push(Draft::new(TeammateShutdownBatch::default().members(left)))?;
        }
        Ok(())
    }
}

fn unread(turn: &TurnView) -> Vec<MailMessage> {
    let waiting = turn.events.iter().filter(|event| !turn.ledger.acknowledged(event.id()));
    let mail = waiting.filter_map(|event| match event {
        HostEvent::Mail(mail) => Some(mail.clone()),
        _ => None,
    });
    mail.collect()
}

fn mailbox(messages: Vec<MailMessage>) -> Draft {
    let ids: Vec<String> = messages.iter().map(|mail| mail.id.clone()).collect();
    ids.into_iter().fold(Draft::new(TeammateMailbox::default().messages(messages)), Draft::delivers)
}

fn message(mail: MailMessage) -> Draft {
    let payload = AgentPendingMessage::default().from(mail.from).summary(mail.summary).content(mail.content);
    Draft::new(Attachment::from(payload)).delivers(mail.id)
}
