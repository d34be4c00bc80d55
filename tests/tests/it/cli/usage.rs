//! Exit codes and messages: 0 done, 1 failed, 2 usage; results to the output, messages to the error stream.

use super::project;
use crate::support::{Outcome, ctx};

fn refused(outcome: &Outcome, code: u8, wanted: &str) {
    assert_eq!((outcome.code, outcome.out.as_str()), (code, ""), "{}", outcome.err);
    assert!(outcome.err.contains(wanted), "{:?} does not say {wanted:?}", outcome.err);
}

#[test]
fn what_is_asked_wrongly_is_a_usage_error() {
    let place = project();
    for (arguments, wanted) in [
        (&[][..], "Usage"),
        (&["frobnicate"], "frobnicate"),
        (&["build"], "PROMPT"),
        (&["build", "Hi", "--frobnicate"], "--frobnicate"),
        (&["build", "Hi", "--format", "klingon"], "klingon"),
        (&["explain"], "PROMPTS"),
        (&["explain", "--cache", "One"], "two prompts"),
        (&["git", "--color", "purple"], "purple"),
        (&["replay"], "FILE"),
        (&["build", "Hi", "--session", "x.txt"], "ID.jsonl"),
        (&["transcript", "fork", "x.jsonl"], "ID"),
    ] {
        let outcome = ctx(&place, arguments);
        refused(&outcome, 2, wanted);
    }
}

#[test]
fn help_and_version_are_results() {
    let place = project();
    for arguments in [&["--help"][..], &["build", "--help"], &["help"], &["--version"]] {
        let outcome = ctx(&place, arguments);
        assert!(!outcome.text().is_empty(), "{arguments:?}");
    }
    let help = ctx(&place, &["--help"]);
    for command in ["build", "memory", "git", "mentions", "explain", "replay", "transcript"] {
        assert!(help.out.contains(command), "{command} is not in the help");
    }
}

#[test]
fn what_fails_names_the_file() {
    let place = project();
    place.write("bad.json", "{\"modes\": ");
    place.write("unknown.json", "{\"modes\": {\"langauge\": \"x\"}}");
    place.write("bad.jsonl", "{\"turn\": \"x\"}\n\n{\"expect\": {\"in\": [\"NOPE\"]}}\n");
    for (arguments, wanted) in [
        (&["build", "Hi", "--cwd", "nowhere"][..], "nowhere"),
        (&["build", "Hi", "--cwd", "CLAUDE.md"], "CLAUDE.md"),
        (&["build", "Hi", "--now", "yesterday"], "yesterday"),
        (&["build", "Hi", "--settings", "none.json"], "none.json"),
        (&["build", "Hi", "--host", "none.json"], "none.json"),
        (&["build", "Hi", "--host", "bad.json"], "bad.json"),
        (&["build", "Hi", "--host", "unknown.json"], "langauge"),
        (&["replay", "none.jsonl"], "none.jsonl"),
    ] {
        let outcome = ctx(&place, arguments);
        refused(&outcome, 1, wanted);
        assert!(outcome.err.starts_with("ctx: "), "{}", outcome.err);
        assert_eq!(outcome.err.lines().count(), 1, "{}", outcome.err);
    }
    let outcome = ctx(&place, &["replay", "bad.jsonl"]);
    assert_eq!((outcome.code, outcome.out.lines().count()), (1, 1), "what ran before the failure is printed");
    assert!(outcome.err.contains("line 3") && outcome.err.contains("NOPE"), "{}", outcome.err);
}

#[test]
fn a_broken_settings_file_is_named() {
    let place = project();
    place.write("bad.json", "{\"modes\": ");
    refused(&ctx(&place, &["build", "Hi", "--settings", "bad.json"]), 1, "bad.json");
}

#[test]
fn a_program_runs_only_when_it_may() {
    let place = project();
    place.write("run.jsonl", "{\"run\": \"touch \\\"$OUT/canary\\\"\"}\n");
    let workspace = place.dir("{out}/w").to_string_lossy().into_owned();
    let outcome = ctx(&place, &["replay", "run.jsonl", "--workspace", &workspace]);
    refused(&outcome, 2, "--allow-run");
    assert!(!place.path("{out}/w/out/canary").exists());
    let outcome = ctx(&place, &["replay", "run.jsonl", "--workspace", &workspace, "--allow-run"]);
    assert_eq!(outcome.text(), "");
    assert!(place.path("{out}/w/out/canary").exists(), "the workspace is kept");
}

#[test]
fn each_turn_of_a_scenario_prints_what_build_prints() {
    let place = project();
    place
        .write("s.jsonl", "# two turns\n{\"turn\": \"one\"}\n{\"assistant\": \"ok\"}\n{\"turn\": \"two\"}\n");
    let outcome = ctx(&place, &["replay", "s.jsonl"]);
    let lines: Vec<serde_json::Value> =
        outcome.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.iter().map(|line| line["turn"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(2)]);
    let built = ctx(&place, &["build", "Hi", "--json"]).json();
    for key in built.as_object().expect("an object").keys() {
        assert!(lines[0].get(key).is_some(), "a turn has no {key}");
    }
}

#[test]
fn colours_come_when_asked_for_only() {
    let place = project();
    let run = |more: &[&str]| {
        let arguments: Vec<&str> = ["build", "Hi @nothing.txt"].iter().chain(more).copied().collect();
        ctx(&place, &arguments).text().to_owned()
    };
    assert!(run(&["--color", "always"]).contains('\u{1b}'));
    assert!(!run(&[]).contains('\u{1b}'), "the output is no terminal");
    assert!(!run(&["--color", "never"]).contains('\u{1b}'));
    let plain = run(&["--color", "always"]).replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
    let plain =
        ["\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m"].iter().fold(plain, |text, code| text.replace(code, ""));
    assert_eq!(plain, run(&["--color", "never"]));
}
