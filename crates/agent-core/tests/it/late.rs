//! What settles after a request: told once, lost by nothing.

use std::future::poll_fn;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use agent_core::attachments::{MemorySelector, SelectError, SelectRequest};
use agent_core::context_api::{
    Attachment, BackgroundTask, Cancel, Entry, HostEvent, HostSignal, QueuedInput, TaskChange,
};
use agent_core::{Session, SessionOptions, Turn};
use async_trait::async_trait;
use context_testkit::Place;
use proptest::prelude::*;

use crate::support::*;

/// Chooses the first of the notes, once it is let.
#[derive(Clone, Default)]
struct Held(Arc<Mutex<Cancel>>);

impl Held {
    fn let_go(&self) {
        std::mem::take(&mut *self.0.lock().unwrap()).cancel();
    }
}

#[async_trait]
impl MemorySelector for Held {
    async fn select(&self, request: &SelectRequest) -> Result<Option<Vec<PathBuf>>, SelectError> {
        let gate = self.0.lock().unwrap().clone();
        gate.cancelled().await;
        let mut paths: Vec<PathBuf> = request.headers.iter().map(|header| header.path.clone()).collect();
        paths.sort();
        Ok(Some(paths.into_iter().take(1).collect()))
    }
}

struct World {
    held: Held,
    session: Session,
    runtime: tokio::runtime::Runtime,
    place: Place,
}

const NOTES: usize = 6;

impl World {
    fn new() -> Self {
        let place = Place::new();
        let notes = place.home().join("notes");
        for number in 0..NOTES {
            place.write(&format!("{{home}}/notes/n{number}.md"), format!("NOTE-{number}\n"));
        }
        let held = Held::default();
        let builder = builder(&place)
            .memory_options(move |its| its.auto_memory_dir = Some(notes))
            .memory_selector(held.clone())
            .relevant_limits(|limits| limits.selector_wait = Duration::from_secs(600));
        let session = builder.build().unwrap().session(SessionOptions::default().id("s"));
        // One thread of its own, so that what settles late goes on between two requests.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        Self { held, session, runtime, place }
    }

    fn prepare(&mut self, turn: Turn) -> agent_core::PreparedTurn {
        self.runtime.block_on(self.session.prepare(turn)).unwrap()
    }

    /// Begins a request, and drops it where it first waits: `None`. One that has nothing to wait for is over with its first
    /// look, and hands out what it told.
    fn give_up(&mut self) -> Option<Vec<String>> {
        self.runtime.block_on(async {
            let mut prepare = pin!(self.session.prepare(Turn::prompt("other words")));
            poll_fn(|cx| {
                Poll::Ready(match prepare.as_mut().poll(cx) {
                    Poll::Ready(prepared) => Some(told(&prepared.unwrap().entries)),
                    Poll::Pending => None,
                })
            })
            .await
        })
    }

    /// Lets the selector answer, and waits until the search has settled.
    fn settle(&mut self) {
        // The selector may be asked only after it was let go once: the search comes to it from the disk.
        let settled = (0..400).any(|_| {
            self.held.let_go();
            self.runtime.block_on(self.session.wait_late(Duration::from_millis(50)))
        });
        assert!(settled);
    }
}

fn told(entries: &[Arc<Entry>]) -> Vec<String> {
    let memories = entries.iter().filter_map(|entry| match &entry.attachment()?.attachment {
        Attachment::RelevantMemories(it) => Some(it.memories.clone()),
        _ => None,
    });
    memories.flatten().map(|one| one.text.trim().to_owned()).collect()
}

#[test]
fn what_settles_late_comes_with_the_next_request_and_not_again() {
    within_seconds(|| {
        let mut world = World::new();
        let first = world.prepare(Turn::prompt("first words"));
        assert!(first.decisions.iter().any(|one| one.reason == "not_settled"));
        world.settle();
        let second = world.prepare(Turn::continuation());
        assert_eq!(told(&second.entries), ["NOTE-0"]);
        assert_eq!(told(&world.prepare(Turn::continuation()).entries), Vec::<String>::new());
        assert!(!world.session.is_looking());
    });
}

#[test]
fn a_request_that_is_given_up_or_refused_loses_nothing() {
    within_seconds(|| {
        let mut world = World::new();
        world.prepare(Turn::prompt("first words"));
        world.settle();
        let before = lines(world.session.history());
        let over = world.give_up();
        if over.is_none() {
            assert_eq!(lines(world.session.history()), before);
        }
        let next = told(&world.prepare(Turn::continuation()).entries);
        assert_eq!([over.unwrap_or_default(), next].concat(), ["NOTE-0"]);
    });
}

