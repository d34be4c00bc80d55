//! The collectors that only look at what the host says and at the history.

use std::sync::Arc;

use attachments::{
    AgentListing, AutoModeCollector, BudgetUsdCollector, Bus, CompanionCollector, ContextEfficiencyCollector,
    ContextLimits, CriticalReminderCollector, DeferredTools, DeltaCollector, DeltaLimits, EffortCollector,
    InvokedSkillsCollector, ListLimits, McpInstructions, ModeLimits, OutputStyleSource, OutputUsageCollector,
    PlanModeCollector, SkillDiscoveryCollector, SkillLimits, SkillListingCollector, SkillSource,
    TaskReminderCollector, TodoReminderCollector, TokenUsageCollector, VerifyPlanCollector,
};
use context_api::{Threads, ToolNames};

/// What is announced and changes, told between two requests too.
pub(super) fn deltas(bus: &mut Bus) {
    let limits = DeltaLimits::default();
    bus.register_late(Arc::new(DeltaCollector(DeferredTools(limits.clone()))))
        .register_late(Arc::new(DeltaCollector(AgentListing(limits.clone()))))
        .register_late(Arc::new(DeltaCollector(McpInstructions(limits.clone()))))
        .register_late(Arc::new(DeltaCollector(OutputStyleSource(limits))));
}

/// Modes of the session, and texts that stand.
pub(super) fn modes(bus: &mut Bus) {
    let limits = ModeLimits::default();
    bus.register(Arc::new(PlanModeCollector(limits.clone())))
        .register(Arc::new(AutoModeCollector(limits)))
        .register(Arc::new(EffortCollector::default()))
        .register(Arc::new(CompanionCollector));
}

/// Lists and plans that are recalled.
pub(super) fn lists(bus: &mut Bus, tools: &ToolNames) {
    let limits = ListLimits::default();
    bus.register(Arc::new(TodoReminderCollector::new(tools.todo.clone(), limits.clone())))
        .register(Arc::new(TaskReminderCollector::new(tools.tasks.clone(), limits.clone())))
        .register(Arc::new(VerifyPlanCollector(limits)));
}

/// Limits of use, how full the context is, and last of all the host's standing text.
pub(super) fn budgets(bus: &mut Bus) {
    let limits = ContextLimits::default();
    bus.register(Arc::new(TokenUsageCollector))
        .register(Arc::new(BudgetUsdCollector))
        .register(Arc::new(OutputUsageCollector));
    // Without the part that compacts there is nothing to say of it.
    #[cfg(feature = "compaction")]
    bus.register(Arc::new(attachments::CompactionReminderCollector(limits.clone())));
    bus.register(Arc::new(ContextEfficiencyCollector(limits))).register(Arc::new(CriticalReminderCollector));
}

/// What the collectors of skills are made of.
pub(super) struct Skills<'a> {
    pub(super) source: Option<&'a Arc<dyn SkillSource>>,
    pub(super) threads: &'a Arc<dyn Threads>,
    pub(super) limits: &'a SkillLimits,
}

impl Skills<'_> {
    /// Skills that fit the first input, or what the host asks for.
    pub(super) fn discovery(&self, bus: &mut Bus) {
        let (source, threads) = (self.source.map(Arc::clone), Arc::clone(self.threads));
        bus.register(Arc::new(SkillDiscoveryCollector::new(source, threads, self.limits.clone())));
    }

    /// What there is, and what was used.
    pub(super) fn listing(&self, bus: &mut Bus, is_filtered: bool) {
        let (source, threads) = (self.source.map(Arc::clone), Arc::clone(self.threads));
        let listing = SkillListingCollector::new(source, threads, self.limits.clone());
        bus.register(Arc::new(listing.filtered(is_filtered)));
        if let Some(source) = self.source {
            let (source, threads) = (Arc::clone(source), Arc::clone(self.threads));
            bus.register(Arc::new(InvokedSkillsCollector::new(source, threads, self.limits.clone())));
        }
    }
}
