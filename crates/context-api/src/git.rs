//! Facts about a repository, and the trait of whoever knows them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Decision;

/// What a repository looked like at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GitSnapshot {
    /// Where `HEAD` points.
    pub branch: Head,
    /// The branch that others merge into, where the repository says so; never a guess from the current branch.
    pub main_branch: Option<String>,
    /// `user.name` of the configuration, where set.
    pub user: Option<String>,
    /// The lines of `git status --short`, or why they are not there.
    pub status: Status,
    /// The newest commits, newest first.
    pub log: Vec<Commit>,
    /// When the facts were taken.
    pub taken_at: Timestamp,
}

impl GitSnapshot {
    /// A snapshot of `branch` taken at `taken_at` that knows nothing else yet.
    pub fn new(branch: Head, taken_at: Timestamp) -> Self {
        Self { branch, main_branch: None, user: None, status: Status::Unfinished, log: Vec::new(), taken_at }
    }
}

/// Where `HEAD` points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Head {
    /// A branch with at least one commit.
    Branch {
        /// Short name, such as `main` or `feat/x`.
        name: String,
    },
    /// A branch without a commit.
    Unborn {
        /// Short name of the branch to be.
        name: String,
    },
    /// No branch.
    Detached {
        /// Abbreviated id of the commit.
        id: String,
    },
}

/// The working tree against the index and the index against `HEAD`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum Status {
    /// The scan came to its end.
    Finished {
        /// Lines of `git status --short`, without line ends, in git's order.
        lines: Vec<String>,
    },
    /// The time budget ended first; nothing is claimed about the working tree.
    Unfinished,
    /// The status could not be read, for the reason given; the other facts stand.
    Unreadable {
        /// One sentence.
        reason: String,
    },
}

/// One commit of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// Abbreviated id, as long as `git log --oneline` prints it.
    pub id: String,
    /// First line of the message.
    pub subject: String,
}

/// What a caller of [`GitSource`] may choose.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GitOptions {
    /// Time for the whole snapshot. Default 1.5 s; 5 s suit a warm-up in the background.
    pub budget: Duration,
    /// Commits of the log. Default 5.
    pub log_length: usize,
    /// Read repositories that belong to another user. Default no: such a one yields a decision and no snapshot.
    pub trust_foreign_owner: bool,
    /// Run clean filters that the user's own (not the repository's) configuration names. Default no.
    pub allow_user_filters: bool,
    /// Variables whose names begin with `GIT_`, where the embedder passes them in. Default none.
    pub environment: Vec<(String, String)>,
    /// The home directory, for the user's configuration. `None`: no user configuration is read.
    pub home: Option<std::path::PathBuf>,
}

impl Default for GitOptions {
    fn default() -> Self {
        Self {
            budget: Duration::from_millis(1500),
            log_length: 5,
            trust_foreign_owner: false,
            allow_user_filters: false,
            environment: Vec::new(),
            home: None,
        }
    }
}

/// One run of a [`GitSource`]: how to stop it, and what it says on the way.
#[derive(Clone, Default)]
pub struct GitRun {
    interrupt: Arc<AtomicBool>,
    deadline: Option<Instant>,
    partial: Arc<std::sync::Mutex<Partial>>,
}

#[derive(Default)]
struct Partial {
    facts: Option<GitSnapshot>,
    decisions: Vec<Decision>,
}

impl GitRun {
    /// A run without a deadline of its own.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same run, to be over at `deadline`.
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Asks the run to stop; it does so within milliseconds.
    pub fn interrupt(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// The flag behind [`GitRun::interrupt`], for libraries that take one.
    pub fn interrupt_flag(&self) -> &Arc<AtomicBool> {
        &self.interrupt
    }

    /// The moment at which the run has to be over.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Whether the run was interrupted or its deadline has passed.
    pub fn is_over(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) || self.deadline.is_some_and(|at| Instant::now() >= at)
    }

    /// Called by the source as soon as the cheap facts (branch, main branch, user, log) are there.
    pub fn report(&self, facts: GitSnapshot) {
        if let Ok(mut partial) = self.partial.lock() {
            partial.facts = Some(facts);
        }
    }

    /// Called by the source for everything that it leaves out or approximates.
    pub fn decide(&self, decision: Decision) {
        if let Ok(mut partial) = self.partial.lock() {
            partial.decisions.push(decision);
        }
    }

    /// The last reported facts, for a caller that gives up on the run.
    pub fn partial(&self) -> Option<GitSnapshot> {
        self.partial.lock().ok().and_then(|partial| partial.facts.clone())
    }

    /// Takes the decisions made so far.
    pub fn take_decisions(&self) -> Vec<Decision> {
        self.partial.lock().map(|mut partial| std::mem::take(&mut partial.decisions)).unwrap_or_default()
    }
}

impl std::fmt::Debug for GitRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GitRun").field("over", &self.is_over()).finish_non_exhaustive()
    }
}

/// A repository that could not be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// The repository at `path` exists but can not be opened.
    #[error("can not open the repository at {path}: {reason}")]
    Open {
        /// Where it lies.
        path: std::path::PathBuf,
        /// One sentence.
        reason: String,
    },
    /// The run was interrupted before even the cheap facts were known.
    #[error("the snapshot of {path} was interrupted")]
    Interrupted {
        /// Where it lies.
        path: std::path::PathBuf,
    },
}

/// Answers: what state is the repository in?
///
/// Sync, and called on a thread that may block. `Ok(None)` outside a repository and in a bare one, and where trust rules
/// forbid a look (then with a decision in `run`). The run's end (interrupt, deadline, budget of the options) is no error:
/// the facts found so far come back with [`Status::Unfinished`]. Nothing is written, and no program is started.
///
/// ```
/// use context_api::{GitError, GitOptions, GitRun, GitSnapshot, GitSource};
/// struct NoGit;
/// impl GitSource for NoGit {
///     fn snapshot(&self, _: &std::path::Path, _: &GitOptions, _: &GitRun) -> Result<Option<GitSnapshot>, GitError> {
///         Ok(None)
///     }
///     fn render(&self, _: &GitSnapshot) -> (String, Vec<context_api::Decision>) {
///         (String::new(), Vec::new())
///     }
/// }
/// let source: Box<dyn GitSource> = Box::new(NoGit);
/// assert!(source.snapshot("/".as_ref(), &GitOptions::default(), &GitRun::new()).unwrap().is_none());
/// ```
pub trait GitSource: Send + Sync + 'static {
    /// The facts as seen from `cwd`.
    fn snapshot(
        &self,
        cwd: &Path,
        options: &GitOptions,
        run: &GitRun,
    ) -> Result<Option<GitSnapshot>, GitError>;

    /// The facts as text for a model, and what was cut from it.
    fn render(&self, snapshot: &GitSnapshot) -> (String, Vec<Decision>);
}
