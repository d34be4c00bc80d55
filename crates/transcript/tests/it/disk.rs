//! The store of files: what it writes, and what it does on bad days.

use std::fs;
use std::sync::Arc;

use context_api::{Fork, IoStalled, Job, Reach, StoreErrorKind, Threads, TranscriptStore};
use transcript::{JsonlStore, StoreLimits, SyncPolicy};
use uuid::Uuid;

use crate::support::{batch, entry, ids, line_of, store, wait};

#[test]
fn it_keeps_the_contract() {
    let place = tempfile::tempdir().unwrap();
    let open = || Arc::new(store(place.path())) as Arc<dyn TranscriptStore>;
    context_testkit::store_contract(open);
}

#[test]
fn it_keeps_the_contract_with_one_open_file_and_every_line_synced() {
    let place = tempfile::tempdir().unwrap();
    context_testkit::store_contract(|| {
        let limits = StoreLimits::default().open_files(1);
        let threads = Arc::new(context_testkit::ThreadPerJob);
        Arc::new(JsonlStore::with_limits(place.path(), threads, SyncPolicy::Always, limits))
    });
}

#[test]
fn however_a_batch_is_written_its_lines_are_the_same_and_each_is_there_once() {
    let entries = line_of(40);
    let twice: Vec<_> = entries.iter().chain(&entries[10..20]).cloned().collect();
    let written = [1, 300, 1 << 20].map(|bytes| {
        let place = tempfile::tempdir().unwrap();
        let limits = StoreLimits::default().write_buffer(bytes);
        let threads = Arc::new(context_testkit::ThreadPerJob);
        let store = JsonlStore::with_limits(place.path(), threads, SyncPolicy::Never, limits);
        wait(store.append(batch("s", &twice))).unwrap();
        wait(store.append(batch("s", &entries))).unwrap();
        fs::read_to_string(store.file("s").unwrap()).unwrap()
    });
    assert_eq!(written[0].lines().count(), 40);
    assert!(written.iter().all(|text| *text == written[0]));
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_a_transcript_and_it_is_one_line_an_entry() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = tempfile::tempdir().unwrap();
    let store = store(&place.path().join("sessions"));
    wait(store.append(batch("s", &line_of(3)))).unwrap();
    let path = store.file("s").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(store.root()).unwrap().permissions().mode() & 0o777, 0o700);
    let text = fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert!(
        text.ends_with('\n') && text.lines().all(|line| line.starts_with(r#"{"session_id":"s","cwd":"/p""#))
    );
}

#[test]
fn another_store_of_the_same_session_is_refused_until_the_first_lets_go() {
    let place = tempfile::tempdir().unwrap();
    let (first, second) = (store(place.path()), store(place.path()));
    let all = line_of(2);
    wait(first.append(batch("s", &all[..1]))).unwrap();
    let error = wait(second.append(batch("s", &all[1..]))).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::InUse);
    assert!(error.reason.contains(&format!("process {} writes", std::process::id())), "{error}");
    assert_eq!(
        wait(second.claim("s")).unwrap_err().kind,
        StoreErrorKind::InUse,
        "before it is read to go on"
    );
    wait(second.claim("none")).unwrap();
    wait(second.append(batch("another", &all[..1]))).unwrap();
    assert_eq!(ids(&wait(second.load("s", Reach::All)).unwrap().entries), [1], "reading is free");
    drop(first);
    wait(second.append(batch("s", &all))).unwrap();
    assert_eq!(ids(&wait(second.load("s", Reach::All)).unwrap().entries), [1, 2]);
}

#[test]
fn a_pipe_in_the_place_of_a_transcript_holds_nobody() {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    let path = store.file("s").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    assert!(wait(store.load("s", Reach::All)).is_err());
    assert!(wait(store.append(batch("s", &line_of(1)))).is_err());
    assert!(store.read("s", None, Reach::All).is_err());
    fs::remove_file(&path).unwrap();
    wait(store.append(batch("s", &line_of(1)))).unwrap();
}

#[test]
fn a_file_that_vanished_is_said_and_everything_is_there_once_it_is_handed_in_again() {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    let all = line_of(4);
    wait(store.append(batch("s", &all[..2]))).unwrap();
    for damage in [true, false] {
        let path = store.file("s").unwrap();
        if damage {
            fs::remove_file(path).unwrap()
        } else {
            fs::write(path, b"").unwrap()
        }
        let error = wait(store.append(batch("s", &all[2..3]))).unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Lost);
        wait(store.append(batch("s", &all))).unwrap();
        assert_eq!(ids(&wait(store.load("s", Reach::All)).unwrap().entries), [1, 2, 3, 4]);
    }
}

#[test]
fn what_somebody_else_appends_is_neither_overwritten_nor_taken_for_a_loss() {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    let all = line_of(3);
    wait(store.append(batch("s", &all[..2]))).unwrap();
    let path = store.file("s").unwrap();
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"torn\": ");
    fs::write(&path, &text).unwrap();
    wait(store.append(batch("s", &all[2..]))).unwrap();
    let now = fs::read_to_string(&path).unwrap();
    assert!(now.starts_with(&text), "nothing that was there changes");
    let loaded = wait(store.load("s", Reach::All)).unwrap();
    assert_eq!(ids(&loaded.entries), [1, 2, 3]);
    assert_eq!(loaded.decisions.len(), 1, "{:?}", loaded.decisions);
    assert_eq!((&*loaded.decisions[0].subject, &*loaded.decisions[0].reason), ("s:3", "corrupt_line"));
}

