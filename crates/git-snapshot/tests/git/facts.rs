//! Branch, main branch, user, trust, and repositories that can not be read.

use context_api::{GitError, GitOptions, GitRun, GitSource, Head, Status};

use crate::lab::{Lab, source, status_text};

fn reasons(decisions: &[context_api::Decision]) -> Vec<&str> {
    decisions.iter().map(|decision| decision.reason.as_str()).collect()
}

#[track_caller]
fn main_branch(script: &str, expected: Option<&str>) {
    let (snapshot, _) = Lab::built(script).snapshot();
    assert_eq!(snapshot.main_branch.as_deref(), expected);
}

#[test]
fn the_main_branch_is_the_head_of_origin_and_no_guess() {
    let script = "git init -q -b integration .; echo 1 > f; commit c; git branch master; git branch main;
        git config init.defaultBranch main;
        git update-ref refs/remotes/origin/integration HEAD; git update-ref refs/remotes/origin/main HEAD;
        git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/integration; git checkout -q -b feat/x";
    let (snapshot, _) = Lab::built(script).snapshot();
    assert_eq!(snapshot.branch, Head::Branch { name: "feat/x".into() });
    assert_eq!(snapshot.main_branch.as_deref(), Some("integration"));
}

#[test]
fn the_main_branch_is_asked_for_in_order() {
    main_branch(
        "base; git branch -m trunk; git remote add up /x; git update-ref refs/remotes/up/dev HEAD; git symbolic-ref refs/remotes/up/HEAD refs/remotes/up/dev",
        Some("dev"),
    );
    main_branch(
        "base; git branch -m trunk; git remote add up /x; git remote add other /y; git update-ref refs/remotes/up/dev HEAD; git symbolic-ref refs/remotes/up/HEAD refs/remotes/up/dev",
        None,
    );
    main_branch("base; git checkout -q -b x", Some("main"));
    main_branch("base; git branch -m master; git checkout -q -b x", Some("master"));
    main_branch(
        "base; git branch -m trunk; git config init.defaultBranch trunk; git checkout -q -b x",
        Some("trunk"),
    );
    main_branch("base; git branch -m trunk; git config init.defaultBranch other", None);
    main_branch("git init -q -b main .", None);
    main_branch(
        "base; git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/rel/1.x; git checkout -q -b x",
        Some("rel/1.x"),
    );
}

#[test]
fn the_user_is_the_one_of_the_configuration_or_nobody() {
    assert_eq!(Lab::built("base").snapshot().0.user.as_deref(), Some("Ada"));
    assert_eq!(Lab::built("base; git config user.name ' Bob  '").snapshot().0.user.as_deref(), Some("Bob"));
    let lab = Lab::built("base");
    let mut options = lab.options();
    options.home = None;
    assert_eq!(lab.snapshot_with(&lab.root, &options).0.unwrap().user, None);
}

#[test]
fn outside_of_a_repository_and_in_a_bare_one_there_is_nothing() {
    let lab = Lab::new();
    assert!(lab.snapshot_with(&lab.root, &lab.options()).0.is_none());
    assert!(lab.snapshot_with(&lab.root.join("missing"), &lab.options()).0.is_none());
    let bare = Lab::built("git init -q --bare .");
    assert!(bare.snapshot_with(&bare.root, &bare.options()).0.is_none());
    assert!(bare.snapshot_with(&bare.root.join("refs/heads"), &bare.options()).0.is_none());
    let inside = Lab::built("base");
    assert!(inside.snapshot_with(&inside.root.join(".git/refs"), &inside.options()).0.is_none());
    let set = Lab::built("base; git config core.bare true");
    assert!(set.snapshot_with(&set.root, &set.options()).0.is_none());
}

#[test]
fn a_reftable_repository_is_a_decision() {
    let lab = Lab::built("git init -q --ref-format=reftable -b main .; echo 1 > f; commit 1");
    let (snapshot, decisions) = lab.snapshot_with(&lab.root, &lab.options());
    assert!(snapshot.is_none());
    assert_eq!(reasons(&decisions), ["git_reftable"]);
}

#[test]
fn a_corrupt_index_costs_the_status_only() {
    for script in
        ["printf garbage > .git/index", "head -c 60 .git/index > t; mv t .git/index", ": > .git/index"]
    {
        let lab = Lab::built(&format!("base; {script}"));
        let (snapshot, decisions) = lab.snapshot();
        assert!(matches!(snapshot.status, Status::Unreadable { .. }), "{script}: {:?}", snapshot.status);
        assert_eq!(reasons(&decisions), ["git_status_unreadable"]);
        assert_eq!(snapshot.log.len(), 1);
        assert!(source().render(&snapshot).0.contains("Status:\n(unknown: the index can not be read"));
    }
}

