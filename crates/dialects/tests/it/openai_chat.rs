//! The Chat Completions API's body and its limits.

use context_api::{ContentBlock, Dialect, DocumentBlock, MediaSource, ModelRequest, ToolResultBlock};
use dialects::OpenAiChat;
use serde_json::Value;

use crate::openai_chat_rules::check;
use crate::support::{assistant, call, everything, image, png, request, text, user};

fn encode(request: &ModelRequest) -> (String, Vec<String>) {
    let encoded = OpenAiChat::default().encode(request).unwrap();
    let body = String::from_utf8(encoded.body).unwrap();
    let value: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(check(&value), Ok(()), "{body}");
    (body, encoded.decisions.into_iter().map(|decision| decision.reason).collect())
}

#[test]
fn body_has_every_kind_of_block() {
    let (body, decisions) = encode(&everything());
    assert_eq!(decisions, ["thinking_not_carried", "thinking_as_effort"]);
    insta::assert_snapshot!(body.replace("},{", "},\n{").replace("\"messages\":", "\n\"messages\":"));
}

#[test]
fn pictures_of_results_follow_all_results_with_a_word_on_whose_they_are() {
    let result = |id: &str, content, is_error| {
        ContentBlock::ToolResult(ToolResultBlock { tool_use_id: id.into(), content, is_error })
    };
    let url = MediaSource::Url { url: "https://example.com/a.pdf".into() };
    let linked = ContentBlock::Document(DocumentBlock { source: url, title: None });
    let (body, decisions) = encode(&request(vec![
        user(vec![text("x")]),
        assistant(vec![call("a"), call("b"), call("c")]),
        user(vec![
            result("a", vec![image(&png(1, 1))], false),
            result("b", vec![linked], true),
            result("c", vec![], false),
            text("and?"),
        ]),
    ]));
    assert_eq!(decisions, ["media_moved", "media_not_carried"]);
    let value: Value = serde_json::from_str(&body).unwrap();
    let messages = value["messages"].as_array().unwrap();
    let said =
        |at: usize, part: usize| messages[at]["content"][part]["text"].as_str().unwrap_or("-").to_owned();
    assert_eq!(said(2, 0), "[The result is shown below.]");
    assert_eq!(said(3, 0), "[The call failed.]");
    assert_eq!(said(4, 0), "[no output]");
    let last = [said(5, 0), said(5, 1), said(5, 2)];
    assert_eq!(last, ["[From the result of Read:]", "-", "and?"]);
    assert_eq!(messages[5]["content"][1]["type"], "image_url");
}

#[test]
fn ids_over_forty_characters_are_shortened() {
    let id = "toolu_".to_owned() + &"0".repeat(60);
    let (body, _) = encode(&request(vec![
        user(vec![text("x")]),
        assistant(vec![text("so"), call(&id)]),
        user(vec![ContentBlock::tool_result(id.as_str(), "ok")]),
    ]));
    assert!(!body.contains(&id), "{body}");
}

#[test]
fn stream_asks_for_the_usage_too() {
    let dialect = OpenAiChat::default().stream(true).cache_key("k");
    let body = dialect.encode(&request(vec![user(vec![text("x")])])).unwrap().body;
    let body = String::from_utf8(body).unwrap();
    assert!(body.contains(r#""stream":true,"stream_options":{"include_usage":true},"prompt_cache_key":"k""#));
}
