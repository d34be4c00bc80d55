//! Many quick looks on one thread; where it stands still at one, another goes on with the rest.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use context_api::{Cancel, Job, TurnView};

use super::{Hanging, Looked, Reads};
use crate::bus::{Until, panic_message};

impl Reads {
    /// Runs `look` for each subject, in order; the results stand in the order of the subjects. Quick looks cost one thread in
    /// all, and one that hangs costs no other anything.
    pub(crate) async fn relay<S, T>(
        &self,
        view: &TurnView,
        subjects: Vec<(PathBuf, S)>,
        look: impl Fn(&S) -> T + Send + Sync + 'static,
    ) -> Vec<Looked<T>>
    where
        S: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.relay_until(view.cancel.child(), self.latest(view), subjects, look).await
    }

    /// The same, waited for until `latest`.
    pub(crate) async fn relay_until<S, T>(
        &self,
        cancel: Cancel,
        latest: Option<Instant>,
        subjects: Vec<(PathBuf, S)>,
        look: impl Fn(&S) -> T + Send + Sync + 'static,
    ) -> Vec<Looked<T>>
    where
        S: Send + Sync + 'static,
        T: Send + 'static,
    {
        let course = Arc::new(Course {
            progress: Mutex::new(Progress::of(subjects.len())),
            subjects,
            look,
            hanging: self.hanging.clone(),
            batch: self.next_batch(),
        });
        let mut run = Run { reads: self, course: &course, cancel, latest, runners: 0, tick: None };
        let started = run.start();
        if started {
            run.await;
        }
        let missing = || if started { Looked::TimedOut } else { Looked::Stalled };
        let results = std::mem::take(&mut course.lock().results);
        results.into_iter().map(|result| result.unwrap_or_else(missing)).collect()
    }
}

/// What all runners share.
struct Course<S, T, F> {
    subjects: Vec<(PathBuf, S)>,
    look: F,
    hanging: Hanging,
    batch: u64,
    progress: Mutex<Progress<T>>,
}

struct Progress<T> {
    /// The subject that nobody has taken yet.
    next: usize,
    /// Subjects without a result.
    open: usize,
    /// Empty once nobody waits any more.
    results: Vec<Option<Looked<T>>>,
    /// When the last result came.
    moved: Instant,
    waker: Option<Waker>,
}

impl<T> Progress<T> {
    fn of(count: usize) -> Self {
        let results = std::iter::repeat_with(|| None).take(count).collect();
        Self { next: 0, open: count, results, moved: Instant::now(), waker: None }
    }
}

impl<S, T, F> Course<S, T, F> {
    fn lock(&self) -> MutexGuard<'_, Progress<T>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S, T, F: Fn(&S) -> T> Course<S, T, F> {
    /// Takes subjects until none is left or nobody waits.
    fn run(&self, cancel: &Cancel) {
        while !cancel.is_cancelled() {
            let at = {
                let mut progress = self.lock();
                progress.next += 1;
                progress.next - 1
            };
            let Some((path, subject)) = self.subjects.get(at) else { return };
            let result = self.look_at(path, subject);
            let mut progress = self.lock();
            if let Some(slot) = progress.results.get_mut(at) {
                *slot = Some(result);
            }
            progress.open -= 1;
            progress.moved = Instant::now();
            let waker = if progress.open == 0 { progress.waker.take() } else { None };
            drop(progress);
            waker.into_iter().for_each(Waker::wake);
        }
    }

    fn look_at(&self, path: &Path, subject: &S) -> Looked<T> {
        let Some(_token) = self.hanging.begin(path.to_owned(), self.batch) else {
            return Looked::StillRunning;
        };
        match catch_unwind(AssertUnwindSafe(|| (self.look)(subject))) {
            Ok(seen) => Looked::Done(seen),
            Err(panic) => Looked::Panicked(panic_message(&*panic)),
        }
    }
}

/// Waits for the runners, and sends another where they stand still.
struct Run<'a, S, T, F> {
    reads: &'a Reads,
    course: &'a Arc<Course<S, T, F>>,
    cancel: Cancel,
    latest: Option<Instant>,
    runners: usize,
    tick: Option<Until>,
}

impl<S, T, F> Run<'_, S, T, F>
where
    S: Send + Sync + 'static,
    T: Send + 'static,
    F: Fn(&S) -> T + Send + Sync + 'static,
{
    fn start(&mut self) -> bool {
        let (course, cancel) = (Arc::clone(self.course), self.cancel.clone());
        let job = Job::new(self.cancel.clone(), move || course.run(&cancel));
        self.runners += 1;
        self.reads.threads.spawn(job).is_ok()
    }

    /// The next moment to look at how it goes, or `None` when it is over.
    fn next_tick(&mut self) -> Option<Instant> {
        let now = Instant::now();
        if self.latest.is_some_and(|latest| latest <= now) {
            return None;
        }
        let limits = &self.reads.limits;
        let mut progress = self.course.lock();
        let stands = now.duration_since(progress.moved) >= limits.patience;
        if stands && progress.next < self.course.subjects.len() && self.runners < limits.threads {
            progress.moved = now;
            drop(progress);
            let _all_threads_are_stuck = self.start();
        }
        let tick = now + limits.patience;
        Some(self.latest.map_or(tick, |latest| latest.min(tick)))
    }
}

impl<S, T, F> Drop for Run<'_, S, T, F> {
    fn drop(&mut self) {
        if self.course.lock().open > 0 {
            // Whoever still runs counts as stuck from now on.
            self.cancel.cancel();
        }
    }
}

impl<S, T, F> Future for Run<'_, S, T, F>
where
    S: Send + Sync + 'static,
    T: Send + 'static,
    F: Fn(&S) -> T + Send + Sync + 'static,
{
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            {
                let mut progress = self.course.lock();
                if progress.open == 0 {
                    return Poll::Ready(());
                }
                progress.waker = Some(cx.waker().clone());
            }
            if let Some(tick) = &mut self.tick
                && Pin::new(tick).poll(cx).is_pending()
            {
                return Poll::Pending;
            }
            let Some(at) = self.next_tick() else { return Poll::Ready(()) };
            self.tick = Some(self.reads.timer.until(at));
        }
    }
}