#[test]
fn a_missing_tree_costs_the_status_only() {
    let lab = Lab::built(
        "base; echo 1 > n; git add n; t=$(git rev-parse HEAD^{tree}); rm -f .git/objects/$(echo $t | cut -c1-2)/$(echo $t | cut -c3-)",
    );
    let (snapshot, decisions) = lab.snapshot();
    assert!(matches!(snapshot.status, Status::Unreadable { .. }));
    assert_eq!(reasons(&decisions), ["git_status_unreadable"]);
}

#[test]
fn a_broken_head_is_an_error_and_no_panic() {
    let lab = Lab::built("base; printf garbage > .git/HEAD");
    let result = source().snapshot(&lab.root, &lab.options(), &GitRun::new());
    assert!(matches!(result, Ok(None) | Err(GitError::Open { .. })), "{result:?}");
}

#[test]
fn a_repository_of_somebody_else_is_not_read_unless_trusted() {
    let lab = Lab::built("base; echo x >> a");
    let Ok(()) = std::os::unix::fs::chown(&lab.root, Some(12_345), None) else { return };
    let (snapshot, decisions) = lab.snapshot_with(&lab.root, &lab.options());
    assert!(snapshot.is_none());
    assert_eq!(reasons(&decisions), ["git_foreign_owner"]);

    let mut trusting = lab.options();
    trusting.trust_foreign_owner = true;
    let (snapshot, _) = lab.snapshot_with(&lab.root, &trusting);
    assert_eq!(status_text(&snapshot.unwrap()), " M a\n");

    let listed = format!("[safe]\ndirectory = {}\n", lab.root.display());
    std::fs::write(lab.home.join(".gitconfig"), listed).unwrap();
    assert!(lab.snapshot_with(&lab.root, &lab.options()).0.is_some());
}

#[test]
fn variables_count_only_when_passed_in() {
    let lab =
        Lab::built("base; touch n; git init -q -b other \"$OUT/o\"; cp .git/index \"$OUT/index\"; git add n");
    let with = |pairs: &[(&str, String)]| {
        let mut options = lab.options();
        options.environment = pairs.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        options
    };
    let status = |options: &GitOptions| status_text(&lab.snapshot_with(&lab.root, options).0.unwrap());
    assert_eq!(status(&lab.options()), "A  n\n");
    assert_eq!(status(&with(&[("GIT_INDEX_FILE", lab.out.join("index").display().to_string())])), "?? n\n");
    let pairs = [
        ("GIT_CONFIG_COUNT", "1".to_string()),
        ("GIT_CONFIG_KEY_0", "user.name".into()),
        ("GIT_CONFIG_VALUE_0", "Eve".into()),
    ];
    assert_eq!(lab.snapshot_with(&lab.root, &with(&pairs)).0.unwrap().user.as_deref(), Some("Eve"));
    let other = with(&[("GIT_DIR", lab.out.join("o/.git").display().to_string())]);
    let (snapshot, _) = lab.snapshot_with(&lab.root, &other);
    assert_eq!(snapshot.unwrap().branch, Head::Unborn { name: "other".into() });
    let ceiling = with(&[("GIT_CEILING_DIRECTORIES", lab.root.display().to_string())]);
    assert!(lab.snapshot_with(&lab.root.join("d"), &ceiling).0.is_none());
    let (_, decisions) = lab.snapshot_with(&lab.root, &with(&[("GIT_OBJECT_DIRECTORY", "/x".into())]));
    assert_eq!(reasons(&decisions), ["git_variable_ignored"]);
}

#[test]
fn system_settings_count_when_a_file_is_named() {
    let lab = Lab::built("base; printf '[status]\nshowUntrackedFiles = no\n' > \"$OUT/system\"; touch n");
    let source = source().with_system_config(lab.out.join("system"));
    let snapshot = source.snapshot(&lab.root, &lab.options(), &GitRun::new()).unwrap().unwrap();
    assert_eq!(status_text(&snapshot), "");
    assert_eq!(lab.ours(&lab.root).0, "?? n\n");
}

#[test]
fn a_branch_that_is_another_name_is_told_by_the_name_that_it_stands_for() {
    let lab = Lab::built(
        "base; git branch o; git symbolic-ref refs/heads/al refs/heads/o; git symbolic-ref HEAD refs/heads/al",
    );
    let (snapshot, _) = lab.snapshot();
    assert_eq!(snapshot.branch, Head::Branch { name: "o".into() });
    assert_eq!(snapshot.log.len(), 1);
}

