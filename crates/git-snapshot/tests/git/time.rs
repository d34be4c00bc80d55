//! The end of a run: budget, deadline, interrupt.

use std::time::{Duration, Instant};

use context_api::{GitError, GitRun, GitSource, Status};

use crate::lab::{Lab, source};

const WIDE: &str = "git init -q -b main .; for i in $(seq 60); do mkdir -p d$i; (cd d$i; touch $(seq 100)); done; commit wide";

#[test]
fn a_budget_that_is_too_small_leaves_the_cheap_facts() {
    let lab = Lab::built(WIDE);
    lab.sh("find . -path ./.git -prune -o -type f -exec touch {} +");
    let mut options = lab.options();
    let (mut unfinished, mut quickest) = (0, Duration::MAX);
    for micros in [50, 500, 1_000, 2_000, 4_000] {
        options.budget = Duration::from_micros(micros);
        let run = GitRun::new();
        let started = Instant::now();
        let result = source().snapshot(&lab.root, &options, &run);
        quickest = quickest.min(started.elapsed());
        let Ok(Some(snapshot)) = result else { continue };
        assert_eq!(snapshot.main_branch.as_deref(), Some("main"));
        if snapshot.status == Status::Unfinished {
            unfinished += 1;
            assert!(run.take_decisions().iter().any(|decision| decision.reason == "git_status_unfinished"));
            assert!(
                source()
                    .render(&snapshot)
                    .0
                    .contains("Status:\n(unknown: the working tree could not be compared")
            );
        }
    }
    assert!(unfinished > 0 && quickest < Duration::from_millis(500), "{unfinished} {quickest:?}");
}

/// How long a run goes on after it was interrupted, and that its facts were reported before.
fn interrupted(lab: &Lab) -> Duration {
    let run = GitRun::new();
    let (elapsed, result) = std::thread::scope(|scope| {
        let worker = scope.spawn(|| source().snapshot(&lab.root, &lab.options(), &run));
        while run.partial().is_none() {
            std::thread::yield_now();
        }
        let asked = Instant::now();
        run.interrupt();
        let result = worker.join().unwrap();
        (asked.elapsed(), result)
    });
    let snapshot = result.unwrap().unwrap();
    assert_eq!(snapshot.log.len(), 1);
    assert_eq!(run.partial().unwrap().log, snapshot.log);
    elapsed
}

/// The quickest of several counts: what else the machine does can only add to it.
#[test]
fn an_interrupted_run_returns_within_milliseconds_and_has_reported_its_facts() {
    let lab = Lab::built(WIDE);
    lab.sh("find . -path ./.git -prune -o -type f -exec touch {} +");
    let quickest = (0..8).map(|_| interrupted(&lab)).min().unwrap();
    assert!(quickest < Duration::from_millis(50), "{quickest:?}");
}

#[test]
fn a_run_whose_time_is_over_before_it_begins_still_gives_the_cheap_facts() {
    let lab = Lab::built("base");
    let run = GitRun::new().with_deadline(Instant::now());
    let snapshot =
        source().snapshot(&lab.root, &lab.options(), &run).expect("no error").expect("a repository");
    assert_eq!(snapshot.status, context_api::Status::Unfinished);
    assert!(run.take_decisions().iter().any(|decision| decision.reason == "git_status_unfinished"));
}

#[test]
fn a_run_that_is_interrupted_before_it_begins_is_an_error() {
    let lab = Lab::built("base");
    let run = GitRun::new();
    run.interrupt();
    let result = source().snapshot(&lab.root, &lab.options(), &run);
    assert!(matches!(result, Err(GitError::Interrupted { .. })));
}
