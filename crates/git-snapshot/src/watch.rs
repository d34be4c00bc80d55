//! What changed since a snapshot.

use std::path::PathBuf;
use std::sync::Arc;

use context_api::{Commit, GitError, GitOptions, GitRun, GitSnapshot, GitSource, Head, Status};

use crate::wording;

/// Tells, on request, how a repository differs from a snapshot. It runs nothing by itself.
///
/// ```
/// use context_api::{GitOptions, GitRun, GitSource};
/// use git_snapshot::{GitWatch, GixSource};
/// use std::sync::Arc;
///
/// let source: Arc<dyn GitSource> = Arc::new(GixSource::new(Arc::new(|| jiff::Timestamp::UNIX_EPOCH)));
/// if let Some(snapshot) = source.snapshot(".".as_ref(), &GitOptions::default(), &GitRun::new())? {
///     let watch = GitWatch::new(source, ".", GitOptions::default(), snapshot);
///     if let Some(drift) = watch.look(&GitRun::new())? {
///         assert!(drift.to_string().starts_with("Git state has changed"));
///     }
/// }
/// # Ok::<(), context_api::GitError>(())
/// ```
pub struct GitWatch {
    source: Arc<dyn GitSource>,
    cwd: PathBuf,
    options: GitOptions,
    since: GitSnapshot,
}

impl GitWatch {
    /// A watch on the repository of `cwd`, which looked like `since`.
    pub fn new(
        source: Arc<dyn GitSource>,
        cwd: impl Into<PathBuf>,
        options: GitOptions,
        since: GitSnapshot,
    ) -> Self {
        Self { source, cwd: cwd.into(), options, since }
    }

    /// The snapshot that later states are compared with.
    pub fn since(&self) -> &GitSnapshot {
        &self.since
    }

    /// How the repository differs from the snapshot now; `None` if it does not, or if it is gone.
    ///
    /// # Errors
    ///
    /// Those of [`GitSource::snapshot`].
    pub fn look(&self, run: &GitRun) -> Result<Option<GitDrift>, GitError> {
        let now = self.source.snapshot(&self.cwd, &self.options, run)?;
        Ok(now.and_then(|now| GitDrift::between(&self.since, &now)))
    }
}

impl std::fmt::Debug for GitWatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GitWatch").field("cwd", &self.cwd).field("since", &self.since).finish_non_exhaustive()
    }
}

/// The difference of two snapshots: before and after, where they differ.
///
/// As text (`Display`) it is one line for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GitDrift {
    /// Where `HEAD` points.
    pub branch: Option<(Head, Head)>,
    /// The newest commit; none on a branch without commits.
    pub head: Option<(Option<Commit>, Option<Commit>)>,
    /// Entries of the status. Not compared unless both scans came to their end.
    pub counts: Option<(GitCounts, GitCounts)>,
}

impl GitDrift {
    /// How `after` differs from `before`; `None` if it does not.
    pub fn between(before: &GitSnapshot, after: &GitSnapshot) -> Option<Self> {
        let counts = GitCounts::of(&before.status).zip(GitCounts::of(&after.status));
        let heads = (before.log.first().cloned(), after.log.first().cloned());
        let drift = Self {
            branch: (before.branch != after.branch).then(|| (before.branch.clone(), after.branch.clone())),
            head: (heads.0 != heads.1).then_some(heads),
            counts: counts.filter(|(before, after)| before != after),
        };
        (drift.branch.is_some() || drift.head.is_some() || drift.counts.is_some()).then_some(drift)
    }
}

impl std::fmt::Display for GitDrift {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&wording::drift(self))
    }
}

/// How many entries of each kind a status has. An entry can be both staged and modified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GitCounts {
    /// All entries.
    pub entries: usize,
    /// Differences between index and `HEAD`.
    pub staged: usize,
    /// Differences between working tree and index.
    pub modified: usize,
    /// Untracked entries; a directory counts as one.
    pub untracked: usize,
    /// Paths in conflict.
    pub conflicts: usize,
}

impl GitCounts {
    /// The counts of a finished status.
    pub fn of(status: &Status) -> Option<Self> {
        let Status::Finished { lines } = status else { return None };
        let mut counts = Self { entries: lines.len(), ..Self::default() };
        for line in lines {
            match line.as_bytes() {
                [b'?', b'?', ..] => counts.untracked += 1,
                [b'U', _, ..] | [_, b'U', ..] | [b'A', b'A', ..] | [b'D', b'D', ..] => counts.conflicts += 1,
                [staged, modified, ..] => {
                    counts.staged += usize::from(*staged != b' ');
                    counts.modified += usize::from(*modified != b' ');
                }
                _ => {}
            }
        }
        Some(counts)
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn snapshot(branch: &str, commit: &str, lines: &[&str]) -> GitSnapshot {
        let mut snapshot = GitSnapshot::new(Head::Branch { name: branch.into() }, Timestamp::UNIX_EPOCH);
        snapshot.log = vec![Commit { id: commit.into(), subject: "subject".into() }];
        snapshot.status = Status::Finished { lines: lines.iter().map(|line| (*line).into()).collect() };
        snapshot
    }

    #[test]
    fn the_same_state_is_no_drift() {
        let before = snapshot("main", "1", &[" M a"]);
        assert_eq!(GitDrift::between(&before, &snapshot("main", "1", &[" M b"])), None);
    }

    #[test]
    fn branch_head_and_counts_are_told() {
        let before = snapshot("main", "1", &[" M a"]);
        let drift = GitDrift::between(&before, &snapshot("x", "2", &["MM a", "?? b", "UU c"])).unwrap();
        let (_, counts) = drift.counts.unwrap();
        assert_eq!((counts.staged, counts.modified, counts.untracked, counts.conflicts), (1, 1, 1, 1));
        assert_eq!(
            drift.to_string(),
            "Git state has changed since the conversation began: the branch is now x (it was main), the newest commit \
             is now 2 subject, and there are now 3 status entries (there was 1)."
        );
    }

    #[test]
    fn an_unfinished_status_is_not_compared() {
        let mut after = snapshot("main", "1", &[]);
        after.status = Status::Unfinished;
        assert_eq!(GitDrift::between(&snapshot("main", "1", &["?? a"]), &after), None);
    }
}
