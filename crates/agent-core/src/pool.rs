//! The engine's own threads for work that may block.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use context_api::{Cancel, IoStalled, Job, Threads};

/// Limits of the pool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolLimits {
    /// Threads at most. Default 16: enough that some hang while others work, few enough to cost nothing.
    pub threads: usize,
    /// How long an idle thread waits for work before it ends. Default 10 s.
    pub idle: Duration,
    /// How long a thread may go on with work that was given up before it counts as stuck. Default 20 ms: work that can
    /// notice has noticed by then.
    pub grace: Duration,
}

impl Default for PoolLimits {
    fn default() -> Self {
        Self { threads: 16, idle: Duration::from_secs(10), grace: Duration::from_millis(20) }
    }
}

impl PoolLimits {
    /// Sets [`PoolLimits::threads`].
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }
}

/// A capped set of detached threads. Nobody ever joins them: a hung one delays neither a turn nor the end of a runtime.
pub struct IoPool(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    changed: Condvar,
    limits: PoolLimits,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    idle: usize,
    busy: BTreeMap<u64, Busy>,
    next_id: u64,
    closed: bool,
}

/// A thread at work.
struct Busy {
    abandoned: Cancel,
    /// When it was first seen at work that nobody waits for.
    since: Option<Instant>,
}

impl Busy {
    /// Whether it works on what nobody has waited for, for longer than it takes to notice.
    fn is_stuck(&mut self, now: Instant, grace: Duration) -> bool {
        self.abandoned.is_cancelled() && now.duration_since(*self.since.get_or_insert(now)) >= grace
    }
}

impl IoPool {
    /// A pool without threads yet; they start when there is work.
    pub fn new(limits: PoolLimits) -> Self {
        Self(Arc::new(Inner { state: Mutex::default(), changed: Condvar::new(), limits }))
    }
}

impl Threads for IoPool {
    fn spawn(&self, job: Job) -> Result<(), IoStalled> {
        let mut state = self.0.lock();
        state.queue.retain(|waiting| !waiting.abandoned.is_cancelled());
        if state.idle > state.queue.len() {
            state.queue.push_back(job);
            self.0.changed.notify_one();
            return Ok(());
        }
        if state.threads() < self.0.limits.threads {
            return self.0.start(&mut state, job);
        }
        let (now, grace) = (Instant::now(), self.0.limits.grace);
        let stuck =
            state.busy.values_mut().filter_map(|busy| busy.is_stuck(now, grace).then_some(())).count();
        // Threads that are idle have been woken for what is queued already, and come for this too.
        if stuck == state.threads() {
            return Err(IoStalled);
        }
        state.queue.push_back(job);
        Ok(())
    }
}

impl Drop for IoPool {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

impl std::fmt::Debug for IoPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.0.lock();
        f.debug_struct("IoPool")
            .field("busy", &state.busy.len())
            .field("idle", &state.idle)
            .finish_non_exhaustive()
    }
}

impl State {
    fn threads(&self) -> usize {
        self.busy.len() + self.idle
    }

