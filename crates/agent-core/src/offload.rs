//! Blocking work on the engine's threads, waited for no longer than is worth it.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use attachments::Timer;
use context_api::{Cancel, Job, Threads};
use tokio::sync::oneshot;

/// Why blocking work gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// It did not end in time.
    TimedOut,
    /// All threads are stuck.
    Stalled,
    /// It panicked.
    Panicked(String),
}

impl Unfinished {
    /// The reason for decisions.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::TimedOut => "deadline",
            Self::Stalled => "io_stalled",
            Self::Panicked(_) => "panicked",
        }
    }
}

/// Work that was started. Dropping it gives the work up.
pub(crate) struct Offloaded<T> {
    receive: Result<oneshot::Receiver<Result<T, String>>, Unfinished>,
    cancel: Cancel,
}

/// Starts `work` at once; it is waited for with [`Offloaded::until`].
pub(crate) fn offload<T: Send + 'static>(
    threads: &Arc<dyn Threads>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Offloaded<T> {
    let cancel = Cancel::new();
    let (send, receive) = oneshot::channel();
    let job = Job::new(cancel.clone(), move || {
        let result = catch_unwind(AssertUnwindSafe(work)).map_err(|panic| message(&*panic));
        let _nobody_waits = send.send(result);
    });
    let receive = threads.spawn(job).map(|()| receive).map_err(|_| Unfinished::Stalled);
    Offloaded { receive, cancel }
}

impl<T> Offloaded<T> {
    /// The result, or why there is none by `deadline`.
    pub(crate) async fn until(mut self, timer: &Timer, deadline: Instant) -> Result<T, Unfinished> {
        let receive = match &mut self.receive {
            Ok(receive) => receive,
            Err(why) => return Err(why.clone()),
        };
        let mut over = pin!(timer.until(deadline));
        poll_fn(|cx| {
            if let Poll::Ready(ended) = Pin::new(&mut *receive).poll(cx) {
                return Poll::Ready(match ended {
                    Ok(result) => result.map_err(Unfinished::Panicked),
                    Err(_) => Err(Unfinished::Panicked("its thread ended".to_owned())),
                });
            }
            over.as_mut().poll(cx).map(|()| Err(Unfinished::TimedOut))
        })
        .await
    }
}

/// Polls somebody else's future for no longer than until `deadline`, and past a panic in it.
#[cfg(feature = "compaction")]
pub(crate) async fn within<F: Future>(
    timer: &Timer,
    deadline: Instant,
    future: F,
) -> Result<F::Output, Unfinished> {
    let mut future = pin!(future);
    let mut over = pin!(timer.until(deadline));
    poll_fn(|cx| {
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(Poll::Ready(value)) => return Poll::Ready(Ok(value)),
            Ok(Poll::Pending) => {}
            Err(panic) => return Poll::Ready(Err(Unfinished::Panicked(message(&*panic)))),
        }
        over.as_mut().poll(cx).map(|()| Err(Unfinished::TimedOut))
    })
    .await
}

impl<T> Drop for Offloaded<T> {
    fn drop(&mut self) {
        // Work that has ended is not to be taken for stuck.
        if self.receive.as_ref().is_ok_and(|receive| !receive.is_terminated()) {
            self.cancel.cancel();
        }
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
