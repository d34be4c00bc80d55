//! The bus: what a turn costs when nothing is new, and how far past the deadline it returns when a thread is stuck.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use attachments::{Bus, BusLimits, Runs};
use context_api::{
    CollectError, Collector, IoStalled, Job, Outbox, Stage, Threads, TurnParts, TurnView, Work,
};
use criterion::{Criterion, criterion_group, criterion_main};

/// A thread a job, as the simplest set of threads there is.
struct Fresh;

impl Threads for Fresh {
    fn spawn(&self, job: Job) -> Result<(), IoStalled> {
        std::thread::spawn(job.run);
        Ok(())
    }
}

struct Quiet(Work, &'static str);

#[async_trait]
impl Collector for Quiet {
    fn label(&self) -> &str {
        self.1
    }
    fn stage(&self) -> Stage {
        Stage::Everywhere
    }
    fn work(&self) -> Work {
        self.0
    }
    async fn collect(&self, _: &TurnView, _: &Outbox) -> Result<(), CollectError> {
        Ok(())
    }
}

/// Blocks its thread until the turn is given up, then a while longer.
struct Stuck;

#[async_trait]
impl Collector for Stuck {
    fn label(&self) -> &str {
        "stuck"
    }
    fn stage(&self) -> Stage {
        Stage::Everywhere
    }
    async fn collect(&self, turn: &TurnView, _: &Outbox) -> Result<(), CollectError> {
        while !turn.cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
}

struct Unpark(std::thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn wait<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}

fn turn() -> TurnParts {
    TurnParts::new("/p".into(), jiff::Timestamp::UNIX_EPOCH, jiff::civil::date(2026, 1, 1))
}

fn quiet(c: &mut Criterion) {
    for (name, work) in [("memory", Work::Memory), ("io", Work::Io)] {
        let mut bus = Bus::new(Arc::new(Fresh), BusLimits::default());
        for label in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] {
            bus.register(Arc::new(Quiet(work, label)));
        }
        let runs = Runs::new();
        c.bench_function(&format!("bus, ten quiet collectors, {name}"), |b| {
            b.iter(|| wait(bus.collect(turn(), &runs)))
        });
    }
}

/// The time that is reported is the overshoot alone: what passed after the deadline until `collect` returned.
fn overshoot(c: &mut Criterion) {
    let mut limits = BusLimits::default();
    limits.deadline = Duration::from_millis(20);
    let deadline = limits.deadline;
    let mut bus = Bus::new(Arc::new(Fresh), limits);
    bus.register(Arc::new(Stuck));
    let mut group = c.benchmark_group("bus");
    group.sample_size(10);
    group.bench_function("overshoot of the deadline", |b| {
        b.iter_custom(|rounds| {
            let once = || {
                let start = Instant::now();
                wait(bus.collect(turn(), &Runs::new()));
                start.elapsed().saturating_sub(deadline)
            };
            (0..rounds).map(|_| once()).sum()
        })
    });
    group.finish();
}

criterion_group!(benches, quiet, overshoot);
criterion_main!(benches);
