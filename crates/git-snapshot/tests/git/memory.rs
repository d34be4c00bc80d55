//! What is kept between snapshots never shows in an answer.

use std::sync::Arc;
use std::time::Duration;

use context_api::{GitRun, GitSource};
use git_snapshot::{GitWatch, GixSource};

use crate::lab::{Lab, status_text};

/// A source that takes every file for old, so that it keeps all that it may.
fn keeping() -> GixSource {
    GixSource::new(Arc::new(|| jiff::Timestamp::MAX))
}

#[track_caller]
fn check_each(lab: &Lab, edits: &[&str]) {
    let source = keeping();
    let look = || status_text(&source.snapshot(&lab.root, &lab.options(), &GitRun::new()).unwrap().unwrap());
    assert_eq!(look(), lab.oracle(&lab.root), "at first");
    for edit in edits {
        // The times of files step; an edit within one step can not be told, which is what the age rule is for.
        std::thread::sleep(Duration::from_millis(15));
        lab.sh(edit);
        for round in 0..2 {
            assert_eq!(look(), lab.oracle(&lab.root), "round {round} after: {edit}");
        }
    }
}

#[test]
fn changes_show_in_a_source_that_has_seen_the_repository() {
    let lab = Lab::built("base; mkdir -p s/t; seq 3 > s/t/1; seq 4 > s/2; commit s; touch n");
    check_each(
        &lab,
        &[
            "touch d/e/new",
            "rm d/e/new",
            "echo x >> d/e/y",
            "mkdir d/e/u; touch d/e/u/f",
            "rm -r d/e",
            "git checkout -q d/e",
            "mv s/t s/v",
            "mv s/v s/t",
            "git add -A",
            "git commit -qm all",
            "echo '*.o' > .gitignore; touch s/x.o s/t/x.o",
            "rm .gitignore",
            "mv s \"$OUT/s\"; ln -s \"$OUT/s\" s",
            "rm s; mv \"$OUT/s\" s",
            "git config status.showUntrackedFiles no",
            "git config status.showUntrackedFiles all",
            "git rm -rq --cached s",
            "git reset -q --hard; git clean -fdxq",
            "rm s/t/1; mkdir s/t/1; touch s/t/1/f",
        ],
    );
}

#[test]
fn a_source_keeps_few_repositories_and_serves_many() {
    let source = keeping();
    let labs: Vec<Lab> = (0..6).map(|n| Lab::built(&format!("base; touch n{n}"))).collect();
    for lab in labs.iter().chain(&labs) {
        let snapshot = source.snapshot(&lab.root, &lab.options(), &GitRun::new()).unwrap().unwrap();
        assert_eq!(status_text(&snapshot), lab.oracle(&lab.root));
    }
}

#[test]
fn a_watch_tells_branch_head_and_counts() {
    let lab = Lab::built("base");
    let source: Arc<dyn GitSource> = Arc::new(keeping());
    let since = source.snapshot(&lab.root, &lab.options(), &GitRun::new()).unwrap().unwrap();
    let watch = GitWatch::new(source, &lab.root, lab.options(), since);
    assert_eq!(watch.look(&GitRun::new()).unwrap(), None);
    lab.sh("git checkout -q -b x; git commit -q --allow-empty -m two; touch n; echo x >> a");
    let drift = watch.look(&GitRun::new()).unwrap().unwrap();
    let (_, counts) = drift.counts.unwrap();
    assert_eq!((counts.entries, counts.modified, counts.untracked), (2, 1, 1));
    assert!(drift.to_string().contains("the branch is now x (it was main), the newest commit is now "));
}

#[test]
fn callers_at_the_same_time_get_the_same_answer() {
    let lab = Lab::built("base; for i in $(seq 300); do echo $i > d/f$i; done; commit many; touch n");
    let source = keeping();
    let answers: Vec<_> = std::thread::scope(|scope| {
        let callers: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| source.snapshot(&lab.root, &lab.options(), &GitRun::new()).unwrap().unwrap())
            })
            .collect();
        callers.into_iter().map(|caller| caller.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(status_text(&answers[0]), "?? n\n");
}
