//! What holds for histories that are kept within a window, whatever happens in them and whatever the summarizer does.

use std::sync::{Arc, Mutex};

use agent_core::context_api::{
    ContentBlock, EntryKind, FileState, MarkTarget, ModelRequest, RawJson, StateChange, Summarizer,
    SummaryError, SummaryRequest, TokenCounter, ToolResult, ToolResultBlock, Trigger,
};
use agent_core::context_budget::{EstimateCounter, Limits, request_tokens, room};
use agent_core::{Compact, CompactError, Error, PreparedTurn, Session, SessionOptions, Turn};
use async_trait::async_trait;
use context_testkit::Place;
use proptest::prelude::*;

use crate::support::{broken_prefix, builder, texts, wait};

/// What a summarizer does when it is asked.
#[derive(Debug, Clone, Copy)]
enum Mood {
    Good,
    Empty,
    Endless,
    TooLong,
    Down,
}

/// One thing that happens.
#[derive(Debug, Clone)]
enum Step {
    Prompt(usize),
    Answer(usize),
    Calls(&'static str, Vec<usize>),
    Read(u8, usize),
    /// Pins the newest result.
    Pin,
    Mood(Mood),
    Compact(Trigger),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let size = || prop_oneof![3 => 0..60usize, 2 => 200..900usize, 1 => 1_000..2_500usize];
    let moods = vec![Mood::Good, Mood::Good, Mood::Empty, Mood::Endless, Mood::TooLong, Mood::Down];
    let tool = prop::sample::select(vec!["Bash", "Grep", "Oracle"]);
    let step = prop_oneof![
        6 => size().prop_map(Step::Prompt),
        3 => size().prop_map(Step::Answer),
        4 => (tool, prop::collection::vec(size(), 1..4)).prop_map(|(tool, sizes)| Step::Calls(tool, sizes)),
        2 => (0..3u8, size()).prop_map(|(file, size)| Step::Read(file, size)),
        1 => Just(Step::Pin),
        2 => prop::sample::select(moods).prop_map(Step::Mood),
        1 => prop::sample::select(vec![Trigger::Manual, Trigger::Reactive]).prop_map(Step::Compact),
    ];
    prop::collection::vec(step, 1..45)
}

/// What a summarizer was asked, and how it fared.
#[derive(Debug)]
struct Asked {
    mood: Mood,
    times: usize,
    /// Runs that failed since the last one that did not; a run ends with anything but "too long", or after four of those.
    failures: u32,
    too_long: u32,
    /// Whether it was asked by itself after three failures.
    pestered: bool,
}

#[derive(Clone)]
struct Moody(Arc<Mutex<Asked>>);

#[async_trait]
impl Summarizer for Moody {
    async fn summarise(&self, request: &SummaryRequest) -> Result<String, SummaryError> {
        let mut asked = self.0.lock().unwrap();
        asked.times += 1;
        asked.pestered |= asked.failures >= 3 && request.trigger == Trigger::Auto;
        let answer = match asked.mood {
            Mood::Good => Ok("THE-SUMMARY".to_owned()),
            Mood::Empty => Ok(" \n".to_owned()),
            Mood::Endless => Ok("more words ".repeat(60_000)),
            Mood::TooLong => Err(SummaryError::TooLong),
            Mood::Down => Err(SummaryError::Failed("down".to_owned())),
        };
        asked.too_long = if matches!(asked.mood, Mood::TooLong) { (asked.too_long + 1) % 4 } else { 0 };
        match asked.mood {
            Mood::Good => asked.failures = 0,
            Mood::TooLong if asked.too_long != 0 => {}
            _ => asked.failures += 1,
        }
        answer
    }
}

struct World {
    place: Place,
    session: Session,
    asked: Moody,
    room: u64,
    count: usize,
    last_result: Option<String>,
    pins: Vec<String>,
    previous: Option<Arc<ModelRequest>>,
}

fn words(marker: &str, count: usize) -> String {
    format!("{marker} {}", "word ".repeat(count))
}

impl World {
    fn new(window: u64, memory: usize) -> Self {
        let place = Place::new();
        place.write("CLAUDE.md", words("RULE-TEXT", memory));
        for file in 0..3 {
            place.write(&format!("f{file}.txt"), words("NOW", 300));
        }
        let asked = Asked { mood: Mood::Good, times: 0, failures: 0, too_long: 0, pestered: false };
        let asked = Moody(Arc::new(Mutex::new(asked)));
        let engine = builder(&place).summarizer(asked.clone()).options(|options| {
            options.window = window;
            options.max_tokens = 1_000;
        });
        let engine = engine.stage_limits(|limits| {
            limits.result_chars = 6_000;
            limits.results_tokens = 3_000;
            limits.freed_tokens = 500;
            limits.newest_results = 2;
            limits.repeated_tokens = 200;
            limits.run_calls = 2;
            limits.newest_answers = 2;
        });
        let session = engine.build().unwrap().session(SessionOptions::default().id("s"));
        let room = room(window, 1_000, &Limits::default());
        Self { place, session, asked, room, count: 0, last_result: None, pins: Vec::new(), previous: None }
    }

