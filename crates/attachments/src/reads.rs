//! Several blocking looks at once, so that one that hangs costs nobody else anything.

mod limits;
mod relay;

use std::collections::BTreeMap;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use context_api::{Cancel, Job, Threads, TurnView};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::bus::{Timer, drive};
pub use limits::LookLimits;

/// Runs closures on the engine's threads, each known by a path. A path whose earlier look still hangs is not looked at
/// again.
pub(crate) struct Reads {
    threads: Arc<dyn Threads>,
    limits: LookLimits,
    timer: Timer,
    hanging: Hanging,
    batches: AtomicU64,
}

/// The looks that have begun and not ended, by path.
#[derive(Clone, Default)]
struct Hanging(Arc<Mutex<BTreeMap<PathBuf, Alive>>>);

/// A look that has begun, and the batch it belongs to.
struct Alive {
    token: Weak<()>,
    batch: u64,
}

/// How a look ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Looked<T> {
    /// With this.
    Done(T),
    /// Not before the deadline.
    TimedOut,
    /// Not started: an earlier one still hangs.
    StillRunning,
    /// Not started: all threads are stuck.
    Stalled,
    /// With a panic.
    Panicked(String),
}

impl Reads {
    pub(crate) fn new(threads: Arc<dyn Threads>) -> Self {
        let limits = LookLimits::default();
        let (timer, hanging) = (Timer::default(), Hanging::default());
        Self { threads, limits, timer, hanging, batches: AtomicU64::new(0) }
    }

    /// Waits so long.
    pub(crate) async fn pause(&self, time: Duration) {
        self.timer.until(Instant::now() + time).await;
    }

    /// How long looks that begin now are waited for: what is left of the turn's time serves what comes after them too.
    fn latest(&self, view: &TurnView) -> Option<Instant> {
        let now = Instant::now();
        let left = view.deadline?.saturating_duration_since(now);
        Some(now + left / 100 * self.limits.share.min(100))
    }

    fn next_batch(&self) -> u64 {
        self.batches.fetch_add(1, Ordering::Relaxed)
    }

    /// Runs `look` for each subject side by side; the results stand in the order of the subjects.
    pub(crate) async fn all<S, T>(
        &self,
        view: &TurnView,
        subjects: Vec<(PathBuf, S)>,
        look: impl Fn(S) -> T + Send + Sync + 'static,
    ) -> Vec<Looked<T>>
    where
        S: Send + 'static,
        T: Send + 'static,
    {
        self.each(view, subjects, move |subject, _: &Cancel| Some(look(subject))).await
    }

    /// The same with looks that wait for the host: each is polled on its own thread, within the host's runtime where there is
    /// one, and dropped at the deadline.
    pub(crate) async fn driven<S, T, F>(
        &self,
        view: &TurnView,
        subjects: Vec<(PathBuf, S)>,
        look: impl Fn(S) -> F + Send + Sync + 'static,
    ) -> Vec<Looked<T>>
    where
        S: Send + 'static,
        T: Send + 'static,
        F: Future<Output = T>,
    {
        // The handle does not keep the host's runtime alive.
        let host = Handle::try_current().ok();
        let look = move |subject, cancel: &Cancel| {
            let _entered = host.as_ref().map(Handle::enter);
            drive(look(subject), cancel)
        };
        self.each(view, subjects, look).await
    }

    /// Runs `look` for each subject; one that gives nothing was told to stop.
    async fn each<S, T>(
        &self,
        view: &TurnView,
        subjects: Vec<(PathBuf, S)>,
        look: impl Fn(S, &Cancel) -> Option<T> + Send + Sync + 'static,
    ) -> Vec<Looked<T>>
    where
        S: Send + 'static,
        T: Send + 'static,
    {
        let latest = self.latest(view);
        if latest.is_some_and(|at| at <= Instant::now()) {
            // What nobody waits for is not begun: it would stand in the way of the next turn's looks.
            return subjects.into_iter().map(|_| Looked::TimedOut).collect();
        }
        let look = Arc::new(look);
        let batch = self.next_batch();
        let start = |(path, subject)| self.start(path, batch, subject, &look, view.cancel.child());
        let mut slots: Vec<Slot<T>> = subjects.into_iter().map(start).collect();
        let over = latest.map(|at| self.timer.until(at));
        Gather { slots: &mut slots, over }.await;
        slots.into_iter().map(Slot::finish).collect()
    }

