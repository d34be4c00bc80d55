//! Texts about input that waited, tasks and other agents.

use context_api::{
    AgentPendingMessage, MailMessage, Origin, QueuedCommand, TaskReminder, TaskStatus, TeamContext,
    TeammateMailbox, TeammateShutdownBatch, TodoReminder, ToolNames, VerifyPlanReminder,
};
use context_text::display_path;

use super::line::{flat, lines, list, one, quoted, row};

/// A person's words are sent as they are; this is asked for the others only.
pub(super) fn queued_command(it: &QueuedCommand, _: &ToolNames) -> String {
    if it.text.trim().is_empty() {
        return String::new();
    }
    let from = match it.origin {
        Origin::Human => "the user's side, not typed by a person",
        Origin::Task => "a task in the background",
        Origin::Hook => "a hook or schedule",
        Origin::Agent => "another agent",
        _ => "a channel outside this session",
    };
    format!("This arrived while you worked, from {from}:\n{}", quoted(&it.text))
}

pub(super) fn agent_pending_message(it: &AgentPendingMessage, _: &ToolNames) -> String {
    let summary = if it.summary.is_empty() { String::new() } else { format!(" ({})", one(&it.summary)) };
    format!("Message from {}{summary}:\n{}", one(&it.from), it.content)
}

fn state(status: &str) -> &str {
    match status {
        "completed" => "[x]",
        "in_progress" => "[~]",
        "pending" => "[ ]",
        other => other,
    }
}

pub(super) fn todo_reminder(it: &TodoReminder, names: &ToolNames) -> String {
    let todos = list(&it.todos, |todo| format!("{} {}", one(state(&todo.status)), flat(&todo.content)));
    if todos.is_empty() {
        return String::new();
    }
    lines(&[stale("todo list", &names.todo), todos])
}

pub(super) fn task_reminder(it: &TaskReminder, _: &ToolNames) -> String {
    let tasks = list(&it.tasks, |task| {
        format!("{} #{} {}", one(state(&task.status)), one(&task.id), flat(&task.subject))
    });
    if tasks.is_empty() {
        return String::new();
    }
    lines(&[stale("task list", "the task tools"), tasks])
}

fn stale(list: &str, tool: &str) -> String {
    format!(
        "The {list} was not touched for a while. Bring it up to date with {tool} if it helps the work, and leave it if not; \
         do not tell the user of this note. It now says:"
    )
}

pub(super) fn verify_plan_reminder(it: &VerifyPlanReminder, _: &ToolNames) -> String {
    let plan = it.plan_file.as_deref().map(|file| format!(" in {}", display_path(file))).unwrap_or_default();
    format!(
        "The plan{plan} was carried out and not checked yet. Check that each of its points is done and works."
    )
}

pub(super) fn task_status(it: &TaskStatus, names: &ToolNames) -> String {
    let (id, what) = (one(&it.task_id), one(&it.description));
    let state = match it.status.as_str() {
        "killed" => "was killed before it was done".into(),
        "failed" => "failed".into(),
        "completed" => "is done".into(),
        "running" => "is still running".into(),
        other => one(other),
    };
    let new = if it.summary.trim().is_empty() {
        String::new()
    } else {
        format!("New output:\n{}", quoted(&it.summary))
    };
    let file = it.output_file.as_deref().map(|file| {
        format!("All of its output is in {}; read it with the tool {}.", display_path(file), names.read)
    });
    lines(&[format!("The background task {id} ({what}) {state}."), new, file.unwrap_or_default()])
}

pub(super) fn team_context(it: &TeamContext, _: &ToolNames) -> String {
    let head = format!("You are {}, a member of the team {}.", one(&it.agent), one(&it.team));
    let leader =
        if it.leader.is_empty() { String::new() } else { format!("It is led by {}.", one(&it.leader)) };
    let members =
        if it.members.is_empty() { String::new() } else { format!("Its members: {}", row(&it.members)) };
    let tasks = it.task_list.as_deref().map(|file| format!("Its task list: {}", display_path(file)));
    lines(&[head, leader, members, tasks.unwrap_or_default()])
}

pub(super) fn teammate_mailbox(it: &TeammateMailbox, _: &ToolNames) -> String {
    if it.messages.is_empty() {
        return String::new();
    }
    let mail = it.messages.iter().map(letter);
    lines(&["Mail from other agents:".to_owned()].into_iter().chain(mail).collect::<Vec<_>>())
}

fn letter(it: &MailMessage) -> String {
    let summary = if it.summary.is_empty() { String::new() } else { format!(" ({})", one(&it.summary)) };
    let left = if it.shutdown { " With it, the sender left the team." } else { "" };
    format!("From {}{summary}:{left}\n{}", one(&it.from), quoted(&it.content))
}

pub(super) fn teammate_shutdown_batch(it: &TeammateShutdownBatch, _: &ToolNames) -> String {
    if it.members.is_empty() {
        String::new()
    } else {
        format!("These members left the team: {}", row(&it.members))
    }
}
