//! `ctx explain`.

use agent_core::{PreparedTurn, SessionOptions, Turn};
use anyhow::Context as _;

use super::Refused;
use crate::cli::{ExplainArgs, Globals};
use crate::process::Process;
use crate::setup::{engine, wait};
use crate::{account, json, setup};

/// Shows every decision of the last turn, what it does to the cache, or where the settings came from.
pub(crate) fn explain(globals: &Globals, args: &ExplainArgs, process: &mut Process) -> anyhow::Result<()> {
    if args.origins {
        return settings(globals, process);
    }
    if args.cache && args.prompts.len() < 2 {
        return Err(Refused("--cache compares two turns: give two prompts".into()).into());
    }
    let mut session = engine(globals, process)?.build()?.session(SessionOptions::default());
    let mut last: Option<PreparedTurn> = None;
    for prompt in &args.prompts {
        last = Some(wait(session.prepare(Turn::prompt(prompt.as_str())))??);
    }
    let last = last.context("there is no turn")?;
    if args.cache {
        let report = last.cache().context("there is no request before")?;
        let text = if globals.json { serde_json::to_string(&report)? } else { account::cache(&report) };
        process.print(&text);
    } else if globals.json {
        process.print(&serde_json::to_string(&last.decisions)?);
    } else {
        process.print(&account::decisions(&last.decisions, globals.colours(process)));
    }
    Ok(())
}

fn settings(globals: &Globals, process: &mut Process) -> anyhow::Result<()> {
    let settings = setup::settings(globals, process)?;
    let text = match globals.json {
        true => serde_json::to_string(&json::SettingsReport::of(&settings))?,
        false => {
            account::settings(&settings) + &account::decisions(&settings.decisions, globals.colours(process))
        }
    };
    process.print(&text);
    Ok(())
}
