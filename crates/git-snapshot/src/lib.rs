//! Repository facts, in process and read-only.
//!
//! [`GixSource`] is the [`GitSource`](context_api::GitSource) of this house: it reads branch, main branch, user, log and
//! the lines of `git status --short` through gix and a scan of its own, without starting a program, taking a lock or
//! writing a byte. [`GitLimits`] holds its numbers. [`GitWatch`] tells, on request, what changed since a snapshot. The date
//! comes from the [`Clock`] it is built with, the age of files from the system's; the home directory
//! and `GIT_*` variables come from [`GitOptions`](context_api::GitOptions).
//!
//! ```
//! use context_api::{GitOptions, GitRun, GitSource};
//! use git_snapshot::GixSource;
//! use std::sync::Arc;
//!
//! let source = GixSource::new(Arc::new(|| jiff::Timestamp::UNIX_EPOCH));
//! let run = GitRun::new();
//! if let Some(snapshot) = source.snapshot(".".as_ref(), &GitOptions::default(), &run)? {
//!     let (text, _cut) = source.render(&snapshot);
//!     assert!(text.contains("Current branch: "));
//! }
//! # Ok::<(), context_api::GitError>(())
//! ```

#[cfg_attr(not(unix), allow(dead_code, reason = "what only the scan of the working tree reads"))]
mod config;
mod discovery;
mod facts;
mod flight;
#[cfg_attr(not(unix), allow(dead_code, reason = "what only the scan of the working tree reads"))]
mod limits;
mod log;
#[cfg(unix)]
mod memory;
#[cfg(not(unix))]
#[path = "elsewhere/memory.rs"]
mod memory;
#[cfg_attr(not(unix), allow(dead_code, reason = "what only the scan of the working tree reads"))]
mod quote;
mod render;
#[cfg_attr(not(unix), allow(dead_code, reason = "what only the scan of the working tree reads"))]
mod repository;
mod source;
#[cfg(unix)]
mod status;
#[cfg(not(unix))]
#[path = "elsewhere/status.rs"]
mod status;
mod trust;
mod variables;
mod watch;
mod wording;

pub use limits::GitLimits;
pub use source::{Clock, GixSource};
pub use watch::{GitCounts, GitDrift, GitWatch};
