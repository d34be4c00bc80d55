//! The vocabulary that the parts of the context engine exchange, and the traits of the parts.
mod decision;
mod git;
pub use decision::{Decision, Verdict};
pub use git::{Commit, GitError, GitOptions, GitRun, GitSnapshot, GitSource, Head, Status};
