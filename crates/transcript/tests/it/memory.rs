//! The store in memory.

use std::sync::Arc;

use context_api::{Reach, TranscriptStore};
use proptest::prelude::*;
use transcript::MemoryStore;

use crate::support::{batch, entry, ids, wait};

#[test]
fn it_keeps_the_contract() {
    let store: Arc<dyn TranscriptStore> = Arc::new(MemoryStore::default());
    context_testkit::store_contract(|| Arc::clone(&store));
}

#[test]
fn entries_are_shared_and_not_copied() {
    let store = MemoryStore::default();
    let kept = entry(1, None, "a");
    wait(store.append(batch("s", std::slice::from_ref(&kept)))).unwrap();
    assert!(Arc::ptr_eq(&wait(store.load("s", Reach::All)).unwrap().entries[0], &kept));
    assert_eq!(store.sessions(), ["s"]);
}

proptest! {
    #[test]
    fn handing_in_again_changes_nothing(batches in prop::collection::vec(prop::collection::vec(0u128..20, 0..6), 0..8)) {
        let (once, twice) = (MemoryStore::default(), MemoryStore::default());
        let mut expected = Vec::new();
        for one in &batches {
            let entries: Vec<_> = one.iter().map(|id| entry(*id, None, "x")).collect();
            wait(once.append(batch("s", &entries))).unwrap();
            wait(twice.append(batch("s", &entries))).unwrap();
            wait(twice.append(batch("s", &entries))).unwrap();
            for id in one {
                if !expected.contains(id) {
                    expected.push(*id);
                }
            }
        }
        let loaded = |store: &MemoryStore| wait(store.load("s", Reach::All)).map(|it| ids(&it.entries)).unwrap_or_default();
        prop_assert_eq!(loaded(&once), expected.clone());
        prop_assert_eq!(loaded(&twice), expected);
    }
}
