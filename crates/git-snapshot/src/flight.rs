//! One run for callers who ask the same at the same time.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use context_api::{Decision, GitError, GitOptions, GitRun, GitSnapshot, Status};

/// How often a waiting caller looks whether it was interrupted.
const LOOK: Duration = Duration::from_millis(5);

/// What a run comes to.
pub(crate) type Outcome = Result<Option<GitSnapshot>, GitError>;

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
    /// away with the facts that were found until then. Whoever waited began after the work did, and may know of more: it
    /// takes the outcome if that `holds`, and else does the work itself.
    pub(crate) fn share(
        &self,
        cwd: &Path,
        options: &GitOptions,
        run: &GitRun,
        work: impl Fn() -> Outcome,
        holds: impl Fn(&Outcome) -> bool,
    ) -> Outcome {
        loop {
            let (flight, mine) = self.board(cwd, options, run);
            if mine {
                let landing = Landing { flights: self, flight: &flight };
                return landing.fly(run, &work);
            }
            match flight.wait(run) {
                Some((outcome, decisions)) if run.is_over() || holds(&outcome) => {
                    decisions.into_iter().for_each(|decision| run.decide(decision));
                    if let Ok(Some(snapshot)) = &outcome {
                        run.report(snapshot.clone());
                    }
                    return outcome;
                }
                Some(_) => self.close(&flight),
                None if run.is_over() => return left_early(&flight, run),
                None => {}
            }
        }
    }

    /// Nobody boards it any more.
    fn close(&self, flight: &Arc<Flight>) {
        lock(&self.open).retain(|one| !Arc::ptr_eq(one, flight));
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
        self.flights.close(self.flight);
        lock(&self.flight.landed).get_or_insert(Landed::GivenUp);
        self.flight.changed.notify_all();
    }
}

impl Flight {
    /// The outcome and its decisions, once they are there; `None` if there will be none or `run` ends first.
    fn wait(&self, run: &GitRun) -> Option<(Outcome, Vec<Decision>)> {
        let mut landed = lock(&self.landed);
        loop {
            match &*landed {
                Some(Landed::Done(outcome, decisions)) => return Some((copy(outcome), decisions.clone())),
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
                        let outcome = flights.share(
                            Path::new("/r"),
                            &options,
                            &run,
                            || {
                                count.fetch_add(1, Ordering::Relaxed);
                                run.decide(Decision::left_out("x", "y", "z"));
                                std::thread::sleep(Duration::from_millis(200));
                                Ok(Some(facts()))
                            },
                            |_| true,
                        );
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
                let outcome = flights.share(
                    Path::new("/r"),
                    &options,
                    &first,
                    || {
                        first.report(facts());
                        std::thread::sleep(Duration::from_millis(300));
                        Ok(Some(facts()))
                    },
                    |_| true,
                );
                assert_eq!(outcome.unwrap(), Some(facts()));
            });
            while first.partial().is_none() {
                std::thread::yield_now();
            }
            second.interrupt();
            let outcome = flights.share(
                Path::new("/r"),
                &options,
                &second,
                || unreachable!("somebody is at it"),
                |_| true,
            );
            assert_eq!(outcome.unwrap().unwrap().status, Status::Unfinished);
        });
    }

    #[test]
    fn whoever_waited_for_a_run_that_was_given_up_starts_its_own() {
        let (flights, options) = (Flights::default(), GitOptions::default());
        let (first, second) = (GitRun::new(), GitRun::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                flights.share(
                    Path::new("/r"),
                    &options,
                    &first,
                    || {
                        first.report(facts());
                        while !first.is_over() {
                            std::thread::yield_now();
                        }
                        Err(GitError::Interrupted { path: "/r".into() })
                    },
                    |_| true,
                )
            });
            while first.partial().is_none() {
                std::thread::yield_now();
            }
            let waiting =
                scope.spawn(|| flights.share(Path::new("/r"), &options, &second, || Ok(None), |_| true));
            std::thread::sleep(Duration::from_millis(30));
            first.interrupt();
            assert!(waiting.join().unwrap().unwrap().is_none());
        });
    }

    #[test]
    fn whoever_waited_for_what_no_longer_holds_starts_its_own_and_hears_nothing_of_the_other() {
        let (flights, options, first) = (Flights::default(), GitOptions::default(), GitRun::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let work = || {
                    first.decide(Decision::left_out("old", "y", "z"));
                    first.report(facts());
                    std::thread::sleep(Duration::from_millis(200));
                    Ok(Some(facts()))
                };
                flights.share(Path::new("/r"), &options, &first, work, |_| true)
            });
            while first.partial().is_none() {
                std::thread::yield_now();
            }
            let second = GitRun::new();
            let outcome = flights.share(Path::new("/r"), &options, &second, || Ok(None), |_| false);
            assert!(outcome.unwrap().is_none());
            assert!(second.take_decisions().is_empty() && second.partial().is_none());
        });
        assert!(lock(&flights.open).is_empty());
    }
}
