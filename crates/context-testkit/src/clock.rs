//! Time that stands still until told otherwise.

use std::sync::Mutex;

use context_api::Clock;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

/// A clock that a test sets. It begins at 2026-04-25T12:00:00Z.
#[derive(Debug)]
pub struct FixedClock(Mutex<(Timestamp, Date)>);

impl Default for FixedClock {
    fn default() -> Self {
        Self::at("2026-04-25T12:00:00Z", "2026-04-25")
    }
}

impl FixedClock {
    /// A clock at a time (RFC 3339) and a local date (`YYYY-MM-DD`).
    ///
    /// # Panics
    /// Either is no such thing.
    pub fn at(now: &str, today: &str) -> Self {
        Self(Mutex::new((now.parse().expect("a time"), today.parse().expect("a date"))))
    }

    /// Sets time and local date.
    ///
    /// # Panics
    /// Either is no such thing.
    pub fn set(&self, now: &str, today: &str) {
        *self.0.lock().expect("the clock") = (now.parse().expect("a time"), today.parse().expect("a date"));
    }

    /// Moves the time on; the date stays.
    ///
    /// # Panics
    /// The time leaves the range of what can be said.
    pub fn advance(&self, by: SignedDuration) {
        let mut state = self.0.lock().expect("the clock");
        state.0 = state.0.checked_add(by).expect("a time");
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0.lock().expect("the clock").0
    }

    fn today(&self) -> Date {
        self.0.lock().expect("the clock").1
    }
}
