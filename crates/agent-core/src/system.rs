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
        Self(local_zone().unwrap_or_else(TimeZone::system))
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

/// Where Unix systems keep the rules of the local time zone.
const LOCAL_ZONE: &str = "/etc/localtime";
/// The largest file of rules that is read, bytes: those that systems ship are under 4 KiB.
const LARGEST_ZONE: u64 = 64 << 10;

/// The local rules from their own file. The system's zone by name would list a thousand others first, a tenth of the time
/// that a small program has.
fn local_zone() -> Option<TimeZone> {
    if std::env::var_os("TZ").is_some() {
        return None;
    }
    let file = std::fs::File::open(LOCAL_ZONE).ok()?;
    let length = file.metadata().ok().filter(|meta| meta.is_file())?.len();
    let mut rules = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(file, LARGEST_ZONE), &mut rules).ok()?;
    (length <= LARGEST_ZONE).then(|| TimeZone::tzif("Local", &rules).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_local_rules_give_the_systems_offsets() {
        let Some(local) = local_zone() else { return };
        let system = TimeZone::system();
        for hours in 0..24 * 366 {
            let time = Timestamp::from_second(1_760_000_000 + hours * 3_600).expect("a time");
            assert_eq!(local.to_offset(time), system.to_offset(time), "{time}");
        }
    }
}
