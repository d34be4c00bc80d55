//! Work shared between threads that make more of it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A stack of tasks. It is empty for good once nobody is busy and no task is left.
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    tasks: Vec<T>,
    busy: usize,
    waiting: usize,
    closed: bool,
}

impl<T> Queue<T> {
    pub(crate) fn new(first: T) -> Self {
        let state = State { tasks: vec![first], busy: 0, waiting: 0, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Hands out a task after the caller is done with its last one (`busy`); `None` when all is done.
    pub(crate) fn next(&self, busy: bool) -> Option<T> {
        let mut state = self.lock();
        state.busy -= usize::from(busy);
        loop {
            if state.closed {
                return None;
            }
            if let Some(task) = state.tasks.pop() {
                state.busy += 1;
                return Some(task);
            }
            if state.busy == 0 {
                state.closed = true;
                self.changed.notify_all();
                return None;
            }
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    /// Adds `tasks`, leaving the vector empty. The last of them is handed out first.
    pub(crate) fn add(&self, tasks: &mut Vec<T>) {
        if tasks.is_empty() {
            return;
        }
        let mut state = self.lock();
        state.tasks.append(tasks);
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Throws away what is left; every caller of [`Queue::next`] gets `None`.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.tasks.clear();
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
