//! Threads for parts that need some, and a way to wait for a future without a runtime.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use context_api::{IoStalled, Job, Threads};

/// Starts a thread for each job.
#[derive(Debug, Clone, Copy, Default)]
pub struct ThreadPerJob;

impl Threads for ThreadPerJob {
    fn spawn(&self, job: Job) -> Result<(), IoStalled> {
        thread::Builder::new().spawn(job.run).map(drop).map_err(|_| IoStalled)
    }
}

/// Waits for a future on this thread, without a runtime.
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}
