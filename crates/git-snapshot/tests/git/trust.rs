//! No program of a repository runs, and nothing below `.git` changes.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use context_api::{GitRun, GitSource};

use crate::lab::{Lab, assert_same, status_text};

/// Writes a program that leaves a canary, and names it everywhere a repository can name one.
const HOSTILE: &str = r#"
printf '#!/bin/sh\necho "$0 $@" >> "%s/CANARY"\ncat\n' "$OUT" > "$OUT/evil"; chmod +x "$OUT/evil"
E="$OUT/evil"
git config core.fsmonitor "$E"; git config core.fsmonitorHookVersion 2
git config filter.x.clean "$E"; git config filter.x.smudge "$E"; git config filter.x.required true
git config filter.y.process "$E"
git config diff.x.textconv "$E"; git config diff.x.command "$E"; git config diff.external "$E"
git config core.sshCommand "$E"; git config core.gitProxy "$E"; git config core.pager "$E"; git config core.editor "$E"
git config credential.helper "!$E"; git config core.askPass "$E"; git config gpg.program "$E"
git config log.showSignature true; git config merge.x.driver "$E %O"; git config core.alternateRefsCommand "$E"
git config core.hooksPath "$OUT/hooks"; mkdir -p "$OUT/hooks" .git/hooks
for h in post-index-change pre-commit post-checkout fsmonitor-watchman reference-transaction; do
  cp "$E" "$OUT/hooks/$h"; cp "$E" ".git/hooks/$h"; done
git config remote.origin.url "ext::$E"; git config remote.origin.promisor true; git config remote.origin.partialCloneFilter blob:none
git config extensions.partialClone origin; git config core.repositoryFormatVersion 1
git config submodule.recurse true; git config alias.status "!$E"
mkdir -p .git/info; printf '*.f filter=x diff=x merge=x\n*.p filter=y\n' > .git/info/attributes
rm -f "$OUT/CANARY"
"#;

#[test]
fn no_program_of_the_repository_runs() {
    let lab = Lab::built(&format!(
        "base; seq 9 > 1.f; seq 9 > 2.f; seq 9 > 3.f; seq 9 > 1.p; old 1.f 2.f 3.f 1.p; commit f; {HOSTILE}
        echo x >> 1.f; touch 2.f; echo y >> 1.p; echo x >> a; touch b n; git -c core.fsmonitor=false mv d/x z || true; rm -f \"$OUT/CANARY\""
    ));
    let (snapshot, decisions) = lab.snapshot();
    assert!(!lab.out.join("CANARY").exists(), "{:?}", std::fs::read_to_string(lab.out.join("CANARY")));
    assert_eq!(status_text(&snapshot), " M 1.f\n M 1.p\n M 2.f\n M a\nR  d/x -> z\n?? n\n");
    let filtered: Vec<&str> = decisions.iter().map(|decision| decision.subject.as_str()).collect();
    assert_eq!(filtered, ["2.f"], "{decisions:?}");
    assert_eq!(decisions[0].reason, "git_filter_not_run");
}

#[test]
fn the_canary_would_sing_for_git() {
    let lab = Lab::built(&format!("base; seq 9 > 1.f; old 1.f; commit f; {HOSTILE} touch 1.f"));
    lab.oracle(&lab.root);
    assert!(lab.out.join("CANARY").exists());
}

#[test]
fn a_clean_filter_of_the_repository_is_not_run_for_a_young_file() {
    let lab = Lab::built(&format!("git init -q -b main .; echo 1 > f.f; commit c; {HOSTILE} echo 2 > f.f"));
    let (snapshot, _) = lab.snapshot();
    assert_eq!(status_text(&snapshot), " M f.f\n");
    assert!(!lab.out.join("CANARY").exists());
}

#[test]
fn programs_of_a_submodule_do_not_run_either() {
    let lab = Lab::built(
        "git init -q -b main \"$OUT/lib\"; (cd \"$OUT/lib\"; seq 9 > 1.f; old 1.f; commit lib); base;
        git -c protocol.file.allow=always submodule --quiet add \"$OUT/lib\" lib; git commit -qm sub; cd lib;
        mkdir -p .git 2>/dev/null || true; G=$(git rev-parse --git-dir); git config filter.x.clean \"$OUT/evil\";
        printf '#!/bin/sh\\ntouch \"%s/CANARY\"\\ncat\\n' \"$OUT\" > \"$OUT/evil\"; chmod +x \"$OUT/evil\";
        git config core.fsmonitor \"$OUT/evil\"; mkdir -p $G/info; echo '* filter=x' > $G/info/attributes; touch 1.f; rm -f \"$OUT/CANARY\"",
    );
    assert_eq!(status_text(&lab.snapshot().0), " m lib\n");
    assert!(!lab.out.join("CANARY").exists());
}

