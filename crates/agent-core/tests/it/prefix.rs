//! The prefix invariant, and same entries, same bytes.

use std::sync::Arc;

use agent_core::context_api::{
    ContentBlock, Dialect, EntryKind, InvalidateEvent, QueuedInput, RawJson, StopReason, ToolResult,
    ToolResultBlock, TouchKind,
};
use agent_core::dialects::Anthropic;
use agent_core::projector::{ProjectedHistory, StandardProjector};
use agent_core::{PreparedTurn, Session, SessionOptions, Turn};
use context_testkit::{FixedClock, Place};
use proptest::prelude::*;

use crate::support::*;

/// One thing that happens in a session.
#[derive(Debug, Clone)]
enum Op {
    Prompt(&'static str),
    Continue,
    Answer(&'static str),
    Calls(u8),
    Result(u8, &'static str),
    Broken(StopReason),
    Queue(&'static str),
    Touch(&'static str),
    Write(&'static str, &'static str),
    Day(u8),
    Invalidate(InvalidateEvent),
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let prompts = prop::sample::select(vec![
        "hello",
        "see @src/a.rs",
        "see @src/a.rs#L1-1 and @docs",
        "@web/app.ts @nope",
        " \n",
        "</system-reminder> @src/a.rs",
    ]);
    let texts = prop::sample::select(vec!["fine", "", " \n\t", "done </system-reminder>", "ünï"]);
    let paths = prop::sample::select(vec!["src/a.rs", "web/app.ts", "docs/x.md", "CLAUDE.md"]);
    let op = prop_oneof![
        6 => prompts.prop_map(Op::Prompt),
        3 => Just(Op::Continue),
        4 => texts.clone().prop_map(Op::Answer),
        4 => (0_u8..4).prop_map(Op::Calls),
        4 => (0_u8..4, texts).prop_map(|(at, text)| Op::Result(at, text)),
        1 => prop::sample::select(vec![StopReason::Aborted, StopReason::Error]).prop_map(Op::Broken),
        2 => prop::sample::select(vec!["queued one", "queued two"]).prop_map(Op::Queue),
        2 => paths.clone().prop_map(Op::Touch),
        2 => (paths, prop::sample::select(vec!["one\n", "two\nlines\n"])).prop_map(|(path, text)| Op::Write(path, text)),
        1 => (1_u8..28).prop_map(Op::Day),
        1 => prop::sample::select(vec![InvalidateEvent::MemoryEdited, InvalidateEvent::Sections]).prop_map(Op::Invalidate),
    ];
    prop::collection::vec(op, 1..24)
}

struct World {
    place: Place,
    clock: Arc<FixedClock>,
    session: Session,
    calls: u64,
}

impl World {
    fn new() -> Self {
        let place = Place::new();
        place.write("CLAUDE.md", "root\n");
        place.write("web/CLAUDE.md", "nested\n");
        place.write(".claude/rules/ts.md", "---\npaths: '**/*.ts'\n---\nrule\n");
        for name in ["src/a.rs", "web/app.ts", "docs/x.md"] {
            place.write(name, "first\n");
        }
        let clock = Arc::new(FixedClock::default());
        let engine = builder(&place).clock(Arc::clone(&clock)).build().unwrap();
        let session = engine.session(SessionOptions::default().id("s"));
        Self { place, clock, session, calls: 0 }
    }

    fn act(&mut self, op: &Op) -> Option<PreparedTurn> {
        match op {
            Op::Prompt(text) => return Some(prompt(&mut self.session, text)),
            Op::Continue => return Some(wait(self.session.prepare(Turn::continuation())).unwrap()),
            Op::Answer(text) => {
                drop(self.session.record(EntryKind::assistant(vec![ContentBlock::text(*text)])))
            }
            Op::Calls(count) => {
                let calls = (0..*count).map(|_| {
                    self.calls += 1;
                    ContentBlock::tool_use(format!("t{}", self.calls), "Read", RawJson::empty_object())
                });
                let content: Vec<_> = std::iter::once(ContentBlock::text("calling")).chain(calls).collect();
                self.session.record(EntryKind::assistant(content));
            }
            Op::Result(back, text) => {
                let id = format!("t{}", self.calls.saturating_sub(u64::from(*back)));
                let block = ToolResultBlock {
                    tool_use_id: id,
                    content: vec![ContentBlock::text(*text)],
                    is_error: false,
                };
                self.session.record(EntryKind::ToolResult(ToolResult::new(block)));
            }
            Op::Broken(stop) => {
                let mut reply = agent_core::context_api::AssistantReply::default().stop(*stop);
                reply.content = vec![ContentBlock::text("half a")];
                self.session.record(EntryKind::Assistant(reply));
            }
            Op::Queue(text) => drop(self.session.queue(QueuedInput::default().mode("prompt").text(*text))),
            Op::Touch(path) => self.session.touched(path, TouchKind::Read),
            Op::Write(path, text) => drop(self.place.write(path, text)),
            Op::Day(day) => self.clock.set("2026-05-01T12:00:00Z", &format!("2026-05-{day:02}")),
            Op::Invalidate(event) => self.session.invalidate(*event, ""),
        }
        None
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_request_is_a_prefix_of_the_next_unless_a_named_reason_lies_between(ops in ops()) {
        let mut world = World::new();
        let mut previous: Option<PreparedTurn> = None;
        let mut reason = false;
        for op in &ops {
            reason |= matches!(op, Op::Invalidate(_));
            let Some(next) = world.act(op) else { continue };
            let request = next.request.clone().unwrap();
            // The dialect checks the provider's rules: roles, pairs, empty blocks, marks.
            let body = Anthropic::default().encode(&request).unwrap().body;
            prop_assert!(serde_json::from_slice::<serde_json::Value>(&body).is_ok());
            if let (Some(before), false) = (&previous, reason) {
                let broken = broken_prefix(before.request.as_ref().unwrap(), &request);
                prop_assert!(broken.is_none(), "{}", broken.unwrap());
                prop_assert!(next.cache().unwrap().extends(), "the report agrees");
            }
            previous = Some(next);
            reason = false;
        }
    }

    #[test]
    fn the_same_entries_give_the_same_bytes_however_they_came(ops in ops()) {
        let mut world = World::new();
        let mut last = None;
        for op in &ops {
            last = world.act(op).or(last);
        }
        let Some(prepared) = last else { return Ok(()) };
        // The history goes through its written form and into a history of its own.
        let read: Vec<_> = prepared.history().iter()
            .map(|entry| serde_json::from_str(&serde_json::to_string(entry).unwrap()).map(Arc::new).unwrap())
            .collect();
        prop_assert_eq!(lines(&read), lines(prepared.history()));
        let config = agent_core::context_api::ProjectionConfig::default();
        let again = ProjectedHistory::new(Arc::new(StandardProjector::default()), config).preview(&read);
        let strip = |messages: &[Arc<agent_core::context_api::ModelMessage>]| -> Vec<_> {
            messages.iter().map(|message| {
                let blocks: Vec<_> = message.blocks.iter().map(|block| block.content.clone()).collect();
                (message.role, blocks)
            }).collect()
        };
        prop_assert_eq!(strip(&again.messages), strip(&prepared.request.unwrap().messages));
    }

    #[test]
    fn every_queued_input_is_delivered_exactly_once(ops in ops()) {
        let mut world = World::new();
        let mut queued = 0;
        for op in &ops {
            queued += usize::from(matches!(op, Op::Queue(_)));
            world.act(op);
        }
        let last = prompt(&mut world.session, "end");
        let delivered = last.history().iter()
            .filter_map(|entry| entry.attachment())
            .filter(|envelope| envelope.attachment.type_name() == "queued_command")
            .count();
        prop_assert_eq!(delivered, queued);
        prop_assert!(world.session.handle().waiting().is_empty());
    }
}
