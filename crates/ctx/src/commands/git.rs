//! `ctx git`.

use std::time::Instant;

use agent_core::context_api::GitRun;
use anyhow::Context as _;

use crate::account;
use crate::cli::{GitArgs, Globals};
use crate::json;
use crate::process::Process;
use crate::setup::engine;

/// Shows the snapshot of the repository around the working directory.
pub(crate) fn git(globals: &Globals, args: &GitArgs, process: &mut Process) -> anyhow::Result<()> {
    let engine = engine(globals, process)?.build()?;
    let source = engine.git().context("this build has no git")?;
    let options = &engine.options().git;
    let started = Instant::now();
    let run = GitRun::new().with_deadline(started + options.budget);
    let snapshot = source.snapshot(&engine.options().cwd, options, &run)?;
    let took = started.elapsed();
    let mut decisions = run.take_decisions();
    let (text, cut) = snapshot.as_ref().map(|snapshot| source.render(snapshot)).unwrap_or_default();
    decisions.extend(cut);
    if globals.json {
        let micros = args.timing.then_some(took.as_micros());
        let row = json::Git { snapshot: snapshot.as_ref(), text, decisions, micros };
        process.print(&serde_json::to_string(&row)?);
        return Ok(());
    }
    process.print(if snapshot.is_some() { text.as_str() } else { "No repository here." });
    if !decisions.is_empty() {
        process.print("");
        process.print(&account::decisions(&decisions, globals.colours(process)));
    }
    if args.timing {
        process.print(&format!("\nTaken in {:.2} ms.", took.as_secs_f64() * 1000.0));
    }
    Ok(())
}
