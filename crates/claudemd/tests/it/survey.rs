//! Why a file is ignored: what a survey says of files that nothing else mentions.

use context_api::{MemoryLoad, Verdict};
use context_testkit::Place;

use crate::support::*;

fn surveyed(place: &Place) -> MemoryLoad {
    let excludes = vec!["**/excluded/CLAUDE.md".to_owned()];
    load(place, "", options(place).survey(true).excludes(excludes))
}

#[test]
fn a_name_in_the_wrong_case_is_told_with_the_right_one() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_A\n");
    place.write("claude.local.md", "MARK_B\n");
    place.write(".claude/claude.md", "MARK_C\n");
    place.write("pkg/Claude.md", "MARK_D\n");
    let load = surveyed(&place);
    assert_eq!(marks(&load), ["MARK_A"]);
    for (ending, right) in [
        ("/claude.local.md", "CLAUDE.local.md"),
        ("/.claude/claude.md", "CLAUDE.md"),
        ("/pkg/Claude.md", "CLAUDE.md"),
    ] {
        let decision = decision(&load, ending);
        assert_eq!(decision.reason, "wrong_case");
        assert!(decision.detail.contains(right), "{}", decision.detail);
    }
}

#[test]
fn a_file_below_that_will_never_load_is_not_said_to_load_when_touched() {
    let place = Place::new();
    place.write("waits/CLAUDE.md", "MARK_A\n");
    place.write("excluded/CLAUDE.md", "MARK_B\n");
    place.write("empty/CLAUDE.md", "");
    std::fs::create_dir_all(place.path("odd/CLAUDE.md")).unwrap();
    std::fs::create_dir_all(place.path("dead")).unwrap();
    std::os::unix::fs::symlink("/nowhere", place.path("dead/CLAUDE.md")).unwrap();
    let load = surveyed(&place);
    for (ending, verdict, reason) in [
        ("/waits/CLAUDE.md", Verdict::Deferred, "loads_when_touched"),
        ("/excluded/CLAUDE.md", Verdict::LeftOut, "excluded"),
        ("/empty/CLAUDE.md", Verdict::LeftOut, "empty"),
        ("/odd/CLAUDE.md", Verdict::LeftOut, "directory"),
        ("/dead/CLAUDE.md", Verdict::LeftOut, "broken_link"),
    ] {
        let decision = decision(&load, ending);
        assert_eq!((decision.verdict, &*decision.reason), (verdict, reason), "{ending}");
    }
}

#[test]
fn a_key_that_looks_like_a_condition_and_is_none_is_told() {
    let place = Place::new();
    place.write(".claude/rules/singular.md", "---\npath: src/**\n---\nMARK_A\n");
    place.write(".claude/rules/upper.md", "---\nPaths: src/**\n---\nMARK_B\n");
    place.write(".claude/rules/other.md", "---\ntitle: x\n---\nMARK_C\n");
    place.write(".claude/rules/right.md", "---\npath: x\npaths: src/**\n---\nMARK_D\n");
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_C", "MARK_A", "MARK_B"]);
    assert_eq!(decision(&load, "singular.md").reason, "no_condition");
    assert_eq!(decision(&load, "upper.md").reason, "no_condition");
    assert_eq!(reasons(&load, "other.md"), [""; 0]);
    assert_eq!(reasons(&load, "right.md"), ["waits_for_path"]);
}