#[test]
fn a_file_that_leads_to_no_repository_ends_the_search_with_a_decision() {
    let lab = Lab::built("base; mkdir -p w/x; echo 'gitdir: /nowhere' > w/.git");
    let (snapshot, decisions) = lab.snapshot_with(&lab.root.join("w/x"), &lab.options());
    assert!(snapshot.is_none());
    assert_eq!(reasons(&decisions), ["git_file_broken"]);
}

#[test]
fn a_working_tree_elsewhere_is_a_decision() {
    let lab = Lab::built("base; mkdir \"$OUT/tree\"; git config core.worktree \"$OUT/tree\"");
    let (snapshot, decisions) = lab.snapshot_with(&lab.root, &lab.options());
    assert!(snapshot.is_none());
    assert_eq!(reasons(&decisions), ["git_outside_work_tree"]);
}

#[test]
fn a_rename_whose_content_is_not_here_is_a_decision() {
    let lab = Lab::built(
        "base; seq 1000 > big; commit b; (seq 1000; echo x) > moved; git add moved; git rm -q --cached big; rm big
         rm -f .git/objects/$(git rev-parse HEAD:big | sed 's,^..,&/,')",
    );
    let (snapshot, decisions) = lab.snapshot();
    assert_eq!(status_text(&snapshot), "D  big\nA  moved\n");
    assert_eq!(reasons(&decisions), ["rename_pairing_approximate"]);
}

#[test]
fn a_broken_settings_file_is_a_decision() {
    let lab = Lab::built("base; printf '[user\nname=' > \"$HOME/.gitconfig\"; touch n");
    let (snapshot, decisions) = lab.snapshot();
    assert_eq!(status_text(&snapshot), "?? n\n");
    assert_eq!(reasons(&decisions), ["git_config_unreadable"]);
}

#[test]
fn the_text_says_it_is_a_snapshot() {
    let lab = Lab::built("base; git checkout -q -b feat/x; echo x >> a; touch n");
    let (snapshot, _) = lab.snapshot();
    let (text, _) = source().render(&snapshot);
    assert!(text.starts_with("Git state of the working directory when this conversation began."));
    assert!(text.contains("\n\nCurrent branch: feat/x\n\nMain branch: main\n\nGit user: Ada\n\nStatus:\n M a\n?? n\n\nRecent commits:\n"));
    assert!(text.ends_with(" one"));
}

#[test]
fn looks_of_the_user_do_not_reach_the_text() {
    let lab = Lab::built(
        "git init -q -b main .; mkdir -p d/e; echo 1 > '日本 x.txt'; echo 2 > d/e/f; echo 1 > a; git add a;
        git commit -qm 'first ünï'; git config color.ui always; git config status.branch true;
        git config log.showSignature true; git config status.relativePaths true",
    );
    let (snapshot, _) = lab.snapshot();
    let Status::Finished { lines } = &snapshot.status else { panic!("{:?}", snapshot.status) };
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0], "?? d/");
    let (text, _) = source().render(&snapshot);
    assert!(!text.contains('\u{1b}') && !text.contains("##") && !text.contains("d/e/f"));
    assert_eq!(snapshot.log.len(), 1);
}

#[test]
fn a_snapshot_sees_what_was_committed_a_moment_ago() {
    let lab = Lab::built("base");
    lab.snapshot();
    lab.sh("git commit -q --allow-empty -m MARK_TWO");
    assert_eq!(lab.snapshot().0.log[0].subject, "MARK_TWO");
}

#[test]
fn odd_names_give_one_line_each_and_valid_text() {
    let lab = Lab::built(
        "git init -q .; printf x > \"$(printf 'bad\\351name.txt')\"; printf x > \"$(printf 'two\\nlines.md')\"; printf x > ok.md",
    );
    let (snapshot, _) = lab.snapshot();
    assert_eq!(status_text(&snapshot), "?? \"bad\\351name.txt\"\n?? ok.md\n?? \"two\\nlines.md\"\n");
    lab.sh("git config core.quotePath false");
    assert_eq!(lab.snapshot().0.status, snapshot.status);
}

#[test]
fn a_rename_that_hangs_on_little_is_a_decision() {
    let lab = Lab::built(
        "git init -q -b main .; seq 100000 102000 > a; commit a; git mv a b; (seq 100000 101000; seq 300000 301010) > b; git add b",
    );
    let (snapshot, decisions) = lab.snapshot();
    let ours = status_text(&snapshot);
    assert!(ours == lab.oracle(&lab.root) || reasons(&decisions) == ["rename_pairing_approximate"], "{ours}");
    assert_eq!(reasons(&decisions), ["rename_pairing_approximate"]);
    let clear = Lab::built(
        "git init -q -b main .; seq 100000 102000 > a; commit a; git mv a b; echo x >> b; git add b",
    );
    assert!(clear.snapshot().1.is_empty());
}
