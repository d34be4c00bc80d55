//! One run of one collector.

use std::collections::BTreeMap;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use context_api::{
    Cancel, Collector, Decision, DeliveryKey, Draft, HandedIn, HostEvent, Job, Outbox, StateChange, Threads,
    Touched, TurnView, Verdict, Work,
};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::thread::{End, drive_caught, panic_message};

/// Which collectors of a session still run although nobody waits for them. One value a session.
#[derive(Debug, Clone, Default)]
pub struct Runs(Arc<Mutex<BTreeMap<String, Weak<()>>>>);

impl Runs {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// A token that lives as long as the run does; `None` while an earlier run lives.
    fn begin(&self, label: &str) -> Option<Arc<()>> {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if runs.get(label).is_some_and(|alive| alive.strong_count() > 0) {
            return None;
        }
        let token = Arc::new(());
        runs.insert(label.to_owned(), Arc::downgrade(&token));
        Some(token)
    }
}

/// A run that was started. Dropping it gives it up: its outbox closes, and its future is dropped where it can be.
pub(crate) struct Run {
    label: String,
    outbox: Outbox,
    cancel: Cancel,
    started: Instant,
    took: Option<Duration>,
    progress: Progress,
}

enum Progress {
    Refused(Decision),
    /// There was no time left for it.
    TooLate,
    Running(Pin<Box<dyn Future<Output = End> + Send>>),
    Ended(End),
}

/// What came of a run.
pub(crate) struct Outcome {
    pub(crate) label: String,
    pub(crate) drafts: Vec<Draft>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) states: Vec<StateChange>,
    pub(crate) keys: Vec<DeliveryKey>,
    pub(crate) settled: Vec<HostEvent>,
    pub(crate) again: Vec<Touched>,
    pub(crate) took: Duration,
    pub(crate) failure: Option<String>,
}

impl Run {
    /// Starts `collector` where its kind of work belongs.
    pub(crate) fn start(
        collector: &Arc<dyn Collector>,
        view: &TurnView,
        threads: &Arc<dyn Threads>,
        runs: &Runs,
    ) -> Self {
        let label = collector.label().to_owned();
        let outbox = Outbox::new();
        let cancel = view.cancel.child();
        // A run that nobody waits for would only stand in the way of the next one.
        let is_over = view.deadline.is_some_and(|deadline| deadline <= Instant::now());
        let is_memory = collector.work() == Work::Memory;
        let progress = match runs.begin(&label) {
            _ if is_over && !is_memory => Progress::TooLate,
            None => Progress::Refused(still_running(&label)),
            Some(token) if is_memory => Progress::Running(inline(collector, view, &outbox, token)),
            Some(token) => isolated(collector, view, &outbox, &cancel, threads, token)
                .unwrap_or_else(|| Progress::Refused(io_stalled(&label))),
        };
        Self { label, outbox, cancel, started: Instant::now(), took: None, progress }
    }

    /// Whether it has come to its end.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> bool {
        if let Progress::Running(future) = &mut self.progress {
            match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
                Ok(Poll::Pending) => return false,
                Ok(Poll::Ready(end)) => self.progress = Progress::Ended(end),
                Err(panic) => self.progress = Progress::Ended(End::Panicked(panic_message(&*panic))),
            }
            self.took = Some(self.started.elapsed());
        }
        true
    }

    /// Closes its outbox and says what came of it.
    pub(crate) fn finish(mut self, deadline: Duration) -> Outcome {
        let HandedIn { drafts, mut decisions, states, keys, settled, again, .. } = self.outbox.close();
        self.give_up();
        let took = self.took.unwrap_or_else(|| self.started.elapsed());
        let progress = std::mem::replace(&mut self.progress, Progress::Ended(End::Done(Ok(()))));
        let failure = failure_of(progress, &self.label, deadline);
        let word = failure.as_ref().map(|decision| decision.reason.clone());
        decisions.extend(failure);
        Outcome {
            label: std::mem::take(&mut self.label),
            drafts,
            decisions,
            states,
            keys,
            settled,
            again,
            took,
            failure: word,
        }
    }
}

impl Run {
    /// Says so to a run that has not ended; one that has is not to be taken for stuck.
    fn give_up(&self) {
        if matches!(self.progress, Progress::Running(_)) {
            self.cancel.cancel();
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.outbox.close();
        self.give_up();
    }
}

fn inline(
    collector: &Arc<dyn Collector>,
    view: &TurnView,
    outbox: &Outbox,
    token: Arc<()>,
) -> Pin<Box<dyn Future<Output = End> + Send>> {
    let (collector, view, outbox) = (Arc::clone(collector), view.clone(), outbox.clone());
    Box::pin(async move {
        let _alive = token;
        End::Done(collector.collect(&view, &outbox).await)
    })
}

fn isolated(
    collector: &Arc<dyn Collector>,
    view: &TurnView,
    outbox: &Outbox,
    cancel: &Cancel,
    threads: &Arc<dyn Threads>,
    token: Arc<()>,
) -> Option<Progress> {
    let (collector, view, outbox) = (Arc::clone(collector), view.clone(), outbox.clone());
    let (send, receive) = oneshot::channel();
    let stop = cancel.clone();
    let host = Handle::try_current().ok();
    let job = Job::new(cancel.clone(), move || {
        // Collectors may use the host's timers and sockets from here; the handle does not keep its runtime alive.
        let _entered = host.as_ref().map(Handle::enter);
        let ended = drive_caught(collector.collect(&view, &outbox), &stop);
        // Before the end is known: whoever learns of it may start the collector again at once.
        drop(token);
        if let Some(end) = ended {
            let _nobody_waits = send.send(end);
        }
    });
    threads.spawn(job).ok()?;
    Some(Progress::Running(Box::pin(async move {
        receive.await.unwrap_or_else(|_| End::Panicked("its thread ended".to_owned()))
    })))
}

fn failure_of(progress: Progress, label: &str, deadline: Duration) -> Option<Decision> {
    match progress {
        Progress::Refused(decision) => Some(decision),
        Progress::Running(_) | Progress::TooLate => Some(Decision::new(
            label,
            Verdict::TimedOut,
            "deadline",
            format!(
                "It had not answered after {} ms; what it handed in before is kept.",
                deadline.as_millis()
            ),
        )),
        Progress::Ended(End::Done(Ok(()))) => None,
        Progress::Ended(End::Done(Err(error))) => {
            Some(Decision::failed(label, "collector_failed", format!("It failed: {error}.")))
        }
        Progress::Ended(End::Panicked(message)) => {
            Some(Decision::failed(label, "collector_panicked", format!("It panicked: {message}.")))
        }
    }
}

fn still_running(label: &str) -> Decision {
    Decision::left_out(
        label,
        "still_running",
        "Its run of an earlier turn has not come to an end; it was not started again.",
    )
}

fn io_stalled(label: &str) -> Decision {
    Decision::failed(label, "io_stalled", "All threads for input and output are stuck; it was not started.")
}