    fn act(&mut self, step: &Step) -> Result<(), TestCaseError> {
        self.count += 1;
        match step {
            Step::Prompt(size) => return self.prompt(*size),
            Step::Answer(size) => {
                let text = words("ANSWER", *size);
                self.session.record(EntryKind::assistant(vec![ContentBlock::text(text)]));
            }
            Step::Calls(tool, sizes) => self.calls(tool, sizes),
            Step::Read(file, size) => self.read(*file, *size),
            Step::Pin => {
                let Some(id) = self.last_result.clone() else { return Ok(()) };
                if self.session.pin(MarkTarget::Result(id.clone())).is_ok() {
                    self.pins.push(id);
                }
            }
            Step::Mood(mood) => self.asked.0.lock().unwrap().mood = *mood,
            Step::Compact(trigger) => return self.compact(*trigger),
        }
        Ok(())
    }

    fn calls(&mut self, tool: &str, sizes: &[usize]) {
        let ids: Vec<String> = (0..sizes.len()).map(|at| format!("c{}x{at}", self.count)).collect();
        let call = |id: &String| ContentBlock::tool_use(id.clone(), tool, RawJson::empty_object());
        self.session.record(EntryKind::assistant(ids.iter().map(call).collect()));
        for (id, size) in ids.iter().zip(sizes) {
            self.result(id, *size, Vec::new());
        }
    }

    fn read(&mut self, file: u8, size: usize) {
        let id = format!("c{}x0", self.count);
        let call = ContentBlock::tool_use(id.clone(), "Read", RawJson::empty_object());
        self.session.record(EntryKind::assistant(vec![call]));
        let path = self.place.path(&format!("f{file}.txt"));
        let state = FileState::default().path(path).hash(size.to_string());
        self.result(&id, size, vec![StateChange::Put(state)]);
    }

    fn result(&mut self, id: &str, size: usize, states: Vec<StateChange>) {
        let content = vec![ContentBlock::text(words(&format!("RESULT-{id}-"), size))];
        let block = ToolResultBlock { tool_use_id: id.to_owned(), content, is_error: false };
        self.session.record(EntryKind::ToolResult(ToolResult::new(block).states(states)));
        self.last_result = Some(id.to_owned());
    }

    fn prompt(&mut self, size: usize) -> Result<(), TestCaseError> {
        let text = words(&format!("ASK-{}-", self.count), size);
        let before = self.asked.0.lock().unwrap().times;
        match wait(self.session.prepare(Turn::prompt(text.clone()))) {
            Ok(turn) => self.judge(&turn, &text, before),
            Err(Error::ContextTooLarge { tokens, room, .. }) => {
                prop_assert!(tokens > room);
                Ok(())
            }
            Err(other) => Err(TestCaseError::fail(other.to_string())),
        }
    }

