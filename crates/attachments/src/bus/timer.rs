//! Waiting for a moment without the host's runtime: it may have no timer, or be busy.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// Wakes futures at given moments, from a thread of its own that lives only while something waits. Cheap to clone.
#[derive(Clone, Default)]
pub struct Timer(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: BTreeMap<(Instant, u64), Waker>,
    next_id: u64,
    running: bool,
}

impl Timer {
    /// A future that is ready at `at`.
    pub fn until(&self, at: Instant) -> Until {
        Until { timer: self.clone(), at, id: None }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn register(&self, at: Instant, id: Option<u64>, waker: Waker) -> u64 {
        let mut state = self.lock();
        let id = id.unwrap_or_else(|| {
            state.next_id += 1;
            state.next_id
        });
        state.waiting.insert((at, id), waker);
        if state.running {
            self.0.changed.notify_one();
        } else {
            let shared = Arc::clone(&self.0);
            let spawned =
                std::thread::Builder::new().name("context-timer".into()).spawn(move || shared.run());
            state.running = spawned.is_ok();
        }
        id
    }
}

impl Shared {
    fn run(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let now = Instant::now();
            while let Some(due) = state.waiting.first_entry().filter(|entry| entry.key().0 <= now) {
                due.remove().wake();
            }
            let Some((at, _)) = state.waiting.keys().next().copied() else {
                state.running = false;
                return;
            };
            let wait = at.saturating_duration_since(now);
            state = match self.changed.wait_timeout(state, wait) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }
}

impl std::fmt::Debug for Timer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Timer").finish_non_exhaustive()
    }
}

/// Ready at a moment.
#[derive(Debug)]
pub struct Until {
    timer: Timer,
    at: Instant,
    id: Option<u64>,
}

impl Future for Until {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if Instant::now() >= self.at {
            return Poll::Ready(());
        }
        let id = self.timer.register(self.at, self.id, cx.waker().clone());
        self.id = Some(id);
        Poll::Pending
    }
}

impl Drop for Until {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            let mut state = self.timer.lock();
            state.waiting.remove(&(self.at, id));
            // The thread would otherwise sleep on until a moment that nobody waits for.
            self.timer.0.changed.notify_one();
        }
    }
}
