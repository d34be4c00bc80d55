//! The Messages API's body and its limits.

use context_api::{
    CacheMark, ContentBlock, Dialect, ImageBlock, MediaSource, ModelMessage, ModelRequest, RawJson,
    RequestTool, SystemBlock, ThinkingBlock, ToolResultBlock, ViewEdit,
};
use dialects::{Anthropic, AnthropicLimits};
use serde_json::Value;
use uuid::Uuid;

use crate::anthropic_rules::check;
use crate::support::{
    assistant, call, document, everything, from_entry, image, json, pdf, png, request, text, user,
};

fn body(request: &ModelRequest) -> String {
    let encoded = Anthropic::default().encode(request).unwrap();
    let body = String::from_utf8(encoded.body).unwrap();
    let value: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(check(&value), Ok(()), "{body}");
    body
}

fn problem(request: &ModelRequest) -> String {
    Anthropic::default().encode(request).unwrap_err().to_string()
}

fn hello() -> ModelRequest {
    request(vec![user(vec![text("hello")])])
}

#[test]
fn body_has_every_kind_of_block_in_the_order_of_the_prefix() {
    let body = body(&everything());
    let line_by_line = body.replace("},{", "},\n{").replace("\"messages\"", "\n\"messages\"");
    insta::assert_snapshot!(line_by_line);
}