    fn judge(&mut self, turn: &PreparedTurn, text: &str, asked_before: usize) -> Result<(), TestCaseError> {
        // The engine's dialect has checked the provider's rules: a call without its result would be an error.
        let request = turn.request.clone().unwrap();
        let (counter, shown) = (EstimateCounter::default(), texts(&request));
        let tokens = request_tokens(&request, &counter, &Limits::default());
        prop_assert!(tokens <= self.room, "{tokens} of {}", self.room);
        prop_assert!(shown.contains(text.trim()), "the newest words");
        prop_assert!(shown.contains("RULE-TEXT"), "memory");
        for pin in &self.pins {
            prop_assert!(shown.contains(&format!("RESULT-{pin}-")), "the pin of {pin}");
        }
        let asked = self.asked.0.lock().unwrap();
        prop_assert!(!asked.pestered, "three failures stop the trying");
        let reasons: Vec<&str> = turn.decisions.iter().map(|one| one.reason.as_str()).collect();
        let boundaries: Vec<_> = turn
            .entries
            .iter()
            .filter_map(|entry| match &entry.kind {
                EntryKind::Boundary(boundary) => Some(boundary),
                _ => None,
            })
            .collect();
        let refused = reasons.contains(&"budget_impossible") && !reasons.contains(&"summary_failed");
        if refused && boundaries.is_empty() {
            prop_assert_eq!(
                asked.times,
                asked_before,
                "no summary is paid for that can not reach the target"
            );
        }
        if !boundaries.is_empty() {
            // It may be out of view: a pin would come too late.
            self.last_result = None;
        }
        for boundary in boundaries {
            let after = tokens - counter.text(text);
            prop_assert!(boundary.tokens_after <= boundary.tokens_before, "{boundary:?}");
            prop_assert!(after <= boundary.tokens_before, "{after}: {boundary:?}");
        }
        let decided = |kind: &EntryKind| {
            matches!(kind, EntryKind::ViewEdit(_) | EntryKind::Boundary(_) | EntryKind::Context(_))
        };
        let previous = self.previous.replace(Arc::clone(&request));
        if let Some(previous) = previous.filter(|_| !turn.entries.iter().any(|entry| decided(&entry.kind))) {
            let broken = broken_prefix(&previous, &request);
            prop_assert!(broken.is_none(), "{}", broken.unwrap());
        }
        Ok(())
    }

    fn compact(&mut self, trigger: Trigger) -> Result<(), TestCaseError> {
        let mut ask = Compact::manual("");
        ask.trigger = trigger;
        let before = self.asked.0.lock().unwrap().times;
        let entries = self.session.history().len();
        let outcome = wait(self.session.compact_now(ask));
        let asked = self.asked.0.lock().unwrap().times - before;
        match outcome {
            Ok(done) => {
                (self.previous, self.last_result) = (None, None);
                prop_assert!(asked >= 1 && done.tokens_after <= done.tokens_before + 2_000, "{done:?}");
            }
            Err(CompactError::Failed(_)) => prop_assert!(asked >= 1),
            Err(CompactError::Impossible(_) | CompactError::Nothing) => prop_assert_eq!(asked, 0),
            Err(other) => prop_assert!(false, "{other}"),
        }
        if self.previous.is_some() {
            prop_assert_eq!(entries, self.session.history().len(), "what failed changed nothing");
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_history_stays_within_its_window_whatever_the_summarizer_does(
        window in prop_oneof![4_000u64..12_000, 12_000u64..30_000],
        memory in prop_oneof![4 => 0..100usize, 1 => 1_000..6_000usize],
        steps in steps(),
    ) {
        let mut world = World::new(window, memory);
        for step in &steps {
            world.act(step)?;
        }
    }
}
