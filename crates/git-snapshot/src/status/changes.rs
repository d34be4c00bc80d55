//! What differs, by path, and its lines.

use std::collections::BTreeMap;

use gix::bstr::{BStr, BString};

use crate::quote::{self, Beyond};

/// One line in the making.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Change {
    /// Letter of the index against `HEAD`; none for no difference.
    pub(crate) staged: Option<char>,
    /// Letter of the working tree against the index.
    pub(crate) worktree: Option<char>,
    /// The old path of a rename or copy, staged or not.
    pub(crate) source: Option<BString>,
    /// Bits of the stages that a conflicted path has: 1 base, 2 ours, 4 theirs.
    pub(crate) stages: u8,
}

/// What a submodule holds beyond its commit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Dirt {
    pub(crate) modified: bool,
    pub(crate) untracked: bool,
}

/// All differences of a working tree, in git's order.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    tracked: BTreeMap<BString, Change>,
    untracked: std::collections::BTreeSet<BString>,
}

impl Changes {
    pub(crate) fn staged(&mut self, path: BString, letter: char) {
        self.tracked.entry(path).or_default().staged = Some(letter);
    }

    pub(crate) fn worktree(&mut self, path: BString, letter: char) {
        self.tracked.entry(path).or_default().worktree = Some(letter);
    }

    pub(crate) fn source(&mut self, path: BString, source: BString) {
        self.tracked.entry(path).or_default().source = Some(source);
    }

    pub(crate) fn conflict(&mut self, path: &BStr, stages: u8) {
        self.tracked.entry(path.to_owned()).or_default().stages = stages;
    }

    /// The paths with a letter for the working tree that is one of `letters`, in order.
    pub(crate) fn with_worktree(&self, letters: &[char]) -> Vec<BString> {
        let those =
            self.tracked.iter().filter(|(_, change)| change.worktree.is_some_and(|w| letters.contains(&w)));
        those.map(|(path, _)| path.clone()).collect()
    }

    /// Takes back the letter of the working tree; a path without another one is no longer listed.
    pub(crate) fn clear_worktree(&mut self, path: &BString) {
        if let Some(change) = self.tracked.get_mut(path) {
            change.worktree = None;
            if *change == Change::default() {
                self.tracked.remove(path);
            }
        }
    }

    /// What these differences make of a submodule. One that only has untracked files inside a submodule of its own has
    /// untracked files.
    pub(crate) fn dirt(&self) -> Dirt {
        let only_untracked =
            |change: &Change| change.stages == 0 && change.staged.is_none() && change.worktree == Some('?');
        Dirt {
            modified: self.tracked.values().any(|change| !only_untracked(change)),
            untracked: !self.untracked.is_empty() || self.tracked.values().any(only_untracked),
        }
    }

    pub(crate) fn untracked(&mut self, path: BString) {
        self.untracked.insert(path);
    }

    /// The lines as seen from `prefix`.
    pub(crate) fn lines(&self, prefix: &BStr, beyond: Beyond) -> Vec<String> {
        let shown = |path: &BString| quote::path(quote::relative(path.as_ref(), prefix).as_ref(), beyond);
        let tracked = self.tracked.iter().map(|(path, change)| {
            let [x, y] = letters(change);
            match &change.source {
                Some(source) if change.stages == 0 => format!("{x}{y} {} -> {}", shown(source), shown(path)),
                _ => format!("{x}{y} {}", shown(path)),
            }
        });
        tracked.chain(self.untracked.iter().map(|path| format!("?? {}", shown(path)))).collect()
    }
}

fn letters(change: &Change) -> [char; 2] {
    match change.stages {
        0 => [change.staged.unwrap_or(' '), change.worktree.unwrap_or(' ')],
        1 => ['D', 'D'],
        2 => ['A', 'U'],
        3 => ['U', 'D'],
        4 => ['U', 'A'],
        5 => ['D', 'U'],
        6 => ['A', 'A'],
        _ => ['U', 'U'],
    }
}