    fn begin(&mut self, job: &Job) -> u64 {
        self.next_id += 1;
        self.busy.insert(self.next_id, Busy { abandoned: job.abandoned.clone(), since: None });
        self.next_id
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(self: &Arc<Self>, state: &mut State, job: Job) -> Result<(), IoStalled> {
        let id = state.begin(&job);
        let inner = Arc::clone(self);
        let named = std::thread::Builder::new().name("context-io".into());
        if named.spawn(move || inner.work(id, job)).is_err() {
            state.busy.remove(&id);
            return Err(IoStalled);
        }
        Ok(())
    }

    fn work(&self, mut id: u64, mut job: Job) {
        loop {
            // A panic that the job did not catch itself must not take the accounting with it.
            let _ended = catch_unwind(AssertUnwindSafe(job.run));
            match self.next(id) {
                Some(next) => (id, job) = next,
                None => return,
            }
        }
    }

    fn next(&self, done: u64) -> Option<(u64, Job)> {
        let mut state = self.lock();
        state.busy.remove(&done);
        loop {
            while let Some(job) = state.queue.pop_front() {
                if !job.abandoned.is_cancelled() {
                    let id = state.begin(&job);
                    return Some((id, job));
                }
            }
            if state.closed {
                return None;
            }
            state.idle += 1;
            let (guard, waited) = match self.changed.wait_timeout(state, self.limits.idle) {
                Ok(woken) => woken,
                Err(poisoned) => poisoned.into_inner(),
            };
            state = guard;
            state.idle -= 1;
            if waited.timed_out() && state.queue.is_empty() {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const SECONDS: Duration = Duration::from_secs(10);

    #[test]
    fn work_is_done_by_as_many_threads_as_allowed_and_the_rest_waits_its_turn() {
        let pool = IoPool::new(PoolLimits::default().threads(2));
        let (send, receive) = mpsc::channel();
        for number in 0..20 {
            let send = send.clone();
            pool.spawn(Job::new(Cancel::new(), move || send.send(number).unwrap())).unwrap();
        }
        let mut seen: Vec<i32> = (0..20).map(|_| receive.recv_timeout(SECONDS).unwrap()).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..20).collect::<Vec<_>>());
        assert!(pool.0.lock().threads() <= 2);
    }

    #[test]
    fn a_pool_whose_threads_are_all_stuck_says_so_at_once_and_works_again_afterwards() {
        let pool = IoPool::new(PoolLimits::default().threads(2));
        let (hold, held) = mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        let given_up = Cancel::new();
        for _ in 0..2 {
            let held = Arc::clone(&held);
            pool.spawn(Job::new(given_up.clone(), move || {
                let _ended = held.lock().unwrap().recv();
            }))
            .unwrap();
        }
        given_up.cancel();
        let queued = Cancel::new();
        while pool.spawn(Job::new(queued.clone(), || ())).is_ok() {
            std::thread::yield_now();
        }
        assert_eq!(pool.spawn(Job::new(Cancel::new(), || ())), Err(IoStalled));
        drop(hold);
        let (send, receive) = mpsc::channel();
        while pool
            .spawn(Job::new(Cancel::new(), {
                let send = send.clone();
                move || send.send(()).unwrap()
            }))
            .is_err()
        {
            std::thread::yield_now();
        }
        receive.recv_timeout(SECONDS).unwrap();
    }

    #[test]
    fn idle_threads_that_were_woken_and_have_not_come_yet_are_not_stuck() {
        let pool = IoPool::new(PoolLimits::default().threads(2));
        for _ in 0..200 {
            let (send, receive) = mpsc::channel();
            for _ in 0..8 {
                let send = send.clone();
                pool.spawn(Job::new(Cancel::new(), move || send.send(()).unwrap())).unwrap();
            }
            for _ in 0..8 {
                receive.recv_timeout(SECONDS).unwrap();
            }
        }
    }

    #[test]
    fn a_panic_costs_no_thread() {
        let pool = IoPool::new(PoolLimits::default().threads(1));
        pool.spawn(Job::new(Cancel::new(), || panic!("on purpose"))).unwrap();
        let (send, receive) = mpsc::channel();
        pool.spawn(Job::new(Cancel::new(), move || send.send(()).unwrap())).unwrap();
        receive.recv_timeout(SECONDS).unwrap();
    }

    #[test]
    fn work_that_nobody_waits_for_any_more_is_not_begun() {
        let pool = IoPool::new(PoolLimits::default().threads(1));
        let (go, gate) = mpsc::channel::<()>();
        pool.spawn(Job::new(Cancel::new(), move || {
            let _ended = gate.recv();
        }))
        .unwrap();
        let given_up = Cancel::new();
        let (send, receive) = mpsc::channel();
        pool.spawn(Job::new(given_up.clone(), {
            let send = send.clone();
            move || send.send("given up").unwrap()
        }))
        .unwrap();
        pool.spawn(Job::new(Cancel::new(), move || send.send("wanted").unwrap())).unwrap();
        given_up.cancel();
        go.send(()).unwrap();
        assert_eq!(receive.recv_timeout(SECONDS).unwrap(), "wanted");
    }
}
