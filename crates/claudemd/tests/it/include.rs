//! What memory files include.

use claudemd::{IncludePolicy, MemoryLimits};
use context_api::{MemoryKind, MemoryLoader, Verdict};
use context_testkit::Place;
use proptest::prelude::*;

use crate::support::*;

#[test]
fn trailing_punctuation_is_given_back() {
    let place = Place::new();
    place.write(
        "CLAUDE.md",
        "Flow is in @flow.md: read it. See also @style.md, @test.md; and (@sec.md) or @end.md.\n",
    );
    for name in ["flow", "style", "test", "sec", "end"] {
        place.write(&format!("{name}.md"), format!("MARK_{}\n", name.to_uppercase()));
    }
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_FLOW", "MARK_STYLE", "MARK_TEST", "MARK_SEC", "MARK_END"]);
    assert_eq!(load.decisions, []);
}

#[test]
fn includes_follow_their_file_depth_first_and_know_their_parent() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_ROOT\n@docs/a.md @b.md\n");
    place.write("docs/a.md", "MARK_A @./deep/c.md\n");
    place.write("docs/deep/c.md", "MARK_C\n");
    place.write("b.md", "MARK_B\n");
    place.write("CLAUDE.local.md", "MARK_LOCAL @private.md\n");
    place.write("private.md", "MARK_PRIVATE\n");
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_ROOT", "MARK_A", "MARK_C", "MARK_B", "MARK_LOCAL", "MARK_PRIVATE"]);
    assert!(load.files[0].text.contains("@docs/a.md @b.md"), "the text stays as it is");
    assert_eq!(load.files[2].parent.as_deref(), Some(&*place.path("docs/a.md")));
    assert_eq!(load.files[1].kind, MemoryKind::Project);
    assert_eq!(load.files[5].kind, MemoryKind::Local);
}

#[test]
fn an_ancestor_s_include_loads_from_a_subdirectory() {
    let place = Place::new();
    place.write("CLAUDE.md", "@AGENTS.md\nMARK_BODY\n");
    place.write("AGENTS.md", "MARK_AGENTS\n");
    place.write("sub/keep", "\n");
    place.run("git", &["init", "-q", "-b", "main"]);
    let load = load(&place, "sub", options(&place));
    assert_eq!(marks(&load), ["MARK_BODY", "MARK_AGENTS"]);
}

#[test]
fn without_a_repository_the_project_is_the_working_directory() {
    let place = Place::new();
    place.write("CLAUDE.md", "@AGENTS.md\nMARK_BODY\n");
    place.write("AGENTS.md", "MARK_AGENTS\n");
    place.write("sub/keep", "\n");
    let load = load(&place, "sub", options(&place));
    assert_eq!(marks(&load), ["MARK_BODY"]);
    assert_eq!(load.pending.len(), 1);
    assert_eq!(load.pending[0].path, place.path("AGENTS.md"));
    assert_eq!(load.pending[0].from, place.path("CLAUDE.md"));
    assert_eq!(reasons(&load, "AGENTS.md"), ["include_needs_approval"], "and nothing else is said of it");
}

#[test]
fn an_include_from_outside_waits_for_the_word_that_the_policy_asks_for() {
    let place = Place::new();
    place.write(
        "CLAUDE.md",
        "MARK_P @{out}/a.md @way.md\n".replace("{out}", place.path("{out}").to_str().unwrap()),
    );
    place.write("{out}/a.md", "MARK_A\n");
    place.write("{out}/sub/b.md", "MARK_B\n");
    place.link("way.md", "{out}/sub/b.md");
    let load = |policy: IncludePolicy, approved| {
        let loader = loader(options(&place).include_policy(policy));
        loader.load(&scope(place.proj()).includes_approved(approved)).unwrap()
    };
    let asked = load(IncludePolicy::Ask, None);
    assert_eq!(marks(&asked), ["MARK_P"]);
    let pending: Vec<_> = asked.pending.iter().map(|p| p.path.clone()).collect();
    assert_eq!(pending, [place.path("{out}/a.md"), place.path("way.md")], "a link is judged by its target");
    assert!(asked.decisions.iter().all(|d| d.verdict == Verdict::Pending));
    for (policy, approved, expected, reason) in [
        (IncludePolicy::Ask, Some(true), &["MARK_P", "MARK_A", "MARK_B"][..], None),
        (IncludePolicy::Ask, Some(false), &["MARK_P"], Some("include_refused")),
        (IncludePolicy::Deny, Some(true), &["MARK_P"], Some("include_denied")),
        (IncludePolicy::AllowAll, Some(false), &["MARK_P", "MARK_A", "MARK_B"], None),
        (IncludePolicy::AllowRoots(vec![place.out()]), None, &["MARK_P", "MARK_A", "MARK_B"], None),
        (
            IncludePolicy::AllowRoots(vec![place.path("{out}/sub")]),
            None,
            &["MARK_P", "MARK_B"],
            Some("include_outside_roots"),
        ),
    ] {
        let load = load(policy.clone(), approved);
        assert_eq!(marks(&load), expected, "{policy:?} {approved:?}");
        assert_eq!(load.pending, []);
        assert_eq!(load.decisions.first().map(|d| &*d.reason), reason, "{policy:?} {approved:?}");
    }
}

