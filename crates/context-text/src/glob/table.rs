//! Many patterns of many rules, asked at once.

use super::GlobProblem;
use super::brace::brace_expand;
use super::pattern::{self, Base, Compiled, Line};
use globset::{Candidate, Glob, GlobSet, GlobSetBuilder};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Most globs that the patterns with braces of one rule may stand for.
const MAX_EXPANSIONS: usize = 1_000;
/// Globs that are compiled together; several sets where there are more.
const SET_GLOBS: usize = 1_024;

/// Bytes up to which a glob without a class is sure to compile: its automaton has a few hundred bytes for each of them,
/// where ten million are allowed.
const SURE_BYTES: usize = 1_024;

/// All globs, in the order of rules and patterns.
///
/// They are grouped by the directories that they name before the first wildcard, and a group is compiled when the first
/// path in its directory is asked for: of a thousand rules a path meets a few.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    groups: HashMap<String, Group>,
    entries: Vec<Entry>,
}

/// Globs whose paths begin with the same directories.
#[derive(Debug, Clone, Default)]
struct Group {
    /// With the position among the entries.
    globs: Vec<(usize, Glob)>,
    /// The sets, each with the position among `globs` at which it begins.
    sets: OnceLock<Vec<(usize, GlobSet)>>,
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
        let mut problems = Vec::new();
        for (rule, patterns) in rules.iter().enumerate() {
            let mut budget = MAX_EXPANSIONS;
            for (index, pattern) in patterns.as_ref().iter().enumerate() {
                let entry = Entry { rule, pattern: index, negated: false, dir_only: false };
                match table.add(pattern, entry, base, budget) {
                    // One that has no braces stands for itself alone.
                    Ok(added) => budget -= if added > 1 { added } else { 0 },
                    Err(reason) => problems.push((rule, GlobProblem { pattern: pattern.clone(), reason })),
                }
            }
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
        let path = slashed(path);
        for name in itself_and_above(&path) {
            let candidate = Candidate::new(name);
            for group in directories(name).filter_map(|directory| self.groups.get(directory)) {
                for (start, set) in group.sets() {
                    set.matches_candidate_into(&candidate, &mut found);
                    let entries = found.iter().map(|at| group.globs[start + at].0);
                    hits.extend(entries.filter(|&at| is_dir || !self.entries[at].dir_only));
                }
            }
            is_dir = true;
        }
        hits
    }

    /// Adds what a pattern stands for, and says how many globs that are.
    fn add(&mut self, pattern: &str, entry: Entry, base: Base, budget: usize) -> Result<usize, String> {
        let line = Line::read(pattern)?;
        let bodies = brace_expand(line.body, budget)
            .map_err(|_| format!("more than {MAX_EXPANSIONS} expansions in one rule"))?;
        let compiled =
            bodies.iter().map(|body| pattern::compile(body, base)).collect::<Result<Vec<_>, _>>()?;
        if !compiled.iter().all(|compiled| is_sure(&compiled.glob) || build_all([&compiled.glob]).is_some()) {
            return Err("too large".into());
        }
        let count = compiled.len();
        for Compiled { glob, dir_only } in compiled {
            let group = self.groups.entry(literal_directory(glob.glob()).to_owned()).or_default();
            group.globs.push((self.entries.len(), glob));
            self.entries.push(Entry { negated: line.negated, dir_only, ..entry });
        }
        Ok(count)
    }
}

impl Group {
    fn sets(&self) -> &[(usize, GlobSet)] {
        self.sets.get_or_init(|| {
            let mut sets = Vec::new();
            for (chunk, globs) in self.globs.chunks(SET_GLOBS).enumerate() {
                build(globs, chunk * SET_GLOBS, &mut sets);
            }
            sets
        })
    }
}

