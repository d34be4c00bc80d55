//! The one writer of a session: a queue, and at most one thread that empties it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use context_api::{Batch, Cancel, Job, StoreError};
use tokio::sync::oneshot;

use crate::jsonl::{Inner, stalled_by};
use crate::session_file::SessionFile;

/// Something to do for a session.
pub(crate) enum Item {
    Append(Batch, oneshot::Sender<Result<(), StoreError>>),
    /// To be handed in again: what goes wrong is told then.
    Offer(Batch),
    /// Behind a release that is still to be done.
    Claim(oneshot::Sender<Result<(), StoreError>>),
    Release,
}

pub(crate) struct Writer {
    session: String,
    queue: Mutex<Queue>,
    file: Mutex<SessionFile>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Item>,
    job: Option<Running>,
}

/// The thread that empties the queue, or will.
struct Running {
    abandoned: Cancel,
    begun: bool,
    /// When nobody waited any more for what it does now.
    given_up: Option<Instant>,
}

impl Writer {
    pub(crate) fn new(session: &str) -> Self {
        Self { session: session.to_owned(), queue: Mutex::default(), file: Mutex::default() }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has `item` done after all that wait already.
    pub(crate) fn enqueue(self: &Arc<Self>, item: Item, inner: &Arc<Inner>) -> Result<(), StoreError> {
        let mut queue = self.queue();
        // A request that is given up and the next one follow each other closely; a disk that is only slow is waited for.
        let is_stuck = |since: Instant| since.elapsed() >= inner.limits.patience;
        if queue.job.as_ref().and_then(|job| job.given_up).is_some_and(is_stuck) {
            return Err(stalled_by(&self.session, "an earlier write has not ended"));
        }
        if queue.waiting.len() >= inner.limits.waiting {
            return Err(stalled_by(&self.session, "too many writes wait for a thread"));
        }
        queue.waiting.push_back(item);
        if queue.job.is_some() {
            return Ok(());
        }
        let abandoned = Cancel::new();
        queue.job = Some(Running { abandoned: abandoned.clone(), begun: false, given_up: None });
        drop(queue);
        // Dropped without being run, it leaves the queue as if it had not been asked.
        let run = Run { writer: Arc::clone(self), ended: false };
        let inner_of_job = Arc::clone(inner);
        inner
            .spawn(Job::new(abandoned, move || run.all(&inner_of_job)))
            .map_err(|stalled| stalled_by(&self.session, &stalled.to_string()))
    }

    /// To be dropped by whoever gives up waiting.
    pub(crate) fn waits(self: &Arc<Self>) -> Waits {
        Waits(Some(Arc::clone(self)))
    }

    fn next(&self) -> Option<Item> {
        let mut queue = self.queue();
        let next = queue.waiting.pop_front();
        match (&next, &mut queue.job) {
            (Some(_), Some(job)) => (job.begun, job.given_up) = (true, None),
            (None, job) => *job = None,
            _ => {}
        }
        next
    }

    fn work(&self, item: Item, inner: &Inner) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match item {
            Item::Append(batch, reply) => {
                let _nobody_waits = reply.send(inner.write(&mut file, &batch, true));
            }
            Item::Offer(batch) => {
                let _handed_in_again = inner.write(&mut file, &batch, false);
            }
            Item::Claim(reply) => {
                let _nobody_waits = reply.send(inner.claim_what_is_there(&self.session));
            }
            Item::Release => {
                *file = SessionFile::default();
                inner.opened().pop(&self.session);
                let _stays_claimed = inner.owners.release(&self.session);
            }
        }
    }
}

/// A thread's way through the queue.
struct Run {
    writer: Arc<Writer>,
    ended: bool,
}

impl Run {
    fn all(mut self, inner: &Inner) {
        while let Some(item) = self.writer.next() {
            self.writer.work(item, inner);
        }
        self.ended = true;
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if !self.ended {
            let mut queue = self.writer.queue();
            queue.job = None;
            // whoever waits is told so, and hands its entries in again
            queue.waiting.clear();
        }
    }
}

/// Somebody who waits for a write.
pub(crate) struct Waits(Option<Arc<Writer>>);

impl Waits {
    pub(crate) fn ended(mut self) {
        self.0 = None;
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        let Some(writer) = &self.0 else { return };
        // A write that has not begun is still to be done; one that hangs holds a thread that nobody waits for.
        if let Some(job) = writer.queue().job.as_mut().filter(|job| job.begun) {
            job.given_up.get_or_insert_with(Instant::now);
            job.abandoned.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use context_testkit::ThreadPerJob;

    use super::*;
    use crate::JsonlStore;

    /// Whether something more is taken in while a write runs that nobody has waited for so long.
    fn is_taken(given_up: Option<Duration>) -> bool {
        let place = tempfile::tempdir().unwrap();
        let store = JsonlStore::new(place.path(), Arc::new(ThreadPerJob));
        let writer = Arc::new(Writer::new("s"));
        let given_up = given_up.map(|ago| Instant::now().checked_sub(ago).unwrap());
        writer.queue().job = Some(Running { abandoned: Cancel::new(), begun: true, given_up });
        writer.enqueue(Item::Release, &store.0).is_ok()
    }

    #[test]
    fn a_write_that_was_just_given_up_is_waited_for_and_one_that_hangs_is_not() {
        assert!(is_taken(None));
        assert!(is_taken(Some(Duration::ZERO)));
        assert!(!is_taken(Some(Duration::from_secs(60))));
    }

    #[test]
    fn what_comes_behind_a_write_that_was_given_up_is_not_given_up() {
        let writer = Writer::new("s");
        let given_up = Some(Instant::now());
        writer.queue().job = Some(Running { abandoned: Cancel::new(), begun: true, given_up });
        writer.queue().waiting.push_back(Item::Release);
        assert!(writer.next().is_some());
        assert_eq!(writer.queue().job.as_ref().unwrap().given_up, None);
    }
}
