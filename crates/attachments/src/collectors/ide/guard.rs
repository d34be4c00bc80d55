//! Whether the policy allows a file that the editor shows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use context_api::{Access, Decision, FileSystem, ReadErrorKind, ReadPolicy, Threads, TurnView, Verdict};

use crate::paths::shown;
use crate::reads::{Looked, Reads};

/// Asks the policy about a path and what it leads to; the disk is looked at on threads of the engine.
pub(crate) struct Guard {
    files: Arc<dyn FileSystem>,
    policy: Arc<dyn ReadPolicy>,
    reads: Reads,
}

impl Guard {
    pub(crate) fn new(
        files: Arc<dyn FileSystem>,
        policy: Arc<dyn ReadPolicy>,
        threads: Arc<dyn Threads>,
    ) -> Self {
        Self { files, policy, reads: Reads::new(threads) }
    }

    /// `None`: it may be told. What can not be looked up is not told.
    pub(super) async fn refusal(&self, turn: &TurnView, path: &Path) -> Option<Decision> {
        self.refusals(turn, vec![path.to_path_buf()]).await.pop().flatten()
    }

    /// The same for many paths, in their order.
    pub(crate) async fn refusals(&self, turn: &TurnView, paths: Vec<PathBuf>) -> Vec<Option<Decision>> {
        if paths.is_empty() {
            return Vec::new();
        }
        let (files, policy) = (Arc::clone(&self.files), Arc::clone(&self.policy));
        let subjects = paths.iter().map(|path| (path.clone(), path.clone())).collect();
        let look = move |path: &PathBuf| rule_against(&*files, &*policy, path);
        let looked = self.reads.relay(turn, subjects, look).await;
        let refusal = |(path, looked): (&PathBuf, Looked<Judged>)| match looked.into_result() {
            Ok(Ok(None)) => None,
            Ok(Ok(Some(rule))) => Some(denied(shown(&turn.cwd, path), &rule)),
            Ok(Err(why)) => Some(not_looked_up(shown(&turn.cwd, path), Verdict::Failed, why)),
            Err(why) => {
                let verdict = if why == Looked::TimedOut { Verdict::TimedOut } else { Verdict::Failed };
                Some(not_looked_up(shown(&turn.cwd, path), verdict, why.reason()))
            }
        };
        paths.iter().zip(looked).map(refusal).collect()
    }
}

/// The rule against a path, or why nobody can tell.
type Judged = Result<Option<String>, &'static str>;

/// A name that leads nowhere is judged by itself: an editor also shows what was never saved.
///
/// # Errors
/// The reason for which nobody can tell what the name leads to.
fn rule_against(files: &dyn FileSystem, policy: &dyn ReadPolicy, path: &Path) -> Judged {
    let denied = rule_against_name(policy, path);
    if denied.is_some() {
        return Ok(denied);
    }
    match files.canonicalize(path) {
        Ok(canonical) => Ok(rule_against_name(policy, &canonical)),
        Err(error) => match ReadErrorKind::from(&error) {
            ReadErrorKind::NotFound => Ok(None),
            kind => Err(kind.reason()),
        },
    }
}

/// The rule that forbids a path as it is given.
fn rule_against_name(policy: &dyn ReadPolicy, path: &Path) -> Option<String> {
    match policy.check(path) {
        Access::Denied { rule } => Some(rule),
        Access::Allowed => None,
    }
}

fn denied(subject: String, rule: &str) -> Decision {
    let detail = format!("The editor shows it, and the rule {rule} keeps it out of the context.");
    Decision::left_out(subject, "denied_by_policy", detail)
}

fn not_looked_up(subject: String, verdict: Verdict, reason: &str) -> Decision {
    let detail = "Whether what the editor shows may be told could not be looked up; it is not told.";
    Decision::new(subject, verdict, reason, detail)
}
