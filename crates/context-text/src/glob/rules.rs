//! Which rules hold for a path.

use super::GlobProblem;
use super::pattern::{Base, Line};
use super::table::{RuleProblem, Table};

/// The patterns of one rule, relative to one directory.
#[derive(Debug, Clone, Default)]
pub struct RuleGlobs {
    table: Table,
    unconditional: bool,
}

impl RuleGlobs {
    /// Compiles patterns, up to 1,000 globs after brace expansion. Those that can not be compiled are given back with a
    /// reason and match nothing.
    pub fn compile(patterns: &[String]) -> (Self, Vec<GlobProblem>) {
        let (table, problems) = Table::compile(&[patterns], Base::Directory);
        let globs = Self { table, unconditional: is_unconditional(patterns) };
        (globs, problems.into_iter().map(|(_, problem)| problem).collect())
    }

    /// Whether the patterns hold for a path relative to their directory, with `/` between names and one at the end of a
    /// directory. Of a path outside (absolute, or with a leading `../`) only patterns without condition hold.
    pub fn matches(&self, relative_path: &str) -> bool {
        self.unconditional
            || inside(relative_path).is_some_and(|(path, is_dir)| {
                self.table.decide(path, is_dir).iter().any(|&(_, _, holds)| holds)
            })
    }

    /// Whether they hold for any path: there is none, or there is `**` and none takes out.
    pub fn is_unconditional(&self) -> bool {
        self.unconditional
    }
}

/// Many rules whose patterns are relative to one directory; asked at once, a thousand rules cost little more than one.
#[derive(Debug, Clone, Default)]
pub struct RuleSet {
    table: Table,
    unconditional: Vec<usize>,
    len: usize,
}

impl RuleSet {
    /// Compiles the patterns of each rule as [`RuleGlobs::compile`] does. Problems come with the rule's index.
    pub fn compile<P: AsRef<[String]>>(rules: &[P]) -> (Self, Vec<(usize, GlobProblem)>) {
        let (table, problems): (_, Vec<RuleProblem>) = Table::compile(rules, Base::Directory);
        let unconditional = (0..rules.len()).filter(|&rule| is_unconditional(rules[rule].as_ref())).collect();
        (Self { table, unconditional, len: rules.len() }, problems)
    }

    /// The indexes of the rules that hold for a path, ascending. See [`RuleGlobs::matches`].
    pub fn matching(&self, relative_path: &str) -> Vec<usize> {
        let mut rules = self.unconditional.clone();
        if let Some((path, is_dir)) = inside(relative_path) {
            rules.extend(self.table.decide(path, is_dir).iter().filter(|d| d.2).map(|d| d.0));
        }
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no rule.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

fn is_unconditional(patterns: &[String]) -> bool {
    let mut lines = patterns.iter().filter_map(|p| Line::read(p).ok());
    patterns.is_empty()
        || (patterns.iter().any(|p| Line::read(p).is_ok_and(|line| line.is_everything()))
            && !lines.any(|line| line.negated))
}

/// A path without `./` before it and a slash behind it, and whether that slash says that it is a directory; none for a
/// path that is the base itself or not below it.
fn inside(path: &str) -> Option<(&str, bool)> {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    let name = path.trim_end_matches('/');
    let outside = name.starts_with('/') || name.split('/').any(|part| part == "..");
    (!outside && !name.is_empty() && name != ".").then_some((name, name.len() < path.len()))
}
