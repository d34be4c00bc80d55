//! Giving up on work.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

/// A word that ends work: asked by whoever works, said once by whoever waits. Cheap to clone.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Inner>);

#[derive(Default)]
struct Inner {
    said: AtomicBool,
    wakers: Mutex<Vec<Waker>>,
    children: Mutex<Vec<Cancel>>,
}

impl Cancel {
    /// A word that nobody has said.
    pub fn new() -> Self {
        Self::default()
    }

    /// A word that is said with this one, or by itself.
    pub fn child(&self) -> Self {
        let child = Self::new();
        if let Ok(mut children) = self.0.children.lock() {
            children.retain(|child| Arc::strong_count(&child.0) > 1);
            children.push(child.clone());
        }
        if self.is_cancelled() {
            child.cancel();
        }
        child
    }

    /// Says it.
    pub fn cancel(&self) {
        self.0.said.store(true, Ordering::SeqCst);
        let wakers = self.0.wakers.lock().map(|mut wakers| std::mem::take(&mut *wakers)).unwrap_or_default();
        wakers.into_iter().for_each(Waker::wake);
        let children =
            self.0.children.lock().map(|mut children| std::mem::take(&mut *children)).unwrap_or_default();
        children.iter().for_each(Self::cancel);
    }

    /// Whether it was said.
    pub fn is_cancelled(&self) -> bool {
        self.0.said.load(Ordering::SeqCst)
    }

    /// Waits until it is said.
    pub fn cancelled(&self) -> Cancelled {
        Cancelled(self.clone())
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}

/// Ready once a [`Cancel`] is said.
#[derive(Debug)]
pub struct Cancelled(Cancel);

impl Future for Cancelled {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.0.is_cancelled() {
            return Poll::Ready(());
        }
        if let Ok(mut wakers) = self.0.0.wakers.lock() {
            wakers.retain(|waker| !waker.will_wake(cx.waker()));
            wakers.push(cx.waker().clone());
        }
        // It may have been said between the look and the registration.
        if self.0.is_cancelled() { Poll::Ready(()) } else { Poll::Pending }
    }
}
