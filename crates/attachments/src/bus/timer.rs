//! Waiting for a moment without the host's runtime: it may have no timer, or be busy.

use std::collections::BTreeMap;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// How long the thread stays when nothing waits any more: a session's next request comes before, and starts no other.
const IDLE: Duration = Duration::from_secs(5);

/// Wakes futures at given moments, from one thread for the whole process, which lives while something waits and a little
/// longer. Cheap to clone.
#[derive(Clone)]
pub struct Timer(Arc<Shared>);

/// All engines of a process share one: a thread each would be many that do nothing.
static SHARED: LazyLock<Timer> = LazyLock::new(|| Timer(Arc::default()));

impl Default for Timer {
    fn default() -> Self {
        SHARED.clone()
    }
}

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
    /// When the thread looks next.
    looks_at: Option<Instant>,
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
            // It looks in time by itself where it is to look for somebody else before.
            if state.looks_at.is_none_or(|looks_at| at < looks_at) {
                self.0.changed.notify_one();
            }
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
        let mut idle_since = None;
        loop {
            let now = Instant::now();
            let mut due = Vec::new();
            while let Some(entry) = state.waiting.first_entry().filter(|entry| entry.key().0 <= now) {
                due.push(entry.remove());
            }
            if !due.is_empty() {
                drop(state);
                // One that panics must not end the thread that all others wait for.
                due.into_iter().for_each(|waker| drop(catch_unwind(AssertUnwindSafe(|| waker.wake()))));
                state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            // What nobody waits for any more is taken out without a word, so the sleep is never a long one.
            let next = state.waiting.keys().next().map(|(at, _)| *at);
            idle_since = if next.is_some() { None } else { idle_since.or(Some(now)) };
            if idle_since.is_some_and(|since| now.duration_since(since) >= IDLE) {
                state.running = false;
                state.looks_at = None;
                return;
            }
            let wait = next.map_or(IDLE, |at| at.saturating_duration_since(now)).min(IDLE);
            state.looks_at = Some(now + wait);
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
            self.timer.lock().waiting.remove(&(self.at, id));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::Wake;

    use super::*;

    struct Told(std::sync::mpsc::Sender<u64>, u64);

    impl Wake for Told {
        fn wake(self: Arc<Self>) {
            let _gone = self.0.send(self.1);
        }
    }

    #[test]
    fn whoever_waits_is_woken_in_order_of_the_moments_and_by_one_thread() {
        let (timer, (send, woken)) = (Timer(Arc::default()), std::sync::mpsc::channel());
        let begin = Instant::now();
        let mut waiting = Vec::new();
        for millis in [60_000, 40, 20, 60, 10] {
            let waker = Waker::from(Arc::new(Told(send.clone(), millis)));
            let mut until = Box::pin(timer.until(begin + Duration::from_millis(millis)));
            assert!(until.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
            waiting.push(until);
        }
        let given_up = waiting.swap_remove(3);
        drop(given_up);
        let seen: Vec<u64> =
            (0..3).map(|_| woken.recv_timeout(Duration::from_secs(20)).expect("it is woken")).collect();
        assert_eq!(seen, [10, 20, 40]);
        drop(waiting);
        assert!(timer.lock().waiting.is_empty());
        assert!(timer.lock().running, "the thread stays for the next one");
        let waker = Waker::from(Arc::new(Told(send, 1)));
        let mut next = Box::pin(timer.until(Instant::now() + Duration::from_millis(30)));
        assert!(next.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!(woken.recv_timeout(Duration::from_secs(20)), Ok(1));
    }

    #[test]
    fn a_waker_that_panics_costs_nobody_else_a_word() {
        struct Broken;
        impl Wake for Broken {
            fn wake(self: Arc<Self>) {
                panic!("a broken host");
            }
        }
        let (timer, (send, woken)) = (Timer(Arc::default()), std::sync::mpsc::channel());
        let begin = Instant::now();
        let mut broken = Box::pin(timer.until(begin + Duration::from_millis(10)));
        assert!(broken.as_mut().poll(&mut Context::from_waker(&Waker::from(Arc::new(Broken)))).is_pending());
        let waker = Waker::from(Arc::new(Told(send, 7)));
        let mut until = Box::pin(timer.until(begin + Duration::from_millis(60)));
        assert!(until.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!(woken.recv_timeout(Duration::from_secs(20)), Ok(7));
    }
}
