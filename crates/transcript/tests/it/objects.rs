//! The seam holds for stores that can not append: the example over objects.

use std::sync::Arc;

use context_api::{Reach, StoreErrorKind, TranscriptStore};
use object_store::ObjectStore;
use object_store::local::LocalFileSystem;

use crate::support::{batch, entry, ids, wait};

#[path = "../../examples/object_store.rs"]
mod example;
use example::ObjectTranscripts;

fn backend(dir: &tempfile::TempDir) -> Arc<dyn ObjectStore> {
    Arc::new(LocalFileSystem::new_with_prefix(dir.path()).unwrap())
}

#[test]
fn it_keeps_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    let objects = backend(&dir);
    context_testkit::store_contract(|| Arc::new(ObjectTranscripts::new(Arc::clone(&objects))));
}

#[test]
fn a_batch_that_another_process_wrote_is_not_written_twice() {
    let dir = tempfile::tempdir().unwrap();
    let objects = backend(&dir);
    let [one, other] = [(); 2].map(|()| ObjectTranscripts::new(Arc::clone(&objects)));
    let entries = [entry(1, None, "a"), entry(2, Some(1), "b"), entry(3, Some(2), "c")];
    wait(one.append(batch("s", &entries[..1]))).unwrap();
    wait(other.append(batch("s", &entries[..2]))).unwrap();
    // the first process does not know of that, and hands in the same and one more
    wait(one.append(batch("s", &entries))).unwrap();
    assert_eq!(ids(&wait(one.load("s", Reach::All)).unwrap().entries), [1, 2, 3]);
}

#[test]
fn a_damaged_object_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = ObjectTranscripts::new(backend(&dir));
    wait(store.append(batch("s", &[entry(1, None, "a")]))).unwrap();
    std::fs::write(dir.path().join("s/00000000.jsonl"), "{").unwrap();
    let error = wait(store.load("s", Reach::All)).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Failed);
    assert!(error.reason.contains("s/00000000.jsonl"), "{error}");
}
