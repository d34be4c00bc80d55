//! What a person is shown of an attachment.

use std::borrow::Cow;
use std::path::Path;

use context_api::{
    Attachment, DiagnosticsAttachment, FileAttachment, FileContent, HookNotice, TaskStatus, UiEvent,
    UiSeverity,
};
use context_text::{display_path, neutralise, safe_line};

use crate::projector::is_of_a_person;

/// A title, and more where there is more. Titles are lines, safe to print; bodies hold no control characters.
pub(crate) fn event(attachment: &Attachment) -> Option<UiEvent> {
    let shown = if let Attachment::QueuedCommand(it) = attachment {
        is_of_a_person(it).then(|| Shown::new("Message sent while the model worked").body(&it.text))?
    } else {
        file(attachment)
            .or_else(|| editor(attachment))
            .or_else(|| hook(attachment))
            .or_else(|| mode(attachment))
            .unwrap_or_else(|| other(attachment))
    };
    Some(shown.event(attachment.type_name()))
}

/// An event in the making.
struct Shown {
    title: String,
    body: String,
    severity: UiSeverity,
    path: Option<String>,
}

impl Shown {
    fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), body: String::new(), severity: UiSeverity::Info, path: None }
    }

    fn at(title: &str, shown: &str, full: &Path) -> Self {
        let path = if shown.is_empty() { display_path(full) } else { safe_line(shown).into_owned() };
        Self { path: Some(path.clone()), ..Self::new(format!("{title} {path}")) }
    }

    fn body(mut self, body: impl AsRef<str>) -> Self {
        self.body = body.as_ref().to_owned();
        self
    }

    fn severity(mut self, severity: UiSeverity) -> Self {
        self.severity = severity;
        self
    }

    fn event(self, kind: &str) -> UiEvent {
        UiEvent::default()
            .kind(kind)
            .title(safe_line(&self.title))
            .body(neutralise(&self.body))
            .severity(self.severity)
            .path(self.path)
    }
}

fn file(attachment: &Attachment) -> Option<Shown> {
    Some(match attachment {
        Attachment::File(it) => read_file(it),
        Attachment::AlreadyReadFile(it) => Shown::at("Already read, unchanged:", &it.display_path, &it.path),
        Attachment::CompactFileReference(it) => {
            Shown::at("Named again, too long to restore:", &it.display_path, &it.path)
        }
        Attachment::PdfReference(it) => {
            let severity = if it.problem.is_empty() { UiSeverity::Info } else { UiSeverity::Warning };
            Shown::at("Named the PDF", &it.display_path, &it.path).body(&it.problem).severity(severity)
        }
        Attachment::Directory(it) => {
            let listed = Shown::at("Listed", &it.display_path, &it.path);
            let all = it.entries.len() as u64 + it.left_out;
            match it.left_out {
                0 => listed.body(format!("{all} entries")),
                left => listed.body(format!("{all} entries, {left} left out")).severity(UiSeverity::Warning),
            }
        }
        Attachment::McpResource(it) => {
            Shown::new(format!("Read the resource {} of {}", it.uri, it.server)).body(&it.note)
        }
        Attachment::EditedTextFile(it) => Shown::at("Changed on the disk:", &it.display_path, &it.path)
            .body(format!("{} lines added, {} removed", it.added, it.removed)),
        Attachment::EditedImageFile(it) => Shown::at("Changed on the disk:", &it.display_path, &it.path),
        _ => return None,
    })
}

fn read_file(it: &FileAttachment) -> Shown {
    let shown = Shown::at("Read", &it.display_path, &it.path);
    match &it.content {
        FileContent::Text(text) if !text.note.is_empty() => {
            shown.body(&text.note).severity(UiSeverity::Warning)
        }
        FileContent::Text(text) => shown.body(format!("{} lines", context_text::line_count(&text.text))),
        FileContent::Image(image) => shown.body(&image.note),
        FileContent::PdfReference(it) | FileContent::Binary(it) => {
            shown.body(&it.note).severity(UiSeverity::Warning)
        }
        _ => shown,
    }
}

fn editor(attachment: &Attachment) -> Option<Shown> {
    Some(match attachment {
        Attachment::SelectedLinesInIde(it) => {
            let title = format!("Lines {} to {} selected in", it.start_line, it.end_line);
            Shown::at(&title, &it.display_path, &it.path)
        }
        Attachment::Diagnostics(it) => problems(it),
        Attachment::LspDiagnostics(it) => problems(it),
        Attachment::DynamicSkill(it) => {
            Shown::at("Skills found in", &it.display_path, &it.directory).body(it.skills.join(", "))
        }
        _ => return None,
    })
}

