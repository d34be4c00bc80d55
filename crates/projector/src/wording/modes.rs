//! Texts about modes, schedules and standing texts.

use std::path::Path;

use context_api::{
    AutoMode, AutoModeExit, CompanionIntro, CriticalSystemReminder, DateChange, OutputStyle, PlanMode,
    PlanModeExit, PlanModeReentry, ReminderForm, ToolNames, UltrathinkEffort,
};
use context_text::display_path;

use super::line::{lines, one};

pub(super) fn date_change(it: &DateChange, _: &ToolNames) -> String {
    format!("The date is now {}. There is no need to speak of it.", it.date)
}

pub(super) fn ultrathink_effort(it: &UltrathinkEffort, _: &ToolNames) -> String {
    match it.level.is_empty() {
        true => "The user asks for more thought than usual on this message.".to_owned(),
        false => {
            format!("The user asks for more thought than usual on this message (effort: {}).", one(&it.level))
        }
    }
}

pub(super) fn plan_mode(it: &PlanMode, names: &ToolNames) -> String {
    let plan = plan_line(it.plan_file.as_deref(), it.plan_exists, names);
    match it.form {
        ReminderForm::Full => lines(&[PLAN_FULL.to_owned(), plan]),
        _ => lines(&[PLAN_BRIEF.to_owned(), plan]),
    }
}

const PLAN_FULL: &str = "Plan mode is on. The user wants a plan before anything is changed: read, search and ask as much as \
    you need, but edit no file, run no command that changes anything, and make no commit. The only exception is the plan's own \
    file, where there is one. When you know enough, lay out the plan: what will change, where, in which order, and how it will be \
    checked. Leave plan mode by the tool made for it, not by asking in a message.";
const PLAN_BRIEF: &str = "Plan mode is still on: look and plan, change nothing but the plan's own file.";

fn plan_line(file: Option<&Path>, exists: bool, names: &ToolNames) -> String {
    let Some(file) = file.map(display_path) else { return String::new() };
    match exists {
        true => format!("The plan is in {file}; change it with the tool {}.", names.edit),
        false => format!("Write the plan to {file} with the tool {}; it is not there yet.", names.write),
    }
}

pub(super) fn plan_mode_reentry(it: &PlanModeReentry, names: &ToolNames) -> String {
    let head = "Plan mode is on again, and there is a plan from before.";
    let file = it.plan_file.as_deref().map(|file| {
        format!(
            "Read {} with the tool {} first: go on with it when the task is the same, write a new one when it is another.",
            display_path(file),
            names.read
        )
    });
    lines(&[head.to_owned(), file.unwrap_or_default()])
}

pub(super) fn plan_mode_exit(it: &PlanModeExit, _: &ToolNames) -> String {
    let head = "Plan mode is off: you may change files and run commands again.";
    let file = it.plan_file.as_deref().filter(|_| it.plan_exists);
    let plan = file.map(|file| format!("The plan is in {}.", display_path(file)));
    lines(&[head.to_owned(), plan.unwrap_or_default()])
}

pub(super) fn auto_mode(it: &AutoMode, _: &ToolNames) -> String {
    match it.form {
        ReminderForm::Full => AUTO_FULL.to_owned(),
        _ => "Auto mode is still on: go on without asking, within the same bounds.".to_owned(),
    }
}

const AUTO_FULL: &str = "Auto mode is on: the user wants you to go on by yourself. Make sensible choices instead of asking, and say \
    at the end which ones you made. It is no leave for what can not be undone: deleting data, publishing, spending money or \
    touching what others share still waits for the user's word.";

pub(super) fn auto_mode_exit(_: &AutoModeExit, _: &ToolNames) -> String {
    "Auto mode is off: ask again where a choice is the user's.".to_owned()
}

pub(super) fn critical_system_reminder(it: &CriticalSystemReminder, _: &ToolNames) -> String {
    it.text.clone()
}

pub(super) fn companion_intro(it: &CompanionIntro, _: &ToolNames) -> String {
    let head = format!("The user has a companion beside you, {}, that comments on its own.", one(&it.name));
    let rule = "When the user speaks to it, do not answer in its place.";
    lines(&[head, it.text.clone(), rule.to_owned()])
}

pub(super) fn output_style(it: &OutputStyle, _: &ToolNames) -> String {
    match it.name.is_empty() {
        true => "No output style is set any more: write as you usually do.".to_owned(),
        false => lines(&[format!("The output style is {}. Keep to it:", one(&it.name)), it.text.clone()]),
    }
}
