//! A request that is given up changes nothing.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use agent_core::context_api::{
    Batch, Fork, HostSignal, Loaded, QueuedInput, Reach, StoreError, TouchKind, TranscriptStore,
};
use agent_core::transcript::MemoryStore;
use agent_core::{Session, SessionOptions, Turn};
use async_trait::async_trait;
use context_testkit::Place;

use crate::support::*;

struct Unpark(std::thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Polls the next request at most `polls` times, then drops it. Whether it came to its end.
fn prepare_for(session: &mut Session, text: &str, polls: usize) -> bool {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut cx = Context::from_waker(&waker);
    let mut future: Pin<Box<dyn Future<Output = _> + '_>> = Box::pin(session.prepare(Turn::prompt(text)));
    for _ in 0..polls {
        if let Poll::Ready(prepared) = future.as_mut().poll(&mut cx) {
            let prepared: agent_core::PreparedTurn = prepared.unwrap();
            assert!(prepared.request.is_some());
            return true;
        }
        std::thread::park_timeout(std::time::Duration::from_secs(10));
    }
    false
}

fn world() -> (Place, Session) {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_ROOT\n");
    place.write("src/CLAUDE.md", "MARK_NESTED\n");
    place.write("src/a.rs", "fn a() {}\n");
    place.run("git", &["init", "-q", "-b", "main"]);
    let session = session(&place);
    session.queue(QueuedInput::default().id("q1").mode("prompt").text("MARK_QUEUED"));
    session.touched("src/a.rs", TouchKind::Read);
    (place, session)
}

#[test]
fn dropping_a_request_at_any_await_point_changes_nothing() {
    within_seconds(|| {
        let (_whole_place, mut whole) = world();
        let expected = texts(&prompt(&mut whole, "see @src/a.rs").request.unwrap());
        let mut points = 0;
        loop {
            let (_place, mut session) = world();
            if prepare_for(&mut session, "see @src/a.rs", points + 1) {
                break;
            }
            points += 1;
            assert!(session.history().is_empty(), "after {points} polls");
            assert_eq!(session.ledger().boundaries() + session.ledger().assistant_messages(), 0);
            assert!(session.files().is_empty());
            assert_eq!(session.handle().waiting().len(), 1, "the queued input is still in hand");
            let after = prompt(&mut session, "see @src/a.rs");
            assert_eq!(after.turn, 1);
            let text = texts(&after.request.unwrap()).replace(&*_place.root().to_string_lossy(), "");
            assert_eq!(text, expected.replace(&*_whole_place.root().to_string_lossy(), ""));
            assert!(session.handle().waiting().is_empty());
        }
        assert!(points >= 2, "memory, git and collectors are waited for: {points}");
    });
}

/// A store that answers nobody while it is held.
#[derive(Default)]
struct Held {
    kept: MemoryStore,
    is_held: Arc<AtomicBool>,
}

#[async_trait]
impl TranscriptStore for Held {
    async fn append(&self, batch: Batch) -> Result<(), StoreError> {
        if self.is_held.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
        self.kept.append(batch).await
    }

    async fn load(&self, session: &str, reach: Reach) -> Result<Loaded, StoreError> {
        self.kept.load(session, reach).await
    }

    async fn fork(&self, fork: Fork) -> Result<(), StoreError> {
        self.kept.fork(fork).await
    }
}

#[test]
fn what_a_request_was_to_tell_that_was_dropped_behind_its_commit_is_told_with_the_next() {
    within_seconds(|| {
        let place = Place::new();
        let store = Held::default();
        let is_held = Arc::clone(&store.is_held);
        let engine = builder(&place).store(store).build().unwrap();
        let mut session = engine.session(SessionOptions::default().id("s"));
        session.queue(QueuedInput::default().id("q1").mode("prompt").text("MARK_QUEUED"));
        is_held.store(true, Ordering::Relaxed);
        let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
        let mut future = Box::pin(session.prepare(Turn::prompt("hello")));
        // The last point at which it waits is the store.
        for _ in 0..20 {
            assert!(future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
            std::thread::park_timeout(std::time::Duration::from_millis(50));
        }
        drop(future);
        assert!(!session.history().is_empty(), "it was committed");
        is_held.store(false, Ordering::Relaxed);
        let next = wait(session.prepare(Turn::continuation())).unwrap();
        assert!(next.signals.contains(&HostSignal::Delivered { ids: vec!["q1".into()] }));
        let shown = next.ui.iter().filter(|event| event.body.contains("MARK_QUEUED")).count();
        let text = texts(&next.request.unwrap());
        assert_eq!((text.matches("MARK_QUEUED").count(), shown), (1, 1), "{:?}", next.ui);
        let after = wait(session.prepare(Turn::continuation())).unwrap();
        assert!(after.ui.is_empty() && after.signals.is_empty());
    });
}
