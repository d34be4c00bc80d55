//! Sessions of sub-agents, and questions on the side.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use context_api::{
    Attachment, ContentBlock, ContextProfile, Entry, EntryKind, FileState, ModelRequest, ProfileCost,
    StateChange, StatesNote, Thread,
};
use context_text::estimate_tokens;
use projector::ProjectedHistory;

use super::{Session, SessionOptions};

impl Session {
    /// A session for a sub-agent: its own history, a copy of what is known of files, and this session's end is its own. It
    /// begins where this one is; what `options` say of thread and cancellation does not count.
    pub fn agent(&self, name: impl Into<String>, options: SessionOptions) -> Self {
        let mut options = options.thread(Thread::Agent(name.into())).cancel(self.cancel.child());
        options.cwd.get_or_insert_with(|| self.cwd.clone());
        let mut agent = Self::new(Arc::clone(&self.parts), options);
        agent.states = self.states.fork();
        agent.scope = self.scope.clone();
        agent.host = Arc::clone(&self.host);
        // Its model has seen none of them; its transcript tells of them too.
        let inherited = |state: &FileState| StateChange::Put(state.clone().inherited(true));
        let known: Vec<StateChange> = self.states.view().iter().map(|state| inherited(state)).collect();
        for change in &known {
            // what is known fits already
            drop(agent.states.apply(change));
        }
        if agent.parts.store.is_some() && !known.is_empty() {
            agent.append(EntryKind::States(StatesNote::default().states(known)));
        }
        agent
    }

    /// About what each request of an agent of this session would pay for its context under `profile`, by an estimate. Memory is
    /// what an agent would load now; git facts and skills are what this session was shown of them, which may be nothing.
    pub async fn profile_cost(&self, profile: &ContextProfile) -> ProfileCost {
        let git = self.context.record.system.iter().find(|piece| piece.key == crate::context::GIT);
        let git = git.filter(|_| !profile.without_git).map_or(0, |piece| estimate_tokens(&piece.text));
        let skills = if profile.without_skills { 0 } else { self.listed_skills() };
        let mut cost = ProfileCost::default().git(git).skills(skills);
        if let Some(loader) = &self.parts.memory {
            let mut files = crate::context::memory_of(&self.parts, &self.scope, &mut cost.decisions).await;
            files.retain(|file| profile.shows(file));
            cost.memory = estimate_tokens(&loader.render(&files));
        }
        cost
    }

    /// What the skills cost that were listed, each by its newest line.
    fn listed_skills(&self) -> u64 {
        let mut lines = BTreeMap::new();
        for entry in self.history.iter() {
            let EntryKind::Attachment(envelope) = &entry.kind else { continue };
            let Attachment::SkillListing(listing) = &envelope.attachment else { continue };
            lines.extend(listing.skills.iter().map(|skill| (&skill.name, &skill.description)));
            lines.retain(|name, _| !listing.removed.contains(name));
        }
        lines.into_iter().map(|(name, text)| estimate_tokens(name) + estimate_tokens(text)).sum()
    }

    /// A request with the prefix of the last one and a question behind it, for an answer that is no part of the
    /// conversation. An answer in progress, whose calls have no results yet, is left out. Nothing of the session changes.
    pub fn side_request(&self, question: impl Into<Arc<str>>) -> ModelRequest {
        let mut history = self.projected.clone();
        let settled = settled(&self.history);
        if settled.len() < self.history.len() {
            let projector = Arc::clone(&self.parts.projector);
            history = ProjectedHistory::new(projector, self.projected.config().clone());
            history.extend(settled);
        }
        let kind = EntryKind::user(question);
        let entry = Entry::new(uuid::Uuid::nil(), self.parts.clock.now(), self.turn + 2, kind);
        let asked = history.preview(&[Arc::new(entry)]);
        self.of_messages(&self.context, self.tools.as_deref(), asked).0
    }
}

/// The history without an answer whose calls have no results yet.
fn settled(history: &[Arc<Entry>]) -> &[Arc<Entry>] {
    let Some(place) = history.iter().rposition(|entry| matches!(entry.kind, EntryKind::Assistant(_))) else {
        return history;
    };
    let answered: HashSet<&str> = history[place..]
        .iter()
        .filter_map(|entry| match &entry.kind {
            EntryKind::ToolResult(result) => Some(result.block.tool_use_id.as_str()),
            _ => None,
        })
        .collect();
    let EntryKind::Assistant(reply) = &history[place].kind else { return history };
    let waits = |block: &ContentBlock| matches!(block, ContentBlock::ToolUse(call) if !answered.contains(call.id.as_str()));
    if reply.content.iter().any(waits) { &history[..place] } else { history }
}
