//! The task list.

use context_api::{Closed, Draft, Outbox, TaskReminder, TurnView};

use super::{ListLimits, is_due};
use crate::collectors::look::looks;

/// Recalls the task list when there is one and the model has not written it for long.
#[derive(Debug, Clone)]
pub struct TaskReminderCollector {
    tools: Vec<String>,
    limits: ListLimits,
}

looks!(TaskReminderCollector, "task_reminder", Everywhere);

impl TaskReminderCollector {
    /// A collector for a list that `tools` write.
    pub fn new(tools: Vec<String>, limits: ListLimits) -> Self {
        Self { tools, limits }
    }

    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let tasks = turn.host.work.tasks.items();
        if tasks.is_empty() || !is_due(turn, "task_reminder", &self.tools, &self.limits) {
            return Ok(());
        }
        out.push(Draft::new(TaskReminder::default().tasks(tasks.to_vec())))
    }
}
