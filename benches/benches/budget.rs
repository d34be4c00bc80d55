//! What keeps a history within the window: counters, the pipeline, the breakdown.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;

use agent_core::{Engine, PreparedTurn, Session, SessionOptions, Turn};
use context_api::{
    ContentBlock, Entry, EntryKind, FileState, HistoryView, RawJson, StageBudget, StateChange, TokenCounter,
    ToolNames, ToolResult, ToolResultBlock,
};
use context_benches::corpus;
use context_budget::{EstimateCounter, Pipeline, StageLimits};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use uuid::Uuid;

/// Entries of the history that the pipeline plans over.
const ENTRIES: usize = 10_000;
/// Tokens of the session that is broken down.
const TOKENS: u64 = 1_000_000;

/// About a megabyte of the corpus, of one kind or of all.
fn megabyte(kind: Option<&str>) -> String {
    let samples = corpus().expect("the corpus");
    let texts = samples.iter().filter(|one| kind.is_none_or(|kind| one.kind == kind));
    let text: String = texts.map(|one| one.text.as_str()).collect();
    text.repeat((1 << 20) / text.len() + 1)
}

fn counters(c: &mut Criterion) {
    let counters: Vec<(&str, Box<dyn TokenCounter>)> = vec![
        ("estimate", Box::new(EstimateCounter::default())),
        #[cfg(feature = "o200k")]
        ("o200k", Box::new(context_budget::O200kCounter::new())),
    ];
    let mut group = c.benchmark_group("count");
    for kind in [
        None,
        Some("english"),
        Some("code"),
        Some("json"),
        Some("cjk"),
        Some("base64"),
        Some("languages"),
        Some("minified"),
    ] {
        let text = megabyte(kind);
        group.throughput(Throughput::Bytes(text.len() as u64));
        for (name, counter) in &counters {
            let name = format!("{name}, {}", kind.unwrap_or("all"));
            group.bench_function(name, |b| b.iter(|| counter.text(black_box(&text))));
        }
    }
    group.finish();
}

/// Calls and their results, a word of the user after every ninth; some results are large, some show a file again.
fn history() -> (Vec<Arc<Entry>>, HashMap<Uuid, u64>) {
    let (mut entries, mut tokens) = (Vec::with_capacity(ENTRIES), HashMap::new());
    let mut push = |kind, cost| {
        let uuid = Uuid::from_u128(entries.len() as u128 + 1);
        let at = jiff::Timestamp::from_second(entries.len() as i64).expect("a time");
        tokens.insert(uuid, cost);
        entries.push(Arc::new(Entry::new(uuid, at, 1, kind)));
        entries.len()
    };
    let tools = ["Read", "Bash", "Grep", "LS", "Oracle"];
    for round in 0.. {
        if round % 9 == 0 && push(EntryKind::user("please go on"), 3) >= ENTRIES {
            break;
        }
        let (id, tool) = (format!("t{round}"), tools[round % tools.len()]);
        let call = ContentBlock::tool_use(id.clone(), tool, RawJson::empty_object());
        push(EntryKind::assistant(vec![call]), 20);
        let size = if round % 50 == 0 { 60_000 } else { 200 + round * 37 % 3_000 };
        let content = vec![ContentBlock::text("word ".repeat(size / 5))];
        let mut result = ToolResult::new(ToolResultBlock { tool_use_id: id, content, is_error: false });
        if tool == "Read" {
            let state =
                FileState::default().path(format!("/p/{}.rs", round % 40)).hash((round % 80).to_string());
            result = result.states(vec![StateChange::Put(state)]);
        }
        if push(EntryKind::ToolResult(result), size as u64 / 5) >= ENTRIES {
            break;
        }
    }
    (entries, tokens)
}

fn pipeline(c: &mut Criterion) {
    let (entries, tokens) = history();
    let (counter, names) = (EstimateCounter::default(), ToolNames::default());
    let limits = StageLimits::default();
    let pipeline = Pipeline::standard(&limits);
    let view = Arc::new(HistoryView::of(&entries, &tokens));
    let now = jiff::Timestamp::from_second(entries.len() as i64).expect("a time");
    let budget = StageBudget::new(180_000, view.tokens(), now, &counter, &names);
    c.bench_function("history of 10,000 entries as it is seen", |b| {
        b.iter(|| HistoryView::of(black_box(&entries), &tokens).entries.len());
    });
    c.bench_function("pipeline over 10,000 entries, much to do", |b| {
        b.iter_batched(
            || Arc::clone(&view),
            |mut view| pipeline.plan(&mut view, &budget).edits.len(),
            BatchSize::LargeInput,
        );
    });
    let mut seen = Arc::clone(&view);
    assert!(!pipeline.plan(&mut seen, &budget).edits.is_empty(), "there is something to do");
    let budget = StageBudget::new(180_000, seen.tokens(), now, &counter, &names);
    c.bench_function("pipeline over 10,000 entries, nothing to do", |b| {
        b.iter_batched(
            || Arc::clone(&seen),
            |mut view| pipeline.plan(&mut view, &budget).edits.len(),
            BatchSize::LargeInput,
        );
    });
}

/// A session of a million tokens: prompts, answers, calls and results, of texts of all kinds.
fn large_session() -> (tempfile::TempDir, Session, PreparedTurn) {
    let place = tempfile::tempdir().expect("a directory");
    std::fs::write(place.path().join("CLAUDE.md"), "Use tabs.\n".repeat(200)).expect("a file");
    let engine = Engine::builder(place.path().canonicalize().expect("its path"));
    let engine = engine.options(|options| options.window = 1_200_000).stages(Vec::new());
    let mut session = engine.build().expect("an engine").session(SessionOptions::default());
    let (counter, samples) = (EstimateCounter::default(), corpus().expect("the corpus"));
    let mut tokens = 0;
    for (round, sample) in samples.iter().cycle().enumerate() {
        if tokens >= TOKENS {
            break;
        }
        tokens += counter.text(&sample.text);
        let id = format!("t{round}");
        session.record(EntryKind::user("What is in the next one?"));
        let call = ContentBlock::tool_use(id.clone(), "Read", RawJson::empty_object());
        session.record(EntryKind::assistant(vec![ContentBlock::text("I look at it."), call]));
        let content = vec![ContentBlock::text(sample.text.as_str())];
        let result = ToolResultBlock { tool_use_id: id, content, is_error: false };
        session.record(EntryKind::tool_result(result));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let turn = runtime.block_on(session.prepare(Turn::prompt("And now?"))).expect("a request");
    (place, session, turn)
}

fn breakdown(c: &mut Criterion) {
    let (_place, _session, turn) = large_session();
    let total = turn.usage().total;
    assert!(total >= TOKENS, "{total} tokens");
    c.bench_function("breakdown of a session of 1,000,000 tokens", |b| b.iter(|| turn.usage().total));
}

criterion_group!(benches, counters, pipeline, breakdown);
criterion_main!(benches);
