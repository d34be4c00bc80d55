//! The Responses API's body and its limits.

use context_api::{ContentBlock, Dialect, ModelRequest, RequestTool, ThinkingBlock};
use dialects::OpenAiResponses;
use serde_json::Value;

use crate::openai_responses_rules::check;
use crate::support::{assistant, call, everything, json, request, text, user};

fn encode(request: &ModelRequest) -> (String, Vec<String>) {
    let encoded = OpenAiResponses::default().encode(request).unwrap();
    let body = String::from_utf8(encoded.body).unwrap();
    let value: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(check(&value), Ok(()), "{body}");
    (body, encoded.decisions.into_iter().map(|decision| decision.reason).collect())
}

fn problem(request: &ModelRequest) -> String {
    OpenAiResponses::default().encode(request).unwrap_err().to_string()
}

#[test]
fn body_has_every_kind_of_block() {
    let (body, decisions) = encode(&everything());
    assert_eq!(decisions, ["thinking_as_effort", "thinking_not_carried"]);
    insta::assert_snapshot!(body.replace("},{", "},\n{").replace("\"input\":", "\n\"input\":"));
}

#[test]
fn own_thinking_goes_back_unchanged_and_foreign_blocks_are_left_out_with_a_word() {
    let own = json(r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"}"#);
    let foreign = json(r#"{"type":"server_tool_use","id":"s"}"#);
    let request = request(vec![
        user(vec![text("x")]),
        assistant(vec![
            ContentBlock::Unknown(own.clone()),
            ContentBlock::Unknown(foreign),
            ContentBlock::Thinking(ThinkingBlock { thinking: "hm".into(), signature: "s".into() }),
            text("y"),
        ]),
        user(vec![text("z")]),
    ]);
    let (body, decisions) = encode(&request);
    assert!(body.contains(own.get()));
    assert!(!body.contains("server_tool_use") && !body.contains("hm"));
    assert_eq!(decisions, ["block_not_carried", "thinking_not_carried"]);
}

#[test]
fn a_budget_goes_as_effort_and_the_cache_key_and_stream_where_they_are_asked_for() {
    let mut request = request(vec![user(vec![text("x")])]);
    for (budget, effort) in [(1_024, "low"), (4_096, "medium"), (20_000, "high")] {
        request.thinking = Some(budget);
        assert!(encode(&request).0.contains(&format!(r#""reasoning":{{"effort":"{effort}"}}"#)));
    }
    let dialect = OpenAiResponses::default().cache_key("session-1").stream(true);
    let body = String::from_utf8(dialect.encode(&request).unwrap().body).unwrap();
    assert!(body.contains(r#""prompt_cache_key":"session-1""#) && body.contains(r#""stream":true"#));
}

#[test]
fn limits_are_checked_and_long_ids_are_shortened_on_both_ends() {
    let mut small = request(vec![user(vec![text("x")])]);
    small.max_tokens = 15;
    assert!(problem(&small).starts_with("openai-responses: max_tokens: it is 15"));
    let mut named = request(vec![user(vec![text("x")])]);
    named.tools = vec![RequestTool { name: "a".repeat(65), ..RequestTool::default() }];
    assert!(problem(&named).contains("tools[0]: its name"));
    named.tools =
        (0..129).map(|at| RequestTool { name: format!("t{at}"), ..RequestTool::default() }).collect();
    assert!(problem(&named).contains("tools: there are 129 and 128 are the limit"));
    let id = "x".repeat(65);
    let (body, _) = encode(&request(vec![
        user(vec![text("x")]),
        assistant(vec![call(&id)]),
        user(vec![ContentBlock::tool_result(id.as_str(), "ok")]),
    ]));
    assert!(!body.contains(&id));
}
