//! Random requests: whatever a dialect lets through obeys its provider's rules.

use std::sync::Arc;

use context_api::{
    CacheMark, ContentBlock, Dialect, ModelBlock, ModelMessage, ModelRequest, RequestTool, Role, SystemBlock,
    ThinkingBlock, ToolResultBlock, ViewEdit,
};
use dialects::{Anthropic, Gemini, OpenAiChat, OpenAiResponses};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde_json::Value;
use uuid::Uuid;

use crate::support::{call, document, image, json, pdf, png, request, text};
use crate::{anthropic_rules, gemini_rules, openai_chat_rules, openai_responses_rules};

fn any_inner() -> impl Strategy<Value = ContentBlock> {
    prop_oneof![
        4 => "[ a\"\\\\\n\u{1f525}\u{0}]{0,4}".prop_map(|content| text(&content)),
        1 => Just(image(&png(3, 4))),
        1 => Just(document("application/pdf", &pdf(2))),
    ]
}

fn any_content() -> impl Strategy<Value = ContentBlock> {
    let id = prop::sample::select(vec!["a", "b", "c"]);
    let result = (id.clone(), prop::collection::vec(any_inner(), 0..3), prop::bool::weighted(0.2)).prop_map(
        |(id, content, is_error)| {
            ContentBlock::ToolResult(ToolResultBlock { tool_use_id: id.into(), content, is_error })
        },
    );
    prop_oneof![
        6 => any_inner(),
        3 => id.prop_map(call),
        3 => result,
        1 => prop::sample::select(vec!["", "sig"]).prop_map(|signature| {
            ContentBlock::Thinking(ThinkingBlock { thinking: "hm".into(), signature: signature.into() })
        }),
        1 => Just(ContentBlock::image("image/png", "AAAA")),
        1 => Just(ContentBlock::tool_use("d", "Read", json("null"))),
    ]
}

fn any_message() -> impl Strategy<Value = Vec<ModelBlock>> {
    let block = (any_content(), prop::bool::weighted(0.1), 0u128..4).prop_map(|(content, marked, entry)| {
        let mut block = ModelBlock::plain(content).from_entry(Uuid::from_u128(entry));
        block.cache = marked.then_some(CacheMark::Session);
        block
    });
    prop::collection::vec(block, 0..4)
}

/// Mostly well-formed: roles alternate, calls are followed by their results in seven of eight, and anything else may be
/// wrong.
pub(crate) fn any_request() -> impl Strategy<Value = ModelRequest> {
    (
        prop::collection::vec((any_message(), prop::bool::weighted(0.9)), 0..6),
        prop::collection::vec(("[a ]{0,2}", prop::bool::ANY), 0..3),
        prop::collection::vec("[a-c.]{1,2}", 0..3),
        prop::option::weighted(0.3, 1000u64..5000),
    )
        .prop_map(|(messages, system, tools, thinking)| {
            let mut request = request(conversation(messages));
            request.thinking = thinking;
            request.system = system.into_iter().map(|(text, marked)| block(text, marked)).collect();
            request.tools =
                tools.into_iter().map(|name| RequestTool { name, ..RequestTool::default() }).collect();
            request
        })
}

fn block(text: String, marked: bool) -> SystemBlock {
    SystemBlock { text, cache: marked.then_some(CacheMark::Session), parts: vec![] }
}

fn conversation(drawn: Vec<(Vec<ModelBlock>, bool)>) -> Vec<ModelMessage> {
    let mut open = Vec::new();
    let mut seen = 0;
    drawn
        .into_iter()
        .enumerate()
        .map(|(index, (mut blocks, tidy))| {
            let role = if index % 2 == 0 { Role::User } else { Role::Assistant };
            if tidy {
                tidied(role, &mut blocks, &open, &mut seen);
            }
            open = blocks.iter().filter_map(called).collect();
            ModelMessage::new(role, blocks)
        })
        .collect()
}

fn called(block: &ModelBlock) -> Option<String> {
    match &block.content {
        ContentBlock::ToolUse(call) => Some(call.id.clone()),
        _ => None,
    }
}

/// Takes out what does not fit `role`, gives calls ids of their own, and puts the results of `open` first.
fn tidied(role: Role, blocks: &mut Vec<ModelBlock>, open: &[String], seen: &mut usize) {
    blocks.retain(|block| match &block.content {
        ContentBlock::Text(block) => !block.text.trim().is_empty(),
        ContentBlock::ToolUse(call) => role == Role::Assistant && call.input.get() != "null",
        ContentBlock::Thinking(_) => role == Role::Assistant && block.cache.is_none(),
        ContentBlock::Image(_) | ContentBlock::Document(_) => role == Role::User,
        _ => false,
    });
    for block in blocks.iter_mut() {
        if let ContentBlock::ToolUse(call) = &mut block.content {
            *seen += 1;
            call.id = format!("call_{seen}");
        }
    }
    let results = open.iter().map(|id| ModelBlock::plain(ContentBlock::tool_result(id.as_str(), "ok")));
    blocks.splice(0..0, results);
    if blocks.is_empty() {
        blocks.push(ModelBlock::plain(text("so")));
    }
}

