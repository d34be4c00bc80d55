//! Rules: which load at the start, which wait.

use context_api::{MemoryKind, Verdict};
use context_testkit::Place;

use crate::support::*;

#[test]
fn a_rule_with_paths_waits_until_one_is_touched() {
    let place = Place::new();
    place.write(".claude/rules/bil.md", "---\npaths:\n  - \"billing/**/*\"\n---\nMARK_BIL\n");
    place.write(".claude/rules/all.md", "MARK_ALL\n");
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_ALL"]);
    let decision = decision(&load, "bil.md");
    assert_eq!((decision.verdict, &*decision.reason), (Verdict::Deferred, "waits_for_path"));
    assert!(decision.detail.contains("billing/**/*"));
    assert_eq!(marks(&touch(&place, "y.cs")), [""; 0]);
    let touched = touch(&place, "billing/x.cs");
    assert_eq!(marks(&touched), ["MARK_BIL"], "before the file is written, too");
    assert_eq!(touched.files[0].globs, ["billing/**/*"]);
    assert!(touched.files[0].content_differs_from_disk);
    assert!(touched.files[0].raw.as_deref().unwrap().starts_with("---\npaths:"));
}

#[test]
fn all_patterns_count_under_each_key_that_people_write() {
    for (frontmatter, path, holds) in [
        ("paths:\n  - \"**/*.rb\"\n  - \"**/*.erb\"", "k.erb", true),
        ("paths: [\"**/*.rb\", '*.erb']", "a/k.erb", true),
        ("paths: **/*.rb, **/*.{erb,haml}", "k.haml", true),
        ("paths: src/{a,b}/**", "src/b/x", true),
        ("globs: *.py", "x/y.py", true),
        ("globs: \"**/*.py\"", "y.rb", false),
        ("applyTo: '**/*.ts,**/*.tsx'", "y.tsx", true),
        ("**/*.ts", "y.ts", true),
        ("**/*.ts", "y.js", false),
        ("paths:\n- src/**\n- '!src/gen/**'", "src/x", true),
        ("paths:\n- src/**\n- '!src/gen/**'", "src/gen/x", false),
    ] {
        let place = Place::new();
        place.write(".claude/rules/r.md", format!("---\n{frontmatter}\n---\nMARK_R\n"));
        assert_eq!(marks(&load_proj(&place)), [""; 0], "{frontmatter}: loads at the start");
        let expected: &[&str] = if holds { &["MARK_R"] } else { &[] };
        assert_eq!(marks(&touch(&place, path)), expected, "{frontmatter} {path}");
    }
}

#[test]
fn a_rule_without_a_condition_that_can_be_read_loads_at_the_start() {
    for (frontmatter, oddity) in [
        ("description: x", None),
        ("paths: []", None),
        ("paths:", None),
        ("paths: \"**\"", None),
        ("paths: ['**']", None),
        ("alwaysApply: false", None),
        ("paths: [unclosed", Some("frontmatter_unreadable")),
        ("what is this\nand that", Some("frontmatter_unreadable")),
        ("x: [\npaths: src/**", Some("frontmatter_unreadable")),
    ] {
        for (bom, end) in [("", "\n"), ("\u{feff}", "\r\n")] {
            let place = Place::new();
            let text = format!("{bom}---\n{frontmatter}\n---\nMARK_R\n").replace('\n', end);
            place.write(".claude/rules/r.md", text);
            let load = load_proj(&place);
            assert_eq!(marks(&load), ["MARK_R"], "{frontmatter}");
            assert_eq!(&*load.files[0].text, "MARK_R");
            assert_eq!(load.decisions.first().map(|d| &*d.reason), oddity, "{frontmatter}");
        }
    }
}

#[test]
fn links_are_followed_and_loops_end() {
    let place = Place::new();
    place.write("{out}/shared/team.md", "MARK_TEAM\n");
    place.write("{out}/shared/deep/ts.md", "---\npaths:\n  - \"**/*.ts\"\n---\nMARK_TS\n");
    place.write("{out}/one.md", "MARK_ONE\n");
    place.write(".claude/rules/own.md", "MARK_OWN\n");
    place.link(".claude/rules/shared", "{out}/shared");
    place.link(".claude/rules/one.md", "{out}/one.md");
    place.link(".claude/rules/loop", "..");
    place.link(".claude/rules/self", "self");
    place.link(".claude/rules/gone.md", "nowhere");
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_ONE", "MARK_OWN", "MARK_TEAM"]);
    assert_eq!(marks(&touch(&place, "a.ts")), ["MARK_TS"]);
    assert_eq!(reasons(&load, "rules/loop/rules"), ["already_loaded"]);
    assert_eq!(reasons(&load, "rules/gone.md"), ["broken_link"]);
}

