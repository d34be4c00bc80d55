//! The bus: all collectors of a turn, one deadline.

mod asides;
mod limits;
mod run;
mod thread;
mod timer;

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use context_api::{
    AttachmentMode, Cancel, Collector, Decision, DeliveryKey, Draft, HostEvent, Stage, StateChange, Thread,
    Threads, Touched, TurnParts, TurnView, Work,
};

use asides::Asides;
pub use limits::BusLimits;
pub use run::Runs;
use run::{Outcome, Run};
pub(crate) use thread::{drive, panic_message};
pub use timer::{Timer, Until};

use crate::handed;
use crate::hooks::HookLimits;
use crate::reads::Reads;
use crate::touched;

/// All collectors of an engine, in the order of their registration.
///
/// Shared by all sessions; each session brings its [`Runs`].
pub struct Bus {
    collectors: Vec<Registered>,
    threads: Arc<dyn Threads>,
    limits: BusLimits,
    hooks: HookLimits,
    reads: Reads,
    timer: Timer,
}

struct Registered {
    collector: Arc<dyn Collector>,
    essential: bool,
    /// Whether it is asked between two requests too.
    late: bool,
}

/// What came of collecting: nothing of it is committed.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Collection {
    /// In the order of registration; queued input last.
    pub drafts: Vec<Draft>,
    /// Everything that was left out, failed or came too late.
    pub decisions: Vec<Decision>,
    /// What became known of files without a word to the model.
    pub states: Vec<StateChange>,
    /// What the ledger is to remember without a word to the model.
    pub keys: Vec<DeliveryKey>,
    /// Events of the host that are done with and have nothing to say to anybody.
    pub settled: Vec<HostEvent>,
    /// Touched paths that could not be looked at now and belong to the next request too.
    pub again: Vec<Touched>,
    /// Why the input is not to be sent: a hook that saw it blocked it.
    pub blocked: Option<String>,
    /// One report a collector, in the order of registration.
    pub reports: Vec<CollectorReport>,
}

/// How one collector did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectorReport {
    /// Its label.
    pub label: String,
    /// Time until it ended or was given up.
    pub took: Duration,
    /// Drafts that count.
    pub drafts: usize,
    /// Reason of its failure, in snake case.
    pub failure: Option<String>,
}

impl Bus {
    /// A bus without collectors: it delivers what was handed in and nothing else.
    pub fn new(threads: Arc<dyn Threads>, limits: BusLimits) -> Self {
        let (hooks, reads) = (HookLimits::default(), Reads::new(Arc::clone(&threads)));
        Self { collectors: Vec::new(), threads, limits, hooks, reads, timer: Timer::default() }
    }

    /// Other limits of what hooks say.
    pub fn hook_limits(&mut self, limits: HookLimits) -> &mut Self {
        self.hooks = limits;
        self
    }

    /// Adds a collector behind the others. Mode [`AttachmentMode::Simple`] leaves it out.
    pub fn register(&mut self, collector: Arc<dyn Collector>) -> &mut Self {
        self.collectors.push(Registered { collector, essential: false, late: false });
        self
    }

    /// Adds a collector behind the others that runs in mode [`AttachmentMode::Simple`] too (mentions, memory).
    pub fn register_essential(&mut self, collector: Arc<dyn Collector>) -> &mut Self {
        self.collectors.push(Registered { collector, essential: true, late: false });
        self
    }

    /// Adds a collector behind the others that is asked between two requests too, see [`Bus::late`].
    pub fn register_late(&mut self, collector: Arc<dyn Collector>) -> &mut Self {
        self.collectors.push(Registered { collector, essential: false, late: true });
        self
    }