/// What `dialect` lets through obeys `rules`, and losing blocks is never silent.
fn obeys(
    dialect: &dyn Dialect,
    request: &ModelRequest,
    rules: impl FnOnce(&Value) -> Result<(), String>,
) -> Result<(), TestCaseError> {
    let Ok(encoded) = dialect.encode(request) else { return Ok(()) };
    let body: Value = serde_json::from_slice(&encoded.body).unwrap();
    prop_assert_eq!(rules(&body), Ok(()), "{}", body);
    prop_assert_eq!(dialect.encode(request).unwrap(), encoded);
    Ok(())
}

fn dialects() -> [Box<dyn Dialect>; 4] {
    [
        Box::new(Anthropic::default()),
        Box::new(OpenAiResponses::default()),
        Box::new(OpenAiChat::default()),
        Box::new(Gemini::default()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_a_dialect_lets_through_obeys_its_providers_rules(request in any_request()) {
        obeys(&Anthropic::default(), &request, anthropic_rules::check)?;
        obeys(&OpenAiResponses::default(), &request, openai_responses_rules::check)?;
        obeys(&OpenAiChat::default(), &request, openai_chat_rules::check)?;
        obeys(&Gemini::default(), &request, gemini_rules::check)?;
    }

    #[test]
    fn a_longer_conversation_repeats_the_bytes_of_the_shorter_one(request in any_request()) {
        let mut request = request;
        for message in &mut request.messages {
            Arc::make_mut(message).blocks.iter_mut().for_each(|block| block.cache = None);
        }
        for dialect in dialects() {
            let Ok(whole) = dialect.encode(&request) else { continue };
            for length in 1..request.messages.len() {
                let mut shorter = request.clone();
                shorter.messages.truncate(length);
                let Ok(part) = dialect.encode(&shorter) else { continue };
                let open = part.body.strip_suffix(b"]}").unwrap();
                prop_assert!(whole.body.starts_with(open), "{}: {} messages", dialect.name(), length);
            }
        }
    }

    #[test]
    fn a_look_behind_what_was_taken_before_says_what_an_encoding_says(
        before in any_request(),
        next in any_request(),
        shared in 0usize..6,
    ) {
        let mut next = next;
        let shared = shared.min(before.messages.len()).min(next.messages.len());
        next.messages.splice(..shared, before.messages[..shared].iter().cloned());
        for dialect in dialects() {
            let whole = dialect.encode(&next).map(|encoded| encoded.decisions);
            prop_assert_eq!(dialect.check(&next, 0), whole.clone(), "{}", dialect.name());
            if dialect.encode(&before).is_ok() {
                prop_assert_eq!(dialect.check(&next, shared), whole, "{}, {} shared", dialect.name(), shared);
            }
        }
    }

    #[test]
    fn recorded_once_the_remedies_leave_nothing_that_a_remedy_could_mend(request in any_request()) {
        for dialect in dialects() {
            let mut mended = request.clone();
            for (edit, decision) in dialect.remedies(&request) {
                prop_assert!(!decision.reason.is_empty());
                apply(&mut mended, &edit);
            }
            prop_assert_eq!(dialect.remedies(&mended), vec![], "{}", dialect.name());
            if dialect.encode(&request).is_ok() {
                prop_assert_eq!(&mended, &request);
            }
        }
    }
}

/// Puts a text where an edit says, as the projected history does.
fn apply(request: &mut ModelRequest, edit: &ViewEdit) {
    let mut seen = 0;
    for block in request.messages.iter_mut().flat_map(|message| &mut Arc::make_mut(message).blocks) {
        match (edit, &mut block.content) {
            (ViewEdit::ReplaceBlock { entry, block: at, text, .. }, content)
                if block.source == Some(*entry) =>
            {
                // Blocks inside of a result are counted one by one, in the place of the result.
                let places = match content {
                    ContentBlock::ToolResult(result) => result.content.iter_mut().collect(),
                    content => vec![content],
                };
                for place in places {
                    if seen == *at {
                        *place = ContentBlock::text(text.as_str());
                    }
                    seen += 1;
                }
            }
            (ViewEdit::ReplaceResult { tool_use_id, text, .. }, ContentBlock::ToolResult(result))
                if result.tool_use_id == *tool_use_id =>
            {
                result.content = vec![ContentBlock::text(text.as_str())];
            }
            _ => {}
        }
    }
}

#[test]
fn a_good_part_of_the_random_requests_passes() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let requests: Vec<_> = (0..400).map(|_| any_request().new_tree(&mut runner).unwrap().current()).collect();
    for dialect in dialects() {
        let passed = requests.iter().filter(|request| dialect.encode(request).is_ok()).count();
        let name = dialect.name();
        assert!(
            (40..360).contains(&passed),
            "{name}: {passed} of 400: the property above would show nothing"
        );
    }
}
