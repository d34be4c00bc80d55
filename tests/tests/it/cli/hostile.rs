//! Names that would reach into a terminal.

use context_testkit::Place;

use crate::support::{Outcome, ctx};

/// An escape that turns text red, a bell, a carriage return and a direction override.
const NAME: &str = "a\u{1b}[31mred\u{7}\rcr\u{202e}.md";

fn printed_safely(outcome: &Outcome) {
    let raw = |c: char| {
        c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    for text in [&outcome.out, &outcome.err] {
        let found: Vec<char> = text.chars().filter(|c| raw(*c)).collect();
        assert!(found.is_empty(), "{found:?} are printed raw:\n{text:?}");
    }
}

fn place() -> Place {
    let place = Place::new();
    place.write(&format!(".claude/rules/{NAME}"), "RULE-TEXT\n");
    place.write(&format!("empty/{NAME}"), "");
    place.write(&format!("{NAME}/CLAUDE.md"), "NESTED-TEXT\n");
    place.write(&format!("{NAME}/x"), "x\n");
    place.write("CLAUDE.md", format!("@.claude/{NAME} @\"nope{NAME}\"\n"));
    place.run("git", &["init", "-q", "-b", "main"]);
    place
}

#[test]
fn no_command_prints_a_raw_control_character() {
    let place = place();
    let mention = format!("see @\"{NAME}/x\" and @\"nope{NAME}\" and @{NAME}");
    let path = format!("{NAME}/x");
    for arguments in [
        &["memory"][..],
        &["memory", "--for", &path],
        &["git"],
        &["mentions", &mention],
        &["build", &mention],
        &["explain", &mention],
        &["build", "Hi", "--cwd", NAME],
    ] {
        let outcome = ctx(&place, arguments);
        printed_safely(&outcome);
        assert!(!outcome.out.is_empty() || !outcome.err.is_empty(), "{arguments:?} says nothing");
    }
}

#[test]
fn no_message_prints_a_raw_control_character() {
    let place = place();
    for arguments in [
        &["build", "Hi", "--cwd", "no\u{1b}[31m"][..],
        &["build", "Hi", "--host", "no\u{1b}[31m"],
        &["replay", "no\u{1b}[31m"],
        &["build", "Hi", "--now", "no\u{1b}[31m"],
        &["build", "Hi", "--format", "no\u{1b}[31m"],
        &["no\u{1b}[31m"],
    ] {
        let outcome = ctx(&place, arguments);
        printed_safely(&outcome);
        assert!(outcome.code > 0 && !outcome.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn json_escapes_them_and_keeps_the_name() {
    let place = place();
    for arguments in [&["memory", "--json"][..], &["git", "--json"], &["mentions", "@x", "--json"]] {
        let outcome = ctx(&place, arguments);
        assert!(!outcome.out.trim_end().chars().any(char::is_control), "{:?}", outcome.out);
        outcome.json();
    }
}

#[test]
fn a_branch_and_a_commit_reach_into_no_terminal() {
    let place = Place::new();
    place.write("f", "1\n");
    place.run("git", &["init", "-q", "-b", "main"]);
    place.run("git", &["config", "user.name", "Some\u{1b}[31mbody"]);
    place.run("git", &["add", "-A"]);
    place.run("git", &["commit", "-qm", "red \u{1b}[31m \u{7} words"]);
    for arguments in [&["git"][..], &["build", "Hi"]] {
        printed_safely(&ctx(&place, arguments));
    }
    let body = ctx(&place, &["build", "Hi", "--format", "anthropic"]).json();
    let facts = body["system"].to_string();
    assert!(facts.contains("words") && !facts.contains("\\u001b"), "{facts}");
}
