//! Rules that hold for some paths only.

use std::path::{Path, PathBuf};

use context_api::{Decision, Verdict};
use context_text::{RuleGlobs, RuleSet};

use crate::context::slashed;
use crate::disk::Disk;
use crate::item::{Item, Role, Rule, RuleDraft, about};

/// Whether patterns put no condition: `**` alone.
pub(crate) fn is_unconditional(patterns: &[String]) -> bool {
    let says_nothing = |pattern: &String| !pattern.chars().any(char::is_alphanumeric);
    patterns.iter().any(says_nothing) && RuleGlobs::compile(patterns).0.is_unconditional()
}

/// A touched path in its spellings.
#[derive(Debug, Clone)]
pub(crate) struct Touch {
    /// Absolute, as given.
    pub(crate) given: PathBuf,
    /// Without links.
    pub(crate) real: PathBuf,
    pub(crate) is_dir: bool,
}

/// Rules of one directory, compiled.
#[derive(Debug, Clone)]
pub(crate) struct RuleGroup {
    base: PathBuf,
    real_base: PathBuf,
    rules: Vec<Rule>,
    set: RuleSet,
}

impl RuleGroup {
    /// Compiles the patterns; what can not be compiled is a decision.
    pub(crate) fn compile(disk: &mut Disk, draft: RuleDraft, decisions: &mut Vec<Decision>) -> Self {
        let patterns: Vec<&[String]> = draft.rules.iter().map(|rule| &*rule.patterns).collect();
        let (set, problems) = RuleSet::compile(&patterns);
        for (index, problem) in problems {
            let Some(rule) = draft.rules.get(index) else { continue };
            let detail = format!("The pattern `{}` matches nothing: {}.", problem.pattern, problem.reason);
            decisions.push(about(&rule.path, Verdict::LeftOut, "bad_pattern", detail));
        }
        Self { real_base: disk.canonical_dir(&draft.base), base: draft.base, rules: draft.rules, set }
    }

    /// The rules that hold for a path, in their order.
    pub(crate) fn matching(&self, touch: &Touch) -> Vec<Item> {
        let mut found: Vec<usize> = Vec::new();
        for (path, base) in [(&touch.given, &self.base), (&touch.real, &self.real_base)] {
            found.extend(
                relative(path, base, touch.is_dir).into_iter().flat_map(|path| self.set.matching(&path)),
            );
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().filter_map(|index| self.rules.get(index)).map(matched).collect()
    }

    /// What the rules wait for.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = Decision> {
        self.rules.iter().map(|rule| {
            let detail =
                format!("It loads when a path is touched that matches {}.", rule.patterns.join(", "));
            about(&rule.path, Verdict::Deferred, "waits_for_path", detail)
        })
    }
}

fn matched(rule: &Rule) -> Item {
    Item { path: rule.path.clone(), kind: rule.kind, role: Role::Matched(rule.patterns.to_vec()) }
}

/// The path below its base as patterns see it.
fn relative(path: &Path, base: &Path, is_dir: bool) -> Option<String> {
    let below = slashed(path.strip_prefix(base).ok()?);
    Some(if is_dir { below + "/" } else { below })
}
