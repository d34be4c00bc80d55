//! Sessions of sub-agents, and questions on the side.

use std::collections::HashSet;
use std::sync::Arc;

use context_api::{ContentBlock, Entry, EntryKind, ModelRequest, StateChange, StatesNote, Thread};
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
        // so that its transcript tells of them too
        let known: Vec<StateChange> =
            self.states.view().iter().map(|state| StateChange::Put((**state).clone())).collect();
        if agent.parts.store.is_some() && !known.is_empty() {
            agent.append(EntryKind::States(StatesNote::default().states(known)));
        }
        agent
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
