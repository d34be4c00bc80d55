//! Patterns for absolute paths.

use super::GlobProblem;
use super::pattern::Base;
use super::table::Table;

/// Patterns for absolute paths, as in excludes and permissions: `**/CLAUDE.md`, `/home/x/notes`, `*.pem`.
///
/// A pattern that begins with a slash (or a drive, `C:/`) begins at the root, any other anywhere. One that names a
/// directory covers what is below it. `~/` must be expanded before.
#[derive(Debug, Clone, Default)]
pub struct PathGlobs {
    table: Table,
}

impl PathGlobs {
    /// Compiles patterns, up to 1,000 globs after brace expansion. Those that can not be compiled are given back with a
    /// reason and match nothing: where the patterns deny something, the caller decides what that means.
    pub fn compile(patterns: &[String]) -> (Self, Vec<GlobProblem>) {
        let (table, problems) = Table::compile(&[patterns], Base::Anywhere);
        (Self { table }, problems.into_iter().map(|(_, problem)| problem).collect())
    }

    /// Whether the last pattern that holds for an absolute path puts it in.
    pub fn matches(&self, absolute_path: &str) -> bool {
        self.deciding(absolute_path).is_some()
    }

    /// The index of the pattern that puts an absolute path in, to name it in a decision.
    pub fn deciding(&self, absolute_path: &str) -> Option<usize> {
        let path = absolute_path.trim_end_matches('/');
        let is_dir = path.len() < absolute_path.len();
        self.table
            .decide(path, is_dir)
            .into_iter()
            .find(|&(_, _, holds)| holds)
            .map(|(_, pattern, _)| pattern)
    }
}
