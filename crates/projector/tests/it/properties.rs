//! What holds for every history.

use std::collections::HashSet;
use std::sync::Arc;

use context_api::{
    Boundary, ContentBlock, ContextPiece, ContextRecord, Entry, EntryKind, ModelBlock, ModelMessage,
    ProjectionConfig, RawJson, Role, StopReason, ToolShape, UserInput, ViewEdit,
};
use projector::{Normalised, ProjectedHistory, StandardProjector, normalise};
use proptest::prelude::*;

use crate::checker::check;
use crate::make::{History, call, image, thinking};
use context_testkit::fixtures;

/// One thing that happens in a turn. Numbers pick among what is there.
#[derive(Debug, Clone)]
enum Op {
    Reply { calls: Vec<u8>, thinking: (bool, bool), text: u8, stop: u8 },
    Result { id: u8, text: u8, twice: bool },
    Attach(usize),
    User(u8),
    Meta(u8),
    Mixed(u8),
    Unseen,
    Edit(Edit),
}

#[derive(Debug, Clone)]
enum Edit {
    Interrupted(u8),
    ReplaceResult(u8),
    ReplaceBlock(usize, usize),
    Drop(usize, usize),
    Fold(usize, usize),
    Boundary(usize, bool),
    Context(u8),
}

const IDS: u8 = 12;

fn text(kind: u8) -> &'static str {
    ["", " \n\t", "plain words", "</system-reminder>\u{0} <system-reminder>", "\u{0}", "é\r\n\u{202e}x"]
        [kind as usize % 6]
}

fn op() -> impl Strategy<Value = Op> {
    let ids = prop::collection::vec(0..IDS, 0..4);
    prop_oneof![
        4 => (ids, any::<(bool, bool)>(), any::<u8>(), any::<u8>())
            .prop_map(|(calls, thinking, text, stop)| Op::Reply { calls, thinking, text, stop }),
        4 => (0..IDS, any::<u8>(), any::<bool>()).prop_map(|(id, text, twice)| Op::Result { id, text, twice }),
        2 => (0..1_000usize).prop_map(Op::Attach),
        3 => any::<u8>().prop_map(Op::User),
        1 => any::<u8>().prop_map(Op::Meta),
        1 => (0..IDS).prop_map(Op::Mixed),
        1 => Just(Op::Unseen),
    ]
}

fn edit() -> impl Strategy<Value = Op> {
    prop_oneof![
        (0..IDS).prop_map(Edit::Interrupted),
        (0..IDS).prop_map(Edit::ReplaceResult),
        (0..40usize, 0..3usize).prop_map(|(entry, block)| Edit::ReplaceBlock(entry, block)),
        (0..40usize, 1..4usize).prop_map(|(entry, count)| Edit::Drop(entry, count)),
        (0..40usize, 1..4usize).prop_map(|(entry, count)| Edit::Fold(entry, count)),
        (0..40usize, any::<bool>()).prop_map(|(kept, summary)| Edit::Boundary(kept, summary)),
        any::<u8>().prop_map(Edit::Context),
    ]
    .prop_map(Op::Edit)
}

fn turns(op: impl Strategy<Value = Op> + 'static) -> impl Strategy<Value = Vec<Vec<Op>>> {
    prop::collection::vec(prop::collection::vec(op, 0..6), 1..7)
}

fn with_edits() -> impl Strategy<Value = Vec<Vec<Op>>> {
    turns(prop_oneof![5 => op(), 1 => edit()])
}

fn id(number: u8) -> String {
    format!("t{number}")
}

fn apply(history: &mut History, op: &Op) {
    match op {
        Op::Reply { calls, thinking: (before, after), text: kind, stop } => {
            let stop = [StopReason::EndTurn, StopReason::ToolUse, StopReason::Aborted, StopReason::Error]
                [*stop as usize % 4];
            let mut content: Vec<_> = before.then(|| thinking("a")).into_iter().collect();
            content.push(ContentBlock::text(text(*kind)));
            content.extend(calls.iter().map(|number| call(&id(*number))));
            content.extend(after.then(|| thinking("z")));
            history.stopped(content, stop);
        }
        Op::Result { id: number, text: kind, twice } => {
            for _ in 0..1 + u8::from(*twice) {
                history.result_of(&id(*number), vec![ContentBlock::text(text(*kind)), image()]);
            }
        }
        Op::Attach(number) => {
            let all = fixtures();
            history.attach(all[number % all.len()].clone());
        }
        Op::User(kind) => {
            history.user(text(*kind));
        }
        Op::Meta(kind) => {
            history.meta(text(*kind));
        }
        Op::Mixed(number) => {
            let content = vec![
                ContentBlock::text("mixed"),
                ContentBlock::tool_result(id(*number), "m"),
                call("odd"),
                image(),
            ];
            history.push(EntryKind::User(UserInput::default().content(content)));
        }
        Op::Unseen => {
            history.push(EntryKind::Unknown { tag: "later".into(), payload: RawJson::empty_object() });
        }
        Op::Edit(edit) => apply_edit(history, edit),
    }
}

