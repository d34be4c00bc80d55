//! How much a session costs that waits, and what many at once cost each other.
//!
//! `cargo run --release -p agent-core --example many_sessions`

#![expect(clippy::print_stdout, reason = "a program that prints what it measured")]

use std::error::Error;
use std::time::{Duration, Instant};

use agent_core::context_api::{ContentBlock, EntryKind, Verdict};
use agent_core::{Engine, Session, SessionOptions, Turn};

const IDLE: usize = 1_000;
const AT_ONCE: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let place = tempfile::tempdir()?;
    std::fs::write(place.path().join("CLAUDE.md"), "Some instructions of the project.\n".repeat(100))?;
    std::fs::write(place.path().join("a.rs"), "fn a() {}\n".repeat(50))?;
    let engine = Engine::builder(place.path()).transcripts(place.path().join("sessions")).build()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build()?;
    runtime.block_on(idle(&engine))?;
    runtime.block_on(at_once(&engine))
}

async fn one(engine: &Engine, prompt: &str) -> Result<(Session, usize), Box<dyn Error>> {
    let mut session = engine.session(SessionOptions::default());
    let turn = session.prepare(Turn::prompt(prompt)).await?;
    let late = turn.decisions.iter().filter(|one| one.verdict == Verdict::TimedOut).count();
    session.record(EntryKind::assistant(vec![ContentBlock::text("Done.")]));
    Ok((session, late))
}

async fn idle(engine: &Engine) -> Result<(), Box<dyn Error>> {
    let mut sessions = Vec::new();
    for _ in 0..20 {
        sessions.push(one(engine, "see @a.rs").await?.0);
    }
    let before = memory();
    for _ in 0..IDLE {
        sessions.push(one(engine, "see @a.rs").await?.0);
    }
    let after = memory();
    let history = serde_json::to_vec(&**sessions[0].history())?.len();
    println!(
        "{IDLE} sessions of one turn: {} KiB each; the history of each is {} KiB as JSON",
        (after - before) / IDLE as u64,
        history / 1024
    );
    Ok(())
}

async fn at_once(engine: &Engine) -> Result<(), Box<dyn Error>> {
    let begin = Instant::now();
    one(engine, "see @a.rs").await?;
    let alone = begin.elapsed();
    let begin = Instant::now();
    let all: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let engine = engine.clone();
            tokio::spawn(async move {
                let begin = Instant::now();
                let late = one(&engine, "see @a.rs").await.map_or(1, |(_, late)| late);
                (begin.elapsed(), late)
            })
        })
        .collect();
    let (mut longest, mut late) = (Duration::ZERO, 0);
    for one in all {
        let (took, missed) = one.await?;
        (longest, late) = (longest.max(took), late + missed);
    }
    println!(
        "{AT_ONCE} sessions at once: {:?} in all, {longest:?} the longest, {alone:?} one alone, {late} missed a deadline",
        begin.elapsed()
    );
    Ok(())
}

/// Resident memory of this process, KiB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|figure| figure.parse().ok()).unwrap_or(0)
}
