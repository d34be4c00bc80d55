//! The collectors that come with the engine.

mod async_hooks;
mod budgets;
mod changed_files;
mod date_change;
mod deltas;
mod diagnostics;
mod ide;
mod lists;
mod look;
mod memory_delta;
mod mentions;
mod modes;
mod nested_memory;
mod session_memory;
mod skills;
mod tasks;
mod team;

pub use async_hooks::AsyncHooksCollector;
pub use budgets::{
    BudgetUsdCollector, CompactionReminderCollector, ContextEfficiencyCollector, ContextLimits,
    OutputUsageCollector, TokenUsageCollector,
};
pub use changed_files::ChangedFilesCollector;
pub use date_change::DateChangeCollector;
pub use deltas::{AgentListing, DeferredTools, DeltaLimits, McpInstructions, OutputStyleSource};
pub use diagnostics::DiagnosticsCollector;
pub use ide::{IdeLimits, OpenedFileCollector, SelectionCollector};
pub use lists::{ListLimits, TaskReminderCollector, TodoReminderCollector, VerifyPlanCollector};
pub use memory_delta::MemoryDeltaCollector;
pub use mentions::{MentionLimits, MentionSources, Mentions};
pub use modes::{
    AutoModeCollector, CompanionCollector, CriticalReminderCollector, EffortCollector, ModeLimits,
    PlanModeCollector,
};
pub use nested_memory::NestedMemoryCollector;
pub use session_memory::{SessionMemoryCollector, SessionMemoryLimits};
pub use skills::{InvokedSkillsCollector, SkillDiscoveryCollector, SkillListingCollector, invoked_skill};
pub use tasks::TaskStatusCollector;
pub use team::{MailCollector, TeamContextCollector};
