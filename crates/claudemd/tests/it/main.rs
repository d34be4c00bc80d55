//! The loader on real directories.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

mod budget;
mod caching;
mod content;
mod excludes;
mod hostile;
mod include;
mod include_forms;
mod levels;
mod nested;
mod notes;
mod profiles;
mod rule_patterns;
mod rules;
mod support;
mod survey;
mod trees;
mod worktrees;
