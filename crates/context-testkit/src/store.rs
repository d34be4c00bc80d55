//! What every store of transcripts promises, as a test that any of them can run.
#![expect(clippy::unwrap_used, reason = "a test that can not go on has failed")]

use std::sync::Arc;

use context_api::{
    Attachment, Batch, Boundary, ContextRecord, DeliveryKey, Draft, Entry, EntryKind, Fork, Ledger,
    LineFacts, Reach, StoreErrorKind, TranscriptStore, ViewEdit,
};
use uuid::Uuid;

use crate::wait;

/// Runs the contract of [`TranscriptStore`] against the store that `open` gives: each call of `open` gives a store of the
/// same place, so that what lasts beyond one of them is seen by the next. Sessions named `contract-…` must not be there.
///
/// ```
/// # use std::sync::Arc;
/// # use context_api::TranscriptStore;
/// # fn check(store: Arc<dyn TranscriptStore>) {
/// context_testkit::store_contract(|| Arc::clone(&store));
/// # }
/// ```
///
/// # Panics
/// A promise is broken.
pub fn store_contract(open: impl Fn() -> Arc<dyn TranscriptStore>) {
    entries_come_back_in_order_and_once(&open);
    what_is_not_there_is_an_error(&*open());
    only_names_are_names(&*open());
    a_boundary_bounds_what_is_loaded(&*open());
    a_fork_goes_on_by_itself(&open);
    many_at_once_lose_nothing(&open);
}

/// An entry with a number as its identity.
fn entry(id: u128, parent: Option<u128>, kind: EntryKind) -> Arc<Entry> {
    let time = "2026-04-25T12:00:00Z".parse().unwrap();
    Arc::new(Entry::new(Uuid::from_u128(id), time, 1, kind).after(parent.map(Uuid::from_u128)))
}

/// Words of a user behind the entry before.
fn said(id: u128, text: &str) -> Arc<Entry> {
    entry(id, (id % 100 > 1).then(|| id - 1), EntryKind::user(text))
}

fn batch(session: &str, entries: &[Arc<Entry>]) -> Batch {
    let facts = LineFacts::default().cwd("/project").version("1");
    Batch::new(session, facts, entries.to_vec()).before_request()
}

fn fork(from: &str, to: &str, id: u128) -> Fork {
    Fork::new(from, to, Uuid::from_u128(id), "2026-04-25T12:00:00Z".parse().unwrap())
}

fn load(store: &dyn TranscriptStore, session: &str) -> Vec<Arc<Entry>> {
    wait(store.load(session, Reach::All)).unwrap().entries
}

fn entries_come_back_in_order_and_once(open: &dyn Fn() -> Arc<dyn TranscriptStore>) {
    let all: Vec<_> = (1..=4).map(|id| said(id, "a\nb \u{1f525} \"\\ \u{0}\u{2028}")).collect();
    let store = open();
    wait(store.append(batch("contract-order", &all[..2]))).unwrap();
    wait(store.append(batch("contract-order", &all[1..3]))).unwrap();
    wait(store.append(batch("contract-order", &[]))).unwrap();
    wait(store.append(batch("contract-other", &all[..1]))).unwrap();
    assert_eq!(load(&*store, "contract-order"), all[..3], "in order, and each once");
    assert_eq!(load(&*store, "contract-other"), all[..1], "sessions do not mix");
    store.release("contract-order");
    drop(store);
    let store = open();
    wait(store.append(batch("contract-order", &all))).unwrap();
    let loaded = wait(store.load("contract-order", Reach::All)).unwrap();
    assert_eq!(loaded.entries, all, "what was there is known to the next one");
    assert_eq!(loaded.first.cwd, std::path::Path::new("/project"));
    assert_eq!((&loaded.last, loaded.left_out), (&loaded.first, 0));
    assert_eq!(loaded.decisions, []);
}

fn what_is_not_there_is_an_error(store: &dyn TranscriptStore) {
    let error = wait(store.load("contract-unknown", Reach::All)).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::NotFound);
    let fork = fork("contract-unknown", "contract-fork-of-unknown", 40);
    assert_eq!(wait(store.fork(fork)).unwrap_err().kind, StoreErrorKind::NotFound);
}

