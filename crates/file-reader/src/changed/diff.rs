//! The changed regions of a text.

use std::ops::Range;

use context_text::lines;
use imara_diff::{Algorithm, Diff, InternedInput};

/// What is different between two texts, line by line, line ends aside.
pub(super) struct Changes<'a> {
    pub(super) old: Vec<&'a str>,
    pub(super) new: Vec<&'a str>,
    pub(super) regions: Vec<Region>,
    pub(super) added: u64,
    pub(super) removed: u64,
}

/// Neighbouring changes with the lines around them: these old lines are those new ones now. Counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
    /// The changed lines among the new ones, each with the old line it stands for, where there is one.
    pub(super) changed: Vec<(usize, Option<usize>)>,
}

impl<'a> Changes<'a> {
    /// Myers: unlike cleverer algorithms it stays fast where there are thousands of small changes.
    pub(super) fn between(old: &'a str, new: &'a str, context: u32) -> Self {
        let mut input = InternedInput::default();
        let (old, new): (Vec<&str>, Vec<&str>) = (lines(old).collect(), lines(new).collect());
        input.update_before(old.iter().copied());
        input.update_after(new.iter().copied());
        let mut diff = Diff::compute(Algorithm::Myers, &input);
        diff.postprocess_lines(&input);
        let (added, removed) = (u64::from(diff.count_additions()), u64::from(diff.count_removals()));
        let regions = regions(&diff, context as usize, old.len(), new.len());
        Self { old, new, regions, added, removed }
    }
}

fn regions(diff: &Diff, context: usize, old_lines: usize, new_lines: usize) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    for hunk in diff.hunks() {
        let (before, after) = (indices(&hunk.before), indices(&hunk.after));
        let next = Region {
            old: before.start.saturating_sub(context)..(before.end + context).min(old_lines),
            new: after.start.saturating_sub(context)..(after.end + context).min(new_lines),
            changed: after.clone().map(|line| (line, paired(line, &before, &after))).collect(),
        };
        match regions.last_mut().filter(|last| next.old.start <= last.old.end) {
            Some(last) => {
                last.old.end = next.old.end;
                last.new.end = next.new.end;
                last.changed.extend(next.changed);
            }
            None => regions.push(next),
        }
    }
    regions
}

fn indices(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

fn paired(line: usize, before: &Range<usize>, after: &Range<usize>) -> Option<usize> {
    let old = before.start + (line - after.start);
    before.contains(&old).then_some(old)
}