    /// Labels of the collectors in the order of registration.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.collectors.iter().map(|registered| registered.collector.label())
    }

    /// Puts `wrap(collector)` in the place of each collector, for tests that inject faults.
    pub fn map(&mut self, mut wrap: impl FnMut(Arc<dyn Collector>) -> Arc<dyn Collector>) {
        for registered in &mut self.collectors {
            registered.collector = wrap(Arc::clone(&registered.collector));
        }
    }

    /// Asks all collectors that belong to the turn. Returns at the deadline at the latest, whatever they do: the one of the
    /// parts, else that of the limits. Only bytes that drafts want put aside are waited for longer, as the limits say, where
    /// there is hardly any time or the collectors used it up.
    ///
    /// Dropping the future gives all runs up.
    pub async fn collect(&self, mut parts: TurnParts, runs: &Runs) -> Collection {
        let started = Instant::now();
        let deadline = parts.deadline.unwrap_or(started + self.limits.deadline);
        parts.touched = Arc::new(touched::with_ide(&parts));
        // What was handed in is taken first and by itself: no deadline and no collector can cost it.
        let mut taken = handed::take(&parts, &self.hooks);
        if taken.blocked.is_some() {
            // What is not sent names nothing and asks for nothing.
            parts.input = None;
        }
        let (blobs, cancel, turn) = (parts.blobs.clone(), parts.cancel.clone(), parts.turn);
        let write = |asides: Asides| {
            let (blobs, cancel) = (blobs.clone(), cancel.child());
            let latest = deadline.max(Instant::now() + self.limits.aside_wait);
            async move { (asides.write(&self.reads, blobs, cancel, latest).await, asides) }
        };
        let asides = Asides::of(&mut taken.drafts);
        let (outcomes, (written, asides)) =
            both(self.ask(parts, runs, started, deadline), write(asides)).await;
        asides.settle(written, &mut taken.drafts, &mut taken.decisions);

        let mut collection = Collection::default();
        for outcome in outcomes.into_iter().flatten() {
            self.trace(&outcome, turn);
            collection.take(outcome);
        }
        let (written, asides) = write(Asides::of(&mut collection.drafts)).await;
        asides.settle(written, &mut collection.drafts, &mut collection.decisions);
        collection.drafts.extend(taken.drafts);
        collection.decisions.extend(taken.decisions);
        collection.settled.extend(taken.settled);
        collection.blocked = taken.blocked;
        collection
    }

    /// One outcome a collector that belongs to the turn, by its place.
    async fn ask(
        &self,
        mut parts: TurnParts,
        runs: &Runs,
        started: Instant,
        deadline: Instant,
    ) -> Vec<Option<Outcome>> {
        let allowed = deadline.saturating_duration_since(started);
        let for_input = started + allowed * self.limits.input_share.min(100) / 100;
        let mut outcomes: Vec<Option<Outcome>> = self.collectors.iter().map(|_| None).collect();

        let input = self.chosen(&parts, |stage| stage == Stage::Input);
        parts.deadline = Some(for_input);
        self.stage(&parts, &input, runs, allowed, &mut outcomes).await;
        parts.deadline = Some(deadline);
        parts.touched = Arc::new(touched_with(&parts, &outcomes));
        // What the input brought is known to the stages behind it: a file that was just attached is not told as changed.
        parts.files = parts.files.with(outcomes.iter().flatten().flat_map(states_of));
        let rest = self.chosen(&parts, |stage| stage != Stage::Input);
        self.stage(&parts, &rest, runs, allowed, &mut outcomes).await;
        outcomes
    }

    /// What is new between two requests, of collectors that only look at memory and were registered for it. Never waits: each is
    /// polled once.
    pub fn late(&self, parts: TurnParts, runs: &Runs) -> Collection {
        let chosen = self.chosen(&parts, |stage| stage != Stage::Input).into_iter().filter(|at| {
            let Registered { collector, late, .. } = &self.collectors[*at];
            *late && collector.work() == Work::Memory
        });
        let view = TurnView::new(parts);
        let mut collection = Collection::default();
        for at in chosen {
            let mut run = Run::start(&self.collectors[at].collector, &view, &self.threads, runs);
            run.poll(&mut Context::from_waker(Waker::noop()));
            collection.take(run.finish(Duration::ZERO));
        }
        collection
    }

    fn chosen(&self, parts: &TurnParts, stage: impl Fn(Stage) -> bool) -> Vec<usize> {
        let wanted = |registered: &Registered| {
            let its = registered.collector.stage();
            let mode = match parts.attachments {
                AttachmentMode::On => true,
                AttachmentMode::Simple => registered.essential,
                AttachmentMode::Off => false,
            };
            let thread = its != Stage::MainThread || parts.thread == Thread::Main;
            let has_input = its != Stage::Input || parts.input.is_some();
            mode && thread && has_input && stage(its)
        };
        (0..self.collectors.len()).filter(|at| wanted(&self.collectors[*at])).collect()
    }

    async fn stage(
        &self,
        parts: &TurnParts,
        chosen: &[usize],
        runs: &Runs,
        allowed: Duration,
        outcomes: &mut [Option<Outcome>],
    ) {
        if chosen.is_empty() {
            return;
        }
        let mut parts = parts.clone();
        parts.cancel = parts.cancel.child();
        // Said at the deadline, and when nobody waits any more: a collector that blocks can look at it.
        let _over = Over(parts.cancel.clone());
        let view = TurnView::new(parts);
        let start =
            |at: &usize| (*at, Run::start(&self.collectors[*at].collector, &view, &self.threads, runs));
        let mut running: Vec<(usize, Run)> = chosen.iter().map(start).collect();
        let deadline = view.deadline.unwrap_or_else(Instant::now);
        let mut over = pin!(self.timer.until(deadline));
        poll_fn(|cx| {
            let open = running.iter_mut().filter_map(|(_, run)| (!run.poll(cx)).then_some(())).count();
            // The clock is looked at even when nothing is left to wait for, since a collector that is polled here may
            // have used up the time itself.
            if open == 0 || over.as_mut().poll(cx).is_ready() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        for (at, run) in running {
            outcomes[at] = Some(run.finish(allowed));
        }
    }

    fn trace(&self, outcome: &Outcome, turn: u64) {
        let every = self.limits.trace_every;
        if every == 0 || !turn.is_multiple_of(every) {
            return;
        }
        let bytes: usize = outcome.drafts.iter().map(size_of_draft).sum();
        tracing::debug!(
            collector = outcome.label,
            turn,
            micros = u64::try_from(outcome.took.as_micros()).unwrap_or(u64::MAX),
            drafts = outcome.drafts.len(),
            bytes,
            failure = outcome.failure.as_deref(),
            "collected"
        );
    }
}

impl std::fmt::Debug for Bus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.labels()).finish()
    }
}

