//! `ctx transcript`.

use std::path::Path;

use agent_core::SystemIds;
use agent_core::context_api::{Entry, EntryKind, Fork, Ids as _, Loaded, Reach, TranscriptStore as _};
use agent_core::transcript::SessionSummary;
use context_text::{cut_chars, display_path, safe_line};
use serde::Serialize;

use super::Refused;
use crate::account;
use crate::cli::{Globals, TranscriptCommand};
use crate::process::Process;
use crate::session_file::{SessionFile, store};
use crate::setup::{raw, wait};

/// Characters of a text that are shown on one line.
const SHOWN: usize = 100;

/// Lists, shows, checks or forks transcripts.
pub(crate) fn transcript(
    globals: &Globals,
    command: &TranscriptCommand,
    process: &mut Process,
) -> anyhow::Result<()> {
    match command {
        TranscriptCommand::List { dir, all } => list(globals, &process.cwd.join(dir), *all, process),
        TranscriptCommand::Show { file, all } => show(globals, file, *all, process),
        TranscriptCommand::Check { file } => check(globals, file, process),
        TranscriptCommand::Fork { file, id, at, copy } => {
            let session = SessionFile::at(&process.cwd.join(file))?;
            let at = at
                .as_deref()
                .map(str::parse)
                .transpose()
                .map_err(|error| Refused(format!("--at: {error}")))?;
            let now = globals.now.as_ref().map_or_else(|| Ok(jiff::Timestamp::now()), |now| now.parse())?;
            let fork = Fork::new(&session.id, id.as_str(), SystemIds.next(), now).at(at).copy(*copy);
            wait(session.store.fork(fork))??;
            process.print(&session.store.file(id)?.display().to_string());
            Ok(())
        }
    }
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    cwd: String,
    bytes: u64,
    modified: String,
    prompt: Option<&'a str>,
}

impl<'a> Row<'a> {
    fn of(session: &'a SessionSummary) -> Self {
        let modified = jiff::Timestamp::try_from(session.modified).unwrap_or_default();
        let cwd = session.first.cwd.to_string_lossy().into_owned();
        Self {
            id: &session.id,
            cwd,
            bytes: session.bytes,
            modified: modified.to_string(),
            prompt: session.prompt.as_deref(),
        }
    }
}

fn list(globals: &Globals, dir: &Path, all: bool, process: &mut Process) -> anyhow::Result<()> {
    let sessions = store(dir).list(globals.cwd.as_deref().filter(|_| !all));
    let rows: Vec<Row<'_>> = sessions.iter().map(Row::of).collect();
    if globals.json {
        process.print(&serde_json::to_string(&rows)?);
        return Ok(());
    }
    if rows.is_empty() {
        process.print("no sessions");
    }
    for row in rows {
        let prompt = cut_chars(row.prompt.unwrap_or_default(), SHOWN);
        process.print(&format!("{}  {}  {:>9}  {}", row.modified, row.id, row.bytes, safe_line(prompt)));
    }
    Ok(())
}

fn loaded(file: &Path, reach: Reach, process: &Process) -> anyhow::Result<Loaded> {
    let session = SessionFile::at(&process.cwd.join(file))?;
    Ok(session.store.read(&session.id, None, reach)?)
}

fn show(globals: &Globals, file: &Path, all: bool, process: &mut Process) -> anyhow::Result<()> {
    let loaded = loaded(file, if all { Reach::All } else { Reach::SinceBoundary }, process)?;
    if globals.json {
        for entry in &loaded.entries {
            process.print(&serde_json::to_string(&**entry)?);
        }
        return Ok(());
    }
    for entry in &loaded.entries {
        process.print(&line(entry));
    }
    Ok(())
}

fn line(entry: &Entry) -> String {
    let what = match &entry.kind {
        EntryKind::Attachment(envelope) => envelope.attachment.type_name().to_owned(),
        EntryKind::User(input) => account::words(&input.content),
        EntryKind::Assistant(reply) => account::words(&reply.content),
        EntryKind::ToolResult(result) => {
            format!("{} {}", result.block.tool_use_id, account::words(&result.block.content))
        }
        EntryKind::Invalidate(reason) => format!("{:?}", reason.event),
        _ => String::new(),
    };
    let what = cut_chars(&what, SHOWN);
    format!("{}  {:>4}  {:<11} {}", entry.timestamp, entry.turn, entry.kind.tag(), safe_line(what))
}

#[derive(Serialize)]
struct Check {
    entries: usize,
    since_boundary: usize,
    cwd: String,
    findings: agent_core::context_api::RawJson,
}

fn check(globals: &Globals, file: &Path, process: &mut Process) -> anyhow::Result<()> {
    let loaded = loaded(file, Reach::All, process)?;
    let since = Loaded::of(&loaded.entries, Reach::SinceBoundary).entries.len();
    if globals.json {
        let check = Check {
            entries: loaded.entries.len(),
            since_boundary: since,
            cwd: loaded.first.cwd.to_string_lossy().into_owned(),
            findings: raw(&loaded.decisions)?,
        };
        process.print(&serde_json::to_string(&check)?);
    } else {
        let count = loaded.entries.len();
        process.print(&format!(
            "{count} entries, {since} to go on with, begun in {}",
            display_path(&loaded.first.cwd)
        ));
        process.print(&account::decisions(&loaded.decisions, globals.colours(process)));
    }
    let lost =
        loaded.decisions.iter().filter(|one| one.verdict != agent_core::context_api::Verdict::Included);
    anyhow::ensure!(lost.count() == 0, "not everything could be read");
    Ok(())
}