#[test]
fn user_and_managed_files_include_from_anywhere() {
    let place = Place::new();
    place.write("{home}/.claude/CLAUDE.md", "Load @~/n1.md and @~/n2.md now.\n");
    place.write("{home}/n1.md", "MARK_N1\n");
    place.write("{home}/n2.md", "MARK_N2\n");
    place.write("{managed}/CLAUDE.md", format!("@{}\n", place.path("{out}/m.md").display()));
    place.write("{out}/m.md", "MARK_M\n");
    assert_eq!(marks(&load_proj(&place)), ["MARK_M", "MARK_N1", "MARK_N2"]);
}

#[test]
fn a_chain_has_five_files_and_the_first_one_beyond_is_named() {
    let place = Place::new();
    place.write("CLAUDE.md", "@h1.md\nMARK_0\n");
    for n in 1..7 {
        place.write(&format!("h{n}.md"), format!("@h{}.md\nMARK_{n}\n", n + 1));
    }
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_0", "MARK_1", "MARK_2", "MARK_3", "MARK_4"]);
    assert_eq!(load.decisions.len(), 1);
    assert_eq!(decision(&load, "h5.md").reason, "include_too_deep");
}

#[test]
fn cycles_end_and_a_diamond_loads_once() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_ROOT @a.md @b.md @CLAUDE.md\n");
    place.write("a.md", "MARK_A @c.md @CLAUDE.md\n");
    place.write("b.md", "MARK_B @./c.md @a.md\n");
    place.write("c.md", "MARK_C @c.md\n");
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_ROOT", "MARK_A", "MARK_C", "MARK_B"]);
    assert!(load.decisions.iter().all(|d| d.reason == "already_loaded"));
}

#[test]
fn text_that_only_looks_like_a_path_makes_no_noise() {
    let place = Place::new();
    place.write(
        "CLAUDE.md",
        "Mail ops@example.com or (outside @example.org). Use @acme/ui 2.x, document @param and @returns, add @Injectable().\nMARK_BODY\n",
    );
    let load = load_proj(&place);
    assert_eq!(load.files.len(), 1);
    assert!(load.files[0].text.contains("ops@example.com") && load.files[0].text.contains("@acme/ui"));
    let reasons: Vec<_> = load.decisions.iter().map(|d| (&*d.subject, &*d.reason)).collect();
    assert_eq!(
        reasons,
        [
            ("@example.org", "include_not_found"),
            ("@acme/ui", "include_not_found"),
            ("@param", "not_a_path"),
            ("@returns", "not_a_path"),
            ("@Injectable", "not_a_path"),
        ]
    );
}

#[test]
fn directories_pictures_and_binaries_are_named_and_not_shown() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_OK @docs @docs/ @logo.png, @spec.pdf, @blob @notes.md\n");
    place.write("docs/a.md", "MARK_DOCS\n");
    place.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    place.write("spec.pdf", "%PDF-1.4\n@notes.md\n%%EOF\n");
    place.write("blob", b"\0\x01\x02");
    place.write("notes.md", "MARK_NOTES\n");
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_OK", "MARK_NOTES"]);
    assert!(!text(&load).contains("%PDF") && !text(&load).contains("IHDR"));
    assert_eq!(reasons(&load, "logo.png"), ["include_not_text"]);
    assert_eq!(reasons(&load, "spec.pdf"), ["include_not_text"]);
    assert_eq!(reasons(&load, "blob"), ["binary"]);
    assert!(load.decisions.iter().filter(|d| d.subject.contains("docs")).all(|d| d.reason == "directory"));
}

