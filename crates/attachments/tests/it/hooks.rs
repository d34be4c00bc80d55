//! Long output of hooks, and stores that do not take it.

use std::future::Future as _;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::Duration;

use attachments::{AsyncHooksCollector, Bus, BusLimits, Collection, Runs};
use context_api::{
    Attachment, BlobKey, BlobStore, HookAnswer, HostEvent, SessionBlobs, StoreError, StoreErrorKind,
    TurnParts,
};

use crate::support::*;

/// How a store takes something in.
#[derive(Clone, Copy)]
enum How {
    Well,
    Refuses,
    Panics,
    Hangs,
}

struct Shelf {
    how: How,
    gate: Gate,
    asked: AtomicUsize,
    kept: Mutex<Vec<Vec<u8>>>,
}

impl Shelf {
    fn new(how: How) -> Arc<Self> {
        let (gate, asked, kept) = (Gate::default(), AtomicUsize::new(0), Mutex::default());
        Arc::new(Self { how, gate, asked, kept })
    }
}

impl BlobStore for Shelf {
    fn path(&self, session: &str, key: &BlobKey) -> Option<PathBuf> {
        Some(PathBuf::from(format!("/blobs/{session}/{}", key.name)))
    }

    fn put(&self, session: &str, _: &BlobKey, bytes: &[u8]) -> Result<(), StoreError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        match self.how {
            How::Well => self.kept.lock().unwrap().push(bytes.to_vec()),
            How::Refuses => return Err(StoreError::new(session, StoreErrorKind::Failed, "the disk is full")),
            How::Panics => panic!("on purpose"),
            How::Hangs => self.gate.wait(),
        }
        Ok(())
    }

    fn get(&self, session: &str, _: &BlobKey, _: u64) -> Result<Vec<u8>, StoreError> {
        Err(StoreError::new(session, StoreErrorKind::NotFound, "nothing is read here"))
    }
}

fn long(mark: &str) -> String {
    format!("{mark} {}", "x".repeat(20_000))
}

/// A turn with input in the queue and two hooks that said much: one of the prompt, one in the background.
fn talkative(shelf: &Arc<Shelf>) -> TurnParts {
    let mut parts = with_queue(parts("hi"), &["one"]);
    let store: Arc<dyn BlobStore> = Arc::<Shelf>::clone(shelf);
    parts.blobs = Some(SessionBlobs::new(store, "s"));
    let printed = HookAnswer::default().id("h1").name("printed").event("UserPromptSubmit").exit_code(0);
    let answer = format!(r#"{{"hookSpecificOutput":{{"additionalContext":"{}"}}}}"#, long("ASYNC"));
    let behind = HookAnswer::default().id("h2").name("behind").event("PostToolUse").exit_code(0);
    let mut events = (*parts.events).clone();
    events.push(HostEvent::Hook(printed.output(long("PRINTED"))));
    events.push(HostEvent::Hook(behind.output(answer).is_async(true)));
    parts.events = Arc::new(events);
    parts
}

fn bus(deadline: Duration) -> Bus {
    let mut limits = BusLimits::default();
    limits.deadline = deadline;
    limits.aside_wait = Duration::from_millis(50);
    let mut bus = Bus::new(Arc::new(Spawner::default()), limits);
    bus.register(Arc::new(AsyncHooksCollector::default()));
    bus
}

fn collect(bus: &Bus, parts: TurnParts) -> Collection {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(bus.collect(parts, &Runs::new()))
}

/// What is shown of the printed text and of the context, how many characters, and whether a blob is named.
fn shown(collection: &Collection) -> Vec<(&str, usize, bool)> {
    let of = |draft: &'_ context_api::Draft| match draft.attachment.clone() {
        Attachment::HookSuccess(it) => Some(("printed", it.content.chars().count(), it.blob.is_some())),
        Attachment::AsyncHookResponse(it) => {
            Some(("behind", it.additional_context.chars().count(), it.blob.is_some()))
        }
        _ => None,
    };
    collection.drafts.iter().filter_map(of).collect()
}

