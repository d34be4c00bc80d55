//! Texts that the host wants told.

use context_api::{Closed, CompanionIntro, CriticalSystemReminder, DeliveryKey, Draft, Outbox, TurnView};

use crate::collectors::look::looks;
use crate::delta::digest;

/// Tells the host's standing text with each request, at its end, where it weighs most.
#[derive(Debug, Clone, Copy, Default)]
pub struct CriticalReminderCollector;

looks!(CriticalReminderCollector, "critical_system_reminder", Everywhere);

impl CriticalReminderCollector {
    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let text = turn.host.modes.critical_reminder.as_deref().unwrap_or_default();
        if text.trim().is_empty() {
            return Ok(());
        }
        out.push(Draft::new(CriticalSystemReminder::default().text(text)))
    }
}

/// Introduces a companion of the user, once as long as the model sees it.
#[derive(Debug, Clone, Copy, Default)]
pub struct CompanionCollector;

looks!(CompanionCollector, "companion_intro", Everywhere);

impl CompanionCollector {
    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let Some(companion) = &turn.host.modes.companion else { return Ok(()) };
        let key = DeliveryKey::new("companion_intro", &companion.name, digest(&companion.text));
        if turn.ledger.in_view(&key.kind, &key.key).is_some_and(|told| told.hash == key.hash) {
            return Ok(());
        }
        let intro = CompanionIntro::default().name(companion.name.clone()).text(companion.text.clone());
        out.push(Draft::new(intro).key(key))
    }
}