#[test]
fn a_filter_of_the_user_runs_only_on_request() {
    let lab = Lab::built(
        "printf '#!/bin/sh\\ntouch \"%s/RAN\"\\ntr a-z A-Z\\n' \"$OUT\" > \"$OUT/up\"; chmod +x \"$OUT/up\";
        git config --global filter.up.clean \"$OUT/up\"; git init -q -b main .; echo '*.t filter=up' > .gitattributes;
        echo abc > 1.t; old 1.t; commit 1; touch 1.t; rm \"$OUT/RAN\"",
    );
    assert_eq!(status_text(&lab.snapshot().0), " M 1.t\n");
    assert!(!lab.out.join("RAN").exists());
    let mut options = lab.options();
    options.allow_user_filters = true;
    let (snapshot, decisions) = lab.snapshot_with(&lab.root, &options);
    assert_eq!(status_text(&snapshot.unwrap()), lab.oracle(&lab.root));
    assert!(lab.out.join("RAN").exists() && decisions.is_empty());
    lab.sh("git config filter.up.clean \"$OUT/other\"; rm -f \"$OUT/RAN\"");
    let (snapshot, _) = lab.snapshot_with(&lab.root, &options);
    assert_eq!(status_text(&snapshot.unwrap()), " M 1.t\n");
    assert!(!lab.out.join("RAN").exists());
}

type Stamp = (u64, i64, i64, i64, i64, u64);

fn stamps(dir: &Path) -> BTreeMap<PathBuf, Stamp> {
    let mut all = BTreeMap::new();
    let mut open = vec![dir.to_owned()];
    while let Some(path) = open.pop() {
        let m = path.symlink_metadata().unwrap();
        all.insert(path.clone(), (m.ino(), m.mtime(), m.mtime_nsec(), m.ctime(), m.ctime_nsec(), m.len()));
        if m.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    all
}

#[test]
fn nothing_below_the_git_directory_changes() {
    let lab = Lab::built("base; touch a b; echo x >> a; touch n; git mv d/x z; old .git/index");
    let before = stamps(&lab.root.join(".git"));
    lab.snapshot();
    lab.snapshot();
    assert_eq!(before, stamps(&lab.root.join(".git")));
}

#[test]
fn a_lock_of_somebody_else_is_no_obstacle() {
    let lab = Lab::built("base; old a; touch -d 2001-01-01 .git/index; touch .git/index.lock; echo x >> a");
    let before = stamps(&lab.root.join(".git"));
    assert_same(&lab, &lab.root);
    lab.sh("rm .git/index.lock");
    lab.snapshot();
    let after = stamps(&lab.root.join(".git"));
    let index = lab.root.join(".git/index");
    assert_eq!(before[&index], after[&index]);
    assert_eq!(before.len(), after.len() + 1);
}

#[test]
fn commits_at_the_same_time_do_not_fail_and_neither_do_we() {
    let lab = Lab::built("base; for i in $(seq 200); do echo $i > d/f$i; done; commit many");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            lab.sh("for i in $(seq 25); do echo $i >> a; git add a; git commit -q -m \"c $i\"; git mv d/f1 d/g; git mv d/g d/f1; done");
            done.store(true, Ordering::Relaxed);
        });
        let mut snapshots = 0;
        while !done.load(Ordering::Relaxed) {
            let (snapshot, decisions) = lab.snapshot();
            assert!(matches!(snapshot.status, context_api::Status::Finished { .. }), "{decisions:?}");
            assert!(!lab.root.join("never").exists());
            snapshots += 1;
        }
        assert!(snapshots > 10, "only {snapshots}");
    });
    assert_same(&lab, &lab.root);
    assert_eq!(lab.git(&lab.root, &["rev-list", "--count", "HEAD"]), b"27\n");
}

/// A pipe would hold whoever opens it until somebody writes to it.
#[test]
fn pipes_at_the_place_of_files_do_not_hold_us() {
    let hostile = [
        "mkfifo .gitignore; touch n",
        "rm a; mkfifo a",
        "mkfifo .gitattributes; touch a",
        "mkfifo d/.gitattributes; touch d/e/y",
        "mkdir u; mkfifo u/.git; touch u/f",
        "mkdir u; mkfifo u/.gitignore; touch u/f",
        "rm .git/config; mkfifo .git/config",
        "rm .git/HEAD; mkfifo .git/HEAD",
        "rm .git/index; mkfifo .git/index",
        "mkfifo .gitmodules; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub; mkdir sub",
        "rm -f .git/info/exclude; mkfifo .git/info/exclude; touch n",
        "rm -f .git/info/attributes; mkfifo .git/info/attributes; touch a",
        "mkfifo \"$OUT/p\"; git config core.excludesFile \"$OUT/p\"; touch n",
    ];
    for script in hostile {
        let lab = Lab::built(&format!("base; {script}"));
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let _ = crate::lab::source().snapshot(&lab.root, &lab.options(), &GitRun::new());
            let _ = sender.send(());
        });
        let answer = receiver.recv_timeout(std::time::Duration::from_secs(20));
        assert!(answer.is_ok(), "held by: {script}");
    }
}