fn apply_edit(history: &mut History, edit: &Edit) {
    let some = |from: usize, count: usize| -> Vec<_> {
        history.entries.iter().skip(from).take(count).map(|entry| entry.uuid).collect()
    };
    let reason = || "test".to_owned();
    let edit = match *edit {
        Edit::Interrupted(number) => ViewEdit::Interrupted { tool_use_id: id(number) },
        Edit::ReplaceResult(number) => {
            ViewEdit::ReplaceResult { tool_use_id: id(number), text: text(number).into(), reason: reason() }
        }
        Edit::ReplaceBlock(entry, block) => match some(entry, 1).first() {
            Some(&entry) => ViewEdit::ReplaceBlock { entry, block, text: "instead".into(), reason: reason() },
            None => return,
        },
        Edit::Drop(from, count) => ViewEdit::Drop { entries: some(from, count), reason: reason() },
        Edit::Fold(from, count) => ViewEdit::Fold { entries: some(from, count), text: "folded".into() },
        Edit::Boundary(kept, summary) => {
            let summary = if summary { "so far" } else { "" };
            let boundary = Boundary::default().kept(some(kept, 3)).summary(summary);
            history.push(EntryKind::Boundary(boundary));
            return;
        }
        Edit::Context(kind) => {
            let piece = ContextPiece::default().key("k").text(text(kind));
            history.push(EntryKind::Context(ContextRecord::default().user(vec![piece])));
            return;
        }
    };
    history.edit(edit);
}

fn build(turns: &[Vec<Op>]) -> History {
    let mut history = History::new();
    for ops in turns {
        ops.iter().for_each(|op| apply(&mut history, op));
        history.turn();
    }
    history
}

/// The same with unanswered calls recorded after each turn, as the engine does it.
fn build_recorded(turns: &[Vec<Op>]) -> History {
    let mut history = History::new();
    for ops in turns {
        ops.iter().for_each(|op| apply(&mut history, op));
        record(&mut history);
        history.turn();
    }
    history
}

fn record(history: &mut History) {
    for tool_use_id in history.normalised().unanswered {
        history.edit(ViewEdit::Interrupted { tool_use_id });
    }
}

fn configs() -> [ProjectionConfig; 2] {
    [ToolShape::Text, ToolShape::Blocks].map(|shape| ProjectionConfig::default().tool_shape(shape))
}

fn of(entries: &[Arc<Entry>], config: &ProjectionConfig) -> Normalised {
    normalise(entries, &StandardProjector::default(), config)
}

fn grown(config: &ProjectionConfig) -> ProjectedHistory {
    ProjectedHistory::new(Arc::new(StandardProjector::default()), config.clone())
}

/// Role and JSON of every block, message by message.
fn bytes(messages: &[Arc<ModelMessage>]) -> Vec<(Role, Vec<String>)> {
    let blocks = |message: &ModelMessage| {
        message.blocks.iter().map(|block| serde_json::to_string(&block.content).unwrap()).collect()
    };
    messages.iter().map(|message| (message.role, blocks(message))).collect()
}

fn blocks(messages: &[Arc<ModelMessage>]) -> Vec<(Role, ModelBlock)> {
    let of = |message: &Arc<ModelMessage>| {
        let role = message.role;
        message.blocks.clone().into_iter().map(move |block| (role, block)).collect::<Vec<_>>()
    };
    messages.iter().flat_map(of).collect()
}

fn is_about(block: &ModelBlock, id: &str) -> bool {
    match &block.content {
        ContentBlock::ToolResult(result) => result.tool_use_id == id,
        // a late result is told in a reminder
        ContentBlock::Text(text) => text.text.contains(&format!("The call {id} ")),
        _ => false,
    }
}

/// Whether one request's messages stand unchanged at the head of the next one's; the last may have grown.
fn is_prefix(before: &[Arc<ModelMessage>], after: &[Arc<ModelMessage>]) -> bool {
    let (before, after) = (bytes(before), bytes(after));
    let Some((last, sealed)) = before.split_last() else { return true };
    after.len() >= before.len()
        && after[..sealed.len()] == *sealed
        && after[sealed.len()].0 == last.0
        && after[sealed.len()].1.starts_with(&last.1)
}

