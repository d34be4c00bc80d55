//! Plan mode.

use context_api::{Closed, Draft, Outbox, PlanMode, PlanModeExit, PlanModeReentry, TurnView};

use super::ModeLimits;
use super::schedule::{Say, is_known, off, on, say};
use crate::collectors::look::looks;

const MODE: &str = "plan";

/// Says that plan mode is on (at entry, then now and then), that there is a plan from before, and once that it is off.
#[derive(Debug, Clone, Default)]
pub struct PlanModeCollector(pub ModeLimits);

looks!(PlanModeCollector, "plan_mode", Everywhere);

impl PlanModeCollector {
    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let plan = &turn.host.modes.plan;
        match say(&turn.ledger, MODE, plan.active, &self.0) {
            Say::Nothing => Ok(()),
            Say::Off => {
                let exit =
                    PlanModeExit::default().plan_file(plan.plan_file.clone()).plan_exists(plan.plan_exists);
                out.push(Draft::new(exit).key(off(MODE)))
            }
            Say::On(number, form) => {
                let is_entry = !is_known(&turn.ledger, MODE);
                if is_entry && was_left(turn) && plan.plan_exists && plan.plan_file.is_some() {
                    out.push(Draft::new(PlanModeReentry::default().plan_file(plan.plan_file.clone())))?;
                }
                let note = PlanMode::default()
                    .form(form)
                    .plan_file(plan.plan_file.clone())
                    .plan_exists(plan.plan_exists)
                    .occurrence(number);
                out.push(Draft::new(note).key(on(MODE, number)))
            }
        }
    }
}

/// Whether plan mode was on before in this session.
fn was_left(turn: &TurnView) -> bool {
    turn.ledger.occurrences("plan_mode_exit").count > 0
}
