//! `ctx build` and `ctx explain`.

use std::collections::BTreeSet;

use context_tests::anthropic_rules;
use serde_json::Value;

use super::project;
use crate::support::ctx;

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn has(value: &Value, wanted: &[&str]) {
    let keys = keys(value);
    let missing: Vec<_> = wanted.iter().filter(|key| !keys.contains(**key)).collect();
    assert!(missing.is_empty(), "{missing:?} are not in {keys:?}");
}

#[test]
fn the_json_has_the_fields_that_are_a_contract() {
    let place = project();
    let turn = ctx(&place, &["build", "Explain @pkg/a.rs and @nothing.txt", "--json"]).json();
    has(&turn, &["request", "attachments", "ui", "signals", "decisions", "usage", "cache"]);
    has(&turn["request"], &["model", "max_tokens", "system", "messages"]);
    has(&turn["usage"], &["window", "total", "free", "rows"]);
    let attachments = turn["attachments"].as_array().expect("a list");
    attachments.iter().for_each(|one| has(one, &["type", "uuid", "timestamp"]));
    let types: Vec<_> = attachments.iter().map(|one| one["type"].as_str().expect("a type")).collect();
    assert_eq!(types, ["file", "nested_memory", "nested_memory"]);
    let decisions = turn["decisions"].as_array().expect("a list");
    assert!(decisions.iter().any(|one| one["subject"] == "nothing.txt"), "{decisions:?}");
    decisions.iter().for_each(|one| has(one, &["subject", "verdict", "reason", "detail"]));
}

#[test]
fn each_row_of_the_usage_says_what_it_counts() {
    let place = project();
    let usage = ctx(&place, &["build", "Explain @pkg/a.rs", "--json"]).json()["usage"].clone();
    let rows = usage["rows"].as_array().expect("rows");
    assert!(rows.len() >= 3, "{rows:?}");
    rows.iter().for_each(|row| has(row, &["label", "tokens"]));
    let sum: u64 = rows.iter().map(|row| row["tokens"].as_u64().expect("tokens")).sum();
    assert_eq!(Some(sum), usage["total"].as_u64());
    assert_eq!(
        usage["window"].as_u64(),
        Some(usage["total"].as_u64().expect("total") + usage["free"].as_u64().expect("free"))
    );
    let text = usage.to_string();
    let source = place.proj().join("CLAUDE.md");
    assert!(text.contains(&*source.to_string_lossy()), "no row of the memory file carries its path: {text}");
}

#[test]
fn the_account_names_everything_that_stands_in_the_request() {
    let place = project();
    let outcome = ctx(&place, &["build", "Explain @pkg/a.rs and @nothing.txt"]);
    let text = outcome.text();
    for wanted in [
        "Request for",
        "tokens",
        "System prompt",
        "Git",
        "Current branch: main",
        "Memory files",
        "CLAUDE.md",
        "style.md",
        "Conversation",
        "Attachments",
        "pkg/a.rs",
        "nested_memory",
        "Decisions",
        "nothing.txt",
    ] {
        assert!(text.contains(wanted), "no {wanted:?} in:\n{text}");
    }
}

#[test]
fn the_body_is_the_one_of_the_json_and_obeys_the_rules() {
    let place = project();
    let prompt = "Explain @pkg/a.rs, @pkg and @nothing.txt";
    let body = ctx(&place, &["build", prompt, "--format", "anthropic"]);
    assert_eq!(body.out.lines().count(), 1, "a body is one line");
    let body = body.json();
    anthropic_rules::check(&body).expect("a body that a provider takes");
    assert_eq!(body, ctx(&place, &["build", prompt, "--json"]).json()["request"]);
    let text = body.to_string();
    for wanted in ["Use tabs.", "STYLE-TEXT", "OWN-TEXT", "RUST-RULE", "PKG-TEXT", "fn a() {}", prompt] {
        assert!(text.contains(wanted), "no {wanted:?}");
    }
    assert!(!text.contains("FAR-TEXT"), "a file outside came in unasked");
}

#[test]
fn the_same_run_gives_the_same_bytes_but_for_identities() {
    let place = project();
    let run = || ctx(&place, &["build", "Explain @pkg/a.rs", "--format", "anthropic"]).out;
    assert_eq!(run(), run());
}

