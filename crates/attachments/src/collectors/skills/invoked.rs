//! Skills that were used, told again once a compaction put their texts out of view.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    CollectError, Collector, Decision, DeliveryKey, Draft, EntryKind, InvokedSkill, InvokedSkills, Outbox,
    ReadErrorKind, Stage, Thread, Threads, Trigger, TurnView, Verdict, Work,
};
use context_text::{estimate_tokens, safe_line};

use crate::reads::{Looked, Reads};
use crate::room::lines_within;
use crate::skills::{SkillLimits, SkillSource};

const KIND: &str = "invoked_skills";

/// What the ledger remembers of a skill that was used: its key is `agent:skill`, the digest its path.
pub fn invoked_skill(thread: &Thread, name: &str, path: &std::path::Path) -> DeliveryKey {
    let agent = match thread {
        Thread::Main => "main",
        Thread::Agent(agent) => agent,
    };
    DeliveryKey::new(KIND, format!("{agent}:{name}"), path.to_string_lossy())
}

/// Tells the texts of skills that were used before a compaction, the newest first, within their room. A conversation that was
/// cleared has used none.
pub struct InvokedSkillsCollector {
    source: Arc<dyn SkillSource>,
    reads: Reads,
    limits: SkillLimits,
}

impl InvokedSkillsCollector {
    /// A collector that reads texts by `source`, on `threads`.
    pub fn new(source: Arc<dyn SkillSource>, threads: Arc<dyn Threads>, limits: SkillLimits) -> Self {
        Self { source, reads: Reads::new(threads), limits }
    }
}

#[async_trait]
impl Collector for InvokedSkillsCollector {
    fn label(&self) -> &str {
        KIND
    }

    fn stage(&self) -> Stage {
        Stage::Everywhere
    }

    // What blocks is done by `Reads`, in the first turn behind a compaction alone.
    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let used = out_of_view(turn);
        if used.is_empty() {
            return Ok(());
        }
        if was_cleared(turn) {
            return used.iter().try_for_each(|used| Ok(out.remember(DeliveryKey::retract(KIND, &used.key))?));
        }
        let subjects = used.iter().map(|used| (used.path.clone(), used.path.clone())).collect();
        let source = Arc::clone(&self.source);
        let looked = self.reads.all(turn, subjects, move |path| source.text(&path)).await;
        let mut room = self.limits.invoked_room(turn.window);
        let mut told = Vec::new();
        let mut keys = Vec::new();
        for (used, looked) in used.iter().zip(looked) {
            match looked.into_result() {
                Ok(Ok(text)) => {
                    told.extend(self.fitted(used, &text, &mut room, out)?);
                    keys.push(DeliveryKey::new(KIND, &used.key, used.path.to_string_lossy()));
                }
                Ok(Err(error)) => {
                    out.decide(not_read(used, &error))?;
                    out.remember(DeliveryKey::retract(KIND, &used.key))?;
                }
                // It stays out of view, and the next request looks again.
                Err(why) => out.decide(not_looked_at(used, &why))?,
            }
        }
        if told.is_empty() {
            return keys.into_iter().try_for_each(|key| Ok(out.remember(key)?));
        }
        let mut draft = Draft::new(InvokedSkills::default().skills(told));
        draft.keys = keys;
        Ok(out.push(draft)?)
    }
}

impl InvokedSkillsCollector {
    /// The skill with as much of its text as there is room for; a cut is a decision.
    fn fitted(
        &self,
        used: &Used,
        text: &str,
        room: &mut u64,
        out: &Outbox,
    ) -> Result<Option<InvokedSkill>, CollectError> {
        let allowed = self.limits.invoked_tokens.min(*room);
        let cramped = allowed < self.limits.invoked_least_tokens && estimate_tokens(text) > allowed;
        let shown = if cramped { "" } else { lines_within(text, allowed) };
        *room = room.saturating_sub(estimate_tokens(shown));
        let left_out = u64::try_from(text.len() - shown.len()).unwrap_or(u64::MAX);
        if left_out > 0 {
            let detail = format!("There is room for {allowed} tokens of its text behind the compaction.");
            out.decide(Decision::cut(safe_line(&used.key), "skill_too_long", detail).bytes(left_out))?;
        }
        let skill = InvokedSkill::default().key(used.key.clone()).path(Some(used.path.clone())).text(shown);
        Ok((!shown.is_empty()).then_some(skill))
    }
}

/// A skill that was used.
struct Used {
    key: String,
    path: PathBuf,
}

/// Skills whose texts are out of view, the newest first.
fn out_of_view(turn: &TurnView) -> Vec<Used> {
    let here = turn.ledger.boundaries();
    let mut used: Vec<_> = turn.ledger.of_kind(KIND).filter(|(_, used)| used.boundary < here).collect();
    // Within one turn the identities tell: those of version 7 grow with time.
    used.sort_by_key(|(_, used)| std::cmp::Reverse((used.turn, used.entry)));
    used.into_iter()
        .map(|(key, used)| Used { key: key.to_owned(), path: PathBuf::from(&used.hash) })
        .collect()
}

fn was_cleared(turn: &TurnView) -> bool {
    let boundary = turn.history.iter().rev().find_map(|entry| match &entry.kind {
        EntryKind::Boundary(boundary) => Some(boundary.trigger),
        _ => None,
    });
    boundary == Some(Trigger::Clear)
}

fn not_read(used: &Used, error: &ReadErrorKind) -> Decision {
    let detail = format!("Its text can not be read again behind the compaction: {error}.");
    Decision::failed(safe_line(&used.key), error.reason(), detail)
}

fn not_looked_at(used: &Used, why: &Looked<()>) -> Decision {
    let verdict = if *why == Looked::TimedOut { Verdict::TimedOut } else { Verdict::Failed };
    let detail = "Its text was not read again behind the compaction.";
    Decision::new(safe_line(&used.key), verdict, why.reason(), detail)
}
