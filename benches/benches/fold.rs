//! State derived from a history: the ledger, and what the model has seen of files.

use std::hint::black_box;

use context_api::{
    DateChange, DeliveryKey, Draft, Entry, EntryKind, FileState, FileStates, Fingerprint, Ledger, StateChange,
};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use file_state_cache::FileStateCache;
use uuid::Uuid;

const TURNS: u64 = 1_000;

/// Each turn a word of the user, an attachment with a key, and an answer.
fn history() -> Vec<Entry> {
    let now = jiff::Timestamp::UNIX_EPOCH;
    let entry = |turn: u64, place: u128, kind| {
        Entry::new(Uuid::from_u128(u128::from(turn) * 4 + place), now, turn, kind)
    };
    let of_turn = |turn: u64| {
        let draft =
            Draft::new(DateChange::default()).key(DeliveryKey::new("bench", turn.to_string(), "hash"));
        let envelope = draft.commit(Uuid::from_u128(u128::from(turn) * 4 + 1), now);
        [
            entry(turn, 0, EntryKind::user("go on")),
            entry(turn, 1, EntryKind::Attachment(envelope)),
            entry(turn, 2, EntryKind::assistant(Vec::new())),
        ]
    };
    (1..=TURNS).flat_map(of_turn).collect()
}

fn fold(c: &mut Criterion) {
    let history = history();
    c.bench_function("ledger of 3,000 entries", |b| b.iter(|| Ledger::of(black_box(&history))));
    let whole = Ledger::of(&history);
    let next = &history[1];
    let one = |mut ledger: Ledger| {
        ledger.apply(next);
        ledger
    };
    c.bench_function("ledger, one entry more", |b| {
        b.iter_batched(|| whole.clone(), one, BatchSize::SmallInput)
    });
}

fn states(c: &mut Criterion) {
    let change = |number: usize| {
        let fingerprint = Fingerprint { mtime_ns: 1, len: 1, inode: number as u64 + 1 };
        StateChange::Put(FileState::default().path(format!("/p/{number}.rs")).fingerprint(fingerprint))
    };
    let changes: Vec<StateChange> = (0..1_000).map(change).collect();
    c.bench_function("file states, 1,000 reads", |b| {
        b.iter(|| {
            let cache = FileStateCache::default();
            changes.iter().map(|change| cache.apply(change).len()).sum::<usize>()
        })
    });
}

criterion_group!(benches, fold, states);
criterion_main!(benches);