fn reasons<'a>(collection: &'a Collection, subject: &str) -> Vec<&'a str> {
    let its = collection.decisions.iter().filter(|decision| decision.subject == subject);
    its.map(|decision| &*decision.reason).filter(|reason| *reason != "hook_field_ignored").collect()
}

const SECONDS: Duration = Duration::from_secs(15);

#[test]
fn all_of_a_long_output_lies_in_blobs_and_a_preview_stands_for_it() {
    let shelf = Shelf::new(How::Well);
    let collection = collect(&bus(SECONDS), talkative(&shelf));
    assert_eq!(shown(&collection), [("behind", 2_001, true), ("printed", 2_001, true)]);
    assert_eq!(reasons(&collection, "printed"), ["hook_output_put_aside"]);
    assert!(reasons(&collection, "behind").contains(&"hook_output_put_aside"));
    let kept = shelf.kept.lock().unwrap();
    assert_eq!(*kept, [long("PRINTED").into_bytes(), long("ASYNC").into_bytes()]);
    assert!(collection.drafts.iter().all(|draft| draft.aside.is_none()));
    assert_eq!(notes(&collection.drafts), ["queued one"]);
}

/// What is left where the store does not take it: more of the text, no name of a blob, and why.
fn check_cut(collection: &Collection) {
    assert_eq!(shown(collection), [("behind", 10_001, false), ("printed", 10_001, false)]);
    assert_eq!(reasons(collection, "printed"), ["blob_not_written", "hook_output_cut"]);
    assert!(reasons(collection, "behind").contains(&"blob_not_written"));
    assert_eq!(notes(&collection.drafts), ["queued one"], "the queue is delivered all the same");
}

#[test]
fn a_store_that_refuses_or_panics_costs_the_rest_of_the_text_only() {
    for (how, said) in [(How::Refuses, "the disk is full"), (How::Panics, "on purpose")] {
        let collection = collect(&bus(SECONDS), talkative(&Shelf::new(how)));
        check_cut(&collection);
        let why = collection.decisions.iter().find(|decision| decision.reason == "blob_not_written").unwrap();
        assert!(why.detail.contains(said), "{}", why.detail);
    }
}

#[test]
fn without_a_store_it_is_cut() {
    let mut parts = talkative(&Shelf::new(How::Well));
    parts.blobs = None;
    let collection = collect(&bus(SECONDS), parts);
    assert_eq!(shown(&collection), [("behind", 10_001, false), ("printed", 10_001, false)]);
    assert_eq!(reasons(&collection, "printed"), ["hook_output_cut"]);
}

#[test]
fn a_store_that_hangs_delays_no_turn_and_holds_one_thread() {
    within_seconds(|| {
        let shelf = Shelf::new(How::Hangs);
        let bus = bus(Duration::from_millis(100));
        for _ in 0..3 {
            check_cut(&collect(&bus, talkative(&shelf)));
        }
        assert_eq!(shelf.asked.load(Ordering::SeqCst), 1, "it is not asked again before it lets go");
        shelf.gate.open();
    });
}

#[test]
fn with_no_thread_left_it_is_cut_at_once() {
    let shelf = Shelf::new(How::Well);
    let mut bus = Bus::new(Arc::new(Stuck), BusLimits::default());
    bus.register(Arc::new(AsyncHooksCollector::default()));
    check_cut(&collect(&bus, talkative(&shelf)));
    assert_eq!(shelf.asked.load(Ordering::SeqCst), 0);
}

#[test]
fn a_collection_that_is_given_up_stands_in_the_way_of_no_later_one() {
    within_seconds(|| {
        let shelf = Shelf::new(How::Hangs);
        let (bus, runs) = (bus(SECONDS), Runs::new());
        {
            let mut collecting = pin!(bus.collect(talkative(&shelf), &runs));
            assert!(collecting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        shelf.gate.open();
        let both = [("behind", 2_001, true), ("printed", 2_001, true)];
        while shown(&collect(&bus, talkative(&shelf))) != both {
            std::thread::yield_now();
        }
    });
}
