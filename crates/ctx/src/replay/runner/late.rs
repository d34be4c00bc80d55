//! What settles after a request was built.

use std::time::Duration;

use agent_core::Late;
use agent_core::context_api::{Decision, RawJson, UiEvent};
use serde::Serialize;

use super::super::config::PATIENCE;
use super::super::memories::LateSpec;
use super::Runner;
use crate::json;

/// What a `late` step prints that hands out at once.
#[derive(Serialize)]
struct LateRow<'a> {
    late: Vec<RawJson>,
    ui: &'a [UiEvent],
    decisions: &'a [Decision],
}

impl<'a> LateRow<'a> {
    fn of(late: &'a Late) -> anyhow::Result<Self> {
        Ok(Self { late: json::attachments(&late.entries)?, ui: &late.ui, decisions: &late.decisions })
    }
}

impl Runner {
    /// Memories are chosen now; they come with the next turn, or are handed out at once.
    pub(super) fn late(&mut self, spec: LateSpec) -> anyhow::Result<Option<String>> {
        if let Some(names) = spec.relevant_memories {
            self.memories(names)?;
        }
        if let Some(text) = spec.skills {
            self.session()?.look_for_skills(text);
        }
        if !spec.poll {
            return Ok(None);
        }
        let late = self.session()?.poll_late();
        let row = serde_json::to_string(&LateRow::of(&late)?)?;
        Ok(Some(self.workspace.real_to_seen(&row)))
    }

    fn memories(&mut self, names: Vec<String>) -> anyhow::Result<()> {
        self.config.memories.release(names);
        let (runtime, asked) = (self.runtime.clone(), self.asked.clone());
        let session = self.session()?;
        let settled = runtime.block_on(async {
            if session.is_looking() {
                return session.wait_late(PATIENCE).await;
            }
            // Nothing was looked for, or it had settled: the scenario says that something settles all the same.
            session.look_for_memories(asked);
            session.wait_late(PATIENCE).await
        });
        anyhow::ensure!(settled, "the memories did not settle");
        Ok(())
    }

    /// How long a turn waits for memories: for all that there is to find, unless some of it is to come late or may hang.
    pub(super) fn memories_wait(&self) -> Duration {
        if self.comes_late || self.has_faults() { SHORT_WAIT } else { PATIENCE }
    }
}

/// How long a turn waits for memories where some may never come: long for what does not hang.
const SHORT_WAIT: Duration = Duration::from_secs(1);