#[test]
fn nothing_inside_a_git_directory_is_included() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_P @.git/config @sub/.GIT/x @hidden/config @hidden/logs/x.md @way.md\n");
    place.run("git", &["init", "-q", "-b", "main"]);
    place.run("git", &["init", "-q", "--bare", "hidden"]);
    place.write("hidden/logs/x.md", "MARK_X\n");
    place.write("sub/.GIT/x", "MARK_G\n");
    place.link("way.md", ".git/HEAD");
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_P"]);
    assert_eq!(load.decisions.len(), 5);
    assert!(load.decisions.iter().all(|d| d.reason == "include_in_git_dir"), "{:#?}", load.decisions);
}

#[test]
fn a_linked_file_includes_from_where_it_was_written() {
    let place = Place::new();
    place.write("shared/CLAUDE.md", "MARK_S @style.md @local.md\n");
    place.write("shared/style.md", "MARK_STYLE\n");
    place.write("style.md", "MARK_WRONG\n");
    place.write("local.md", "MARK_BESIDE_THE_LINK\n");
    place.link("CLAUDE.md", "shared/CLAUDE.md");
    assert_eq!(marks(&load_proj(&place)), ["MARK_S", "MARK_STYLE", "MARK_BESIDE_THE_LINK"]);
}

#[test]
fn the_main_checkout_of_a_worktree_is_not_outside() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_P\n");
    place.run("git", &["init", "-q", "-b", "main"]);
    place.run("git", &["add", "-A"]);
    place.run("git", &["commit", "-q", "-m", "first"]);
    place.run("git", &["worktree", "add", "-q", "wt", "-b", "w"]);
    place.write("CLAUDE.local.md", "MARK_L @mine.md\n");
    place.write("mine.md", "MARK_MINE\n");
    let load = load(&place, "wt", options(&place));
    assert_eq!(marks(&load), ["MARK_L", "MARK_MINE", "MARK_P"]);
    assert_eq!(load.pending, []);
}

#[test]
fn one_load_includes_so_many_files_and_reads_so_many_bytes() {
    let place = Place::new();
    let names: Vec<String> = (0..600).map(|n| format!("n{n:03}.md")).collect();
    place.write("CLAUDE.md", names.iter().map(|name| format!("@{name}\n")).collect::<String>());
    for name in &names {
        place.write(name, "x\n");
    }
    let load = load_proj(&place);
    assert_eq!(load.files.len(), 513);
    assert_eq!(reasons(&load, "n512.md"), ["too_many_includes"]);

    let mut limits = MemoryLimits::default();
    limits.total_bytes = 600 * 9 + 10;
    let load = crate::support::load(&place, "", options(&place).limits(limits));
    assert_eq!(load.files.len(), 6);
    assert_eq!(reasons(&load, "n005.md"), ["total_too_large"]);
}

/// A graph of files that include each other, by number.
fn tree(edges: &[Vec<usize>]) -> Place {
    let place = Place::new();
    let text = |targets: &[usize]| targets.iter().map(|n| format!("@f{n}.md ")).collect::<String>();
    for (n, targets) in edges.iter().enumerate() {
        place.write(&format!("f{n}.md"), format!("MARK_{n} {}\n", text(targets)));
    }
    place.write("CLAUDE.md", "MARK_ROOT @f0.md\n");
    place
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_graph_ends_with_each_file_once_and_at_most_five_in_a_chain(
        edges in prop::collection::vec(prop::collection::vec(0usize..9, 0..5), 1..9)
    ) {
        let place = tree(&edges);
        let load = load_proj(&place);
        let mut paths: Vec<_> = load.files.iter().map(|file| &file.path).collect();
        for file in &load.files {
            let chain = std::iter::successors(Some(file), |file| {
                load.files.iter().find(|other| Some(&other.path) == file.parent.as_ref())
            });
            prop_assert!(chain.take(9).count() <= 5);
        }
        let count = paths.len();
        paths.sort();
        paths.dedup();
        prop_assert_eq!(paths.len(), count);
    }
}
