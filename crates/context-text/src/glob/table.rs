//! Many patterns of many rules, asked at once.

use super::GlobProblem;
use super::brace::brace_expand;
use super::pattern::{self, Base, Line};
use globset::{Candidate, Glob, GlobSet, GlobSetBuilder};

/// Most globs that the patterns of one rule may stand for after their braces are expanded.
const MAX_EXPANSIONS: usize = 1_000;
/// Globs that are compiled together; several sets where there are more.
const SET_GLOBS: usize = 1_024;

/// All globs, in the order of rules and patterns, in as few sets as can be compiled.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    sets: Vec<(usize, GlobSet)>,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    rule: usize,
    pattern: usize,
    negated: bool,
    dir_only: bool,
}

/// A problem and the rule it belongs to.
pub(super) type RuleProblem = (usize, GlobProblem);

impl Table {
    pub(super) fn compile<P: AsRef<[String]>>(rules: &[P], base: Base) -> (Self, Vec<RuleProblem>) {
        let mut table = Self::default();
        let mut globs = Vec::new();
        let mut problems = Vec::new();
        for (rule, patterns) in rules.iter().enumerate() {
            let mut budget = MAX_EXPANSIONS;
            for (index, pattern) in patterns.as_ref().iter().enumerate() {
                let entry = Entry { rule, pattern: index, negated: false, dir_only: false };
                match table.add(pattern, entry, base, budget) {
                    Ok(added) => {
                        budget -= added.len();
                        globs.extend(added);
                    }
                    Err(reason) => problems.push((rule, GlobProblem { pattern: pattern.clone(), reason })),
                }
            }
        }
        for (start, chunk) in globs.chunks(SET_GLOBS).enumerate() {
            table.build(chunk, start * SET_GLOBS, &mut |entry| {
                let pattern = rules[entry.rule].as_ref()[entry.pattern].clone();
                problems.push((entry.rule, GlobProblem { pattern, reason: "too large".into() }));
            });
        }
        (table, problems)
    }

    /// The last pattern that holds for `path` of each rule that has one, as the rule's index, the pattern's index and
    /// whether it puts the path in. `path` has no slash at its end; `is_dir` says whether it is known to be a directory.
    pub(super) fn decide(&self, path: &str, is_dir: bool) -> Vec<(usize, usize, bool)> {
        let mut hits = self.hits(path, is_dir);
        hits.sort_unstable();
        hits.chunk_by(|&a, &b| self.entries[a].rule == self.entries[b].rule)
            .filter_map(|of_rule| of_rule.last())
            .map(|&hit| &self.entries[hit])
            .map(|entry| (entry.rule, entry.pattern, !entry.negated))
            .collect()
    }

    /// The entries that hold for the path or a directory above it, in no order.
    fn hits(&self, path: &str, is_dir: bool) -> Vec<usize> {
        let mut hits = Vec::new();
        let mut found = Vec::new();
        let mut is_dir = is_dir;
        for name in itself_and_above(path) {
            let candidate = Candidate::new(name);
            for (start, set) in &self.sets {
                set.matches_candidate_into(&candidate, &mut found);
                let entries = found.iter().map(|at| start + at);
                hits.extend(entries.filter(|&at| is_dir || !self.entries[at].dir_only));
            }
            is_dir = true;
        }
        hits
    }

    fn add(&mut self, pattern: &str, entry: Entry, base: Base, budget: usize) -> Result<Vec<Glob>, String> {
        let line = Line::read(pattern)?;
        let bodies = brace_expand(line.body, budget)
            .map_err(|_| format!("more than {MAX_EXPANSIONS} expansions in one rule"))?;
        let compiled =
            bodies.iter().map(|body| pattern::compile(body, base)).collect::<Result<Vec<_>, _>>()?;
        let entry = Entry { negated: line.negated, ..entry };
        self.entries.extend(compiled.iter().map(|c| Entry { dir_only: c.dir_only, ..entry }));
        Ok(compiled.into_iter().map(|c| c.glob).collect())
    }

    /// Compiles globs into one set, or into two halves where it gets too large.
    fn build(&mut self, globs: &[Glob], start: usize, refuse: &mut dyn FnMut(Entry)) {
        let mut builder = GlobSetBuilder::new();
        for glob in globs {
            builder.add(glob.clone());
        }
        match builder.build() {
            Ok(set) => self.sets.push((start, set)),
            Err(_) if globs.len() > 1 => {
                let (left, right) = globs.split_at(globs.len() / 2);
                self.build(left, start, refuse);
                self.build(right, start + left.len(), refuse);
            }
            Err(_) => refuse(self.entries[start]),
        }
    }
}

/// `a/b/c`, `a/b`, `a`.
fn itself_and_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rsplit_once('/').map(|(above, _)| above))
        .filter(|p| !p.is_empty())
}
