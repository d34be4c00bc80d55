//! Sessions on the disk: going on with them, looking at them, forks.

use super::project;
use crate::support::ctx;

fn request(place: &context_testkit::Place, prompt: &str, more: &[&str]) -> String {
    let arguments =
        [&["build", prompt, "--format", "anthropic", "--session", "s/one.jsonl"][..], more].concat();
    ctx(place, &arguments).text().to_owned()
}

#[test]
fn a_session_goes_on_where_it_was_and_a_dry_run_writes_nothing() {
    let place = project();
    let first = request(&place, "FIRST @pkg/a.rs", &[]);
    let file = place.proj().join("s/one.jsonl");
    let written = std::fs::read_to_string(&file).unwrap();
    place.write("CLAUDE.md", "changed\n");
    let dry = request(&place, "SECOND", &["--dry-run"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
    let second = request(&place, "SECOND", &[]);
    assert_eq!(dry, second, "what is written changes nothing of what is sent");
    assert!(
        second.contains("FIRST") && second.contains("SECOND") && second.contains("Use tabs."),
        "{second}"
    );
    assert_eq!(
        second.matches("fn a() {}").count(),
        first.matches("fn a() {}").count(),
        "nothing comes twice"
    );
    assert!(std::fs::read_to_string(&file).unwrap().starts_with(&written));
}

#[test]
fn transcripts_are_listed_shown_checked_and_forked() {
    let place = project();
    request(&place, "FIRST", &[]);
    let listed = ctx(&place, &["transcript", "list", "s", "--json"]).json();
    assert_eq!((&listed[0]["id"], &listed[0]["prompt"]), (&"one".into(), &"FIRST".into()));
    assert!(ctx(&place, &["transcript", "list", "s"]).text().contains("FIRST"));
    let elsewhere = ["transcript", "list", "../proj/s", "--cwd", "pkg"];
    assert_eq!(ctx(&place, &elsewhere).text(), "no sessions\n");
    let shown = ctx(&place, &["transcript", "show", "s/one.jsonl"]);
    assert!(shown.text().contains("context") && shown.text().contains("FIRST"), "{}", shown.out);
    let check = ctx(&place, &["transcript", "check", "s/one.jsonl", "--json"]).json();
    assert!(check["entries"].as_u64().unwrap() >= 2 && check["findings"].as_array().unwrap().is_empty());
    let forked = ctx(&place, &["transcript", "fork", "s/one.jsonl", "two"]);
    assert!(forked.text().ends_with("two.jsonl\n"));
    assert_eq!(ctx(&place, &["transcript", "fork", "s/one.jsonl", "two"]).code, 1, "there is one");
    let on = ctx(&place, &["build", "ON", "--format", "anthropic", "--session", "s/two.jsonl"]);
    assert!(on.text().contains("FIRST") && on.out.contains("ON"));
    place.write("s/one.jsonl", "no line\n");
    let broken = ctx(&place, &["transcript", "check", "s/one.jsonl"]);
    assert_eq!(broken.code, 1);
    assert!(broken.out.contains("corrupt_line"), "{}", broken.out);
}