#[test]
fn the_model_and_the_host_are_taken_from_flags() {
    let place = project();
    let host = place.write("host.json", r#"{"modes": {"language": "Esperanto"}}"#);
    let host = host.to_string_lossy().into_owned();
    let body =
        ctx(&place, &["build", "Hi", "--format", "anthropic", "--model", "some-model", "--host", &host]);
    let body = body.json();
    assert_eq!(body["model"], "some-model");
    assert!(body.to_string().contains("Esperanto"));
}

#[test]
fn a_settings_file_given_by_a_flag_stands_above_the_others() {
    let place = project();
    let settings = place.write("{out}/s.json", r#"{"claudeMdExcludes": ["**/docs/style.md"]}"#);
    let settings = settings.to_string_lossy().into_owned();
    let body = ctx(&place, &["build", "Hi", "--format", "anthropic", "--settings", &settings]);
    assert!(!body.json().to_string().contains("STYLE-TEXT"));
}

#[test]
fn variables_stand_in_for_flags_and_flags_win() {
    let place = project();
    let home = place.dir("{out}/home");
    place.write("{out}/home/.claude/CLAUDE.md", "OTHER-HOME\n");
    let (home, proj) = (home.to_string_lossy().into_owned(), place.proj().to_string_lossy().into_owned());
    let run = |variables: &[(&str, &str)], arguments: &[&str]| {
        crate::support::run_in(place.out(), variables, arguments)
    };
    let body = |more: &[&str]| {
        let arguments: Vec<&str> =
            ["build", "Hi", "--format", "anthropic"].iter().chain(more).copied().collect();
        let variables = [("CTX_CWD", &*proj), ("CTX_HOME", &*home), ("CTX_NOW", "2031-02-03T04:05:06Z")];
        run(&variables, &arguments).json().to_string()
    };
    let by_variables = body(&[]);
    assert!(by_variables.contains("OTHER-HOME") && by_variables.contains("2031-02-03"), "{by_variables}");
    assert!(by_variables.contains("Use tabs."));
    let by_flags = body(&["--now", "2032-02-03T04:05:06Z"]);
    assert!(by_flags.contains("2032-02-03") && !by_flags.contains("2031-02-03"));
}

#[test]
fn explain_tells_every_decision() {
    let place = project();
    let text = ctx(&place, &["explain", "Explain @nothing.txt"]);
    assert!(text.text().contains("nothing.txt"), "{}", text.out);
    let rows = ctx(&place, &["explain", "Explain @nothing.txt", "--json"]).json();
    let rows = rows.as_array().expect("a list");
    rows.iter().for_each(|one| has(one, &["subject", "verdict", "reason", "detail"]));
    assert!(rows.iter().any(|one| one["subject"] == "nothing.txt" && one["verdict"] == "left_out"));
}

#[test]
fn explain_compares_two_turns() {
    let place = project();
    let report = ctx(&place, &["explain", "--cache", "One", "Two", "--json"]).json();
    assert!(report.is_object() && !keys(&report).is_empty());
    let text = ctx(&place, &["explain", "--cache", "One", "Two"]);
    assert!(text.text().contains("extends the one before"), "{}", text.out);
}

#[test]
fn explain_names_who_broke_the_prefix() {
    let place = project();
    let scenario = r#"{"write": {"CLAUDE.md": "one"}}
{"turn": "First"}
{"write": {"CLAUDE.md": "two"}}
{"invalidate": "memory_edited"}
{"turn": "Second"}
"#;
    let file = place.proj().join("steps.jsonl");
    std::fs::write(&file, scenario).expect("written");
    let run = ctx(&place, &["replay", &file.to_string_lossy()]);
    assert_eq!(run.code, 0, "{}", run.err);
    let last: Value = serde_json::from_str(run.out.lines().last().expect("a line")).expect("JSON");
    let reason = last["cache"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("CLAUDE.md") && reason.contains("memory_edited"), "{reason}");
}

#[test]
fn explain_tells_where_each_setting_came_from() {
    let place = project();
    place.write(".claude/settings.json", r#"{"language": "fr", "autoMemoryDirectory": "x"}"#);
    place.write(".claude/settings.local.json", r#"{"language": "de"}"#);
    let report = ctx(&place, &["explain", "--origins", "--json"]).json();
    let said = |key: &str, layer: &str| {
        let all = report["settings"].as_array().expect("a list");
        let one = all.iter().find(|one| one["key"] == key && one["layer"] == layer);
        one.map(|one| one["outcome"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(said("language", "project").as_deref(), Some("overridden"));
    assert_eq!(said("language", "local").as_deref(), Some("holds"));
    assert_eq!(said("autoMemoryDirectory", "project").as_deref(), Some("refused"));
    let text = ctx(&place, &["explain", "--origins"]);
    assert!(text.text().contains("setting_not_allowed_here"), "{}", text.out);
    assert_eq!(ctx(&place, &["explain"]).code, 2);
}

#[test]
fn nothing_is_written_by_any_command() {
    let place = project();
    let before = place.run("sh", &["-c", "cd .. && find . -printf '%p %s %T@ %i\\n' | sort"]);
    for arguments in [
        &["build", "Explain @pkg/a.rs"][..],
        &["build", "Explain @pkg/a.rs", "--dry-run"],
        &["memory", "--for", "pkg/a.rs"],
        &["git"],
        &["mentions", "@pkg/a.rs"],
        &["explain", "@pkg/a.rs"],
    ] {
        assert_eq!(ctx(&place, arguments).code, 0, "{arguments:?}");
    }
    let after = place.run("sh", &["-c", "cd .. && find . -printf '%p %s %T@ %i\\n' | sort"]);
    assert_eq!(before, after);
}
