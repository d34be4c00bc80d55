//! What the bus promises, whatever collectors do.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use attachments::{Bus, BusLimits, Collection, Runs};
use context_api::{
    Attachment, AttachmentMode, Closed, CollectError, Decision, FileAttachment, Outbox, Stage, Thread,
    TurnParts, Verdict,
};
use proptest::prelude::*;
use tokio::runtime::Runtime;

use crate::support::*;

fn bus(deadline: Duration) -> Bus {
    let mut limits = BusLimits::default();
    limits.deadline = deadline;
    Bus::new(Arc::new(Spawner::default()), limits)
}

const SHORT: Duration = Duration::from_millis(200);
/// Enough for a collector that ends by itself on a busy machine, so that only those that do not are given up.
const PATIENT: Duration = Duration::from_secs(3);
/// Longer than any test waits: a collector that ends is always in time.
const LONG: Duration = Duration::from_secs(15);

fn current_thread() -> Runtime {
    // Without timers and input: the bus needs neither from the host.
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

fn multi_thread() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap()
}

fn collect(bus: &Bus, parts: TurnParts) -> Collection {
    current_thread().block_on(bus.collect(parts, &Runs::new()))
}

fn reason<'a>(decisions: &'a [Decision], subject: &str) -> Option<(Verdict, &'a str)> {
    let found = decisions.iter().find(|decision| decision.subject == subject)?;
    Some((found.verdict, &found.reason))
}

/// Collectors of every bad kind among good ones, and the gate that holds the blocker.
fn zoo(deadline: Duration) -> (Bus, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let held = Arc::clone(&gate);
    let mut bus = bus(deadline);
    bus.register(Arc::new(Fake::new("first", |_, out| Ok(out.push(note("first"))?))))
        .register(Arc::new(Sleeper))
        .register(Arc::new(Fake::new("blocker", move |_, out| {
            out.push(note("before block"))?;
            held.wait();
            Ok(())
        })))
        .register(Arc::new(Fake::new("panics", |_, out| {
            out.push(note("before panic"))?;
            panic!("on purpose")
        })))
        .register(Arc::new(Fake::new("panics_inline", |_, _| panic!("on purpose")).inline()))
        .register(Arc::new(Fake::new("fails", |_, out| {
            out.push(note("before failure"))?;
            Err(CollectError::failed("no luck"))
        })))
        .register(Arc::new(Fake::new("last", |_, out| Ok(out.push(note("last"))?)).inline()));
    (bus, gate)
}

fn check_zoo(make: fn() -> Runtime) {
    within_seconds(move || {
        let (bus, gate) = zoo(PATIENT);
        let runtime = make();
        let parts = with_queue(parts("hi"), &["one", "two"]);
        let collection = runtime.block_on(bus.collect(parts, &Runs::new()));
        let all = [
            "first",
            "before sleep",
            "before block",
            "before panic",
            "before failure",
            "last",
            "queued one",
            "queued two",
        ];
        assert_eq!(notes(&collection.drafts), all, "what was pushed counts, in the order of registration");
        let of = |subject| reason(&collection.decisions, subject);
        assert_eq!(of("sleeper"), Some((Verdict::TimedOut, "deadline")));
        assert_eq!(of("blocker"), Some((Verdict::TimedOut, "deadline")));
        assert_eq!(of("panics"), Some((Verdict::Failed, "collector_panicked")));
        assert_eq!(of("panics_inline"), Some((Verdict::Failed, "collector_panicked")));
        assert_eq!(of("fails"), Some((Verdict::Failed, "collector_failed")));
        assert_eq!(of("first"), None);
        // The blocker still holds its thread, and the runtime ends all the same.
        drop(runtime);
        gate.open();
    });
}

#[test]
fn nothing_bad_costs_anything_but_itself_on_a_current_thread_runtime() {
    check_zoo(current_thread);
}

#[test]
fn nothing_bad_costs_anything_but_itself_on_a_multi_thread_runtime() {
    check_zoo(multi_thread);
}

/// A collector that blocks until it sees that the turn is over, and says so.
fn watchful(ended: std::sync::mpsc::Sender<()>) -> Fake {
    Fake::new("watchful", move |turn, _| {
        while !turn.cancel.is_cancelled() {
            std::thread::yield_now();
        }
        let _nobody_waits = ended.send(());
        Ok(())
    })
}

#[test]
fn a_collector_that_blocks_can_see_that_its_time_is_over() {
    let (send, receive) = std::sync::mpsc::channel();
    let mut bus = bus(SHORT);
    bus.register(Arc::new(watchful(send)));
    let collection = collect(&bus, parts("hi"));
    assert_eq!(reason(&collection.decisions, "watchful"), Some((Verdict::TimedOut, "deadline")));
    receive.recv_timeout(LONG).expect("it saw the deadline");
}

