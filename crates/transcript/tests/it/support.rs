//! Entries, and a way to wait for a future.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use context_api::{Entry, EntryKind};
use uuid::Uuid;

pub(crate) fn entry(id: u128, parent: Option<u128>, text: &str) -> Arc<Entry> {
    let time = "2026-04-25T12:00:00Z".parse().unwrap();
    let entry = Entry::new(Uuid::from_u128(id), time, 1, EntryKind::user(text));
    Arc::new(entry.after(parent.map(Uuid::from_u128)))
}

pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
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