/// Compiles globs into one set, or into two halves where it gets too large; each of them alone is known to compile.
fn build(globs: &[(usize, Glob)], start: usize, sets: &mut Vec<(usize, GlobSet)>) {
    match build_all(globs.iter().map(|(_, glob)| glob)) {
        Some(set) => sets.push((start, set)),
        None if globs.len() > 1 => {
            let (left, right) = globs.split_at(globs.len() / 2);
            build(left, start, sets);
            build(right, start + left.len(), sets);
        }
        None => {}
    }
}

fn build_all<'a>(globs: impl IntoIterator<Item = &'a Glob>) -> Option<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    globs.into_iter().for_each(|glob| {
        builder.add(glob.clone());
    });
    builder.build().ok()
}

fn is_sure(glob: &Glob) -> bool {
    glob.glob().len() <= SURE_BYTES && !glob.glob().contains('[')
}

/// The directories with which every path begins that a glob can hold for, with the slash at their end.
fn literal_directory(glob: &str) -> &str {
    let literal = glob.find(['*', '?', '[', ']', '{', '}', '\\']).map_or(glob, |end| &glob[..end]);
    &literal[..literal.rfind('/').map_or(0, |at| at + 1)]
}

/// The directories with which a path begins: none, and each with the slash at its end.
fn directories(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once("").chain(path.match_indices('/').map(|(at, _)| &path[..=at]))
}

/// The path with the slashes that globs have.
fn slashed(path: &str) -> Cow<'_, str> {
    if std::path::MAIN_SEPARATOR == '/' {
        path.into()
    } else {
        path.replace(std::path::MAIN_SEPARATOR, "/").into()
    }
}

/// `a/b/c`, `a/b`, `a`.
fn itself_and_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rsplit_once('/').map(|(above, _)| above))
        .filter(|p| !p.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn directories_end_at_the_first_wildcard() {
        for (glob, expected) in [
            ("src/part5/**/*.ts", "src/part5/"),
            ("src/a.ts", "src/"),
            ("**/a", ""),
            ("a", ""),
            ("/home/x/*.md", "/home/x/"),
            ("a/b\\*/c", "a/"),
            ("a/[bc]/d", "a/"),
            ("a/\\{b\\}/c", "a/"),
            ("ä/ö/?", "ä/ö/"),
        ] {
            assert_eq!(literal_directory(glob), expected, "{glob}");
        }
        assert_eq!(directories("/a/b").collect::<Vec<_>>(), ["", "/", "/a/"]);
    }

    #[test]
    fn a_glob_that_is_taken_for_sure_compiles() {
        for unit in ["?", "*a", "**/", "ä", "\\*", "a/**/", "*"] {
            let text = unit.repeat(SURE_BYTES / unit.len());
            let glob = pattern::compile(&text, Base::Directory).map(|compiled| compiled.glob);
            let Ok(glob) = glob else { continue };
            assert!(build_all([&glob]).is_some(), "{unit}");
        }
    }

    proptest! {
        #[test]
        fn groups_answer_as_all_globs_at_once(
            patterns in prop::collection::vec("!?/?([abä]|\\*|\\?|\\*\\*|\\[ab\\]|\\\\\\*|\\{a,b\\}|/){1,7}", 1..8),
            path in "/?[abä*]{1,2}(/[abä*]{1,2}){0,4}",
            is_dir: bool,
            anywhere: bool,
        ) {
            let base = if anywhere { Base::Anywhere } else { Base::Directory };
            let (table, _) = Table::compile(&[patterns], base);
            let mut globs: Vec<&(usize, Glob)> = table.groups.values().flat_map(|group| &group.globs).collect();
            globs.sort_by_key(|(at, _)| *at);
            let all = build_all(globs.iter().map(|(_, glob)| glob)).unwrap();
            let mut expected = Vec::new();
            let mut is_dir_here = is_dir;
            for name in itself_and_above(&path) {
                let found = all.matches(name);
                expected.extend(found.into_iter().filter(|at| is_dir_here || !table.entries[*at].dir_only));
                is_dir_here = true;
            }
            expected.sort_unstable();
            let mut hits = table.hits(&path, is_dir);
            hits.sort_unstable();
            prop_assert_eq!(hits, expected);
        }
    }
}
