//! Where identity and time come from.

use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

/// Answers: what time is it, and which day is it where the person is?
///
/// A library crate never asks the system by itself.
pub trait Clock: Send + Sync + 'static {
    /// The time.
    fn now(&self) -> Timestamp;
    /// The local date.
    fn today(&self) -> Date;
}

/// Answers: what is the next identity?
pub trait Ids: Send + Sync + 'static {
    /// A uuid that was never returned before; version 7, so that they sort by time.
    fn next(&self) -> Uuid;
}

impl<T: Clock + ?Sized> Clock for std::sync::Arc<T> {
    fn now(&self) -> Timestamp {
        (**self).now()
    }
    fn today(&self) -> Date {
        (**self).today()
    }
}

impl<T: Ids + ?Sized> Ids for std::sync::Arc<T> {
    fn next(&self) -> Uuid {
        (**self).next()
    }
}
