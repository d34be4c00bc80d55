//! The per-turn event bus and its collectors.
//!
//! A [`Bus`] asks all its collectors side by side, within one deadline, and returns a [`Collection`] of drafts and
//! decisions; nothing of it is committed. [`Mentions`], [`NestedMemoryCollector`] and [`DateChangeCollector`] come with it;
//! a host registers its own. What is announced and changes is a [`DeltaSource`]. What was handed in (queued input, answers of
//! hooks) is delivered whatever the collectors do.
//!
//! ```
//! use attachments::parse_mentions;
//! let mentions = parse_mentions("why does @src/a.rs:10-20 fail?", &Default::default());
//! assert_eq!(mentions[0].target, "src/a.rs:10-20");
//! ```

mod bus;
mod handed;
mod hooks;
mod reads;
mod touched;

mod mention;
mod paths;
mod resources;
mod room;

mod delta;
#[cfg(feature = "memories")]
mod memories;
mod skills;
mod words;

mod collectors;

pub use bus::{Bus, BusLimits, Collection, CollectorReport, Runs, Timer, Until};
pub use collectors::{
    AgentListing, AsyncHooksCollector, AutoModeCollector, BudgetUsdCollector, ChangedFilesCollector,
    CompactionReminderCollector, CompanionCollector, ContextEfficiencyCollector, ContextLimits,
    CriticalReminderCollector, DateChangeCollector, DeferredTools, DeltaLimits, DiagnosticsCollector,
    EffortCollector, IdeLimits, InvokedSkillsCollector, ListLimits, MailCollector, McpInstructions,
    MemoryDeltaCollector, MentionLimits, MentionSources, Mentions, ModeLimits, NestedMemoryCollector,
    OpenedFileCollector, OutputStyleSource, OutputUsageCollector, PlanModeCollector, SelectionCollector,
    SessionMemoryCollector, SessionMemoryLimits, SkillDiscoveryCollector, SkillListingCollector,
    TaskReminderCollector, TaskStatusCollector, TeamContextCollector, TodoReminderCollector,
    TokenUsageCollector, VerifyPlanCollector, invoked_skill,
};
pub use delta::{AskMissing, Delta, DeltaCollector, DeltaItem, DeltaSource, Missing, Now};
pub use hooks::HookLimits;
#[cfg(feature = "memories")]
pub use memories::{
    Delivery, FoundMemories, FoundMemory, Known, MemoryAsk, MemoryFinder, MemoryHeader, MemorySearch,
    MemorySelector, RelevantLimits, SelectError, SelectRequest,
};
pub use mention::{Mention, MentionKind, ResolvedMention, parse_mentions, resolve_mention};
pub use reads::LookLimits;
pub use resources::{Resource, ResourceError, ResourceLimits, ResourcePart, ResourceReader, ResourceRequest};
pub use skills::{FoundSkill, SkillLimits, SkillLoad, SkillPlaces, SkillSource};
#[cfg(feature = "skills")]
pub use skills::{FsSkillSource, SkillOptions, SkillPlugin};
