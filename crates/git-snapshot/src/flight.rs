//! One run for callers who ask the same at the same time.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use context_api::{Decision, GitError, GitOptions, GitRun, GitSnapshot, Status};

/// How often a waiting caller looks whether it was interrupted.
const LOOK: Duration = Duration::from_millis(5);

type Outcome = Result<Option<GitSnapshot>, GitError>;

/// The runs under way.
#[derive(Default)]
pub(crate) struct Flights {
    open: Mutex<Vec<Arc<Flight>>>,
}

struct Flight {
    cwd: PathBuf,
    options: GitOptions,
    /// The run of the caller who does the work.
    run: GitRun,
    landed: Mutex<Option<Landed>>,
    changed: Condvar,
}

enum Landed {
    Done(Outcome, Vec<Decision>),
    /// The caller who did the work gave up; its answer is no answer to others.
    GivenUp,
}

impl Flights {
    /// Does `work` for (`cwd`, `options`), or waits for a caller who is at it. A caller whose `run` ends first goes
    /// away with the facts that were found until then.
    pub(crate) fn share(
        &self,
        cwd: &Path,
        options: &GitOptions,
        run: &GitRun,
        work: impl Fn() -> Outcome,
    ) -> Outcome {
        loop {
            let (flight, mine) = self.board(cwd, options, run);
            if mine {
                let landing = Landing { flights: self, flight: &flight };
                return landing.fly(run, &work);
            }
            match flight.wait(run) {
                Some(outcome) => return outcome,
                None if run.is_over() => return left_early(&flight, run),
                None => {}
            }
        }
    }

    fn board(&self, cwd: &Path, options: &GitOptions, run: &GitRun) -> (Arc<Flight>, bool) {
        let mut open = lock(&self.open);
        if let Some(flight) = open.iter().find(|flight| flight.cwd == cwd && flight.options == *options) {
            return (Arc::clone(flight), false);
        }
        let flight = Arc::new(Flight {
            cwd: cwd.to_owned(),
            options: options.clone(),
            run: run.clone(),
            landed: Mutex::new(None),
            changed: Condvar::new(),
        });
        open.push(Arc::clone(&flight));
        (flight, true)
    }
}

/// Ends a flight in any case, also when the work panics.
struct Landing<'a> {
    flights: &'a Flights,
    flight: &'a Arc<Flight>,
}

impl Landing<'_> {
    fn fly(&self, run: &GitRun, work: impl Fn() -> Outcome) -> Outcome {
        let outcome = work();
        let decisions = run.take_decisions();
        decisions.iter().cloned().for_each(|decision| run.decide(decision));
        let landed = if run.is_over() { Landed::GivenUp } else { Landed::Done(copy(&outcome), decisions) };
        *lock(&self.flight.landed) = Some(landed);
        outcome
    }
}

impl Drop for Landing<'_> {
    fn drop(&mut self) {
        lock(&self.flights.open).retain(|flight| !Arc::ptr_eq(flight, self.flight));
        lock(&self.flight.landed).get_or_insert(Landed::GivenUp);
        self.flight.changed.notify_all();
    }
}

impl Flight {
    /// The outcome, once it is there; `None` if there will be none or `run` ends first.
    fn wait(&self, run: &GitRun) -> Option<Outcome> {
        let mut landed = lock(&self.landed);
        loop {
            match &*landed {
                Some(Landed::Done(outcome, decisions)) => {
                    decisions.iter().cloned().for_each(|decision| run.decide(decision));
                    if let Ok(Some(snapshot)) = outcome {
                        run.report(snapshot.clone());
                    }
                    return Some(copy(outcome));
                }
                Some(Landed::GivenUp) => return None,
                None if run.is_over() => return None,
                None => {}
            }
            let left = run.deadline().map(|at| at.saturating_duration_since(Instant::now()));
            let pause = left.map_or(LOOK, |left| left.min(LOOK));
            landed = self.changed.wait_timeout(landed, pause).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn left_early(flight: &Flight, run: &GitRun) -> Outcome {
    let Some(mut facts) = flight.run.partial() else {
        return Err(GitError::Interrupted { path: flight.cwd.clone() });
    };
    facts.status = Status::Unfinished;
    run.report(facts.clone());
    Ok(Some(facts))
}

fn copy(outcome: &Outcome) -> Outcome {
    match outcome {
        Ok(snapshot) => Ok(snapshot.clone()),
        Err(GitError::Open { path, reason }) => {
            Err(GitError::Open { path: path.clone(), reason: reason.clone() })
        }
        Err(GitError::Interrupted { path }) => Err(GitError::Interrupted { path: path.clone() }),
        Err(other) => Err(GitError::Open { path: PathBuf::new(), reason: other.to_string() }),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use context_api::Head;
    use jiff::Timestamp;

    use super::*;

    fn facts() -> GitSnapshot {
        let mut facts = GitSnapshot::new(Head::Unborn { name: "main".into() }, Timestamp::UNIX_EPOCH);
        facts.status = Status::Finished { lines: Vec::new() };
        facts
    }

    #[test]
    fn callers_at_the_same_time_share_one_run_and_its_decisions() {
        let (flights, options, count) = (Flights::default(), GitOptions::default(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            let callers: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let run = GitRun::new();
                        let outcome = flights.share(Path::new("/r"), &options, &run, || {
                            count.fetch_add(1, Ordering::Relaxed);
                            run.decide(Decision::left_out("x", "y", "z"));
                            std::thread::sleep(Duration::from_millis(200));
                            Ok(Some(facts()))
                        });
                        (outcome.unwrap().unwrap(), run.take_decisions().len())
                    })
                })
                .collect();
            for caller in callers {
                assert_eq!(caller.join().unwrap(), (facts(), 1));
            }
        });
        assert_eq!(count.load(Ordering::Relaxed), 1);
        assert!(lock(&flights.open).is_empty());
    }

    #[test]
    fn a_caller_who_is_interrupted_leaves_with_the_partial_facts_and_the_others_go_on() {
        let (flights, options) = (Flights::default(), GitOptions::default());
        let (first, second) = (GitRun::new(), GitRun::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let outcome = flights.share(Path::new("/r"), &options, &first, || {
                    first.report(facts());
                    std::thread::sleep(Duration::from_millis(300));
                    Ok(Some(facts()))
                });
                assert_eq!(outcome.unwrap(), Some(facts()));
            });
            while first.partial().is_none() {
                std::thread::yield_now();
            }
            second.interrupt();
            let outcome =
                flights.share(Path::new("/r"), &options, &second, || unreachable!("somebody is at it"));
            assert_eq!(outcome.unwrap().unwrap().status, Status::Unfinished);
        });
    }

    #[test]
    fn whoever_waited_for_a_run_that_was_given_up_starts_its_own() {
        let (flights, options) = (Flights::default(), GitOptions::default());
        let (first, second) = (GitRun::new(), GitRun::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                flights.share(Path::new("/r"), &options, &first, || {
                    first.report(facts());
                    while !first.is_over() {
                        std::thread::yield_now();
                    }
                    Err(GitError::Interrupted { path: "/r".into() })
                })
            });
            while first.partial().is_none() {
                std::thread::yield_now();
            }
            let waiting = scope.spawn(|| flights.share(Path::new("/r"), &options, &second, || Ok(None)));
            std::thread::sleep(Duration::from_millis(30));
            first.interrupt();
            assert!(waiting.join().unwrap().unwrap().is_none());
        });
    }
}
