//! `ctx context`.

use agent_core::{SessionOptions, Turn};
use anyhow::Context as _;

use crate::cli::{ContextArgs, Globals};
use crate::process::Process;
use crate::setup::{engine, wait};
use crate::usage::{Look, grid, page};

/// Shows where the tokens of a fresh turn are: a grid, its JSON, or a page.
pub(crate) fn context(globals: &Globals, args: &ContextArgs, process: &mut Process) -> anyhow::Result<()> {
    let mut builder = engine(globals, process)?;
    if let Some(model) = &args.model {
        builder = builder.model(model.clone());
    }
    if let Some(window) = args.window {
        builder = builder.options(|options| options.window = window);
    }
    let mut turn = Turn::prompt(args.prompt.as_deref().unwrap_or_default());
    if let Some(file) = &args.host {
        turn = turn.host(super::build::host(&process.cwd.join(file))?);
    }
    let mut session = builder.build()?.session(SessionOptions::default());
    let usage = wait(session.prepare(turn))??.usage();
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
