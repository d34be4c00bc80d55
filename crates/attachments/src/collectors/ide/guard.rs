//! Whether the policy allows a file that the editor shows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use context_api::{Access, Decision, FileSystem, ReadPolicy, Threads, TurnView, Verdict};

use crate::paths::shown;
use crate::reads::{Looked, Reads};

/// Asks the policy about a path and what it leads to; the disk is looked at on threads of the engine.
pub(super) struct Guard {
    files: Arc<dyn FileSystem>,
    policy: Arc<dyn ReadPolicy>,
    reads: Reads,
}

impl Guard {
    pub(super) fn new(
        files: Arc<dyn FileSystem>,
        policy: Arc<dyn ReadPolicy>,
        threads: Arc<dyn Threads>,
    ) -> Self {
        Self { files, policy, reads: Reads::new(threads) }
    }

    /// `None`: it may be told. What can not be looked up is not told.
    pub(super) async fn refusal(&self, turn: &TurnView, path: &Path) -> Option<Decision> {
        let (files, policy) = (Arc::clone(&self.files), Arc::clone(&self.policy));
        let subjects = vec![(path.to_path_buf(), path.to_path_buf())];
        let look = move |path: PathBuf| rule_against(&*files, &*policy, &path);
        let subject = shown(&turn.cwd, path);
        match self.reads.all(turn, subjects, look).await.pop().map(Looked::into_result) {
            Some(Ok(None)) => None,
            Some(Ok(Some(rule))) => Some(denied(subject, &rule)),
            Some(Err(why)) => Some(not_looked_up(subject, &why)),
            None => None,
        }
    }
}

/// A name that leads nowhere is judged by itself: an editor also shows what was never saved.
fn rule_against(files: &dyn FileSystem, policy: &dyn ReadPolicy, path: &Path) -> Option<String> {
    let canonical = files.canonicalize(path).ok();
    std::iter::once(path).chain(canonical.as_deref()).find_map(|path| rule_against_name(policy, path))
}

/// The rule that forbids a path as it is given.
pub(crate) fn rule_against_name(policy: &dyn ReadPolicy, path: &Path) -> Option<String> {
    match policy.check(path) {
        Access::Denied { rule } => Some(rule),
        Access::Allowed => None,
    }
}

pub(crate) fn denied(subject: String, rule: &str) -> Decision {
    let detail = format!("The editor shows it, and the rule {rule} keeps it out of the context.");
    Decision::left_out(subject, "denied_by_policy", detail)
}

fn not_looked_up(subject: String, why: &Looked<()>) -> Decision {
    let verdict = if *why == Looked::TimedOut { Verdict::TimedOut } else { Verdict::Failed };
    let detail = "Whether what the editor shows may be told could not be looked up; it is not told.";
    Decision::new(subject, verdict, why.reason(), detail)
}
