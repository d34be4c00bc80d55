//! A pause changes nothing.

use std::sync::Arc;

use agent_core::context_api::{
    ContentBlock, Dialect, EntryKind, HostSnapshot, InvalidateEvent, ModelRequest, PlanState, QueuedInput,
    RawJson, Source, StopReason, TodoItem, TokenBudget, ToolResult, ToolResultBlock, ToolSpec, TouchKind,
    TranscriptStore,
};
use agent_core::dialects::Anthropic;
use agent_core::transcript::{JsonlStore, MemoryStore};
use agent_core::{Engine, Error, Session, SessionOptions, Turn};
use context_testkit::{CountingIds, FixedClock, Place, ThreadPerJob};
use proptest::prelude::*;

use crate::host::{Host, Kind};
use crate::support::*;

/// One thing that happens in a session.
#[derive(Debug, Clone)]
enum Op {
    Prompt(&'static str),
    Continue,
    Answer(&'static str),
    Call,
    Result(&'static str),
    Broken(StopReason),
    Queue(&'static str),
    Touch(&'static str),
    Write(&'static str, &'static str),
    Day(u8),
    Tools(u8),
    Happens(Kind),
    Catalog(Option<u8>, &'static str),
    Modes {
        plan: bool,
        auto: bool,
    },
    Budget(u64),
    Editor(&'static str),
    Invalidate(InvalidateEvent),
    /// The session goes on in a new process.
    Pause,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let paths = prop::sample::select(vec!["src/a.rs", "web/app.ts", "CLAUDE.md"]);
    let prompts = prop::sample::select(vec!["hello", "see @src/a.rs", "@web/app.ts", " \n"]);
    let reasons = prop::sample::select(vec![
        InvalidateEvent::MemoryEdited,
        InvalidateEvent::Sections,
        InvalidateEvent::CacheBreaker,
        InvalidateEvent::Clear,
    ]);
    let op = prop_oneof![
        6 => prompts.prop_map(Op::Prompt),
        3 => Just(Op::Continue),
        4 => prop::sample::select(vec!["fine", "", "ünï"]).prop_map(Op::Answer),
        3 => Just(Op::Call),
        3 => prop::sample::select(vec!["out", ""]).prop_map(Op::Result),
        1 => prop::sample::select(vec![StopReason::Aborted, StopReason::Error]).prop_map(Op::Broken),
        2 => Just(Op::Queue("queued")),
        2 => paths.clone().prop_map(Op::Touch),
        2 => (paths.clone(), prop::sample::select(vec!["one\n", "two\nlines\n"])).prop_map(|(path, text)| Op::Write(path, text)),
        1 => (1_u8..28).prop_map(Op::Day),
        1 => (0_u8..3).prop_map(Op::Tools),
        3 => prop::sample::select(Kind::ALL.to_vec()).prop_map(Op::Happens),
        2 => (prop::option::weighted(0.8, 0_u8..4), prop::sample::select(vec!["one", "two"]))
            .prop_map(|(size, text)| Op::Catalog(size, text)),
        2 => (any::<bool>(), any::<bool>()).prop_map(|(plan, auto)| Op::Modes { plan, auto }),
        1 => (1_u64..9).prop_map(Op::Budget),
        1 => paths.clone().prop_map(Op::Editor),
        1 => reasons.prop_map(Op::Invalidate),
        4 => Just(Op::Pause),
    ];
    prop::collection::vec(op, 1..20)
}

struct World {
    place: Place,
    clock: Arc<FixedClock>,
    store: Arc<dyn TranscriptStore>,
    engine: Engine,
    session: Session,
    tools: u8,
    host: Host,
    calls: u64,
    /// What a host would hand in again.
    touched: Vec<&'static str>,
    forks: u32,
}

struct Shared(Arc<dyn TranscriptStore>);

impl World {
    fn new(store: impl FnOnce(&Place) -> Arc<dyn TranscriptStore>) -> Self {
        let place = Place::new();
        place.write("CLAUDE.md", "root\n");
        place.write("web/CLAUDE.md", "nested\n");
        for name in ["src/a.rs", "web/app.ts"] {
            place.write(name, "first\n");
        }
        let clock = Arc::new(FixedClock::default());
        let store = store(&place);
        let engine = builder(&place)
            .clock(Arc::clone(&clock))
            .ids(CountingIds::default())
            .store(Shared(Arc::clone(&store)))
            .build()
            .unwrap();
        let session = engine.session(SessionOptions::default().id("s"));
        Self {
            place,
            clock,
            store,
            engine,
            session,
            tools: 0,
            host: Host::default(),
            calls: 0,
            touched: Vec::new(),
            forks: 0,
        }
    }

    fn request(&self, turn: Turn) -> Turn {
        let mut host = self.host.snapshot.clone();
        if self.tools > 0 {
            let tools = (0..self.tools).map(|n| ToolSpec::default().name(format!("tool{n}")));
            host.catalog.tools = Source::ready(tools);
        }
        turn.host(host)
    }

    fn act(&mut self, op: &Op) -> Result<(), TestCaseError> {
        match op {
            Op::Prompt(text) => self.prepare(Turn::prompt(*text)),
            Op::Continue => self.prepare(Turn::continuation()),
            Op::Answer(text) => self.record(EntryKind::assistant(vec![ContentBlock::text(*text)])),
            Op::Call => {
                self.calls += 1;
                let call =
                    ContentBlock::tool_use(format!("t{}", self.calls), "Read", RawJson::empty_object());
                self.record(EntryKind::assistant(vec![call]));
            }
            Op::Result(text) => {
                let content = vec![ContentBlock::text(*text)];
                let block =
                    ToolResultBlock { tool_use_id: format!("t{}", self.calls), content, is_error: false };
                self.record(EntryKind::ToolResult(ToolResult::new(block)));
            }
            Op::Broken(stop) => {
                let mut reply = agent_core::context_api::AssistantReply::default().stop(*stop);
                reply.content = vec![ContentBlock::text("half a")];
                self.record(EntryKind::Assistant(reply));
            }
            Op::Queue(text) => drop(self.session.queue(QueuedInput::default().mode("prompt").text(*text))),
            Op::Touch(path) => {
                self.touched.push(path);
                self.session.touched(path, TouchKind::Read);
            }
            Op::Write(path, text) => drop(self.place.write(path, text)),
            Op::Day(day) => self.clock.set("2026-05-01T12:00:00Z", &format!("2026-05-{day:02}")),
            Op::Tools(count) => self.tools = *count,
            Op::Happens(kind) => self.host.hand_in(&self.session, *kind),
            Op::Catalog(size, text) => self.host.catalog(*size, text),
            Op::Modes { plan, auto } => {
                self.host.snapshot.modes.plan = PlanState::default().active(*plan);
                self.host.snapshot.modes.auto = *auto;
            }
            Op::Budget(used) => {
                let budget = TokenBudget::default().used(used * 1_000).total(10_000u64);
                self.host.snapshot.budgets.tokens = Some(budget);
            }
            Op::Editor(path) => {
                self.host.snapshot.ide.opened_file = Some(self.place.proj().join(path));
            }
            Op::Invalidate(event) => self.session.invalidate(*event, "why"),
            Op::Pause => self.pause()?,
        }
        Ok(())
    }

    fn prepare(&mut self, turn: Turn) {
        let turn = self.request(turn);
        wait(self.session.prepare(turn)).unwrap();
        self.touched.clear();
    }

    fn record(&mut self, kind: EntryKind) {
        self.session.record(kind);
    }

    /// Compares the session with the same one resumed, and the next request of both; goes on with a resumed one.
    fn pause(&mut self) -> Result<(), TestCaseError> {
        if self.session.history().is_empty() {
            return Ok(());
        }
        prop_assert_eq!(wait(self.session.flush()), []);
        self.forks += 1;
        let options = SessionOptions::default().id(format!("fork-{}", self.forks));
        let mut other = wait(self.engine.fork(self.session.id(), None, options)).unwrap();
        prop_assert_eq!(other.ledger(), self.session.ledger());
        let files = |session: &Session| format!("{:?}", session.files().iter().collect::<Vec<_>>());
        prop_assert_eq!(files(&other), files(&self.session));
        self.hand_in_again(&other);
        let next = self.request(Turn::prompt("next @src/a.rs"));
        let resumed = wait(other.prepare(next.clone())).unwrap().request.unwrap();
        let lasting = wait(self.session.prepare(next)).unwrap().request.unwrap();
        prop_assert_eq!(written(&resumed), written(&lasting));
        self.touched.clear();
        let again = wait(self.engine.resume(self.session.id(), SessionOptions::default())).unwrap();
        self.hand_in_again(&again);
        self.session = again;
        Ok(())
    }

    fn hand_in_again(&self, session: &Session) {
        for event in self.session.handle().waiting() {
            session.handle().event(event);
        }
        self.touched.iter().for_each(|path| session.touched(path, TouchKind::Read));
    }
}

fn written(request: &ModelRequest) -> String {
    String::from_utf8(Anthropic::default().encode(request).unwrap().body).unwrap()
}

#[async_trait::async_trait]
impl TranscriptStore for Shared {
    async fn append(
        &self,
        batch: agent_core::context_api::Batch,
    ) -> Result<(), agent_core::context_api::StoreError> {
        self.0.append(batch).await
    }

    async fn load(
        &self,
        session: &str,
        reach: agent_core::context_api::Reach,
    ) -> Result<agent_core::context_api::Loaded, agent_core::context_api::StoreError> {
        self.0.load(session, reach).await
    }

    async fn fork(
        &self,
        fork: agent_core::context_api::Fork,
    ) -> Result<(), agent_core::context_api::StoreError> {
        self.0.fork(fork).await
    }

    fn offer(&self, batch: agent_core::context_api::Batch) {
        self.0.offer(batch);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn the_request_after_a_pause_is_the_request_without_it(ops in ops()) {
        let mut world = World::new(|_| Arc::new(MemoryStore::default()));
        for op in &ops {
            world.act(op)?;
        }
        world.act(&Op::Pause)?;
    }

    #[test]
    fn so_it_is_through_files(ops in ops()) {
        let mut world = World::new(|place| {
            Arc::new(JsonlStore::new(place.home().join("sessions"), Arc::new(ThreadPerJob)))
        });
        for op in &ops {
            world.act(op)?;
        }
        world.act(&Op::Pause)?;
        let _open = &world.store;
    }
}

#[test]
fn without_a_store_there_is_nothing_to_resume() {
    let engine = builder(&Place::new()).build().unwrap();
    assert!(matches!(wait(engine.resume("s", SessionOptions::default())), Err(Error::NoStore)));
}

#[test]
fn a_reply_that_was_recorded_is_written_without_a_further_request() {
    let place = Place::new();
    let root = place.home().join("sessions");
    let engine = builder(&place).transcripts(&root).build().unwrap();
    let mut session = engine.session(SessionOptions::default().id("s"));
    prompt(&mut session, "hello");
    session.record(EntryKind::assistant(vec![ContentBlock::text("MARK_REPLY")]));
    within_seconds(move || {
        while !std::fs::read_to_string(root.join("s.jsonl")).unwrap_or_default().contains("MARK_REPLY") {
            std::thread::yield_now();
        }
    });
}

#[test]
fn a_cancelled_session_gives_up_its_request_and_changes_nothing() {
    let place = Place::new();
    let cancel = agent_core::context_api::Cancel::new();
    let engine = builder(&place).build().unwrap();
    let mut session = engine.session(SessionOptions::default().cancel(cancel.child()));
    session.queue(QueuedInput::default().mode("prompt").text("waits"));
    cancel.cancel();
    assert!(matches!(wait(session.prepare(Turn::prompt("x"))), Err(Error::Cancelled)));
    assert_eq!((session.history().len(), session.handle().waiting().len()), (0, 1));
}

#[test]
fn changed_tools_are_a_named_reason_after_a_pause_too() {
    let place = Place::new();
    let engine = builder(&place).store(MemoryStore::default()).build().unwrap();
    let host = |names: &[&str]| {
        let tools: Vec<_> = names.iter().map(|name| ToolSpec::default().name(*name)).collect();
        let mut host = agent_core::context_api::HostSnapshot::default();
        host.catalog.tools = agent_core::context_api::Source::Ready(tools.into());
        host
    };
    let mut session = engine.session(SessionOptions::default().id("s"));
    wait(session.prepare(Turn::prompt("a").host(host(&["one"])))).unwrap();
    drop(session);
    let mut session = wait(engine.resume("s", SessionOptions::default())).unwrap();
    let same = wait(session.prepare(Turn::prompt("b"))).unwrap();
    assert_eq!(same.request.unwrap().tools.len(), 1, "a host that says nothing takes nothing back");
    drop(session);
    let mut session = wait(engine.resume("s", SessionOptions::default())).unwrap();
    let changed = wait(session.prepare(Turn::prompt("c").host(host(&["one", "two"])))).unwrap();
    let named = changed.entries.iter().any(|entry| {
        matches!(&entry.kind, EntryKind::Invalidate(reason) if reason.event == InvalidateEvent::Tools && reason.detail == "two")
    });
    assert!(named);
}

#[test]
fn an_agent_has_its_own_history_a_copy_of_the_files_and_ends_with_its_parent() {
    let place = Place::new();
    place.write("a.txt", "text\n");
    let engine = builder(&place).store(MemoryStore::default()).build().unwrap();
    let cancel = agent_core::context_api::Cancel::new();
    let mut session = engine.session(SessionOptions::default().id("s").cancel(cancel.clone()));
    prompt(&mut session, "MARK_PARENT @a.txt");
    let mut agent = session.agent("reviewer", SessionOptions::default().id("s.reviewer"));
    let file = place.proj().join("a.txt");
    assert!(agent.files().get(&file).is_some() && agent.may_edit(&file).is_ok());
    let request = prompt(&mut agent, "look").request.unwrap();
    assert!(!texts(&request).contains("MARK_PARENT"));
    assert_eq!(session.history().iter().filter(|entry| matches!(entry.kind, EntryKind::User(_))).count(), 1);
    drop(agent);
    let resumed = wait(engine.resume("s.reviewer", SessionOptions::default())).unwrap();
    assert!(resumed.files().get(&file).is_some(), "its transcript tells of the files too");
    let mut agent = session.agent("second", SessionOptions::default());
    cancel.cancel();
    assert!(matches!(wait(agent.prepare(Turn::prompt("x"))), Err(Error::Cancelled)));
}

#[test]
fn a_question_on_the_side_repeats_the_prefix_and_changes_nothing() {
    let place = Place::new();
    place.write("CLAUDE.md", "RULE\n");
    let mut session = session(&place);
    let first = prompt(&mut session, "hello").request.unwrap();
    let call = ContentBlock::tool_use("t1", "Read", RawJson::empty_object());
    session.record(EntryKind::assistant(vec![ContentBlock::text("MARK_IN_PROGRESS"), call]));
    let before = lines(session.history());
    let side = session.side_request("MARK_SIDE");
    assert_eq!(broken_prefix(&first, &side), None);
    let text = texts(&side);
    assert!(text.contains("MARK_SIDE") && !text.contains("MARK_IN_PROGRESS"), "{text}");
    assert_eq!(lines(session.history()), before);
    let block = ToolResultBlock { tool_use_id: "t1".into(), content: Vec::new(), is_error: false };
    session.record(EntryKind::ToolResult(ToolResult::new(block)));
    let text = texts(&session.side_request("MARK_SIDE"));
    assert!(text.contains("MARK_IN_PROGRESS"), "it is complete now");
}

/// A session with a boundary in the middle of a run, and the same one resumed; the next request of both, with `host`.
fn next_of_both(host: &HostSnapshot) -> [String; 2] {
    let place = Place::new();
    let engine = builder(&place).store(MemoryStore::default()).build().unwrap();
    let mut session = engine.session(SessionOptions::default().id("s"));
    wait(session.prepare(Turn::prompt("go on").host(host.clone()))).unwrap();
    let answers = |session: &mut Session, count: usize| {
        (0..count).for_each(|_| drop(session.record(EntryKind::assistant(vec![ContentBlock::text("fine")]))));
    };
    answers(&mut session, 8);
    session.invalidate(InvalidateEvent::Clear, "asked for");
    answers(&mut session, 4);
    assert_eq!(wait(session.flush()), []);
    let mut other = wait(engine.fork("s", None, SessionOptions::default().id("other"))).unwrap();
    [&mut other, &mut session].map(|session| {
        let next = wait(session.prepare(Turn::continuation().host(host.clone()))).unwrap();
        format!("{:?}\n{}", next.signals, written(&next.request.unwrap()))
    })
}

#[test]
fn a_list_is_recalled_behind_a_boundary_and_a_pause_as_without_the_pause() {
    let mut host = HostSnapshot::default();
    host.work.todos = Source::ready([TodoItem::default().content("MARK_TODO").status("pending")]);
    let [resumed, lasting] = next_of_both(&host);
    assert_eq!(resumed, lasting);
}

#[test]
fn the_turn_limit_counts_a_run_across_a_boundary_and_a_pause() {
    let mut host = HostSnapshot::default();
    host.budgets.max_turns = Some(10);
    let [resumed, lasting] = next_of_both(&host);
    assert!(lasting.contains("error_max_turns"), "{lasting}");
    assert_eq!(resumed, lasting);
}
