//! Gemini's body and its limits.

use context_api::{
    ContentBlock, Dialect, ImageBlock, MediaSource, ModelRequest, RequestTool, ToolResultBlock,
};
use dialects::Gemini;
use serde_json::Value;

use crate::gemini_rules::check;
use crate::support::{assistant, everything, image, json, png, request, text, user};

fn encode(request: &ModelRequest) -> (Value, Vec<String>) {
    let encoded = Gemini::default().encode(request).unwrap();
    let value: Value = serde_json::from_slice(&encoded.body).unwrap();
    assert_eq!(check(&value), Ok(()), "{value}");
    (value, encoded.decisions.into_iter().map(|decision| decision.reason).collect())
}

#[test]
fn body_has_every_kind_of_block() {
    let encoded = Gemini::default().encode(&everything()).unwrap();
    assert_eq!(encode(&everything()).1, ["thinking_not_carried"]);
    let body = String::from_utf8(encoded.body).unwrap();
    insta::assert_snapshot!(body.replace("},{", "},\n{").replace("\"contents\":", "\n\"contents\":"));
}

fn named(id: &str, name: &str) -> ContentBlock {
    ContentBlock::tool_use(id, name, json("{}"))
}

#[test]
fn results_stand_in_the_order_of_their_calls_and_bear_their_names() {
    let (body, _) = encode(&request(vec![
        user(vec![text("x")]),
        assistant(vec![named("1", "Read"), named("2", "Grep")]),
        user(vec![ContentBlock::tool_result("2", "two"), ContentBlock::tool_result("1", "one")]),
    ]));
    let parts = body["contents"][2]["parts"].as_array().unwrap();
    let names: Vec<_> = parts.iter().map(|part| part["functionResponse"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Read", "Grep"]);
    assert_eq!(parts[0]["functionResponse"]["response"]["output"], "one");
}

#[test]
fn failed_results_say_so_and_their_pictures_follow() {
    let content = vec![text("a"), text("b"), image(&png(1, 1))];
    let result = ToolResultBlock { tool_use_id: "1".into(), content, is_error: true };
    let (body, decisions) = encode(&request(vec![
        user(vec![text("x")]),
        assistant(vec![named("1", "Read")]),
        user(vec![ContentBlock::ToolResult(result)]),
    ]));
    let parts = &body["contents"][2]["parts"];
    assert_eq!(parts[0]["functionResponse"]["response"]["error"], "a\nb");
    assert_eq!(parts[1]["text"], "[From the result of Read:]");
    assert_eq!(parts[2]["inlineData"]["mimeType"], "image/png");
    assert_eq!(decisions, ["media_moved"]);
}

#[test]
fn media_by_address_need_a_type_that_the_address_shows() {
    let at = |url: &str| ContentBlock::Image(ImageBlock { source: MediaSource::Url { url: url.into() } });
    let blocks = vec![text("x"), at("https://e.com/a.PNG?x=1"), at("https://e.com/a")];
    let (body, decisions) = encode(&request(vec![user(blocks)]));
    assert_eq!(body["contents"][0]["parts"][1]["fileData"]["mimeType"], "image/png");
    assert_eq!(decisions, ["media_not_carried"]);
}

#[test]
fn names_start_with_a_letter_and_gifs_are_not_taken() {
    let mut request =
        request(vec![user(vec![text("x"), ContentBlock::image("image/gif", "R0lGODlhAQABAAAAACw=")])]);
    let problem = |request: &ModelRequest| Gemini::default().encode(request).unwrap_err().to_string();
    assert!(problem(&request).contains("images of type \"image/gif\" are not taken"));
    request.tools = vec![RequestTool { name: "1a".into(), ..RequestTool::default() }];
    assert!(problem(&request).contains("a letter or _ first"));
}

#[test]
fn calls_carry_the_signature_that_was_set() {
    let request = request(vec![
        user(vec![text("x")]),
        assistant(vec![named("1", "Read")]),
        user(vec![ContentBlock::tool_result("1", "one")]),
    ]);
    let body = Gemini::default().call_signature("sig").encode(&request).unwrap().body;
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(check(&body), Ok(()));
    assert_eq!(body["contents"][1]["parts"][0]["thoughtSignature"], "sig");
}