#[test]
fn what_is_no_rule_is_named() {
    let place = Place::new();
    place.write(".claude/rules/notes.txt", "x\n");
    place.dir(".claude/rules/sub.md");
    place.write("pkg/.claude/rules", "a file\n");
    let load = load(&place, "pkg", options(&place));
    assert_eq!(decision(&load, "notes.txt").reason, "not_a_rule");
    assert_eq!(decision(&load, "pkg/.claude/rules").reason, "not_a_directory");
    assert_eq!(load.decisions.len(), 2);
}

#[test]
fn a_pattern_that_can_not_be_compiled_costs_only_itself() {
    let place = Place::new();
    place.write(".claude/rules/bad.md", "---\npaths:\n  - \"pics [old/**\"\n  - \"src/**\"\n---\nMARK_BAD\n");
    place.write(".claude/rules/esc.md", "---\npaths:\n  - 'pics \\[old/**'\n---\nMARK_ESC\n");
    let load = load_proj(&place);
    assert!(reasons(&load, "bad.md").contains(&"bad_pattern"), "{:#?}", load.decisions);
    assert_eq!(marks(&touch(&place, "src/a")), ["MARK_BAD"]);
    assert_eq!(marks(&touch(&place, "pics [old/p.txt")), ["MARK_ESC"]);
}

#[test]
fn a_path_outside_the_project_is_no_error_and_meets_no_rule() {
    let place = Place::new();
    place.write(".claude/rules/r.md", "---\npaths:\n  - \"**/*.md\"\n---\nMARK_R\n");
    place.write("{home}/.claude/rules/u.md", "---\npaths:\n  - \"**/*.md\"\n---\nMARK_U\n");
    place.write("{home}/.claude/note.md", "MARK_NOTE\n");
    assert_eq!(marks(&touch(&place, "{home}/.claude/note.md")), [""; 0]);
    assert_eq!(marks(&touch(&place, "note.md")), ["MARK_U", "MARK_R"]);
}

#[test]
fn user_and_managed_rules_are_relative_to_the_project() {
    let place = Place::new();
    place.write("{home}/.claude/rules/u.md", "---\npaths: /src/**\n---\nMARK_U\n");
    place.write("{managed}/.claude/rules/m.md", "---\npaths: /src/**\n---\nMARK_M\n");
    place.dir("pkg");
    place.run("git", &["init", "-q", "-b", "main"]);
    let loader = loader(options(&place));
    let scope = scope(place.path("pkg"));
    let touch =
        |path: &str| context_api::MemoryLoader::load_for_path(&loader, &scope, &place.path(path)).unwrap();
    let load = touch("src/x");
    assert_eq!(marks(&load), ["MARK_M", "MARK_U"]);
    assert_eq!(load.files[0].kind, MemoryKind::Managed);
    assert_eq!(marks(&touch("pkg/src/x")), [""; 0]);
}

#[test]
fn a_rule_matches_by_the_path_as_given_and_by_the_real_one() {
    let place = Place::new();
    place.write(".claude/rules/real.md", "---\npaths: /src/**\n---\nMARK_REAL\n");
    place.write(".claude/rules/given.md", "---\npaths: /way/**\n---\nMARK_GIVEN\n");
    place.write("src/x", "1\n");
    place.link("way", "src");
    assert_eq!(marks(&touch(&place, "way/x")), ["MARK_GIVEN", "MARK_REAL"]);
    assert_eq!(marks(&touch(&place, "way/new")), ["MARK_GIVEN", "MARK_REAL"]);
    assert_eq!(marks(&touch(&place, "src/x")), ["MARK_REAL"]);
}

#[test]
fn a_conditional_rule_brings_its_includes_with_it() {
    let place = Place::new();
    place.write(".claude/rules/a.md", "---\npaths: '*.a'\n---\nMARK_A @../more.md\n");
    place.write(".claude/rules/b.md", "---\npaths: '*.b'\n---\nMARK_B @../more.md\n");
    place.write(".claude/more.md", "MARK_MORE\n");
    assert_eq!(marks(&load_proj(&place)), [""; 0]);
    assert_eq!(marks(&touch(&place, "x.b")), ["MARK_B", "MARK_MORE"]);
    assert_eq!(marks(&touch(&place, "x.a")), ["MARK_A", "MARK_MORE"]);
}
