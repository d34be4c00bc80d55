//! Threads for work that may block.

use crate::Cancel;

/// Work for a thread that may block for ever.
pub struct Job {
    /// Said when whoever waits has given up: the thread that still runs it counts as stuck.
    pub abandoned: Cancel,
    /// The work. Its panics are the caller's to catch; one that escapes costs only the thread.
    pub run: Box<dyn FnOnce() + Send>,
}

impl Job {
    /// Work that can be given up on.
    pub fn new(abandoned: Cancel, run: impl FnOnce() + Send + 'static) -> Self {
        Self { abandoned, run: Box::new(run) }
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("abandoned", &self.abandoned).finish_non_exhaustive()
    }
}

/// All threads are stuck in work that was given up on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("all threads for input and output are stuck")]
pub struct IoStalled;

/// Where blocking work runs: a capped set of detached threads, never the host's runtime, never joined.
pub trait Threads: Send + Sync + 'static {
    /// Starts `job`, or queues it behind others that still move.
    ///
    /// # Errors
    /// Every thread is stuck, so that it would never start.
    fn spawn(&self, job: Job) -> Result<(), IoStalled>;
}
