//! What is kept between snapshots never shows in an answer.

use std::sync::Arc;
use std::time::Duration;

use context_api::{GitRun, GitSource};
use git_snapshot::{GitWatch, GixSource};

use crate::lab::{Lab, status_text};

/// A source that takes every file for old, so that it keeps all that it may.
pub(crate) fn keeping() -> GixSource {
    GixSource::new(Arc::new(|| jiff::Timestamp::UNIX_EPOCH)).with_age_clock(Arc::new(|| jiff::Timestamp::MAX))
}

/// The status of `lab` as `source` sees it.
pub(crate) fn seen(source: &GixSource, lab: &Lab) -> String {
    status_text(&source.snapshot(&lab.root, &lab.options(), &GitRun::new()).unwrap().unwrap())
}

/// Waits for the next step of file times: an edit within one step can not be told, which is what the age rule is for.
pub(crate) fn settle() {
    std::thread::sleep(Duration::from_millis(15));
}

#[track_caller]
fn check_each(lab: &Lab, edits: &[&str]) {
    let source = keeping();
    assert_eq!(seen(&source, lab), lab.oracle(&lab.root), "at first");
    for edit in edits {
        settle();
        lab.sh(edit);
        for round in 0..2 {
            assert_eq!(seen(&source, lab), lab.oracle(&lab.root), "round {round} after: {edit}");
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
fn what_a_touched_file_holds_is_asked_again_when_attributes_or_settings_change() {
    let lab = Lab::built(
        "base; mkdir -p w/x; printf 'a\\r\\nb\\r\\n' > w/x/crlf; printf 'a\\nb\\n' > w/x/lf; ln -s lf w/x/link; commit w
         touch w/x/crlf w/x/lf a; touch -h w/x/link; printf 'n\\n' > w/x/new",
    );
    check_each(
        &lab,
        &[
            "git config core.autocrlf input; touch w/x/crlf",
            "echo '*  -text' > .git/info/attributes",
            "echo '* text' > .git/info/attributes",
            "rm .git/info/attributes",
            "echo 'crlf text eol=crlf' > w/x/.gitattributes",
            "echo 'crlf -text' > w/x/.gitattributes",
            "mv w/x/.gitattributes .",
            "echo '* -text' > other; ln -sf ../../other w/x/.gitattributes; touch w/x/lf",
            "rm w/x/.gitattributes .gitattributes",
            "echo '* -text' > \"$OUT/attributes\"; git config core.attributesFile \"$OUT/attributes\"",
            "echo '* text' > \"$OUT/attributes\"",
            "git config filter.f.clean 'tr a b'; echo '*.none filter=f' > .gitattributes",
            "git config core.autocrlf false; git config --unset core.attributesFile; rm .gitattributes",
            "printf 'a\\r\\nc\\r\\n' > w/x/crlf",
            "printf 'a\\r\\nb\\r\\n' > w/x/crlf",
            "git add -A; touch w/x/crlf",
        ],
    );
}

#[test]
fn what_could_not_be_read_once_is_read_again() {
    let blob = "blob=.git/objects/$(git rev-parse :w/.gitattributes | sed 's,^..,&/,')";
    let lab = Lab::built(&format!(
        "base; mkdir w; echo '* text' > w/.gitattributes; printf 'a\\r\\n' > w/f; commit w; rm w/.gitattributes; touch w/f
         {blob}; mv $blob \"$OUT/blob\"",
    ));
    check_each(&lab, &[&format!("{blob}; mv \"$OUT/blob\" $blob")]);
}

#[test]
fn names_beside_the_index_are_asked_again_when_rules_or_their_directory_change() {
    let lab =
        Lab::built("base; mkdir -p s/t/u; seq 3 > s/t/1; commit s; touch s/t/n.o s/t/m; mkdir s/t/d s/t/e");
    check_each(
        &lab,
        &[
            "echo '*.o' > .git/info/exclude",
            "echo '*.o' > .gitignore; : > .git/info/exclude",
            "mv .gitignore s/t/",
            "mv s/t/.gitignore s/t/.GITIGNORE",
            "rm s/t/.GITIGNORE; echo m > s/.gitignore",
            "touch s/t/d/f",
            "git init -q s/t/e",
            "rm -rf s/t/e; touch s/t/e",
            "rm s/t/m; ln -s 1 s/t/m",
            "for i in $(seq 70); do touch s/t/many$i.o s/t/many$i.k; done",
            "echo '*.o' > s/t/.gitignore",
            "rm s/t/many*",
            "rm -r s/t/u; git rm -q --cached s/t/1",
            "git config core.ignoreCase true; mv s/t/.gitignore s/t/.GITIGNORE",
            "mv b B; touch n",
            "git config core.ignoreCase false",
            "git config core.ignoreCase true",
        ],
    );
}

#[test]
fn a_source_keeps_few_repositories_and_serves_many() {
    let source = keeping();
    let labs: Vec<Lab> = (0..6).map(|n| Lab::built(&format!("base; touch n{n}"))).collect();
    for lab in labs.iter().chain(&labs) {
        assert_eq!(seen(&source, lab), lab.oracle(&lab.root));
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
