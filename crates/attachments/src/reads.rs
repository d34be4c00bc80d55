//! Several blocking looks at once, so that one that hangs costs nobody else anything.

use std::collections::BTreeMap;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use context_api::{Cancel, Job, Threads, TurnView};
use tokio::sync::oneshot;

use crate::bus::Timer;

/// Runs closures on the engine's threads, each known by a path. A path whose earlier look still hangs is not looked at
/// again.
pub(crate) struct Reads {
    threads: Arc<dyn Threads>,
    timer: Timer,
    hanging: Arc<Mutex<BTreeMap<PathBuf, Weak<()>>>>,
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

/// Time kept back from the deadline to hand in what is there.
const RESERVE: Duration = Duration::from_millis(20);

impl Reads {
    pub(crate) fn new(threads: Arc<dyn Threads>) -> Self {
        Self { threads, timer: Timer::default(), hanging: Arc::default() }
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
        let look = Arc::new(look);
        let cancel = view.cancel.child();
        let mut slots: Vec<Slot<T>> =
            subjects.into_iter().map(|(path, subject)| self.start(path, subject, &look, &cancel)).collect();
        let latest = view.deadline.map(|at| at.checked_sub(RESERVE).unwrap_or(at));
        let over = latest.map(|at| self.timer.until(at));
        Gather { slots: &mut slots, over }.await;
        cancel.cancel();
        slots.into_iter().map(Slot::finish).collect()
    }

    fn start<S: Send + 'static, T: Send + 'static>(
        &self,
        path: PathBuf,
        subject: S,
        look: &Arc<impl Fn(S) -> T + Send + Sync + 'static>,
        cancel: &Cancel,
    ) -> Slot<T> {
        let Some(token) = self.begin(path) else { return Slot::Ended(Looked::StillRunning) };
        let (send, receive) = oneshot::channel();
        let look = Arc::clone(look);
        let job = Job::new(cancel.clone(), move || {
            let result = catch_unwind(AssertUnwindSafe(|| look(subject)));
            let _nobody_waits = send.send(result.map_err(|panic| crate::bus::panic_message(&*panic)));
            drop(token);
        });
        match self.threads.spawn(job) {
            Ok(()) => Slot::Waiting(receive),
            Err(_) => Slot::Ended(Looked::Stalled),
        }
    }

    fn begin(&self, path: PathBuf) -> Option<Arc<()>> {
        let mut hanging = self.hanging.lock().unwrap_or_else(PoisonError::into_inner);
        hanging.retain(|_, alive| alive.strong_count() > 0);
        if hanging.contains_key(&path) {
            return None;
        }
        let token = Arc::new(());
        hanging.insert(path, Arc::downgrade(&token));
        Some(token)
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
    Waiting(oneshot::Receiver<Result<T, String>>),
    Ended(Looked<T>),
}

impl<T> Slot<T> {
    fn poll(&mut self, cx: &mut Context<'_>) -> bool {
        let Self::Waiting(receive) = self else { return true };
        let ended = match Pin::new(receive).poll(cx) {
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
