//! `ctx memory`.

use std::sync::Arc;

use agent_core::context_api::{MemoryFile, MemoryScope, NestedMemory, ToolNames};
use agent_core::projector::{StandardWording, Wording as _};
use anyhow::Context as _;
use context_text::neutralise;

use crate::account;
use crate::cli::{Globals, MemoryArgs};
use crate::json;
use crate::process::Process;
use crate::setup::{engine_with, settings};

/// Shows the memory files that hold here, or for a path, and everything that was left out.
pub(crate) fn memory(globals: &Globals, args: &MemoryArgs, process: &mut Process) -> anyhow::Result<()> {
    // Somebody asks why a file does not count: what lies below and waits for a touched path is told too.
    let settings = settings(globals, process)?;
    let problems = settings.decisions.clone();
    let engine =
        engine_with(globals, process, settings)?.memory_options(|options| options.survey = true).build()?;
    let loader = engine.memory().context("this build has no memory loader")?;
    let options = engine.options();
    let scope = MemoryScope::default()
        .cwd(options.cwd.clone())
        .additional_directories(options.additional_directories.clone());
    let mut load = loader.load(&scope)?;
    // Settings that can not be read may be those that say which files count.
    load.decisions.extend(problems);
    let nested = match &args.path {
        Some(path) => Some(loader.load_for_path(&scope, &options.cwd.join(path))?),
        None => None,
    };
    if globals.json {
        process.print(&serde_json::to_string(&json::Memory::of(&load, nested.as_ref()))?);
    } else if args.rendered {
        let mut text = loader.render(&load.files);
        nested.iter().flat_map(|nested| &nested.files).for_each(|file| push_nested(&mut text, file));
        process.print(&text);
    } else {
        process.print(&account::memory(&load, nested.as_ref(), globals.colours(process)));
    }
    Ok(())
}

/// What a touched path brings comes by itself in a session, in words of its own.
fn push_nested(text: &mut String, file: &MemoryFile) {
    let nested = NestedMemory::default().path(file.path.clone()).kind(file.kind).text(Arc::clone(&file.text));
    let shown = StandardWording.nested_memory(&nested, &ToolNames::default());
    if !shown.is_empty() {
        text.push_str(if text.is_empty() { "" } else { "\n\n" });
        text.push_str(&neutralise(&shown));
    }
}
