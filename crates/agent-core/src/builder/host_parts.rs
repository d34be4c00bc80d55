//! The collectors of what a host knows: the editor, hooks, other agents.

use std::sync::Arc;

use attachments::{
    AsyncHooksCollector, Bus, DiagnosticsCollector, IdeLimits, MailCollector, OpenedFileCollector,
    SelectionCollector, TaskStatusCollector, TeamContextCollector,
};
use context_api::{FileSystem, ReadPolicy, Threads};

/// Where collectors look, what they may show, and where they block.
#[derive(Clone)]
pub(super) struct Reach {
    pub(super) files: Arc<dyn FileSystem>,
    pub(super) policy: Arc<dyn ReadPolicy>,
    pub(super) threads: Arc<dyn Threads>,
}

/// What the editor has in focus, and what it and language servers report.
pub(super) fn register_ide(bus: &mut Bus, reach: &Reach) {
    let limits = IdeLimits::default();
    let Reach { files, policy, threads } = reach.clone();
    bus.register(Arc::new(SelectionCollector::new(files, policy, threads, limits.clone())));
    let Reach { files, policy, threads } = reach.clone();
    bus.register(Arc::new(OpenedFileCollector::new(files, policy, threads)));
    let Reach { files, policy, threads } = reach.clone();
    bus.register(Arc::new(DiagnosticsCollector::of_editor(files, policy, threads, limits.clone())));
    let Reach { files, policy, threads } = reach.clone();
    bus.register(Arc::new(DiagnosticsCollector::of_servers(files, policy, threads, limits)));
}

/// What hooks in the background, tasks and other agents have to say.
pub(super) fn register_others(bus: &mut Bus) {
    bus.register(Arc::new(TeamContextCollector));
    bus.register(Arc::new(MailCollector));
    bus.register_late(Arc::new(TaskStatusCollector));
    bus.register(Arc::new(AsyncHooksCollector::default()));
}
