//! The system's time and identities: the defaults of an engine.

use context_api::{Clock, Ids};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use uuid::Uuid;

/// The system's clock, with dates in the system's time zone or a given one.
#[derive(Debug, Clone)]
pub struct SystemClock(TimeZone);

impl SystemClock {
    /// Dates as the system sees them.
    pub fn new() -> Self {
        Self(TimeZone::system())
    }

    /// Dates in `zone`.
    pub fn in_zone(zone: TimeZone) -> Self {
        Self(zone)
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn today(&self) -> Date {
        self.0.to_datetime(self.now()).date()
    }
}

/// Uuids of version 7 from the system's time and randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemIds;

impl Ids for SystemIds {
    fn next(&self) -> Uuid {
        Uuid::now_v7()
    }
}