#[test]
fn a_directory_that_is_in_the_way_is_an_error_and_later_everything_is_written() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("sessions");
    fs::write(&root, "a file").unwrap();
    let store = store(&root);
    let all = line_of(2);
    let error = wait(store.append(batch("s", &all[..1]))).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Failed);
    assert!(error.to_string().contains("sessions"), "{error}");
    fs::remove_file(&root).unwrap();
    wait(store.append(batch("s", &all))).unwrap();
    assert_eq!(ids(&wait(store.load("s", Reach::All)).unwrap().entries), [1, 2]);
}

/// Threads of which none is free.
struct NoThreads;

impl Threads for NoThreads {
    fn spawn(&self, _: Job) -> Result<(), IoStalled> {
        Err(IoStalled)
    }
}

/// Threads that never begin.
#[derive(Default)]
struct Never(std::sync::Mutex<Vec<Job>>);

impl Threads for Never {
    fn spawn(&self, job: Job) -> Result<(), IoStalled> {
        self.0.lock().unwrap().push(job);
        Ok(())
    }
}

#[test]
fn a_store_whose_threads_are_stuck_says_so_and_keeps_nobody() {
    let place = tempfile::tempdir().unwrap();
    let store = JsonlStore::new(place.path(), Arc::new(NoThreads));
    for _ in 0..3 {
        assert_eq!(wait(store.append(batch("s", &line_of(1)))).unwrap_err().kind, StoreErrorKind::Stalled);
        assert_eq!(wait(store.load("s", Reach::All)).unwrap_err().kind, StoreErrorKind::Stalled);
    }
}

#[test]
fn a_write_that_nobody_waits_for_is_still_done_and_the_queue_is_bounded() {
    let place = tempfile::tempdir().unwrap();
    let threads = Arc::new(Never::default());
    let store = JsonlStore::new(place.path(), Arc::clone(&threads) as Arc<dyn Threads>);
    let all = line_of(100);
    let mut stalled = 0;
    for one in &all {
        let mut future = store.append(batch("s", std::slice::from_ref(one)));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        if let std::task::Poll::Ready(answer) = future.as_mut().poll(&mut context) {
            assert_eq!(answer.unwrap_err().kind, StoreErrorKind::Stalled);
            stalled += 1;
        }
    }
    assert_eq!(stalled, 100 - 64);
    let jobs: Vec<Job> = threads.0.lock().unwrap().drain(..).collect();
    assert_eq!(jobs.len(), 1, "one thread at a time");
    for job in jobs {
        assert!(!job.abandoned.is_cancelled(), "what has not begun is still to be done");
        (job.run)();
    }
    assert_eq!(store.read("s", None, Reach::All).unwrap().entries.len(), 64);
}

#[test]
fn sessions_are_listed_by_the_directory_that_they_name() {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    for (id, cwd) in [("one", "/out/a-b"), ("two", "/out/a_b"), ("three", "/out/a-b")] {
        let mut batch = batch(id, &line_of(1));
        batch.facts.cwd = cwd.into();
        wait(store.append(batch)).unwrap();
    }
    fs::write(place.path().join("notes.txt"), "x").unwrap();
    fs::write(place.path().join("empty.jsonl"), "").unwrap();
    let listed = |cwd: Option<&str>| {
        let mut found: Vec<_> =
            store.list(cwd.map(std::path::Path::new)).into_iter().map(|one| one.id).collect();
        found.sort();
        found
    };
    assert_eq!(listed(Some("/out/a-b")), ["one", "three"]);
    assert_eq!(listed(Some("/out/a_b")), ["two"]);
    assert_eq!(listed(None), ["empty", "one", "three", "two"]);
    let one = store.list(Some("/out/a_b".as_ref())).remove(0);
    assert_eq!(one.prompt.as_deref(), Some("MARK-1"));
}

#[test]
fn a_fork_shares_history_by_reference_and_a_copy_keeps_what_nobody_knows() {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    wait(store.append(batch("s", &line_of(3)))).unwrap();
    let path = store.file("s").unwrap();
    let marked =
        fs::read_to_string(&path).unwrap().replace("\"turn\":1", "\"turn\":1,\"later_field\":{\"b\": 1.0}");
    fs::write(&path, &marked).unwrap();
    let fork = |to: &str| Fork::new("s", to, Uuid::from_u128(90), "2026-04-25T12:00:00Z".parse().unwrap());
    wait(store.fork(fork("by-reference"))).unwrap();
    wait(store.fork(fork("by-copy").copy(true))).unwrap();
    let read = |name: &str| fs::read_to_string(store.file(name).unwrap()).unwrap();
    assert_eq!(read("by-reference").lines().count(), 1);
    assert_eq!(read("by-copy"), marked.replace("\"session_id\":\"s\"", "\"session_id\":\"by-copy\""));
    assert_eq!(fs::read_to_string(&path).unwrap(), marked, "the other session stays as it is");
    fs::remove_file(&path).unwrap();
    wait(store.append(batch("by-reference", &[entry(4, Some(3), "own")]))).unwrap();
    let orphan = store.read("by-reference", None, Reach::All).unwrap();
    assert_eq!(ids(&orphan.entries), [4]);
    assert_eq!(orphan.decisions[0].reason, "fork_parent_missing");
}