fn problems(it: &DiagnosticsAttachment) -> Shown {
    let all: u64 = it.files.iter().map(|file| file.items.len() as u64).sum::<u64>() + it.left_out;
    let files: Vec<_> = it.files.iter().map(|file| display_path(&file.path)).collect();
    Shown::new(format!("{all} new problems in files")).body(files.join("\n")).severity(UiSeverity::Warning)
}

fn hook(attachment: &Attachment) -> Option<Shown> {
    Some(match attachment {
        Attachment::AsyncHookResponse(it) => {
            named("Background hook answered", &it.hook, &it.event).body(&it.system_message)
        }
        Attachment::HookSuccess(it) => named("Hook done", &it.hook, &it.event).body(&it.content),
        Attachment::HookAdditionalContext(it) => {
            named("Hook added context", &it.hook, &it.event).body(&it.content)
        }
        Attachment::HookBlockingError(it) => {
            named("Blocked by hook", &it.hook, &it.event).body(&it.reason).severity(UiSeverity::Error)
        }
        Attachment::HookStoppedContinuation(it) => {
            named("Stopped by hook", &it.hook, &it.event).body(&it.reason).severity(UiSeverity::Warning)
        }
        Attachment::HookNonBlockingError(it) => notice("Hook failed", it).severity(UiSeverity::Warning),
        Attachment::HookErrorDuringExecution(it) => {
            notice("Hook could not be run", it).severity(UiSeverity::Error)
        }
        Attachment::HookCancelled(it) => notice("Hook cancelled", it).severity(UiSeverity::Warning),
        Attachment::HookSystemMessage(it) => notice("Hook says", it),
        _ => return None,
    })
}

fn named(what: &str, hook: &str, event: &str) -> Shown {
    let hook: Cow<'_, str> = if hook.is_empty() { "without a name".into() } else { hook.into() };
    Shown::new(if event.is_empty() { format!("{what}: {hook}") } else { format!("{what}: {hook} ({event})") })
}

fn notice(what: &str, it: &HookNotice) -> Shown {
    let code = it.exit_code.map(|code| format!("\nexit code {code}")).unwrap_or_default();
    named(what, &it.hook, &it.event).body(format!("{}{code}", it.message))
}

fn mode(attachment: &Attachment) -> Option<Shown> {
    Some(match attachment {
        Attachment::AgentMention(it) => Shown::new(format!("Asked for the agent {}", it.agent)),
        Attachment::PlanMode(it) => plan("Plan mode is on", it.plan_file.as_deref()),
        Attachment::PlanModeExit(it) => plan("Plan mode is off", it.plan_file.as_deref()),
        Attachment::TaskStatus(it) => task(it),
        Attachment::TeammateMailbox(it) => {
            let lines: Vec<_> =
                it.messages.iter().map(|mail| format!("{}: {}", mail.from, mail.summary)).collect();
            Shown::new(format!("Mail from {} agents", lines.len())).body(lines.join("\n"))
        }
        Attachment::TeammateShutdownBatch(it) => {
            Shown::new(format!("Left the team: {}", it.members.join(", ")))
        }
        _ => return None,
    })
}

fn plan(title: &str, file: Option<&Path>) -> Shown {
    Shown { path: file.map(display_path), ..Shown::new(title) }
}

fn task(it: &TaskStatus) -> Shown {
    let severity = match it.status.as_str() {
        "failed" => UiSeverity::Error,
        "killed" => UiSeverity::Warning,
        _ => UiSeverity::Info,
    };
    let title = format!("Background task {}: {} ({})", it.task_id, it.status, it.description);
    Shown {
        path: it.output_file.as_deref().map(display_path),
        ..Shown::new(title).body(&it.summary).severity(severity)
    }
}

/// A type that is shown because somebody set it so: by what it is.
fn other(attachment: &Attachment) -> Shown {
    match attachment {
        Attachment::Custom(it) => Shown::new(it.kind.clone()).body(&it.text),
        _ => Shown::new(attachment.row().map_or(attachment.type_name(), |row| row.summary).trim()),
    }
}