#[test]
fn a_collector_that_blocks_can_see_that_the_turn_was_given_up() {
    use std::future::Future as _;
    let (send, receive) = std::sync::mpsc::channel();
    let mut bus = bus(LONG * 100);
    bus.register(Arc::new(watchful(send)));
    let runs = Runs::new();
    {
        let mut collecting = std::pin::pin!(bus.collect(parts("hi"), &runs));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(collecting.as_mut().poll(&mut cx).is_pending());
    }
    receive.recv_timeout(LONG).expect("it saw that nobody waits");
}

#[test]
fn a_deadline_of_zero_still_delivers_the_queue() {
    within_seconds(|| {
        let (bus, gate) = zoo(Duration::ZERO);
        let collection = collect(&bus, with_queue(parts("hi"), &["one", "two"]));
        let notes = notes(&collection.drafts);
        assert_eq!(notes[notes.len() - 2..], ["queued one", "queued two"]);
        gate.open();
    });
}

#[test]
fn queued_input_of_other_modes_stays_queued_and_none_is_delivered_twice() {
    let mut parts = with_queue(parts("hi"), &["one"]);
    let mut events = (*parts.events).clone();
    events.push(context_api::HostEvent::Queued(
        context_api::QueuedInput::default().id("b").mode("bash").text("ls"),
    ));
    events.push(context_api::HostEvent::Queued(
        context_api::QueuedInput::default().id("n").mode("task-notification").text("done"),
    ));
    parts.events = Arc::new(events);
    let collection = collect(&bus(LONG), parts.clone());
    assert_eq!(notes(&collection.drafts), ["queued one", "queued done"]);
    let meta: Vec<bool> = collection
        .drafts
        .iter()
        .map(|draft| matches!(&draft.attachment, Attachment::QueuedCommand(command) if command.is_meta))
        .collect();
    assert_eq!(meta, [false, true], "a notification is no person's word");

    let mut ledger = context_api::Ledger::default();
    for draft in collection.drafts {
        let uuid = uuid::Uuid::from_u128(7);
        let envelope = draft.commit(uuid, parts.now);
        ledger.apply(&context_api::Entry::new(
            uuid,
            parts.now,
            1,
            context_api::EntryKind::Attachment(envelope),
        ));
    }
    parts.ledger = Arc::new(ledger);
    assert!(collect(&bus(LONG), parts).drafts.is_empty(), "the history has them");
}

#[test]
fn a_run_that_was_given_up_is_not_started_again_while_it_lives() {
    within_seconds(|| {
        let gate = Arc::new(Gate::default());
        let starts = Arc::new(AtomicUsize::new(0));
        let mut bus = bus(SHORT);
        let (held, counted) = (Arc::clone(&gate), Arc::clone(&starts));
        bus.register(Arc::new(Fake::new("blocker", move |_, _| {
            counted.fetch_add(1, Ordering::SeqCst);
            held.wait();
            Ok(())
        })));
        let (runtime, runs) = (current_thread(), Runs::new());
        let turn = || runtime.block_on(bus.collect(parts("hi"), &runs));
        assert_eq!(reason(&turn().decisions, "blocker"), Some((Verdict::TimedOut, "deadline")));
        assert_eq!(reason(&turn().decisions, "blocker"), Some((Verdict::LeftOut, "still_running")));
        assert_eq!(starts.load(Ordering::SeqCst), 1);
        gate.open();
        while !turn().decisions.is_empty() {
            std::thread::yield_now();
        }
        assert_eq!(starts.load(Ordering::SeqCst), 2, "it runs again once the old run is over");
        let other = runtime.block_on(bus.collect(parts("hi"), &Runs::new()));
        assert!(other.decisions.is_empty(), "another session is not concerned");
    });
}

#[test]
fn what_comes_after_the_deadline_is_refused_and_does_not_count() {
    within_seconds(|| {
        let gate = Arc::new(Gate::default());
        let late: Arc<Mutex<Option<Result<(), Closed>>>> = Arc::default();
        let mut bus = bus(SHORT);
        let (held, told) = (Arc::clone(&gate), Arc::clone(&late));
        bus.register(Arc::new(Fake::new("late", move |_, out: &Outbox| {
            held.wait();
            *told.lock().unwrap() = Some(out.push(note("late")));
            Ok(())
        })));
        let collection = collect(&bus, parts("hi"));
        assert!(collection.drafts.is_empty());
        gate.open();
        while late.lock().unwrap().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(*late.lock().unwrap(), Some(Err(Closed)));
    });
}

#[test]
fn dropping_the_future_gives_every_run_up() {
    within_seconds(|| {
        let gate = Arc::new(Gate::default());
        let given_up = Arc::new(AtomicBool::new(false));
        let mut bus = bus(LONG);
        let (held, told) = (Arc::clone(&gate), Arc::clone(&given_up));
        bus.register(Arc::new(Fake::new("blocker", move |_, out: &Outbox| {
            held.wait();
            told.store(out.push(note("late")).is_err(), Ordering::SeqCst);
            Ok(())
        })));
        current_thread().block_on(async {
            let runs = Runs::new();
            let mut turn = Box::pin(bus.collect(parts("hi"), &runs));
            std::future::poll_fn(|cx| {
                assert!(turn.as_mut().poll(cx).is_pending());
                std::task::Poll::Ready(())
            })
            .await;
        });
        gate.open();
        while !given_up.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
    });
}

