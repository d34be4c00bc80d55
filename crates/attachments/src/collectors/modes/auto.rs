//! Auto mode.

use context_api::{AutoMode, AutoModeExit, Closed, Draft, Outbox, TurnView};

use super::ModeLimits;
use super::schedule::{Say, off, on, say};
use crate::collectors::look::looks;

const MODE: &str = "auto";

/// Says that auto mode is on (at entry, then now and then), and once that it is off.
#[derive(Debug, Clone, Default)]
pub struct AutoModeCollector(pub ModeLimits);

looks!(AutoModeCollector, "auto_mode", Everywhere);

impl AutoModeCollector {
    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        match say(&turn.ledger, MODE, turn.host.modes.auto, &self.0) {
            Say::Nothing => Ok(()),
            Say::Off => out.push(Draft::new(AutoModeExit::default()).key(off(MODE))),
            Say::On(number, form) => {
                let note = AutoMode::default().form(form).occurrence(number);
                out.push(Draft::new(note).key(on(MODE, number)))
            }
        }
    }
}
