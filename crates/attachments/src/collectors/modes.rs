//! Modes that are on for a while, and texts that stand.

mod auto;
mod effort;
mod limits;
mod plan;
mod schedule;
mod texts;

pub use auto::AutoModeCollector;
pub use effort::EffortCollector;
pub use limits::ModeLimits;
pub use plan::PlanModeCollector;
pub use texts::{CompanionCollector, CriticalReminderCollector};
