//! The one block in which a session changes, and what is handed out with it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use context_api::{
    Boundary, Decision, Entry, EntryKind, Handled, HostSignal, ProjectionConfig, RuntimeEvent, StateChange,
    StatesNote, UiEvent,
};

use super::Session;
use super::prepare::{Plan, nothing_new};
use crate::PreparedTurn;

/// What destinations besides model and transcript get of some entries.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) ui: Vec<UiEvent>,
    pub(super) signals: Vec<HostSignal>,
    pub(super) runtime: Vec<RuntimeEvent>,
    pub(super) decisions: Vec<Decision>,
}

impl Session {
    /// Takes a plan in. Synchronous: nobody can see half of it.
    pub(super) fn commit(&mut self, plan: Plan) -> PreparedTurn {
        if let Some(context) = plan.context {
            self.context = context;
            self.stale = crate::context::Stale::default();
        }
        self.host = plan.host;
        self.tools = plan.tools;
        self.turn = plan.turn;
        self.branch = self.context.branch().map(str::to_owned).or(self.branch.take());
        let mut before = std::mem::take(&mut self.untold);
        let mut decisions = std::mem::take(&mut before.decisions);
        decisions.append(&mut self.found);
        decisions.extend(plan.decisions);
        let mut entries = plan.entries;
        if entries.is_empty() {
            decisions.push(nothing_new());
            // so that the transcript tells that the request was made
            entries.extend(self.parts.store.is_some().then(|| self.request_made()));
        }
        decisions.extend(self.take_in(&entries));
        self.go_on_searching(plan.searched);
        if plan.names_skills && plan.request.is_some() {
            self.skills_about = None;
        }
        self.handle.delivered(&plan.delivered, plan.touched, plan.again);
        let now = self.seen(&entries);
        let mut seen = before;
        seen.extend(now);
        if !plan.delivered.is_empty() {
            seen.signals.push(HostSignal::Delivered { ids: plan.delivered });
        }
        decisions.extend(seen.decisions);
        let decisions = each_once(decisions);
        let previous = self.previous.take();
        let request = plan.request.clone().map(|request| (plan.turn, request));
        self.is_other = request.is_none();
        self.previous = request.or_else(|| previous.clone());
        PreparedTurn {
            request: plan.request,
            blocked: plan.blocked,
            turn: plan.turn,
            entries,
            ui: seen.ui,
            signals: seen.signals,
            runtime: seen.runtime,
            decisions,
            previous,
            history: Arc::clone(&self.history),
            #[cfg(feature = "compaction")]
            memory: Arc::clone(&self.context.memory_files),
            #[cfg(feature = "compaction")]
            measure: crate::usage::Measure::of(&self.parts),
        }
    }

    /// Makes entries part of the history and of everything that is folded from it.
    pub(super) fn take_in(&mut self, entries: &[Arc<Entry>]) -> Vec<Decision> {
        if entries.is_empty() {
            return Vec::new();
        }
        let ledger = Arc::make_mut(&mut self.ledger);
        entries.iter().for_each(|entry| ledger.apply(entry));
        let mut decisions = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            if let EntryKind::Boundary(boundary) = &entry.kind {
                decisions.extend(self.cross(boundary, &entries[..index]));
            }
            for change in changes(entry) {
                decisions.extend(self.states.apply(change));
            }
        }
        decisions.extend(self.projected.extend(entries));
        Arc::make_mut(&mut self.history).extend(entries.iter().cloned());
        if self.parts.store.is_some() {
            self.unsaved.extend(self.turn, entries);
        }
        decisions
    }

    /// An entry that says nothing but that a request was made.
    fn request_made(&self) -> Arc<Entry> {
        let kind = EntryKind::States(StatesNote::default());
        let entry = Entry::new(self.parts.ids.next(), self.parts.clock.now(), self.turn, kind);
        Arc::new(entry.after(self.history.last().map(|entry| entry.uuid)))
    }

    /// What is behind a boundary the model no longer has; what stays, and what comes back, brings its states along.
    pub(super) fn cross(&self, boundary: &Boundary, before: &[Arc<Entry>]) -> Vec<Decision> {
        for state in self.states.view().iter() {
            self.states.apply(&StateChange::Remove(state.path.clone()));
        }
        let kept: HashSet<_> = boundary.kept.iter().collect();
        let stay = self.history.iter().chain(before).filter(|entry| kept.contains(&entry.uuid));
        stay.flat_map(|entry| changes(entry)).flat_map(|change| self.states.apply(change)).collect()
    }

    /// What destinations besides model and transcript get of entries, each once, in order.
    pub(super) fn seen(&self, entries: &[Arc<Entry>]) -> Seen {
        let config: &ProjectionConfig = self.projected.config();
        let mut seen = Seen::default();
        for entry in entries {
            let projection = self.parts.projector.project(entry, config);
            seen.ui.extend(projection.ui);
            seen.runtime.extend(projection.runtime);
            for signal in projection.host {
                if self.parts.handler.handle(&signal) == Handled::No {
                    seen.decisions.push(unhandled(&signal));
                }
                seen.signals.push(signal);
            }
        }
        seen
    }
}

impl Seen {
    /// Puts what came later behind it.
    pub(super) fn extend(&mut self, later: Self) {
        self.ui.extend(later.ui);
        self.signals.extend(later.signals);
        self.runtime.extend(later.runtime);
        self.decisions.extend(later.decisions);
    }
}

impl PreparedTurn {
    /// Takes out what it tells besides the request.
    pub(super) fn take_seen(&mut self) -> Seen {
        Seen {
            ui: std::mem::take(&mut self.ui),
            signals: std::mem::take(&mut self.signals),
            runtime: std::mem::take(&mut self.runtime),
            decisions: std::mem::take(&mut self.decisions),
        }
    }

    /// Puts in what was taken out.
    pub(super) fn put_seen(&mut self, seen: Seen) {
        (self.ui, self.signals) = (seen.ui, seen.signals);
        (self.runtime, self.decisions) = (seen.runtime, seen.decisions);
    }
}

/// A look ahead and the commit may say the same.
fn each_once(decisions: Vec<Decision>) -> Vec<Decision> {
    let mut known: HashMap<(&str, &str), Vec<&Decision>> = HashMap::new();
    let is_first: Vec<bool> = decisions
        .iter()
        .map(|decision| {
            let alike = known.entry((&decision.subject, &decision.reason)).or_default();
            let is_first = !alike.contains(&decision);
            alike.extend(is_first.then_some(decision));
            is_first
        })
        .collect();
    decisions
        .into_iter()
        .zip(is_first)
        .filter_map(|(decision, is_first)| is_first.then_some(decision))
        .collect()
}

pub(super) fn changes(entry: &Entry) -> &[StateChange] {
    match &entry.kind {
        EntryKind::Attachment(envelope) => &envelope.states,
        EntryKind::ToolResult(result) => &result.states,
        EntryKind::States(note) => &note.states,
        _ => &[],
    }
}

fn unhandled(signal: &HostSignal) -> Decision {
    let name = match signal {
        HostSignal::StructuredOutput { .. } => "structured_output",
        HostSignal::EndRun { .. } => "end_run",
        HostSignal::ReplayUser { .. } => "replay_user",
        HostSignal::Block { .. } => "block",
        HostSignal::StopContinuation { .. } => "stop_continuation",
        HostSignal::Effort { .. } => "effort",
        HostSignal::Permission { .. } => "permission",
        _ => "custom",
    };
    Decision::left_out(
        name,
        "signal_unhandled",
        "The engine has no handler that takes this signal; it is in the turn's list.",
    )
}
