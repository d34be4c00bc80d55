//! Prints what projecting costs, the fastest of some rounds each: a long history at once, and an early turn against a
//! late one.
//!
//! `cargo run --release -p projector --example bench_projector`
#![expect(clippy::print_stdout, reason = "an example that reports to a terminal")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use context_api::{
    ContentBlock, Draft, Entry, EntryKind, FileAttachment, FileContent, FileText, ProjectionConfig, RawJson,
    ToolResultBlock, ViewEdit,
};
use projector::{ProjectedHistory, StandardProjector, normalise};
use uuid::Uuid;

/// Lines of a tool's result and of a mentioned file.
const LINES: usize = 40;
const ROUNDS: usize = 15;

fn main() {
    let turns: Vec<_> = (1..=2_000).map(turn).collect();
    let all = turns.concat();
    let config = ProjectionConfig::default();
    let projector = StandardProjector::default();
    let whole = best(|| drop(black_box(normalise(&all, &projector, &config))));
    println!("normalise, {} entries: {:.2} ms", all.len(), ms(whole));

    let commit = best_commit(&turns);
    println!("commit alone, turn 10: {:.3} ms, turn 1,000: {:.3} ms", ms(commit[0]), ms(commit[1]));
    let early = best_turn(&turns, 10);
    let late = best_turn(&turns, 1_000);
    println!(
        "turn 10: {:.3} ms, turn 1,000: {:.3} ms, ratio {:.2}",
        ms(early),
        ms(late),
        ms(late) / ms(early)
    );

    let mut history = grown(&turns[..1_000]);
    let id = turns[0][1].uuid;
    let edit = ViewEdit::Drop { entries: vec![id], reason: "bench".into() };
    let edit = Arc::new(Entry::new(
        Uuid::from_u128(u128::MAX),
        Default::default(),
        1_001,
        EntryKind::ViewEdit(edit),
    ));
    let start = Instant::now();
    history.extend(&[edit]);
    println!("a view edit at turn 1,000 (all made anew): {:.2} ms", ms(start.elapsed()));
}

/// Fastest preview, commit and messages of one turn behind `count` others.
fn best_turn(turns: &[Vec<Arc<Entry>>], count: usize) -> Duration {
    let times = (0..ROUNDS).map(|_| {
        let mut history = grown(&turns[..count]);
        let start = Instant::now();
        black_box(history.preview(&turns[count]));
        history.extend(&turns[count]);
        black_box(history.messages());
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// Fastest commit alone, of turn 10 and of turn 1,000.
fn best_commit(turns: &[Vec<Arc<Entry>>]) -> [Duration; 2] {
    [10, 1_000].map(|count| {
        let times = (0..ROUNDS).map(|_| {
            let mut history = grown(&turns[..count]);
            let start = Instant::now();
            history.extend(&turns[count]);
            start.elapsed()
        });
        times.min().unwrap_or_default()
    })
}

fn grown(turns: &[Vec<Arc<Entry>>]) -> ProjectedHistory {
    let mut history =
        ProjectedHistory::new(Arc::new(StandardProjector::default()), ProjectionConfig::default());
    for turn in turns {
        history.extend(turn);
    }
    history
}

/// Five entries: what the user said, a mentioned file, a call, its result, an answer.
fn turn(number: u64) -> Vec<Arc<Entry>> {
    let text: String =
        (0..LINES).map(|line| format!("line {line} of turn {number}, as long as code is\n")).collect();
    let id = format!("toolu_{number:08}");
    let uuid = |place: u64| Uuid::from_u128(u128::from(number * 8 + place));
    let file = FileAttachment::default()
        .path("/p/src/main.rs")
        .content(FileContent::Text(FileText::default().text(text.as_str()).first_line(1u64)));
    let call = ContentBlock::tool_use(id.clone(), "Bash", RawJson::empty_object());
    let kinds = [
        EntryKind::user(format!("do the thing of turn {number}")),
        EntryKind::Attachment(Draft::new(file).commit(uuid(1), Default::default())),
        EntryKind::assistant(vec![ContentBlock::text("I look first."), call]),
        EntryKind::tool_result(ToolResultBlock {
            tool_use_id: id,
            content: vec![ContentBlock::text(text.as_str())],
            is_error: false,
        }),
        EntryKind::assistant(vec![ContentBlock::text("Done.")]),
    ];
    let entry = |(place, kind)| Arc::new(Entry::new(uuid(place as u64), Default::default(), number, kind));
    kinds.into_iter().enumerate().map(entry).collect()
}

fn best(mut run: impl FnMut()) -> Duration {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
