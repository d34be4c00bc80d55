//! A memory loader of one's own: instructions from a table instead of files.
//!
//! `cargo run -p agent-core --no-default-features --example memory_loader`

#![expect(clippy::print_stdout, reason = "a program that shows what it does")]

use std::path::Path;

use agent_core::context_api::{MemoryError, MemoryFile, MemoryKind, MemoryLoad, MemoryLoader, MemoryScope};
use agent_core::{Engine, SessionOptions, Turn};

/// One text for everybody, and one for each kind of file.
struct Table;

impl MemoryLoader for Table {
    fn load(&self, _: &MemoryScope) -> Result<MemoryLoad, MemoryError> {
        Ok(MemoryLoad::default().files(vec![file("house-rules", "Answer in one sentence.")]))
    }

    fn load_for_path(&self, _: &MemoryScope, path: &Path) -> Result<MemoryLoad, MemoryError> {
        let sql = path.extension().is_some_and(|extension| extension == "sql");
        let files = if sql { vec![file("sql-rules", "Never write SELECT *.")] } else { Vec::new() };
        Ok(MemoryLoad::default().files(files))
    }

    fn render(&self, files: &[MemoryFile]) -> String {
        files.iter().map(|file| format!("{}\n", file.text)).collect()
    }
}

fn file(name: &str, text: &str) -> MemoryFile {
    MemoryFile::default().path(name).canonical(name).kind(MemoryKind::Managed).text(text).hash(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let engine = Engine::builder(std::env::current_dir()?).memory(Table).build()?;
    let mut session = engine.session(SessionOptions::default());
    session.touched("schema.sql", agent_core::context_api::TouchKind::Read);
    let turn = runtime.block_on(session.prepare(Turn::prompt("Hello")))?;
    println!("memory: {}", session.memory_text().trim());
    let nested =
        turn.entries.iter().filter_map(|entry| entry.attachment()).map(|one| one.attachment.type_name());
    let nested: Vec<_> = nested.collect();
    println!("for the touched path: {nested:?}");
    assert_eq!(nested, ["nested_memory"]);
    Ok(())
}
