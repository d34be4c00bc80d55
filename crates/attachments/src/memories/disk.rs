//! Searches that stand at the disk, over all sessions of an engine.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use context_api::{Cancel, Decision, Verdict};

use super::KIND;
use super::finder::only;
use super::search::Place;

/// The looks at notes that have begun and not ended.
#[derive(Default)]
pub(super) struct Disk(Mutex<Vec<Look>>);

struct Look {
    since: Instant,
    token: Weak<()>,
    cancel: Cancel,
    place: Arc<Place>,
}

impl Disk {
    /// A token that lives as long as a look does.
    pub(super) fn begin(&self, cancel: &Cancel, place: &Arc<Place>) -> Arc<()> {
        let token = Arc::new(());
        let look = Look {
            since: Instant::now(),
            token: Arc::downgrade(&token),
            cancel: cancel.clone(),
            place: Arc::clone(place),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(look);
        token
    }

    /// Gives up the looks that have lasted longer than `most`: only what is cancelled counts as stuck, and a hung directory
    /// must not hold threads that everybody takes for busy. Whether there are any.
    pub(super) fn give_up(&self, most: Duration) -> bool {
        let mut looks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        looks.retain(|look| look.token.strong_count() > 0);
        let late: Vec<&Look> = looks.iter().filter(|look| look.since.elapsed() > most).collect();
        for look in &late {
            look.cancel.cancel();
            let detail = format!("The disk had not answered after {} ms.", most.as_millis());
            look.place.settle(only(Decision::new(KIND, Verdict::TimedOut, "disk_too_slow", detail)));
        }
        !late.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts_too_long_is_cancelled_and_told_and_what_ended_is_forgotten() {
        let (disk, place) = (Disk::default(), Arc::new(Place::default()));
        let (ended, slow) = (Cancel::new(), Cancel::new());
        drop(disk.begin(&ended, &Arc::default()));
        let token = disk.begin(&slow, &place);
        assert!(!disk.give_up(Duration::from_secs(60)) && !slow.is_cancelled());
        std::thread::sleep(Duration::from_millis(2));
        assert!(disk.give_up(Duration::from_millis(1)));
        assert!(slow.is_cancelled() && !ended.is_cancelled());
        assert_eq!(place.found().unwrap().decisions[0].reason, "disk_too_slow");
        drop(token);
        assert!(!disk.give_up(Duration::ZERO), "it has ended");
    }
}
