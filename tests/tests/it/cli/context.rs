//! `ctx context`: the grid and the figures.

use context_testkit::Place;
use serde_json::Value;

use super::project;
use crate::support::ctx;

/// Tokens of the rows below a row add up to its own.
fn adds_up(row: &Value) {
    let children = row["children"].as_array().expect("children");
    if children.is_empty() {
        return;
    }
    let sum: u64 = children.iter().map(|child| child["tokens"].as_u64().expect("tokens")).sum();
    assert_eq!(row["tokens"].as_u64(), Some(sum), "{}", row["label"]);
    children.iter().for_each(adds_up);
}

#[test]
fn the_figures_add_up_and_count_only_what_is_sent() {
    let place = Place::new();
    place.write("CLAUDE.md", format!("<!-- {} -->\n\nSHORT rule\n", "c".repeat(3_000)));
    place.write(".claude/rules/a.md", format!("---\npaths: x/**\n---\n{}\n", "r ".repeat(2_000)));
    place.write(".claude/rules/b.md", "b\n");
    let usage = ctx(&place, &["context", "--json"]).json();
    let rows = usage["rows"].as_array().expect("rows");
    rows.iter().for_each(adds_up);
    let sum: u64 = rows.iter().map(|row| row["tokens"].as_u64().expect("tokens")).sum();
    assert_eq!(usage["total"].as_u64(), Some(sum));
    assert_eq!(usage["window"].as_u64(), Some(sum + usage["free"].as_u64().expect("free")));
    let memory = rows.iter().find(|row| row["label"] == "Memory").expect("memory");
    let files = memory["children"].as_array().expect("files");
    let tokens = |name: &str| {
        let mut found =
            files.iter().filter(|file| file["source"].as_str().is_some_and(|source| source.ends_with(name)));
        let tokens = found.next().map(|file| file["tokens"].as_u64().expect("tokens"));
        assert!(found.next().is_none(), "{name} twice");
        tokens
    };
    assert!(tokens("/CLAUDE.md").is_some_and(|tokens| tokens < 20));
    assert!(tokens("/b.md").is_some_and(|tokens| tokens < 20));
    assert_eq!(tokens("/a.md"), None, "it is not loaded");
}

#[test]
fn the_grid_says_what_is_taken_without_colour() {
    let outcome = ctx(&project(), &["context", "Hello"]);
    let text = outcome.text();
    for wanted in ["of 200000 tokens", "System prompt", "Memory", "Free", "Would free"] {
        assert!(text.contains(wanted), "no {wanted:?} in\n{text}");
    }
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn the_row_of_skills_is_the_listing_as_it_is_sent() {
    let place = Place::new();
    for number in 0..60 {
        let about = format!("Does thing {number}. {}", "It says so at length. ".repeat(46));
        let text = format!("---\ndescription: {about}\n---\nBODY\n");
        place.write(&format!(".claude/skills/s{number:02}/SKILL.md"), text);
    }
    let usage = ctx(&place, &["context", "Hi", "--json"]).json();
    let built = ctx(&place, &["build", "Hi", "--format", "anthropic"]).json();
    let messages = built["messages"].as_array().expect("messages").iter();
    let mut blocks = messages.flat_map(|message| message["content"].as_array().expect("content"));
    let listing = blocks.find_map(|block| block["text"].as_str().filter(|text| text.contains("s59")));
    let rows = usage["rows"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["label"] == "Skills").expect("a row of skills");
    let bytes = listing.expect("a listing").len() as u64;
    assert_eq!(row["bytes"].as_u64(), Some(bytes), "what is sent, and nothing else");
    let tokens = row["tokens"].as_u64().expect("tokens");
    assert!((1_000..3_500).contains(&tokens), "{tokens} tokens; all descriptions would be some 14,000");
}

#[test]
fn a_kept_session_is_looked_at_and_not_changed() {
    let place = project();
    let session = ["--session", "s/one.jsonl"];
    let context = |more: &[&str]| ctx(&place, &[&["context"][..], &session, more].concat());
    assert_eq!(context(&[]).code, 1, "there is none yet");
    for prompt in ["FIRST @pkg/a.rs", "SECOND"] {
        let arguments = [&["build", prompt, "--format", "anthropic"][..], &session].concat();
        ctx(&place, &arguments).text();
    }
    let file = place.proj().join("s/one.jsonl");
    let written = std::fs::read(&file).unwrap();
    let usage = context(&["--json"]).json();
    let rows = usage["rows"].as_array().expect("rows");
    let find = |rows: &[Value], label: &str| rows.iter().find(|row| row["label"] == label).cloned();
    let messages = find(rows, "Messages").expect("messages");
    let said = find(messages["children"].as_array().expect("children"), "User text").expect("user text");
    assert!(find(messages["children"].as_array().expect("children"), "Attachments").is_some());
    let has_file = |rows: &[Value]| {
        let memory = find(rows, "Memory").expect("memory");
        let mut files = memory["children"].as_array().expect("files").iter();
        files.any(|row| row["source"].as_str().is_some_and(|source| source.ends_with("docs/style.md")))
    };
    assert!(has_file(rows), "{rows:?}");
    let more = context(&["THIRD with some words", "--json"]).json();
    let messages = find(more["rows"].as_array().expect("rows"), "Messages").expect("messages");
    let then = find(messages["children"].as_array().expect("children"), "User text").expect("user text");
    assert!(then["tokens"].as_u64() > said["tokens"].as_u64(), "a prompt is what would be said next");
    let small = context(&["--window", "300"]);
    assert_eq!(small.code, 0, "{}", small.err);
    assert!(
        small.out.contains("of 300 tokens, 0 free") && small.err.contains("there is room for"),
        "{}",
        small.err
    );
    let small = context(&["--window", "300", "--json"]).json();
    assert!(has_file(small["rows"].as_array().expect("rows")), "of a request that is too large too: {small}");
    assert_eq!(std::fs::read(&file).unwrap(), written, "nothing is written");
}
