//! A future driven to its end on a thread that may block.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use context_api::{Cancel, CollectError};

/// How a run came to its end.
#[derive(Debug)]
pub(crate) enum End {
    /// By itself.
    Done(Result<(), CollectError>),
    /// By a panic, with its message.
    Panicked(String),
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

/// Polls `future` on this thread until it is ready or `cancel` is said; then `None`, and the future is dropped.
pub(crate) fn drive<F: Future>(future: F, cancel: &Cancel) -> Option<F::Output> {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut cx = Context::from_waker(&waker);
    let mut future = pin!(future);
    let mut cancelled = pin!(cancel.cancelled());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return Some(output);
        }
        if cancelled.as_mut().poll(&mut cx).is_ready() {
            return None;
        }
        std::thread::park();
    }
}

/// As [`drive`], with a panic as a value.
pub(crate) fn drive_caught<F>(future: F, cancel: &Cancel) -> Option<End>
where
    F: Future<Output = Result<(), CollectError>>,
{
    match catch_unwind(AssertUnwindSafe(|| drive(future, cancel))) {
        Ok(ended) => ended.map(End::Done),
        Err(panic) => Some(End::Panicked(panic_message(&*panic))),
    }
}

/// What a panic said, where it said something.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