fn only_names_are_names(store: &dyn TranscriptStore) {
    for name in ["", "..", "../up", "a/b", "a\\b", "/etc/x", ".hidden", "a\0b", "line\nend"] {
        let error = wait(store.append(batch(name, &[said(1, "x")]))).unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::BadName, "{name:?}");
    }
}

fn a_boundary_bounds_what_is_loaded(store: &dyn TranscriptStore) {
    let note = |id: u128, key: &str| {
        let draft = Draft::new(Attachment::from(context_api::DateChange::default()));
        let draft = draft.key(DeliveryKey::new("kind", key, "hash")).delivers(format!("event-{key}"));
        let time = "2026-04-25T12:00:00Z".parse().unwrap();
        entry(id, Some(id - 1), EntryKind::Attachment(draft.commit(Uuid::from_u128(id), time)))
    };
    let edit = ViewEdit::Interrupted { tool_use_id: "t".into() };
    let boundary = Boundary::default().kept(vec![Uuid::from_u128(5)]).summary("all of it");
    let all = vec![
        entry(1, None, EntryKind::Context(ContextRecord::default())),
        entry(2, Some(1), EntryKind::Context(ContextRecord::default())),
        note(3, "before"),
        entry(4, Some(3), EntryKind::ViewEdit(edit)),
        entry(5, Some(4), EntryKind::user("kept")),
        entry(6, Some(5), EntryKind::user("not kept")),
        entry(7, Some(6), EntryKind::Boundary(boundary)),
        note(8, "after"),
    ];
    wait(store.append(batch("contract-boundary", &all))).unwrap();
    let loaded = wait(store.load("contract-boundary", Reach::SinceBoundary)).unwrap();
    let ids: Vec<u128> = loaded.entries.iter().map(|entry| entry.uuid.as_u128()).collect();
    assert_eq!(ids, [2, 4, 5, 7, 8], "the newest context, view edits, what is kept, and all that follows");
    assert_eq!(
        loaded.ledger,
        Ledger::of(all.iter().map(|entry| &**entry)),
        "the ledger is that of all entries"
    );
    assert_eq!(loaded.left_out, 3);
    assert_eq!(load(store, "contract-boundary"), all);
}

fn a_fork_goes_on_by_itself(open: &dyn Fn() -> Arc<dyn TranscriptStore>) {
    let store = open();
    let all: Vec<_> = (1..=3).map(|id| said(id, "x")).collect();
    wait(store.append(batch("contract-parent", &all))).unwrap();
    for (to, copy) in [("contract-fork", false), ("contract-copy", true)] {
        let fork = fork("contract-parent", to, 50).at(Some(Uuid::from_u128(2))).copy(copy);
        wait(store.fork(fork.clone())).unwrap();
        assert_eq!(load(&*store, to), all[..2], "history up to the entry");
        let own = entry(60, Some(2), EntryKind::user("own"));
        wait(store.append(batch(to, std::slice::from_ref(&own)))).unwrap();
        assert_eq!(load(&*store, to), [&all[..2], &[own]].concat());
        assert!(wait(store.fork(fork)).is_err(), "there is one with this id");
    }
    wait(store.fork(fork("contract-fork", "contract-fork-of-fork", 70))).unwrap();
    assert_eq!(load(&*store, "contract-fork-of-fork").len(), 3, "a fork of a fork has both histories");
    let nowhere = fork("contract-parent", "contract-nowhere", 80).at(Some(Uuid::from_u128(99)));
    assert_eq!(wait(store.fork(nowhere)).unwrap_err().kind, StoreErrorKind::NotFound);
    assert_eq!(load(&*store, "contract-parent"), all, "the other session stays as it is");
}

fn many_at_once_lose_nothing(open: &dyn Fn() -> Arc<dyn TranscriptStore>) {
    let store = open();
    std::thread::scope(|scope| {
        for thread in 0..4_u128 {
            let store = Arc::clone(&store);
            scope.spawn(move || {
                for id in 0..25 {
                    let session = format!("contract-many-{thread}");
                    wait(store.append(batch(&session, &[said(thread * 100 + id + 1, "x")]))).unwrap();
                }
            });
        }
    });
    for thread in 0..4_u128 {
        let found = load(&*store, &format!("contract-many-{thread}"));
        let ids: Vec<u128> = found.iter().map(|entry| entry.uuid.as_u128() - thread * 100).collect();
        assert_eq!(ids, (1..=25).collect::<Vec<_>>());
    }
}
