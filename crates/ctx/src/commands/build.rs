//! `ctx build`.

use std::path::Path;

use agent_core::context_api::{Dialect, HostSnapshot};
use agent_core::{PreparedTurn, SessionOptions, Turn};
use anyhow::Context as _;

use crate::account;
use crate::cli::{BuildArgs, Format, Globals};
use crate::form::Form;
use crate::json;
use crate::process::Process;
use crate::session_file::SessionFile;
use crate::setup::{engine, wait};

/// Assembles the request for one turn and prints an account, its JSON, or the exact body.
pub(crate) fn build(globals: &Globals, args: &BuildArgs, process: &mut Process) -> anyhow::Result<()> {
    let format = args.format.unwrap_or(Format::Anthropic);
    let mut builder = engine(globals, process)?.dialect(Form::of(format));
    if let Some(model) = &args.model {
        builder = builder.model(model.clone());
    }
    let session = args.session.as_ref().map(|file| SessionFile::at(&process.cwd.join(file))).transpose()?;
    if let Some(session) = &session {
        builder = session.put_into(builder, args.dry_run);
    }
    let engine = builder.build()?;
    let mut turn = Turn::prompt(args.prompt.as_str());
    if let Some(file) = &args.host {
        turn = turn.host(host(&process.cwd.join(file))?);
    }
    let mut session = match &session {
        Some(session) => wait(session.open(&engine))??,
        None => engine.session(SessionOptions::default()),
    };
    let prepared = wait(session.prepare(turn))??;
    print(globals, args, &Form::of(format), &prepared, process)
}

fn print(
    globals: &Globals,
    args: &BuildArgs,
    dialect: &dyn Dialect,
    prepared: &PreparedTurn,
    process: &mut Process,
) -> anyhow::Result<()> {
    if globals.json {
        process.print(&serde_json::to_string(&json::Turn::of(prepared, dialect)?)?);
    } else if args.format.is_some() {
        process.print_bytes(&prepared.encode(dialect)?.body);
        process.print_bytes(b"\n");
    } else {
        process.print(&account::turn(prepared, globals.colours(process)));
    }
    Ok(())
}

/// What the host knows, from a file.
pub(super) fn host(file: &Path) -> anyhow::Result<HostSnapshot> {
    let json = std::fs::read_to_string(file).with_context(|| format!("can not read {}", file.display()))?;
    crate::host::read(&json).with_context(|| format!("{} is no HostSnapshot", file.display()))
}