#[test]
fn an_engine_without_a_free_thread_says_so_at_once() {
    let mut limits = BusLimits::default();
    limits.deadline = LONG;
    let mut bus = Bus::new(Arc::new(Stuck), limits);
    bus.register(Arc::new(Fake::new("io", |_, _| Ok(()))));
    let collection = within_seconds(move || collect(&bus, with_queue(parts("hi"), &["one"])));
    assert_eq!(reason(&collection.decisions, "io"), Some((Verdict::Failed, "io_stalled")));
    assert_eq!(notes(&collection.drafts), ["queued one"]);
}

#[test]
fn what_the_input_names_is_touched_before_the_other_stages_look() {
    let mut bus = bus(LONG);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    bus.register(Arc::new(Fake::new("later", move |turn, _| {
        told.lock().unwrap().extend(turn.touched.iter().map(|touched| touched.path.clone()));
        Ok(())
    })))
    .register(Arc::new(
        Fake::new("input", |_, out| {
            Ok(out.push(context_api::Draft::new(FileAttachment::default().path("/p/a.rs")))?)
        })
        .stage(Stage::Input),
    ));
    collect(&bus, parts("hi"));
    assert_eq!(*seen.lock().unwrap(), [std::path::PathBuf::from("/p/a.rs")]);
}

#[test]
fn stages_run_where_they_belong() {
    let mut bus = bus(LONG);
    for (label, stage) in
        [("input", Stage::Input), ("everywhere", Stage::Everywhere), ("main", Stage::MainThread)]
    {
        bus.register(Arc::new(Fake::new(label, move |_, out| Ok(out.push(note(label))?)).stage(stage)));
    }
    assert_eq!(notes(&collect(&bus, parts("hi")).drafts), ["input", "everywhere", "main"]);
    let mut agent = parts("hi");
    agent.thread = Thread::Agent("reviewer".into());
    assert_eq!(notes(&collect(&bus, agent).drafts), ["input", "everywhere"]);
    let mut continuation = parts("");
    continuation.input = None;
    assert_eq!(notes(&collect(&bus, continuation).drafts), ["everywhere", "main"]);
}

#[test]
fn modes_leave_out_what_they_say() {
    let mut bus = bus(LONG);
    bus.register_essential(Arc::new(Fake::new("memory", |_, out| Ok(out.push(note("memory"))?))))
        .register(Arc::new(Fake::new("other", |_, out| Ok(out.push(note("other"))?))));
    let in_mode = |mode| {
        let mut parts = with_queue(parts("hi"), &["one"]);
        parts.attachments = mode;
        notes(&collect(&bus, parts).drafts)
    };
    assert_eq!(in_mode(AttachmentMode::On), ["memory", "other", "queued one"]);
    assert_eq!(in_mode(AttachmentMode::Simple), ["memory", "queued one"]);
    assert_eq!(in_mode(AttachmentMode::Off), ["queued one"]);
}

#[test]
fn collectors_may_use_the_timers_of_the_host() {
    struct Waits;
    #[async_trait::async_trait]
    impl context_api::Collector for Waits {
        fn label(&self) -> &str {
            "waits"
        }
        fn stage(&self) -> Stage {
            Stage::Everywhere
        }
        async fn collect(&self, _: &context_api::TurnView, out: &Outbox) -> Result<(), CollectError> {
            tokio::time::sleep(Duration::from_millis(20)).await;
            Ok(out.push(note("waited"))?)
        }
    }
    within_seconds(|| {
        let mut bus = bus(LONG);
        bus.register(Arc::new(Waits));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let collection = runtime.block_on(bus.collect(parts("hi"), &Runs::new()));
        assert_eq!(notes(&collection.drafts), ["waited"]);
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever mixture of collectors there is, the order of the result is that of their registration.
    #[test]
    fn order_is_that_of_registration(kinds in proptest::collection::vec(0_u8..4, 0..12)) {
        let labels: Vec<&'static str> = (0..kinds.len()).map(|at| &*format!("c{at}").leak()).collect();
        let mut bus = bus(LONG);
        for (kind, label) in kinds.iter().zip(&labels) {
            let label: &'static str = label;
            let fake = match kind {
                0 => Fake::new(label, move |_, out| Ok(out.push(note(label))?)),
                1 => Fake::new(label, move |_, out| Ok(out.push(note(label))?)).inline(),
                2 => Fake::new(label, move |_, out| {
                    out.push(note(label))?;
                    panic!("on purpose")
                }),
                _ => Fake::new(label, move |_, out| {
                    out.push(note(label))?;
                    Err(CollectError::failed("no luck"))
                }),
            };
            bus.register(Arc::new(fake));
        }
        let collection = collect(&bus, parts("hi"));
        prop_assert_eq!(notes(&collection.drafts), labels);
    }
}
