//! One turn: warm, with nothing new, and the first of a session.

use std::sync::Arc;

use agent_core::{Engine, Session, SessionOptions, Turn};
use context_api::{ContentBlock, EntryKind};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a directory");
    std::fs::write(place.path().join("CLAUDE.md"), "Use tabs.\n").expect("a file");
    std::fs::write(place.path().join("a.rs"), "fn a() {}\n").expect("a file");
    place
}

fn engine(place: &tempfile::TempDir) -> Engine {
    Engine::builder(place.path().canonicalize().expect("its path")).build().expect("an engine")
}

fn wait<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}

/// A session after some turns, with an answer recorded, so that a continuation adds nothing.
fn warm(engine: &Engine, turns: usize) -> Session {
    let mut session = engine.session(SessionOptions::default());
    for turn in 0..turns {
        wait(session.prepare(Turn::prompt(format!("question {turn}")))).expect("a request");
        session.record(EntryKind::assistant(vec![ContentBlock::text(format!("answer {turn}"))]));
    }
    session
}

fn turns(criterion: &mut Criterion) {
    let place = place();
    let engine = engine(&place);
    let runtime = Arc::new(tokio::runtime::Builder::new_current_thread().build().expect("a runtime"));
    let mut session = warm(&engine, 3);
    criterion.bench_function("turn/warm, nothing new", |bench| {
        bench.iter(|| runtime.block_on(session.prepare(Turn::continuation())).expect("a request"));
    });
    for before in [10, 1000] {
        let mut session = warm(&engine, before);
        criterion.bench_function(&format!("turn/warm, after {before} turns"), |bench| {
            bench.iter(|| runtime.block_on(session.prepare(Turn::continuation())).expect("a request"));
        });
    }
    criterion.bench_function("turn/first of a session", |bench| {
        bench.iter_batched(
            || engine.session(SessionOptions::default()),
            |mut session| runtime.block_on(session.prepare(Turn::prompt("see @a.rs"))).expect("a request"),
            BatchSize::SmallInput,
        );
    });
}

criterion_group!(benches, turns);
criterion_main!(benches);
