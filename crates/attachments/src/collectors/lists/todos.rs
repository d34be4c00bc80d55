//! The todo list.

use context_api::{Closed, Draft, Outbox, TodoReminder, TurnView};

use super::{ListLimits, is_due};
use crate::collectors::look::looks;

/// Recalls the todo list when there is one and the model has not written it for long.
#[derive(Debug, Clone)]
pub struct TodoReminderCollector {
    tools: Vec<String>,
    limits: ListLimits,
}

looks!(TodoReminderCollector, "todo_reminder", Everywhere);

impl TodoReminderCollector {
    /// A collector for a list that `tool` writes.
    pub fn new(tool: impl Into<String>, limits: ListLimits) -> Self {
        Self { tools: vec![tool.into()], limits }
    }

    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let todos = turn.host.work.todos.items();
        if todos.is_empty() || !is_due(turn, "todo_reminder", &self.tools, &self.limits) {
            return Ok(());
        }
        out.push(Draft::new(TodoReminder::default().todos(todos.to_vec())))
    }
}