#[test]
fn what_is_polled_is_committed_and_not_told_again() {
    within_seconds(|| {
        let mut world = World::new();
        assert!(world.session.poll_late().entries.is_empty(), "there was no request yet");
        world.prepare(Turn::prompt("first words"));
        assert!(world.session.poll_late().entries.is_empty(), "nothing has settled");
        world.settle();
        let task = BackgroundTask::default().id("b").description("build").status("completed");
        world.session.handle().task(TaskChange::default().id("c").task(task));
        let late = world.session.poll_late();
        assert_eq!(told(&late.entries), ["NOTE-0"]);
        assert!(late.signals.contains(&HostSignal::Delivered { ids: vec!["c".into()] }));
        assert!(world.session.handle().waiting().is_empty());
        assert!(world.session.poll_late().entries.is_empty());
        let next = world.prepare(Turn::continuation());
        assert_eq!(told(&next.entries), Vec::<String>::new());
        let text = texts(next.request.as_deref().unwrap());
        assert_eq!((text.matches("NOTE-0").count(), text.matches("(build) is done").count()), (1, 1));
    });
}

#[test]
fn what_another_search_takes_the_place_of_is_told() {
    within_seconds(|| {
        let mut world = World::new();
        world.prepare(Turn::prompt("first words"));
        world.settle();
        let _entered = world.runtime.enter();
        world.session.look_for_memories("other words");
        let next = world.session.poll_late();
        assert!(next.entries.is_empty(), "the other search has not settled");
        drop(_entered);
        let next = world.prepare(Turn::continuation());
        let untold = next.decisions.iter().find(|one| one.reason == "superseded");
        assert!(untold.is_some_and(|one| one.subject.ends_with("n0.md")), "{:?}", next.decisions);
    });
}

#[test]
fn events_without_an_id_are_events_of_their_own() {
    within_seconds(|| {
        let mut world = World::new();
        let queued = |text: &str| HostEvent::Queued(QueuedInput::default().mode("prompt").text(text));
        let handle = world.session.handle();
        let ids = ["ONE", "TWO"].map(|text| handle.event(queued(text)));
        assert!(ids[0] != ids[1] && !ids[0].is_empty());
        world.prepare(Turn::prompt("hi"));
        handle.event(queued("THREE"));
        let request = world.prepare(Turn::continuation()).request.unwrap();
        let text = texts(&request);
        assert!(["ONE", "TWO", "THREE"].iter().all(|word| text.matches(word).count() == 1), "{text}");
    });
}

#[test]
fn the_end_of_a_session_is_the_end_of_its_search() {
    within_seconds(|| {
        let place = Place::new();
        place.write("{home}/notes/n.md", "NOTE\n");
        let (held, notes, cancel) = (Held::default(), place.home().join("notes"), Cancel::new());
        let builder = builder(&place)
            .memory_options(move |its| its.auto_memory_dir = Some(notes))
            .memory_selector(held.clone());
        let options = SessionOptions::default().cancel(cancel.clone());
        let mut session = builder.build().unwrap().session(options);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        runtime.block_on(session.prepare(Turn::prompt("first words"))).unwrap();
        cancel.cancel();
        held.let_go();
        assert!(!runtime.block_on(session.wait_late(Duration::from_millis(200))));
    });
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Words,
    Continue,
    Settle,
    Poll,
    GiveUp,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        Just(Step::Words),
        Just(Step::Continue),
        Just(Step::Settle),
        Just(Step::Poll),
        Just(Step::GiveUp),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever happens between, each note is told once at most, all that was handed out is in the history, and what was sent
    /// stays as it was.
    #[test]
    fn each_note_is_told_once(steps in proptest::collection::vec(step(), 1..14)) {
        let mut world = World::new();
        let (mut handed_out, mut previous) = (Vec::new(), None);
        for step in steps {
            match step {
                Step::Words | Step::Continue => {
                    let turn = if matches!(step, Step::Words) { Turn::prompt("some words") } else { Turn::continuation() };
                    let prepared = world.prepare(turn);
                    handed_out.extend(told(&prepared.entries));
                    let request = prepared.request.unwrap();
                    if let Some(before) = previous.replace(Arc::clone(&request)) {
                        prop_assert_eq!(broken_prefix(&before, &request), None);
                    }
                }
                Step::Settle if world.session.is_looking() => world.settle(),
                Step::Poll => handed_out.extend(told(&world.session.poll_late().entries)),
                Step::GiveUp => handed_out.extend(world.give_up().into_iter().flatten()),
                _ => {}
            }
        }
        let mut once = handed_out.clone();
        once.sort();
        once.dedup();
        prop_assert_eq!(once.len(), handed_out.len(), "{:?}", &handed_out);
        prop_assert_eq!(&told(world.session.history()), &handed_out);
        let _alive = &world.place;
    }
}
