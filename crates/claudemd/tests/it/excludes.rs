//! What excludes and the read policy leave out.

use std::path::Path;
use std::sync::Arc;

use claudemd::FsMemoryLoader;
use context_api::{Access, MemoryLoader, ReadPolicy};
use context_testkit::Place;
use local_fs::LocalFs;

use crate::support::*;

fn excluding(place: &Place, patterns: &[&str]) -> context_api::MemoryLoad {
    let patterns: Vec<String> =
        patterns.iter().map(|&p| p.replace("{place}", place.root().to_str().unwrap())).collect();
    load(place, "", options(place).excludes(patterns))
}

#[test]
fn an_exclude_may_name_a_link_or_its_target() {
    let place = Place::new();
    place.write("{out}/shared/sec.md", "MARK_SEC\n");
    place.write(".claude/rules/own.md", "MARK_OWN\n");
    place.link(".claude/rules/sec.md", "{out}/shared/sec.md");
    for pattern in
        ["**/.claude/rules/sec.md", "**/shared/**", "**/shared", "{place}/out", "**/proj/.claude/rules/s*.md"]
    {
        let load = excluding(&place, &[pattern]);
        assert_eq!(marks(&load), ["MARK_OWN"], "{pattern}");
        assert_eq!(decision(&load, "rules/sec.md").reason, "excluded");
        assert!(decision(&load, "rules/sec.md").detail.contains('`'));
    }
}

#[test]
fn an_exclude_holds_for_every_spelling_of_a_path() {
    let place = Place::new();
    let proj = format!("{}/proj", place.root().display());
    place.write("secret.md", "MARK_SECRET\n");
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    place.write("sub/x", "");
    for spelling in ["./secret.md", "/secret.md", ".//./secret.md", "sub/../secret.md"] {
        place.write("CLAUDE.md", format!("MARK_P\n@{proj}/{spelling}\n"));
        let excludes = vec![format!("{proj}/secret.md")];
        let load = load(&place, "sub", options(&place).excludes(excludes));
        assert_eq!(marks(&load), ["MARK_P"], "{spelling}");
        let load = self::load(&place, "sub", options(&place));
        assert_eq!(marks(&load), ["MARK_P", "MARK_SECRET"], "{spelling}");
        let canonical = load.files.last().unwrap().canonical.as_os_str();
        assert_eq!(canonical, format!("{proj}/secret.md").as_str(), "{spelling}");
    }
}

#[test]
fn excludes_never_remove_managed_files() {
    let place = Place::new();
    place.write("{managed}/CLAUDE.md", "MARK_POLICY @more.md\n");
    place.write("{managed}/more.md", "MARK_MORE\n");
    place.write("CLAUDE.md", "MARK_P\n");
    place.write("{home}/.claude/CLAUDE.md", "MARK_U\n");
    let load = excluding(&place, &["**/CLAUDE.md", "**/more.md"]);
    assert_eq!(marks(&load), ["MARK_POLICY", "MARK_MORE"]);
    assert_eq!(decision(&load, "proj/CLAUDE.md").reason, "excluded");
}

#[test]
fn a_home_pattern_a_directory_pattern_and_a_broken_one() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_P\n@docs/a.md\n");
    place.write("docs/a.md", "MARK_A\n");
    place.write("{home}/.claude/CLAUDE.md", "MARK_U\n");
    assert_eq!(marks(&excluding(&place, &["~/.claude/"])), ["MARK_P", "MARK_A"]);
    assert_eq!(marks(&excluding(&place, &["{place}/proj/docs/"])), ["MARK_U", "MARK_P"]);
    let load = excluding(&place, &["[", "**/docs/**"]);
    assert_eq!(marks(&load), ["MARK_U", "MARK_P"]);
}

struct Deny(&'static str);

impl ReadPolicy for Deny {
    fn check(&self, path: &Path) -> Access {
        if path.ends_with(self.0) {
            Access::Denied { rule: format!("Read({})", self.0) }
        } else {
            Access::Allowed
        }
    }
}

#[test]
fn the_policy_holds_for_files_includes_and_the_targets_of_links() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_P @.env @link.txt @sub/../.env @ok.md\n");
    place.write(".env", "MARK_SECRET\n");
    place.write("ok.md", "MARK_OK\n");
    place.link("link.txt", ".env");
    let loader = FsMemoryLoader::new(Arc::new(LocalFs::new()), Arc::new(Deny(".env")), options(&place));
    let load = loader.load(&scope(place.proj())).unwrap();
    assert_eq!(marks(&load), ["MARK_P", "MARK_OK"]);
    assert_eq!(reasons(&load, "link.txt"), ["denied_by_policy"]);
    assert!(reasons(&load, ".env").iter().all(|reason| *reason == "denied_by_policy"));

    let deny = FsMemoryLoader::new(Arc::new(LocalFs::new()), Arc::new(Deny("CLAUDE.md")), options(&place));
    place.write("{managed}/CLAUDE.md", "MARK_POLICY\n");
    let load = deny.load(&scope(place.proj())).unwrap();
    assert_eq!(marks(&load), ["MARK_POLICY"], "the organisation's file is no secret");
    assert_eq!(decision(&load, "proj/CLAUDE.md").reason, "denied_by_policy");
}
