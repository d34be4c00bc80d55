//! The guard of a search.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use context_api::Cancel;

use super::FoundMemories;

/// A search that was started. Dropping it gives the work up, unless it has settled.
#[derive(Debug)]
#[must_use]
pub struct MemorySearch {
    place: Arc<Place>,
    cancel: Cancel,
}

/// A thread at work for a search, as long as it lives.
pub(super) struct AtWork(Arc<Place>);

impl AtWork {
    pub(super) fn begin(place: &Arc<Place>) -> Self {
        place.lock().at_work += 1;
        Self(Arc::clone(place))
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.lock().at_work -= 1;
    }
}

/// Where a search puts what it found.
#[derive(Debug, Default)]
pub(super) struct Place(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    found: Option<Arc<FoundMemories>>,
    /// Threads that work for it.
    at_work: usize,
    wakers: Vec<Waker>,
}

impl MemorySearch {
    pub(super) fn new(place: Arc<Place>, cancel: Cancel) -> Self {
        Self { place, cancel }
    }

    /// What was found, once it has settled. Never waits; the same each time.
    pub fn found(&self) -> Option<Arc<FoundMemories>> {
        self.place.found()
    }

    /// Whether a thread works for it now. Long after it was started, the disk hangs: another search would only hang too.
    pub fn is_at_work(&self) -> bool {
        self.place.lock().at_work > 0
    }

    /// Waits until it has settled.
    pub async fn settled(&self) -> Arc<FoundMemories> {
        poll_fn(|cx| {
            let mut state = self.place.lock();
            match &state.found {
                Some(found) => Poll::Ready(Arc::clone(found)),
                None => {
                    state.wakers.retain(|waker| !waker.will_wake(cx.waker()));
                    state.wakers.push(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}

impl Drop for MemorySearch {
    fn drop(&mut self) {
        // Work that has ended is not to be taken for stuck.
        if self.found().is_none() {
            self.cancel.cancel();
        }
    }
}

impl Place {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn found(&self) -> Option<Arc<FoundMemories>> {
        self.lock().found.clone()
    }

    /// Puts down what was found; what comes second does not count.
    pub(super) fn settle(&self, found: FoundMemories) {
        let mut state = self.lock();
        state.found.get_or_insert_with(|| Arc::new(found));
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
    }
}