impl Collection {
    fn take(&mut self, outcome: Outcome) {
        self.reports.push(CollectorReport {
            label: outcome.label,
            took: outcome.took,
            drafts: outcome.drafts.len(),
            failure: outcome.failure,
        });
        self.drafts.extend(outcome.drafts);
        self.decisions.extend(outcome.decisions);
        self.states.extend(outcome.states);
        self.keys.extend(outcome.keys);
        self.settled.extend(outcome.settled);
        self.again.extend(outcome.again);
    }
}

/// Says that a stage is over when it goes.
struct Over(Cancel);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Both, side by side.
async fn both<A, B>(one: impl Future<Output = A>, two: impl Future<Output = B>) -> (A, B) {
    let (mut one, mut two) = (pin!(one), pin!(two));
    let (mut first, mut second) = (None, None);
    poll_fn(|cx| {
        poll_into(one.as_mut(), &mut first, cx);
        poll_into(two.as_mut(), &mut second, cx);
        match (first.take(), second.take()) {
            (Some(first), Some(second)) => Poll::Ready((first, second)),
            (open, also_open) => {
                (first, second) = (open, also_open);
                Poll::Pending
            }
        }
    })
    .await
}

/// Polls what has not ended yet.
fn poll_into<F: Future>(future: Pin<&mut F>, result: &mut Option<F::Output>, cx: &mut Context<'_>) {
    if result.is_none()
        && let Poll::Ready(value) = future.poll(cx)
    {
        *result = Some(value);
    }
}

fn touched_with(parts: &TurnParts, outcomes: &[Option<Outcome>]) -> Vec<Touched> {
    let drafts = outcomes.iter().flatten().flat_map(|outcome| &outcome.drafts);
    touched::with_drafts(&parts.touched, drafts)
}

fn states_of(outcome: &Outcome) -> impl Iterator<Item = &StateChange> {
    outcome.drafts.iter().flat_map(|draft| &draft.states)
}

fn size_of_draft(draft: &Draft) -> usize {
    serde_json::to_string(&draft.attachment).map_or(0, |json| json.len())
}
