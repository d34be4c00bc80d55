//! Where cache breakpoints stand.

use std::sync::Arc;

use context_api::{
    CacheMark, ContentBlock, Decision, ModelBlock, ModelMessage, ModelRequest, RawJson, Role, Section,
    SectionScope, ThinkingBlock,
};
use prompt_assembly::{RequestParts, assemble};
use proptest::prelude::*;

use crate::support::{assistant, message, user};

fn sections() -> Vec<Section> {
    let section = |key, scope| Section::default().key(key).scope(scope).text(key);
    vec![section("g", SectionScope::Global), section("s", SectionScope::Session)]
}

fn marked(request: &ModelRequest) -> Vec<String> {
    let mut places = Vec::new();
    for (index, block) in request.system.iter().enumerate().filter(|(_, block)| block.cache.is_some()) {
        assert!(!block.text.is_empty());
        places.push(format!("s{index}"));
    }
    for (index, message) in request.messages.iter().enumerate() {
        for (at, _) in message.blocks.iter().enumerate().filter(|(_, block)| block.cache.is_some()) {
            places.push(format!("m{index}.{at}"));
        }
    }
    places
}

fn thinking() -> ContentBlock {
    ContentBlock::Thinking(ThinkingBlock { thinking: "hm".into(), signature: "sig".into() })
}

fn reasons(decisions: &[Decision]) -> Vec<&str> {
    decisions.iter().map(|decision| decision.reason.as_str()).collect()
}

#[test]
fn four_marks_stand_on_the_two_parts_of_the_prompt_and_around_the_newest_turn() {
    let messages = vec![user("1"), assistant("2"), user("3"), assistant("4"), user("5")];
    let parts = RequestParts::default().sections(sections()).messages(messages.clone()).newest_turn_start(2);
    let (request, decisions) = assemble(parts);
    assert_eq!(marked(&request), ["s0", "s1", "m1.0", "m4.0"]);
    assert!(decisions.is_empty());
    let shared: Vec<_> = messages.iter().zip(&request.messages).map(|(a, b)| Arc::ptr_eq(a, b)).collect();
    assert_eq!(shared, [true, false, true, true, false], "only marked messages are cloned");
}

#[test]
fn a_first_turn_has_no_mark_before_it() {
    let parts = RequestParts::default().sections(sections()).messages(vec![user("1")]).newest_turn_start(0);
    assert_eq!(marked(&assemble(parts).0), ["s0", "s1", "m0.0"]);
    assert!(marked(&assemble(RequestParts::default()).0).is_empty());
}

#[test]
fn marks_move_back_over_blocks_that_can_not_carry_one() {
    let messages = vec![
        user("1"),
        message(Role::Assistant, vec![ContentBlock::text("2"), thinking()]),
        message(
            Role::User,
            vec![
                ContentBlock::image("image/png", "AAAA"),
                ContentBlock::text(" \n"),
                ContentBlock::text(""),
                ContentBlock::Unknown(RawJson::empty_object()),
            ],
        ),
    ];
    let parts = RequestParts::default().messages(messages).newest_turn_start(2);
    assert_eq!(marked(&assemble(parts).0), ["m1.0", "m2.0"]);
}

#[test]
fn marks_move_to_an_earlier_message_where_a_whole_one_can_not_carry_one() {
    let messages = vec![user("1"), assistant("2"), message(Role::User, vec![ContentBlock::text("")])];
    assert_eq!(marked(&assemble(RequestParts::default().messages(messages)).0), ["m1.0"]);
    let hopeless = vec![message(Role::Assistant, vec![thinking()])];
    assert!(marked(&assemble(RequestParts::default().messages(hopeless)).0).is_empty());
}

#[test]
fn nothing_that_the_next_request_may_not_repeat_is_marked() {
    let messages = vec![user("1"), assistant("2"), user("tokens left: 812")];
    let parts = RequestParts::default().messages(messages).stable_messages(2).newest_turn_start(2);
    assert_eq!(marked(&assemble(parts).0), ["m1.0"]);
}

fn with_host_marks(count: usize) -> RequestParts {
    let mut messages = vec![];
    for index in 0..6 {
        let mut blocks = vec![ModelBlock::plain(ContentBlock::text("x"))];
        blocks[0].cache = (index < count).then_some(CacheMark::Session);
        messages.push(Arc::new(ModelMessage::new([Role::User, Role::Assistant][index % 2], blocks)));
    }
    RequestParts::default().sections(sections()).messages(messages).newest_turn_start(5)
}

#[test]
fn marks_of_the_host_come_first() {
    let of = |count| {
        let (request, decisions) = assemble(with_host_marks(count));
        (marked(&request).join(" "), reasons(&decisions).len())
    };
    assert_eq!(of(0), ("s0 s1 m4.0 m5.0".into(), 0));
    assert_eq!(of(1), ("s1 m0.0 m4.0 m5.0".into(), 1));
    assert_eq!(of(2), ("s1 m0.0 m1.0 m5.0".into(), 2));
    assert_eq!(of(3), ("m0.0 m1.0 m2.0 m5.0".into(), 3));
    assert_eq!(of(4), ("m0.0 m1.0 m2.0 m3.0".into(), 4));
    assert_eq!(of(5), ("m1.0 m2.0 m3.0 m4.0".into(), 4), "the newest four of five");
    let (_, decisions) = assemble(with_host_marks(6));
    assert!(reasons(&decisions).iter().all(|reason| *reason == "cache_mark_limit"));
}

fn any_block() -> impl Strategy<Value = ModelBlock> {
    let content = prop_oneof![
        "[ a\n]{0,3}".prop_map(ContentBlock::text),
        Just(thinking()),
        Just(ContentBlock::image("image/png", "AAAA")),
        Just(ContentBlock::tool_use("t", "Read", RawJson::empty_object())),
        Just(ContentBlock::tool_result("t", "ok")),
    ];
    (content, prop::bool::weighted(0.3)).prop_map(|(content, host)| {
        let marked = host && content.as_text().is_none_or(|text| !text.trim().is_empty());
        let marked = marked && !matches!(content, ContentBlock::Thinking(_));
        let mut block = ModelBlock::plain(content);
        block.cache = marked.then_some(CacheMark::Session);
        block
    })
}

proptest! {
    #[test]
    fn never_more_than_four_marks_and_never_on_an_empty_or_thinking_block(
        messages in prop::collection::vec(prop::collection::vec(any_block(), 0..4), 0..8),
        start in 0usize..9,
        stable in prop::option::of(0usize..9),
    ) {
        let messages: Vec<_> = messages.into_iter().enumerate()
            .map(|(index, blocks)| Arc::new(ModelMessage::new([Role::User, Role::Assistant][index % 2], blocks)))
            .collect();
        let parts = RequestParts::default().sections(sections()).messages(messages.clone())
            .newest_turn_start(start).stable_messages(stable);
        let (request, _) = assemble(parts.clone());
        prop_assert!(marked(&request).len() <= 4);
        for block in request.messages.iter().flat_map(|message| &message.blocks).filter(|b| b.cache.is_some()) {
            prop_assert!(!matches!(block.content, ContentBlock::Thinking(_)));
            prop_assert!(block.content.as_text().is_none_or(|text| !text.trim().is_empty()));
        }
        for (before, after) in messages.iter().zip(&request.messages) {
            let contents = |message: &ModelMessage| -> Vec<ContentBlock> {
                message.blocks.iter().map(|block| block.content.clone()).collect()
            };
            prop_assert_eq!(contents(before), contents(after), "marks change no content");
        }
        prop_assert_eq!(assemble(parts).0, request);
    }
}
