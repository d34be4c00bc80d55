//! `ctx replay`: scenarios.
//!
//! A scenario takes place in a throw-away workspace. What the engine sees of it has the same paths everywhere
//! (`/workspace/proj` and so on), so that the same file gives the same bytes on every machine.

mod body;
mod config;
mod expect;
mod faults;
pub(crate) mod memories;
pub(crate) mod resources;
mod runner;
mod seen;
mod seen_store;
pub(crate) mod step;
pub(crate) mod summaries;
mod text;
mod workspace;

#[cfg(all(test, feature = "schema"))]
pub(crate) use {runner::without_nulls, text::repeated};

use std::io::Read as _;

use anyhow::Context as _;

use crate::cli::{Globals, ReplayArgs};
use crate::process::Process;
use runner::Runner;
use workspace::Workspace;

/// Runs a scenario; prints what each step produced. The first step that fails ends the run.
pub(crate) fn replay(_globals: &Globals, args: &ReplayArgs, process: &mut Process) -> anyhow::Result<()> {
    let text = read(args, process)?;
    let workspace = Workspace::new(args.workspace.as_ref().map(|dir| process.cwd.join(dir)))?;
    let mut runner = Runner::new(workspace, args.allow_run)?;
    let lines: Vec<(usize, &str)> = text
        .lines()
        .map(str::trim)
        .enumerate()
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .collect();
    for (place, (number, line)) in lines.iter().enumerate() {
        let behind = lines[place + 1..].iter().map(|(_, line)| *line);
        runner.comes_late(step::settles_late(behind));
        let produced = runner.step(line).with_context(|| format!("line {}", number + 1))?;
        produced.iter().for_each(|json| process.print(json));
    }
    Ok(())
}

fn read(args: &ReplayArgs, process: &Process) -> anyhow::Result<String> {
    if args.file.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("can not read the standard input")?;
        return Ok(text);
    }
    let path = process.cwd.join(&args.file);
    std::fs::read_to_string(&path).with_context(|| format!("can not read {}", path.display()))
}