    fn start<S: Send + 'static, T: Send + 'static>(
        &self,
        path: PathBuf,
        batch: u64,
        subject: S,
        look: &Arc<impl Fn(S, &Cancel) -> Option<T> + Send + Sync + 'static>,
        cancel: Cancel,
    ) -> Slot<T> {
        let Some(token) = self.hanging.begin(path, batch) else { return Slot::Ended(Looked::StillRunning) };
        let (send, receive) = oneshot::channel();
        let (look, stop) = (Arc::clone(look), cancel.clone());
        let job = Job::new(cancel.clone(), move || {
            let result = catch_unwind(AssertUnwindSafe(|| look(subject, &stop)));
            // Before the result is known: whoever gets it may look at the same path again at once.
            drop(token);
            let result = result.map_err(|panic| crate::bus::panic_message(&*panic)).transpose();
            let _nobody_waits = result.map(|result| send.send(result));
        });
        match self.threads.spawn(job) {
            Ok(()) => Slot::Waiting(Waiting { receive, cancel }),
            Err(_) => Slot::Ended(Looked::Stalled),
        }
    }
}

impl Hanging {
    /// A token that lives as long as the look does; `None` while one of an earlier batch lives.
    fn begin(&self, path: PathBuf, batch: u64) -> Option<Arc<()>> {
        let mut hanging = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hanging.retain(|_, alive| alive.token.strong_count() > 0);
        let known = hanging.get(&path).and_then(|alive| Some((alive.token.upgrade()?, alive.batch)));
        match known {
            Some((token, its)) if its == batch => Some(token),
            Some(_) => None,
            None => {
                let token = Arc::new(());
                hanging.insert(path, Alive { token: Arc::downgrade(&token), batch });
                Some(token)
            }
        }
    }
}

impl Looked<()> {
    /// The reason for decisions; empty when it is done.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::Done(()) => "",
            Self::TimedOut => "deadline",
            Self::StillRunning => "still_running",
            Self::Stalled => "io_stalled",
            Self::Panicked(_) => "reader_panicked",
        }
    }
}

impl<T> Looked<T> {
    /// The result, or why there is none.
    pub(crate) fn into_result(self) -> Result<T, Looked<()>> {
        match self {
            Self::Done(result) => Ok(result),
            Self::TimedOut => Err(Looked::TimedOut),
            Self::StillRunning => Err(Looked::StillRunning),
            Self::Stalled => Err(Looked::Stalled),
            Self::Panicked(message) => Err(Looked::Panicked(message)),
        }
    }
}

enum Slot<T> {
    Waiting(Waiting<T>),
    Ended(Looked<T>),
}

/// A look that is waited for. Dropped before its end, it is given up: only then does its thread count as stuck.
struct Waiting<T> {
    receive: oneshot::Receiver<Result<T, String>>,
    cancel: Cancel,
}

impl<T> Drop for Waiting<T> {
    fn drop(&mut self) {
        if !self.receive.is_terminated() {
            self.cancel.cancel();
        }
    }
}

impl<T> Slot<T> {
    fn poll(&mut self, cx: &mut Context<'_>) -> bool {
        let Self::Waiting(waiting) = self else { return true };
        let ended = match Pin::new(&mut waiting.receive).poll(cx) {
            Poll::Pending => return false,
            Poll::Ready(Ok(Ok(result))) => Looked::Done(result),
            Poll::Ready(Ok(Err(message))) => Looked::Panicked(message),
            Poll::Ready(Err(_)) => Looked::TimedOut,
        };
        *self = Self::Ended(ended);
        true
    }

    fn finish(self) -> Looked<T> {
        match self {
            Self::Ended(looked) => looked,
            Self::Waiting(_) => Looked::TimedOut,
        }
    }
}

struct Gather<'a, T> {
    slots: &'a mut Vec<Slot<T>>,
    over: Option<crate::bus::Until>,
}

impl<T> Future for Gather<'_, T> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let open = self.slots.iter_mut().filter_map(|slot| (!slot.poll(cx)).then_some(())).count();
        let over = self.over.as_mut().is_some_and(|over| Pin::new(over).poll(cx).is_ready());
        if open == 0 || over { Poll::Ready(()) } else { Poll::Pending }
    }
}
