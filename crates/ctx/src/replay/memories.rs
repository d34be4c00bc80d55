//! What a scenario's selector of memories answers, and when.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_core::attachments::{MemoryHeader, MemorySelector, SelectError, SelectRequest};
use agent_core::context_api::Cancel;
use async_trait::async_trait;
use serde::Deserialize;

/// What the selector answers next.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum SelectSpec {
    /// These memories, by the ends of their paths.
    Names(Vec<String>),
    /// Nothing good.
    Fault {
        /// What goes wrong.
        error: SelectFault,
    },
}

/// What goes wrong when memories are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum SelectFault {
    Fail,
    Hang,
    Panic,
}

/// What settles after the request was built.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct LateSpec {
    /// Memories that are chosen now, by the ends of their paths; `null` where none are looked for.
    #[serde(default)]
    pub(crate) relevant_memories: Option<Vec<String>>,
    /// A text for which fitting skills are named with the next words of the user.
    #[serde(default)]
    pub(crate) skills: Option<String>,
    /// Whether what has settled is handed out at once, and not with the next turn.
    #[serde(default)]
    pub(crate) poll: bool,
}

/// A selector whose answers stand in the scenario; without one it leaves the choice to the words. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScriptedMemories(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    answers: VecDeque<SelectSpec>,
    /// Until it is said, nothing is answered.
    held: Option<Cancel>,
    /// Whether one of the answers never came or will never come.
    hangs: bool,
}

impl ScriptedMemories {
    pub(crate) fn push(&self, next: SelectSpec) {
        let mut script = self.lock();
        script.hangs |= matches!(next, SelectSpec::Fault { error: SelectFault::Hang });
        script.answers.push_back(next);
    }

    /// Whether any of them hangs.
    pub(crate) fn has_faults(&self) -> bool {
        self.lock().hangs
    }

    /// Answers nothing from now on until [`ScriptedMemories::release`], or does.
    pub(crate) fn hold(&self, is_held: bool) {
        let before = std::mem::replace(&mut self.lock().held, is_held.then(Cancel::new));
        // Whoever waits is let go: nothing would release it any more.
        if let Some(before) = before {
            before.cancel();
        }
    }

    /// Answers with these from now on, whoever waits first.
    pub(crate) fn release(&self, names: Vec<String>) {
        let mut script = self.lock();
        script.answers.push_front(SelectSpec::Names(names));
        if let Some(held) = script.held.take() {
            held.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl MemorySelector for ScriptedMemories {
    #[expect(clippy::panic, reason = "the scenario asks for it")]
    async fn select(&self, request: &SelectRequest) -> Result<Option<Vec<PathBuf>>, SelectError> {
        let held = self.lock().held.clone();
        if let Some(held) = held {
            held.cancelled().await;
        }
        let next = self.lock().answers.pop_front();
        match next {
            None => Ok(None),
            Some(SelectSpec::Names(names)) => {
                Ok(Some(names.iter().map(|name| named(name, &request.headers)).collect()))
            }
            Some(SelectSpec::Fault { error: SelectFault::Fail }) => Err(SelectError("on demand".to_owned())),
            Some(SelectSpec::Fault { error: SelectFault::Panic }) => panic!("on demand"),
            Some(SelectSpec::Fault { error: SelectFault::Hang }) => std::future::pending().await,
        }
    }
}

/// The path of the memory that is meant; the name itself where there is none.
fn named(name: &str, headers: &[MemoryHeader]) -> PathBuf {
    let meant = headers.iter().find(|header| header.path.ends_with(Path::new(name)));
    meant.map_or_else(|| PathBuf::from(name), |header| header.path.clone())
}
