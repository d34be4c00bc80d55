//! When a mode is told, as the history has it.

use context_api::{DeliveryKey, Ledger, ReminderForm};

use super::ModeLimits;

/// Kind of the ledger's keys for modes that the model takes to be on; the digest is the number of the last note.
const KIND: &str = "mode";

/// What is to be said of a mode now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Say {
    /// Nothing.
    Nothing,
    /// It is on: the note of this number since it was entered.
    On(u64, ReminderForm),
    /// It is off.
    Off,
}

/// What is to be said of the mode `name`, which is on or not.
pub(super) fn say(ledger: &Ledger, name: &str, is_on: bool, limits: &ModeLimits) -> Say {
    let last = ledger.delivered(KIND, name);
    match (is_on, last) {
        (false, None) => Say::Nothing,
        (false, Some(_)) => Say::Off,
        (true, None) => Say::On(1, ReminderForm::Full),
        // The model was told behind a boundary: it begins anew.
        (true, Some(last)) if last.boundary < ledger.boundaries() => Say::On(1, ReminderForm::Full),
        (true, Some(last)) if ledger.assistant_messages() - last.assistant_messages < limits.every => {
            Say::Nothing
        }
        (true, Some(last)) => {
            let number = last.hash.parse::<u64>().map_or(1, |number| number.saturating_add(1));
            let is_full = (number - 1).is_multiple_of(limits.full_every.max(1));
            Say::On(number, if is_full { ReminderForm::Full } else { ReminderForm::Brief })
        }
    }
}

/// Whether the mode was told and not taken back since.
pub(super) fn is_known(ledger: &Ledger, name: &str) -> bool {
    ledger.delivered(KIND, name).is_some()
}

/// What the ledger remembers of the note `number`.
pub(super) fn on(name: &str, number: u64) -> DeliveryKey {
    DeliveryKey::new(KIND, name, number.to_string())
}

/// What the ledger remembers once the mode is off.
pub(super) fn off(name: &str) -> DeliveryKey {
    DeliveryKey::retract(KIND, name)
}
