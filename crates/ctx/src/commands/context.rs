//! `ctx context`.

use agent_core::context_api::{EntryKind, MemoryFile};
use agent_core::context_budget::ContextUsage;
use agent_core::{Engine, Error, Session, SessionOptions, Turn};
use anyhow::Context as _;

use crate::cli::{ContextArgs, Globals};
use crate::process::Process;
use crate::session_file::SessionFile;
use crate::setup::{engine, wait};
use crate::usage::{Look, grid, page};

/// Shows where the tokens of a fresh turn or of a session are: a grid, its JSON, or a page.
pub(crate) fn context(globals: &Globals, args: &ContextArgs, process: &mut Process) -> anyhow::Result<()> {
    let usage = usage(globals, args, process)?;
    if let Some(file) = &args.html {
        let file = process.cwd.join(file);
        std::fs::write(&file, page(&usage)?).with_context(|| format!("can not write {}", file.display()))?;
        process.say(&format!("Wrote {}", file.display()));
    }
    if globals.json {
        process.print(&serde_json::to_string(&usage)?);
    } else if args.html.is_none() {
        let width = process.variables.get("COLUMNS").and_then(|columns| columns.parse().ok()).unwrap_or(80);
        process.print(&grid(&usage, Look { width, colours: globals.colours(process) }));
    }
    Ok(())
}

/// The usage of the next request, of one that is too large too.
fn usage(globals: &Globals, args: &ContextArgs, process: &mut Process) -> anyhow::Result<ContextUsage> {
    let (engine, mut session) = session(globals, args, process)?;
    let mut turn = turn(args);
    if let Some(file) = &args.host {
        turn = turn.host(super::build::host(&process.cwd.join(file))?);
    }
    match wait(session.prepare(turn))? {
        Ok(prepared) if args.session.is_some() => {
            Ok(prepared.usage_with(&memory(&engine, &session, process)))
        }
        Ok(prepared) => Ok(prepared.usage()),
        Err(error) => {
            let said = error.to_string();
            let Error::ContextTooLarge { usage, .. } = error else { return Err(error.into()) };
            process.say(&format!("ctx: {said}"));
            Ok(*usage)
        }
    }
}

/// A session is looked at as it goes on; only words of a person make a turn of theirs.
fn turn(args: &ContextArgs) -> Turn {
    match (&args.prompt, &args.session) {
        (None, Some(_)) => Turn::continuation(),
        (prompt, _) => Turn::prompt(prompt.as_deref().unwrap_or_default()),
    }
}

/// The memory files that a resumed session shows, as far as they are still there.
fn memory(engine: &Engine, session: &Session, process: &mut Process) -> Vec<MemoryFile> {
    let newest = session.history().iter().rev().find_map(|entry| match &entry.kind {
        EntryKind::Context(record) => Some(&record.basis.scope),
        _ => None,
    });
    match newest.zip(engine.memory()).map(|(scope, loader)| loader.load(scope)) {
        Some(Ok(load)) => load.files,
        Some(Err(error)) => {
            process.say(&format!("ctx: the memory files are not told apart: {error}"));
            Vec::new()
        }
        None => Vec::new(),
    }
}

fn session(globals: &Globals, args: &ContextArgs, process: &Process) -> anyhow::Result<(Engine, Session)> {
    let mut builder = engine(globals, process)?;
    if let Some(model) = &args.model {
        builder = builder.model(model.clone());
    }
    if let Some(window) = args.window {
        builder = builder.options(|options| options.window = window);
    }
    let Some(file) = &args.session else {
        let engine = builder.build()?;
        let session = engine.session(SessionOptions::default());
        return Ok((engine, session));
    };
    let file = SessionFile::at(&process.cwd.join(file))?;
    anyhow::ensure!(file.path.is_file(), "there is no transcript {}", file.path.display());
    let engine = file.put_into(builder, true).build()?;
    let session = wait(file.open(&engine))??;
    Ok((engine, session))
}
