//! What loads for a touched path.

use context_api::{MemoryKind, MemoryLoader};
use context_testkit::Place;

use crate::support::*;

#[test]
fn what_is_nearest_comes_last() {
    let place = Place::new();
    let rule = |name: &str, mark: &str| place.write(name, format!("---\npaths: '*.ts'\n---\nMARK_{mark}\n"));
    rule("{managed}/.claude/rules/m.md", "MANAGED");
    rule("{home}/.claude/rules/u.md", "USER");
    rule(".claude/rules/root.md", "ROOT");
    rule("pkg/.claude/rules/cwd.md", "CWD");
    rule("pkg/src/.claude/rules/cond.md", "SRC_COND");
    rule("pkg/src/ui/.claude/rules/cond.md", "UI_COND");
    for (name, mark) in [
        ("CLAUDE.md", "START"),
        ("pkg/CLAUDE.md", "START"),
        ("pkg/src/CLAUDE.md", "SRC"),
        ("pkg/src/.claude/CLAUDE.md", "SRC_DOT"),
        ("pkg/src/.claude/rules/a.md", "SRC_RULE"),
        ("pkg/src/CLAUDE.local.md", "SRC_LOCAL"),
        ("pkg/src/ui/CLAUDE.md", "UI"),
        ("pkg/src/ui/deep/CLAUDE.md", "TOO_DEEP"),
        ("pkg/other/CLAUDE.md", "OTHER"),
    ] {
        place.write(name, format!("MARK_{mark}\n"));
    }
    let loader = loader(options(&place));
    let scope = scope(place.path("pkg"));
    assert_eq!(marks(&loader.load(&scope).unwrap()), ["MARK_START", "MARK_START"]);
    let touch = |path: &str| marks(&loader.load_for_path(&scope, &place.path(path)).unwrap());
    let all = [
        "MARK_MANAGED",
        "MARK_USER",
        "MARK_ROOT",
        "MARK_CWD",
        "MARK_SRC",
        "MARK_SRC_DOT",
        "MARK_SRC_LOCAL",
        "MARK_SRC_RULE",
        "MARK_SRC_COND",
        "MARK_UI",
        "MARK_UI_COND",
    ];
    assert_eq!(touch("pkg/src/ui/a.ts"), all);
    assert_eq!(
        touch("pkg/src/ui/a.css"),
        ["MARK_SRC", "MARK_SRC_DOT", "MARK_SRC_LOCAL", "MARK_SRC_RULE", "MARK_UI"]
    );
    assert_eq!(touch("pkg/src/ui")[4], "MARK_UI", "a directory that is listed counts itself");
    assert_eq!(touch("x.ts"), ["MARK_ROOT"], "outside the working directory only rules with a condition");
    assert_eq!(touch("pkg/a.css"), [""; 0]);
}

#[test]
fn what_holds_from_the_start_does_not_come_again() {
    let place = Place::new();
    place.write("{home}/.claude/CLAUDE.md", "MARK_USER\n");
    place.write("{home}/.claude/notes.txt", "hello\n");
    let loader = loader(options(&place));
    let scope = scope(place.home());
    assert_eq!(marks(&loader.load(&scope).unwrap()), ["MARK_USER"]);
    let nested = loader.load_for_path(&scope, &place.path("{home}/.claude/notes.txt")).unwrap();
    assert_eq!(nested.files, []);
    assert_eq!(decision(&nested, "CLAUDE.md").reason, "already_loaded");
}

#[test]
fn a_nested_file_that_the_start_includes_does_not_come_again() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_ROOT @sub/CLAUDE.md\n");
    place.write("sub/CLAUDE.md", "MARK_SUB @more.md\n");
    place.write("sub/more.md", "MARK_MORE\n");
    assert_eq!(marks(&load_proj(&place)), ["MARK_ROOT", "MARK_SUB", "MARK_MORE"]);
    assert_eq!(touch(&place, "sub/x").files, []);
}

#[test]
fn a_nested_file_brings_its_includes() {
    let place = Place::new();
    place.write("sub/CLAUDE.md", "MARK_SUB @more.md @../top.md\n");
    place.write("sub/more.md", "MARK_MORE\n");
    place.write("top.md", "MARK_TOP\n");
    let load = touch(&place, "sub/deep/not/yet/there.rs");
    assert_eq!(marks(&load), ["MARK_SUB", "MARK_MORE", "MARK_TOP"]);
    assert_eq!(load.files[1].parent.as_deref(), Some(&*place.path("sub/CLAUDE.md")));
    assert_eq!(load.files[0].kind, MemoryKind::Project);
}

#[test]
fn a_path_in_another_spelling_means_the_same_directory() {
    let place = Place::new();
    place.write("sub/CLAUDE.md", "MARK_SUB\n");
    place.link("{out}/way", "{proj}");
    let touch = |cwd: &str, path: std::path::PathBuf| {
        marks(&loader(options(&place)).load_for_path(&scope(place.path(cwd)), &path).unwrap())
    };
    assert_eq!(touch("", "sub/x".into()), ["MARK_SUB"], "relative to the working directory");
    assert_eq!(touch("", place.path("sub/../sub/./x")), ["MARK_SUB"]);
    assert_eq!(touch("", place.path("{out}/way/sub/x")), ["MARK_SUB"]);
    assert_eq!(touch("{out}/way", place.path("sub/x")), ["MARK_SUB"]);
    assert_eq!(touch("{out}/way", place.path("{out}/way/sub/x")), ["MARK_SUB"]);
}
