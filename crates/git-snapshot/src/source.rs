//! The source of git facts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use context_api::{Decision, GitError, GitOptions, GitRun, GitSnapshot, GitSource};
use jiff::Timestamp;

use crate::flight::{Flights, Outcome};
use crate::limits::GitLimits;
use crate::memory::Memory;
use crate::repository::{self, Repository};
use crate::status::{self, Job};
use crate::variables::Variables;
use crate::{facts, log, render};

/// Where [`GitSnapshot::taken_at`] comes from.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Reads repositories through gix, in process.
///
/// Cheap to share behind an `Arc`. See the crate documentation for an example.
pub struct GixSource {
    clock: Clock,
    /// By which the age of files is told: not the host's date, which may stand still or run ahead.
    age_clock: Clock,
    limits: GitLimits,
    system_config: Option<PathBuf>,
    memory: Memory,
    flights: Flights,
}

impl GixSource {
    /// A source that dates its snapshots by `clock` and reads no system configuration.
    pub fn new(clock: Clock) -> Self {
        let limits = GitLimits::default();
        let memory = Memory::new(limits.kept_repositories);
        let age_clock: Clock = Arc::new(Timestamp::now);
        Self { clock, age_clock, limits, system_config: None, memory, flights: Flights::default() }
    }

    /// The same source, which tells the age of files by `clock` instead of the system's. What is young is looked at again by the
    /// next snapshot, so one that runs ahead makes changes go unseen. For tests and measurements.
    pub fn with_age_clock(mut self, clock: Clock) -> Self {
        self.age_clock = clock;
        self
    }

    /// The same source with other limits.
    pub fn with_limits(mut self, limits: GitLimits) -> Self {
        self.memory = Memory::new(limits.kept_repositories);
        self.limits = limits;
        self
    }

    /// The same source, which also reads the system's configuration at `path`, such as `/etc/gitconfig`.
    pub fn with_system_config(mut self, path: impl Into<PathBuf>) -> Self {
        self.system_config = Some(path.into());
        self
    }

    fn take(&self, cwd: &Path, options: &GitOptions, run: &GitRun) -> Result<Option<GitSnapshot>, GitError> {
        Variables::of(options).decide(run);
        let Some(repository) = repository::open(cwd, self.system_config.as_deref(), options, run)? else {
            return Ok(None);
        };
        let mut snapshot = self.cheap_facts(&repository, options, run)?;
        let now = (self.age_clock)();
        let job = Job { options, limits: &self.limits, run, memory: &self.memory, now };
        snapshot.status = status::read(&repository, job);
        Ok(Some(snapshot))
    }

    /// Whether the facts of a run that began before its reader asked are those of now, as far as a look that costs next to
    /// nothing tells: the prompt behind a commit must not show the repository before it. What can not be looked at holds.
    fn still_holds(&self, cwd: &Path, options: &GitOptions, outcome: &Outcome, run: &GitRun) -> bool {
        let Ok(before) = outcome else { return true };
        let look = run.deadline().map_or_else(GitRun::new, |at| GitRun::new().with_deadline(at));
        let Ok(repository) = repository::open(cwd, self.system_config.as_deref(), options, &look) else {
            return true;
        };
        match (before, repository) {
            (Some(before), Some(repository)) => {
                let now = self.cheap_facts(&repository, options, &look);
                now.map_or(true, |now| (&now.branch, &now.log) == (&before.branch, &before.log))
            }
            (before, repository) => before.is_none() && repository.is_none(),
        }
    }

    fn cheap_facts(
        &self,
        repository: &Repository,
        options: &GitOptions,
        run: &GitRun,
    ) -> Result<GitSnapshot, GitError> {
        let repo = &repository.repo;
        let (head, _) = facts::tip(repo).map_err(|error| GitError::Open {
            path: repository.root.clone(),
            reason: format!("HEAD can not be read: {error}"),
        })?;
        let mut snapshot = GitSnapshot::new(head, (self.clock)());
        snapshot.main_branch = facts::main_branch(repo);
        snapshot.user = facts::user(repo);
        snapshot.log = log::newest(repo, options.log_length, run);
        run.report(snapshot.clone());
        Ok(snapshot)
    }
}

impl GitSource for GixSource {
    fn snapshot(
        &self,
        cwd: &Path,
        options: &GitOptions,
        run: &GitRun,
    ) -> Result<Option<GitSnapshot>, GitError> {
        let run = within_budget(run, options);
        // A budget that is over leaves time for what costs next to nothing; an interrupt does not.
        if run.interrupt_flag().load(std::sync::atomic::Ordering::Relaxed) {
            return Err(GitError::Interrupted { path: cwd.to_owned() });
        }
        let holds = |outcome: &Outcome| self.still_holds(cwd, options, outcome, &run);
        self.flights.share(cwd, options, &run, || self.take(cwd, options, &run), holds)
    }

    fn render(&self, snapshot: &GitSnapshot) -> (String, Vec<Decision>) {
        render::render(snapshot, &self.limits)
    }
}

impl std::fmt::Debug for GixSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GixSource")
            .field("limits", &self.limits)
            .field("system_config", &self.system_config)
            .finish()
    }
}

/// The run, to be over at its own deadline or at the end of the budget, whichever comes first.
fn within_budget(run: &GitRun, options: &GitOptions) -> GitRun {
    let end = Instant::now().checked_add(options.budget);
    match (run.deadline(), end) {
        (Some(deadline), Some(end)) => run.clone().with_deadline(deadline.min(end)),
        (None, Some(end)) => run.clone().with_deadline(end),
        (_, None) => run.clone(),
    }
}