#[test]
fn raw_inputs_and_schemas_keep_their_bytes() {
    let body = body(&everything());
    assert!(
        body.contains(r#""input":{"b": 1.50, "a":"\ufffd \ud83d\udd25"}"#),
        "but for half a surrogate pair"
    );
    assert!(body.contains(r#""input_schema":{"type":"object", "properties":{}}"#));
}

#[test]
fn a_stream_is_asked_for_only_where_it_is_wanted() {
    assert!(!body(&hello()).contains("stream"));
    let encoded = Anthropic::default().stream(true).encode(&hello()).unwrap();
    assert!(String::from_utf8(encoded.body).unwrap().contains(r#""stream":true"#));
}

#[test]
fn thinking_of_another_provider_is_left_out_with_a_word() {
    let foreign = ContentBlock::Thinking(ThinkingBlock { thinking: "hm".into(), signature: String::new() });
    let both = request(vec![user(vec![text("x")]), assistant(vec![foreign.clone(), text("y")])]);
    assert!(!body(&both).contains("thinking"));
    let decisions = Anthropic::default().encode(&both).unwrap().decisions;
    assert_eq!(decisions[0].reason, "thinking_not_carried");
    let alone = request(vec![user(vec![text("x")]), assistant(vec![foreign])]);
    assert!(problem(&alone).contains("messages[1]: it has no content"));
}

#[test]
fn each_broken_rule_is_an_error_that_names_the_place() {
    let cases: Vec<(Vec<ModelMessage>, &str)> = vec![
        (vec![], "messages: there are 0"),
        (vec![assistant(vec![text("x")])], "messages[0]: the first message is not the user's"),
        (vec![user(vec![text("x")]), user(vec![text("y")])], "messages[1]: two messages of one role"),
        (vec![user(vec![])], "messages[0]: it has no content"),
        (vec![user(vec![text("x"), text(" \n ")])], "messages[0].content[1]: its text is empty"),
        (vec![user(vec![call("t")])], "messages[0].content[0]: a tool call stands in a user's message"),
        (vec![user(vec![text("x")]), assistant(vec![image(&png(1, 1))])], "messages[1].content[0]: an image"),
        (
            vec![user(vec![text("x")]), assistant(vec![call("t")])],
            "messages[1].content[0]: the call t has no result",
        ),
        (
            vec![user(vec![text("x")]), assistant(vec![call("t")]), user(vec![text("y")])],
            "messages[1].content[0]: the call t has no result",
        ),
        (
            vec![user(vec![ContentBlock::tool_result("t", "x")])],
            "messages[0].content[0]: the result t has no call",
        ),
        (
            vec![
                user(vec![text("x")]),
                assistant(vec![call("t")]),
                user(vec![text("y"), ContentBlock::tool_result("t", "x")]),
            ],
            "messages[2].content[1]: the result t stands behind",
        ),
        (
            vec![
                user(vec![text("x")]),
                assistant(vec![call("t")]),
                user(vec![ContentBlock::tool_result("t", "x"), ContentBlock::tool_result("t", "y")]),
            ],
            "messages[2].content[1]: the call t has a result already",
        ),
        (
            vec![
                user(vec![text("x")]),
                assistant(vec![call("t")]),
                user(vec![ContentBlock::tool_result("t", "x")]),
                assistant(vec![call("t")]),
                user(vec![ContentBlock::tool_result("t", "x")]),
            ],
            "messages[3].content[0]: another call has the id t",
        ),
        (
            vec![
                user(vec![text("x")]),
                assistant(vec![ContentBlock::tool_use("t", "Read", json("[1]"))]),
                user(vec![ContentBlock::tool_result("t", "x")]),
            ],
            "messages[1].content[0]: the input of the call of Read is no object",
        ),
        (
            vec![
                user(vec![text("x")]),
                assistant(vec![call("t")]),
                user(vec![ContentBlock::tool_result("t", "")]),
            ],
            "messages[2].content[0]: a text in it is empty",
        ),
        (
            vec![user(vec![text("x")]), assistant(vec![text("y\n")])],
            "messages[1]: the model's last text ends",
        ),
    ];
    for (messages, expected) in cases {
        let problem = problem(&request(messages));
        assert!(problem.starts_with(&format!("anthropic: {expected}")), "{problem:?} is not {expected:?}");
    }
}

#[test]
fn parameters_tools_and_marks_are_checked() {
    let changed = |change: &dyn Fn(&mut ModelRequest)| {
        let mut request = hello();
        change(&mut request);
        problem(&request)
    };
    let named = |name: &str| RequestTool { name: name.into(), ..RequestTool::default() };
    let cases: Vec<(String, &str)> = vec![
        (changed(&|request| request.model.clear()), "model: it has no name"),
        (changed(&|request| request.max_tokens = 0), "max_tokens: it is 0"),
        (changed(&|request| request.thinking = Some(1023)), "thinking: its budget is 1023"),
        (changed(&|request| request.thinking = Some(4096)), "thinking: its budget is 4096"),
        (changed(&|request| request.tools = vec![named("a.b")]), "tools[0]: its name \"a.b\""),
        (changed(&|request| request.tools = vec![named(&"a".repeat(129))]), "tools[0]: its name"),
        (changed(&|request| request.tools = vec![named("a"), named("a")]), "tools[1]: another tool"),
        (
            changed(&|request| {
                request.tools = vec![RequestTool { input_schema: json("true"), ..named("a") }]
            }),
            "tools[0]: the input schema of a is no object",
        ),
        (changed(&|request| request.system = vec![SystemBlock::default()]), "system[0]: its text is empty"),
        (
            changed(&|request| {
                let block = SystemBlock { text: "x".into(), cache: Some(CacheMark::Session), parts: vec![] };
                request.system = vec![block; 5];
            }),
            "cache marks: there are 5 and 4 are the limit",
        ),
    ];
    for (problem, expected) in cases {
        assert!(problem.starts_with(&format!("anthropic: {expected}")), "{problem:?} is not {expected:?}");
    }
}

#[test]
fn an_error_names_the_entry_and_the_edit_that_mends_it() {
    let bad = image(&png(8001, 10));
    let request = request(vec![from_entry(7, user(vec![text("tall"), bad]))]);
    let entry = Uuid::from_u128(7);
    assert_eq!(
        problem(&request),
        format!(
            "anthropic: messages[0].content[1] (entry {entry}): it is 8001 × 10 pixels and a side may have 8000"
        )
    );
    let faults = Anthropic::default().faults(&request);
    let Some(ViewEdit::ReplaceBlock { entry: named, block: 1, text, reason }) = &faults[0].remedy else {
        panic!("{faults:?}")
    };
    assert_eq!((*named, reason.as_str()), (entry, "image_side"));
    assert!(text.starts_with("[An image was here") && text.contains("8001 × 10"), "{text}");
}

#[test]
fn a_picture_in_a_tool_result_is_mended_by_its_call() {
    let result = ToolResultBlock {
        tool_use_id: "t".into(),
        content: vec![image(b"no picture at all")],
        is_error: false,
    };
    let request = request(vec![
        user(vec![text("x")]),
        assistant(vec![call("t")]),
        user(vec![ContentBlock::ToolResult(result)]),
    ]);
    let faults = Anthropic::default().faults(&request);
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!(fault.place, "messages[2].content[0]");
    assert!(matches!(&fault.remedy, Some(ViewEdit::ReplaceResult { tool_use_id, .. }) if tool_use_id == "t"));
}

fn reasons(blocks: Vec<ContentBlock>) -> Vec<(String, String)> {
    let faults = Anthropic::default().faults(&request(vec![from_entry(1, user(blocks))]));
    let reason = |edit: Option<ViewEdit>| match edit {
        Some(ViewEdit::ReplaceBlock { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    faults.into_iter().map(|fault| (fault.place, reason(fault.remedy))).collect()
}

#[test]
fn images_are_bounded_in_number_size_and_sides() {
    let at = |index: usize, reason: &str| vec![(format!("messages[0].content[{index}]"), reason.to_owned())];
    let many = |count: usize, side: u32| {
        let mut blocks = vec![image(&png(10, 10)); count - 1];
        blocks.push(image(&png(side, 10)));
        reasons(blocks)
    };
    assert_eq!(many(20, 2400), []);
    assert_eq!(many(21, 2400), at(20, "image_side"), "more than twenty images have smaller sides");
    assert_eq!(many(21, 2000), []);
    assert_eq!(many(100, 10), []);
    assert_eq!(many(101, 10), at(0, "too_many_images"), "the oldest gives way");
    assert_eq!(reasons(vec![image(&png(8000, 8000))]), []);
    assert_eq!(reasons(vec![image(&png(40, 9000))]), at(0, "image_side"));
    let mut noise = png(1250, 1200);
    noise.resize(4_500_000, 7);
    assert_eq!(reasons(vec![image(&noise)]), at(0, "image_too_large"), "4.5 MB are 6 MB as base64");
    noise.truncate(3_900_000);
    assert_eq!(reasons(vec![image(&noise)]), []);
}

#[test]
fn pictures_are_what_they_are_called() {
    let of = |media_type: &str, data: &str| reasons(vec![ContentBlock::image(media_type, data)]);
    let reason =
        |found: Vec<(String, String)>| found.into_iter().map(|(_, reason)| reason).next().unwrap_or_default();
    let gif = "R0lGODlhAQABAAAAACw=";
    assert_eq!(reason(of("image/png", gif)), "image_type_differs");
    assert_eq!(reason(of("image/bmp", gif)), "image_type");
    assert_eq!(reason(of("image/gif", "")), "image_unreadable");
    assert_eq!(reason(of("image/gif", "R0lGODlh!")), "image_unreadable");
    assert_eq!(of("image/gif", gif), []);
    let from = |source: MediaSource| reasons(vec![ContentBlock::Image(ImageBlock { source })]);
    assert_eq!(reason(from(MediaSource::Url { url: "file:///etc/passwd".into() })), "media_address");
    assert_eq!(from(MediaSource::Url { url: "https://example.com/a.png".into() }), []);
}

#[test]
fn documents_are_bounded_in_pages_and_kinds() {
    let of = |documents: Vec<ContentBlock>| {
        reasons(documents).into_iter().map(|(place, reason)| place + " " + &reason).collect::<Vec<_>>()
    };
    let file = |pages| document("application/pdf", &pdf(pages));
    assert_eq!(of(vec![file(100)]), [""; 0]);
    assert_eq!(of(vec![file(101), file(2)]), ["messages[0].content[0] pdf_pages"], "the small one stays");
    assert_eq!(of(vec![file(60), file(60)]), ["messages[0].content[1] pdf_pages"], "all pages count");
    assert_eq!(of(vec![document("application/msword", b"x")]), ["messages[0].content[0] document_type"]);
    assert_eq!(of(vec![document("text/plain", b" ")]), ["messages[0].content[0] document_unreadable"]);
    assert_eq!(of(vec![document("text/plain", b"\xFF")]), ["messages[0].content[0] document_unreadable"]);
}

#[test]
fn results_of_failed_calls_hold_text_only() {
    let result = |is_error| {
        let result = ToolResultBlock { tool_use_id: "t".into(), content: vec![image(&png(1, 1))], is_error };
        request(vec![
            user(vec![text("x")]),
            assistant(vec![call("t")]),
            user(vec![ContentBlock::ToolResult(result)]),
        ])
    };
    assert!(problem(&result(true)).contains("holds something other than text"));
    body(&result(false));
}

#[test]
fn a_body_over_the_limit_is_refused() {
    let mut limits = AnthropicLimits::default();
    limits.body_bytes = 100;
    let error = Anthropic::default().limits(limits).encode(&hello()).unwrap_err();
    assert_eq!(error.at, "body");
    assert!(error.problem.contains("and 100 are the limit"));
}

#[test]
fn unknown_blocks_are_sent_as_they_came() {
    let raw = r#"{"type":"server_tool_use","id":"s1","name":"web_search","input":{"q":"\ud83d"}}"#;
    let request = request(vec![
        user(vec![text("x")]),
        assistant(vec![ContentBlock::Unknown(RawJson::parse(raw).unwrap())]),
    ]);
    assert!(body(&request).contains(&raw.replace(r"\ud83d", r"\ufffd")));
}

#[test]
fn works_as_a_trait_object() {
    let dialect: Box<dyn Dialect> = Box::new(Anthropic::default());
    assert_eq!(dialect.name(), "anthropic");
    assert_eq!(dialect.encode(&hello()).unwrap().body, dialect.encode(&hello()).unwrap().body);
}

#[test]
fn bytes_that_lie_elsewhere_are_the_callers_to_put_in_and_no_edit_takes_them_out() {
    let source = MediaSource::Blob { media_type: "image/png".into(), id: "b".into() };
    let request = request(vec![from_entry(1, user(vec![ContentBlock::Image(ImageBlock { source })]))]);
    let faults = Anthropic::default().faults(&request);
    assert!(faults[0].problem.contains("blobs") && faults[0].remedy.is_none(), "{faults:?}");
}

#[test]
fn ids_of_another_provider_become_good_ones_on_both_ends() {
    let id = "functions.Read:0";
    let request = request(vec![
        user(vec![text("x")]),
        assistant(vec![call(id)]),
        user(vec![ContentBlock::tool_result(id, "ok")]),
    ]);
    assert_eq!(body(&request).matches("\"functions_Read_0_").count(), 2);
}

#[test]
fn a_text_that_is_empty_is_mended_like_any_bad_block() {
    assert_eq!(reasons(vec![text("x"), text(" ")]), [("messages[0].content[1]".into(), "empty_text".into())]);
}

#[test]
fn the_models_last_text_is_found_before_thinking_that_is_left_out() {
    let unsigned = ContentBlock::Thinking(ThinkingBlock { thinking: "hm".into(), signature: String::new() });
    let request = request(vec![user(vec![text("x")]), assistant(vec![text("y\n"), unsigned])]);
    assert!(problem(&request).contains("the model's last text ends in white space"));
}