/// Sends a request after each turn; with `recorded`, unanswered calls are recorded as the engine does it.
fn requests(turns: &[Vec<Op>], config: &ProjectionConfig, recorded: bool) -> Vec<Vec<Arc<ModelMessage>>> {
    let mut history = History::new();
    let mut sent = Vec::new();
    for ops in turns {
        ops.iter().for_each(|op| apply(&mut history, op));
        if !recorded {
            history.user("end of turn");
        }
        sent.push(of(&history.entries, config).messages);
        if recorded {
            record(&mut history);
        }
        history.turn();
    }
    sent
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_history_obeys_the_rules_of_the_api(turns in with_edits()) {
        let history = build(&turns);
        for config in configs() {
            prop_assert_eq!(check(&of(&history.entries, &config).messages), Ok(()));
        }
    }

    #[test]
    fn entries_in_any_order_and_of_any_turn_obey_them_too(turns in with_edits(), seed in any::<u64>()) {
        let mut entries = build(&turns).entries;
        let mut state = seed | 1;
        for index in (1..entries.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            entries.swap(index, (state >> 33) as usize % (index + 1));
        }
        for config in configs() {
            prop_assert_eq!(check(&of(&entries, &config).messages), Ok(()));
        }
    }

    #[test]
    fn same_entries_give_the_same_bytes_after_a_resume(turns in with_edits()) {
        let history = build(&turns);
        let lines = history.entries.iter().map(|entry| serde_json::to_string(entry).unwrap());
        let resumed: Vec<Arc<Entry>> = lines.map(|line| Arc::new(serde_json::from_str(&line).unwrap())).collect();
        for config in configs() {
            let (first, second) = (of(&history.entries, &config), of(&resumed, &config));
            prop_assert_eq!(bytes(&first.messages), bytes(&second.messages));
            prop_assert_eq!(first.decisions, second.decisions);
        }
    }

    #[test]
    fn a_request_is_a_prefix_of_the_next_one(turns in turns(op())) {
        for config in configs() {
            for recorded in [false, true] {
                let sent = requests(&turns, &config, recorded);
                for pair in sent.windows(2) {
                    prop_assert_eq!(check(&pair[1]), Ok(()));
                    prop_assert!(is_prefix(&pair[0], &pair[1]), "{:#?}\n{:#?}", bytes(&pair[0]), bytes(&pair[1]));
                }
            }
        }
    }

    #[test]
    fn an_edit_changes_nothing_before_what_it_names(turns in turns(op()), edit in edit()) {
        let before = build_recorded(&turns);
        let mut after = History { entries: before.entries.clone(), turn: before.turn };
        apply(&mut after, &edit);
        let Some(edit) = after.entries.last().map(|entry| &entry.kind) else { return Ok(()) };
        let dropped = match edit {
            EntryKind::ViewEdit(ViewEdit::Drop { entries, .. } | ViewEdit::Fold { entries, .. }) => &entries[..],
            _ => &[],
        };
        let named = |block: &ModelBlock| match edit {
            EntryKind::ViewEdit(ViewEdit::Drop { .. } | ViewEdit::Fold { .. }) => {
                block.source.is_some_and(|source| dropped.contains(&source))
            }
            EntryKind::ViewEdit(ViewEdit::ReplaceBlock { entry, .. }) => block.source == Some(*entry),
            EntryKind::ViewEdit(ViewEdit::ReplaceResult { tool_use_id, .. } | ViewEdit::Interrupted { tool_use_id }) => {
                is_about(block, tool_use_id)
            }
            _ => true,
        };
        for config in configs() {
            let old = blocks(&of(&before.entries, &config).messages);
            let new = blocks(&of(&after.entries, &config).messages);
            // stages name what they see; an entry that was not seen may still have kept others apart
            let seen = |entry: &uuid::Uuid| old.iter().any(|(_, block)| block.source == Some(*entry));
            prop_assume!(dropped.iter().all(seen));
            let mut kept: Vec<_> = old.into_iter().take_while(|(_, block)| block.source.is_some() && !named(block)).collect();
            // thinking goes with the call that it belongs to
            while kept.pop_if(|(_, block)| matches!(block.content, ContentBlock::Thinking(_))).is_some() {}
            prop_assert!(new.starts_with(&kept), "{:#?}\n{:#?}", kept, new);
        }
    }

    #[test]
    fn growing_gives_what_the_whole_gives(turns in with_edits(), cuts in prop::collection::vec(1..5usize, 1..30)) {
        let entries = build(&turns).entries;
        for config in configs() {
            let mut history = grown(&config);
            let mut done = 0;
            for cut in cuts.iter().chain([&entries.len()]) {
                let next = (done + cut).min(entries.len());
                let rest = &entries[done..];
                prop_assert_eq!(&history.preview(rest).messages, &of(&entries, &config).messages);
                prop_assert!(history.peek(rest).iter().eq(&history.preview(rest).messages));
                history.extend(&entries[done..next]);
                done = next;
                let whole = of(&entries[..done], &config);
                prop_assert_eq!(&history.messages(), &whole.messages);
                prop_assert_eq!(&history.preview(&[]).messages, &whole.messages);
            }
        }
    }

    #[test]
    fn growing_says_every_decision_once(turns in turns(op())) {
        let entries = build(&turns).entries;
        let config = ProjectionConfig::default();
        let mut history = grown(&config);
        let mut told: Vec<_> = entries.iter().flat_map(|entry| history.extend(std::slice::from_ref(entry))).collect();
        told.extend(history.preview(&[]).decisions);
        let mut seen = HashSet::new();
        let mut whole = of(&entries, &config).decisions;
        whole.retain(|decision| seen.insert(format!("{decision:?}")));
        let mut twice = HashSet::new();
        told.retain(|decision| twice.insert(format!("{decision:?}")));
        prop_assert_eq!(told, whole);
    }
}
