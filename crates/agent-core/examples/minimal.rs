//! The least that an agent needs: an engine, a session, a turn, and the bytes for a provider.
//!
//! `cargo run -p agent-core --example minimal`

#![expect(clippy::print_stdout, reason = "a program that shows what it does")]

use agent_core::context_api::{ContentBlock, EntryKind};
use agent_core::dialects::Anthropic;
use agent_core::{Engine, SessionOptions, Turn};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(run())
}

async fn run() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builder(std::env::current_dir()?).model("claude-sonnet-4-5").build()?;
    let mut session = engine.session(SessionOptions::default());

    let turn = session.prepare(Turn::prompt("What does @Cargo.toml say?")).await?;
    let body = turn.encode(&Anthropic::default())?.body;
    println!("{} bytes for the provider, {} attachments", body.len(), turn.entries.len());

    // Here an agent sends `body`; what comes back is recorded, and the next turn goes on from there.
    session.record(EntryKind::assistant(vec![ContentBlock::text("It is a workspace member.")]));
    let next = session.prepare(Turn::prompt("Thanks.")).await?;
    let report = next.cache().ok_or("there is a request before")?;
    println!("the next request repeats {} bytes of it", report.common_bytes);
    assert!(report.extends());
    Ok(())
}
