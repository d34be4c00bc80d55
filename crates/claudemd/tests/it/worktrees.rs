//! Worktrees: which copies count, and where notes lie.

use context_api::{MemoryLoader, Verdict};
use context_testkit::Place;

use crate::support::*;

fn repository(place: &Place) {
    place.run("git", &["init", "-q", "-b", "main"]);
    place.run("git", &["add", "-A"]);
    place.run("git", &["commit", "-q", "-m", "first"]);
}

#[test]
fn a_worktree_inside_its_main_checkout_leaves_out_the_copies_it_has_itself() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_ROOT\n");
    place.write(".claude/rules/r.md", "MARK_RULE\n");
    place.write("only-main.md", "x\n");
    repository(&place);
    place.run("git", &["worktree", "add", "-q", ".worktrees/w", "-b", "w"]);
    place.write("CLAUDE.local.md", "MARK_LOCAL\n");
    place.write(".claude/rules/new.md", "MARK_NEW\n");
    place.write(".worktrees/w/CLAUDE.md", "MARK_TREE\n");
    let load = load(&place, ".worktrees/w", options(&place));
    assert_eq!(marks(&load), ["MARK_NEW", "MARK_LOCAL", "MARK_TREE", "MARK_RULE"]);
    let decision = decision(&load, "proj/CLAUDE.md");
    assert_eq!((decision.verdict, &*decision.reason), (Verdict::LeftOut, "main_checkout_copy"));
    assert_eq!(reasons(&load, "proj/.claude/rules/r.md"), ["main_checkout_copy"]);
    let below = crate::support::load(&place, ".worktrees", options(&place));
    assert_eq!(marks(&below)[0], "MARK_ROOT", "outside the worktree the main checkout's files count");
}

#[test]
fn the_directory_of_a_bare_repository_is_no_checkout() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_HUB\n");
    place.run("git", &["init", "-q", "--bare", ".git"]);
    place.run("git", &["--git-dir=.git", "worktree", "add", "-q", "--orphan", "-b", "w", "wt1"]);
    place.write("wt1/CLAUDE.md", "MARK_WT\n");
    let load = load(&place, "wt1", options(&place));
    assert_eq!(marks(&load), ["MARK_HUB", "MARK_WT"]);
}

#[test]
fn a_rule_of_a_worktree_keeps_its_condition() {
    let place = Place::new();
    place.write(".claude/rules/c.md", "---\npaths:\n  - \"src/canvas/**\"\n---\nMARK_CANVAS\n");
    place.write("src/canvas/a.ts", "1\n");
    place.write("src/b.ts", "2\n");
    repository(&place);
    place.run("git", &["worktree", "add", "-q", ".worktrees/w", "-b", "w"]);
    let loader = loader(options(&place));
    let scope = scope(place.path(".worktrees/w"));
    assert_eq!(marks(&loader.load(&scope).unwrap()), [""; 0]);
    let touch = |path: &str| marks(&loader.load_for_path(&scope, &scope.cwd.join(path)).unwrap());
    assert_eq!(touch("src/b.ts"), [""; 0]);
    assert_eq!(touch("src/canvas/a.ts"), ["MARK_CANVAS"]);
}

#[test]
fn all_worktrees_and_subdirectories_share_their_notes() {
    let place = Place::new();
    place.write("sub/f", "x\n");
    repository(&place);
    let tree = place.path("{out}/wt");
    place.run("git", &["worktree", "add", "-q", tree.to_str().unwrap(), "-b", "b"]);
    let loader = loader(options(&place));
    let dir = |path: &str| loader.auto_memory_dir(&scope(place.path(path))).unwrap();
    assert_eq!(dir(""), claudemd::auto_memory_dir(&place.home(), &place.proj()));
    assert_eq!(dir("{out}/wt"), dir(""));
    assert_eq!(dir("sub"), dir(""));
}

#[test]
fn a_checkout_can_not_claim_the_notes_of_another_repository() {
    let place = Place::new();
    place.write("f", "x\n");
    repository(&place);
    place.run("git", &["worktree", "add", "-q", "../out/wt", "-b", "b"]);
    let pointer = std::fs::read(place.path("{out}/wt/.git")).unwrap();
    place.write("{out}/evil/.git", pointer);
    let loader = loader(options(&place));
    let dir = |path: &str| loader.auto_memory_dir(&scope(place.path(path))).unwrap();
    assert_ne!(dir("{out}/evil"), dir(""));
    assert_eq!(dir("{out}/wt"), dir(""));
}
