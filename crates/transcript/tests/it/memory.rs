//! The store in memory.

use std::sync::Arc;

use context_api::{Entry, TranscriptStore};
use proptest::prelude::*;
use transcript::MemoryStore;

use crate::support::{entry, wait};

fn ids(entries: &[Arc<Entry>]) -> Vec<u128> {
    entries.iter().map(|entry| entry.uuid.as_u128()).collect()
}

#[test]
fn entries_come_back_in_order_and_once_and_sessions_do_not_mix() {
    let store = MemoryStore::default();
    let (a, b, c) = (entry(1, None, "a"), entry(2, Some(1), "b"), entry(3, Some(2), "c"));
    wait(store.append("s", &[a.clone(), b.clone()])).unwrap();
    wait(store.append("s", &[b.clone(), c.clone(), a.clone()])).unwrap();
    wait(store.append("t", std::slice::from_ref(&c))).unwrap();
    assert_eq!(ids(&wait(store.load("s")).unwrap()), [1, 2, 3]);
    assert_eq!(ids(&wait(store.load("t")).unwrap()), [3]);
    assert!(wait(store.load("unknown")).unwrap().is_empty());
    assert_eq!(store.sessions(), ["s", "t"]);
}

#[test]
fn entries_are_shared_and_not_copied() {
    let store = MemoryStore::default();
    let kept = entry(1, None, "a");
    wait(store.append("s", std::slice::from_ref(&kept))).unwrap();
    assert!(Arc::ptr_eq(&wait(store.load("s")).unwrap()[0], &kept));
}

#[test]
fn many_threads_lose_nothing() {
    let store: Arc<dyn TranscriptStore> = Arc::new(MemoryStore::default());
    std::thread::scope(|scope| {
        for thread in 0..4u128 {
            let store = Arc::clone(&store);
            scope.spawn(move || {
                for id in 0..100 {
                    wait(store.append("s", &[entry(thread * 100 + id, None, "x")])).unwrap();
                }
            });
        }
    });
    let mut found = ids(&wait(store.load("s")).unwrap());
    for thread in 0..4u128 {
        let own: Vec<_> = found.iter().copied().filter(|id| id / 100 == thread).collect();
        assert!(own.is_sorted(), "what one hands in stays in its order");
    }
    found.sort_unstable();
    assert_eq!(found, (0..400).collect::<Vec<_>>());
}

proptest! {
    #[test]
    fn handing_in_again_changes_nothing(batches in prop::collection::vec(prop::collection::vec(0u128..20, 0..6), 0..8)) {
        let (once, twice) = (MemoryStore::default(), MemoryStore::default());
        let mut expected = Vec::new();
        for batch in &batches {
            let entries: Vec<_> = batch.iter().map(|id| entry(*id, None, "x")).collect();
            wait(once.append("s", &entries)).unwrap();
            wait(twice.append("s", &entries)).unwrap();
            wait(twice.append("s", &entries)).unwrap();
            for id in batch {
                if !expected.contains(id) {
                    expected.push(*id);
                }
            }
        }
        prop_assert_eq!(ids(&wait(once.load("s")).unwrap()), expected.clone());
        prop_assert_eq!(ids(&wait(twice.load("s")).unwrap()), expected);
    }
}
