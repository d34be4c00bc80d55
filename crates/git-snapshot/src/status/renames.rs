//! Which new file was which old one.
//!
//! As git documents it (gitdiffcore, "diffcore-rename"): files with the same id first; then, among files whose name
//! without directories is unique on both sides, those that are alike enough; then each new file with the most similar
//! old one, best pairs first. With copies, files that merely changed are sources too and the second step is left out.

use std::collections::HashMap;

use context_api::{Decision, GitRun};
use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Mode;

use super::settings::Renames;
use super::similarity::{self, MAX_SCORE, Profile};

/// A pair needs this score: half of the larger file.
const LEAST: u64 = MAX_SCORE / 2;
/// Pairs with the same name in another directory need this much: halfway between the least and all.
const LEAST_FOR_NAME: u64 = MAX_SCORE * 3 / 4;
/// Sources that are remembered for each target.
const CANDIDATES: usize = 4;
/// Sources with the same id that are looked at for one target.
const IDENTICAL: usize = 100;

/// A file that is there on one side only, or changed (as a source of copies).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) path: BString,
    pub(crate) mode: Mode,
    pub(crate) id: ObjectId,
    /// Still there on the other side: only copies can come from it.
    pub(crate) stays: bool,
}

/// Where contents come from.
pub(crate) trait Contents {
    /// The size of a file, where known without reading it.
    fn size(&mut self, file: &File) -> Option<u64>;
    /// What is in a file.
    fn read(&mut self, file: &File) -> Option<Vec<u8>>;
}

/// What a new file was made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Position among the sources.
    pub(crate) source: usize,
    /// A copy, because the source is still there or has gone somewhere else as well.
    pub(crate) copied: bool,
}

/// For each of `targets`, in path order like `sources`, what it was made of.
pub(crate) fn pair(
    sources: &[File],
    targets: &[File],
    mode: Renames,
    limit: usize,
    contents: &mut dyn Contents,
    run: &GitRun,
) -> Vec<Option<Origin>> {
    if mode == Renames::Off || sources.is_empty() || targets.is_empty() {
        return vec![None; targets.len()];
    }
    let mut pairing = Pairing::new(sources, targets, mode);
    pairing.identical();
    if mode == Renames::On {
        pairing.same_name(contents);
    }
    if pairing.within(limit, run) {
        pairing.similar(contents, run);
    }
    for path in std::mem::take(&mut pairing.doubtful) {
        run.decide(Decision::new(
            path.to_string(),
            context_api::Verdict::Included,
            "rename_pairing_approximate",
            "Git may pair this file with another one, or with none: the scores are too close, or a content is not here.",
        ));
    }
    pairing.origins()
}

struct Pairing<'a> {
    sources: &'a [File],
    targets: &'a [File],
    copies: bool,
    chosen: Vec<Option<usize>>,
    /// How often each source is used; one that stays is used by itself.
    uses: Vec<usize>,
    /// The names of files whose pairing hangs on less than the difference between git's scores and ours.
    doubtful: Vec<BString>,
    profiles: HashMap<ObjectId, Option<Profile>>,
    sizes: HashMap<ObjectId, Option<u64>>,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    score: u64,
    same_name: bool,
    source: usize,
    target: usize,
}

impl Candidate {
    fn rank(&self) -> (u64, bool) {
        (self.score, self.same_name)
    }
}

impl<'a> Pairing<'a> {
    fn new(sources: &'a [File], targets: &'a [File], mode: Renames) -> Self {
        Self {
            sources,
            targets,
            copies: mode == Renames::Copies,
            chosen: vec![None; targets.len()],
            uses: sources.iter().map(|source| usize::from(source.stays)).collect(),
            doubtful: Vec::new(),
            profiles: HashMap::new(),
            sizes: HashMap::new(),
        }
    }

    fn choose(&mut self, target: usize, source: usize) {
        self.chosen[target] = Some(source);
        self.uses[source] += 1;
    }

    fn is_open(&self, source: usize) -> bool {
        self.copies || self.uses[source] == 0
    }

    /// Pairs files with the same id: unused sources are better than used ones, the same name is better than another.
    fn identical(&mut self) {
        let mut by_id: HashMap<ObjectId, Vec<usize>> = HashMap::new();
        for (at, source) in self.sources.iter().enumerate() {
            by_id.entry(source.id).or_default().push(at);
        }
        for target in 0..self.targets.len() {
            let Some(alike) = by_id.get(&self.targets[target].id) else { continue };
            let candidates = alike.iter().copied().filter(|source| self.may_be_identical(*source, target));
            let mut best: Option<(usize, usize)> = None;
            for source in candidates.filter(|source| self.is_open(*source)).take(IDENTICAL) {
                let score =
                    usize::from(self.uses[source] == 0) + usize::from(self.same_name_as(source, target));
                if best.is_none_or(|(least, _)| score > least) {
                    best = Some((score, source));
                }
            }
            if let Some((_, source)) = best {
                self.choose(target, source);
            }
        }
    }

    /// Links and submodules are only paired with their like.
    fn may_be_identical(&self, source: usize, target: usize) -> bool {
        let (source, target) = (&self.sources[source], &self.targets[target]);
        (is_regular(source) && is_regular(target)) || source.mode == target.mode
    }

    fn same_name_as(&self, source: usize, target: usize) -> bool {
        name(self.sources[source].path.as_ref()) == name(self.targets[target].path.as_ref())
    }

    /// Pairs files whose name is unique among what is left on both sides.
    fn same_name(&mut self, contents: &mut dyn Contents) {
        let sources = unique_names(self.open_sources().map(|at| (at, self.sources[at].path.as_ref())));
        let targets = unique_names(self.open_targets().map(|at| (at, self.targets[at].path.as_ref())));
        for source in self.open_sources().collect::<Vec<_>>() {
            let name = name(self.sources[source].path.as_ref());
            if sources.get(name) != Some(&Some(source)) {
                continue;
            }
            let Some(&Some(target)) = targets.get(name) else { continue };
            let score = self.score(source, target, contents);
            self.doubt(source, target, score.abs_diff(LEAST_FOR_NAME));
            if score >= LEAST_FOR_NAME {
                self.choose(target, source);
            }
        }
    }

    fn open_sources(&self) -> impl Iterator<Item = usize> + use<'_, 'a> {
        (0..self.sources.len()).filter(|source| self.is_open(*source))
    }

    fn open_targets(&self) -> impl Iterator<Item = usize> + use<'_, 'a> {
        (0..self.targets.len()).filter(|target| self.chosen[*target].is_none())
    }

    /// Whether what is left may be compared each with each.
    fn within(&self, limit: usize, run: &GitRun) -> bool {
        let (sources, targets) = (self.open_sources().count(), self.open_targets().count());
        let within = limit == 0 || sources.saturating_mul(targets) <= limit.saturating_mul(limit);
        if !within {
            run.decide(Decision::left_out(
                "git status",
                "git_rename_limit",
                format!(
                    "{sources} old and {targets} new files are too many to look for renames with changes."
                ),
            ));
        }
        within
    }

    /// Pairs by similarity, the best pairs first.
    fn similar(&mut self, contents: &mut dyn Contents, run: &GitRun) {
        let sources: Vec<usize> = self.open_sources().collect();
        let mut all = Vec::new();
        for target in self.open_targets().collect::<Vec<_>>() {
            if run.is_over() {
                return;
            }
            let candidates = self.candidates(&sources, target, contents, run);
            self.doubt_best(target, &candidates);
            all.extend(candidates);
        }
        all.sort_by_key(|candidate| std::cmp::Reverse(candidate.rank()));
        self.take(&all, false);
        if self.copies {
            self.take(&all, true);
        }
    }

    /// Notes `target` if `margin` is too small to be sure that git decides as we do.
    fn doubt(&mut self, source: usize, target: usize, margin: u64) {
        let profile = |file: &File| self.profiles.get(&file.id).and_then(Option::as_ref);
        let pair = profile(&self.sources[source]).zip(profile(&self.targets[target]));
        let doubtful = pair.is_some_and(|(source, target)| margin < similarity::noise(source, target));
        let path = &self.targets[target].path;
        if doubtful && self.doubtful.last() != Some(path) {
            self.doubtful.push(path.clone());
        }
    }

    /// Notes `target` if its best source is hardly better than the next, or than none.
    fn doubt_best(&mut self, target: usize, candidates: &[Candidate]) {
        let mut scores: Vec<(u64, usize)> = candidates.iter().map(|one| (one.score, one.source)).collect();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        let Some(&(best, source)) = scores.first() else { return };
        let next = scores.get(1).map_or(0, |(score, _)| *score);
        let to_next = if best == next { u64::MAX } else { best - next };
        self.doubt(source, target, best.abs_diff(LEAST).min(to_next));
    }

    /// The few best sources of `target`; each new one takes the place of the worst.
    fn candidates(
        &mut self,
        sources: &[usize],
        target: usize,
        contents: &mut dyn Contents,
        run: &GitRun,
    ) -> Vec<Candidate> {
        let mut kept: Vec<Candidate> = Vec::with_capacity(CANDIDATES);
        for &source in sources {
            if run.is_over() {
                break;
            }
            let score = self.score(source, target, contents);
            let candidate = Candidate { score, same_name: self.same_name_as(source, target), source, target };
            if kept.len() < CANDIDATES {
                kept.push(candidate);
                continue;
            }
            let worst = (1..CANDIDATES)
                .fold(0, |worst, at| if kept[at].rank() < kept[worst].rank() { at } else { worst });
            if candidate.rank() > kept[worst].rank() {
                kept[worst] = candidate;
            }
        }
        kept
    }

    fn take(&mut self, candidates: &[Candidate], used: bool) {
        for candidate in candidates.iter().take_while(|candidate| candidate.score >= LEAST) {
            if self.chosen[candidate.target].is_none() && (used || self.uses[candidate.source] == 0) {
                self.choose(candidate.target, candidate.source);
            }
        }
    }

    fn score(&mut self, source: usize, target: usize, contents: &mut dyn Contents) -> u64 {
        let (source, target) = (&self.sources[source], &self.targets[target]);
        if !is_regular(source) || !is_regular(target) {
            return 0;
        }
        let sizes =
            [source, target].map(|file| *self.sizes.entry(file.id).or_insert_with(|| contents.size(file)));
        if let [Some(a), Some(b)] = sizes
            && !similarity::sizes_allow(a, b, LEAST)
        {
            return 0;
        }
        for file in [source, target] {
            self.profiles
                .entry(file.id)
                .or_insert_with(|| contents.read(file).map(|text| Profile::of(&text)));
        }
        match (&self.profiles[&source.id], &self.profiles[&target.id]) {
            (Some(source), Some(target)) => similarity::score(source, target),
            _ => {
                // What can not be read (a partial clone has it elsewhere) may be as alike as it likes.
                if !self.doubtful.contains(&target.path) {
                    self.doubtful.push(target.path.clone());
                }
                0
            }
        }
    }

    /// Of the files that come from one that is gone, the last in path order is the rename and the others are copies.
    fn origins(mut self) -> Vec<Option<Origin>> {
        let chosen = std::mem::take(&mut self.chosen);
        chosen
            .into_iter()
            .map(|source| {
                let source = source?;
                self.uses[source] -= 1;
                Some(Origin { source, copied: self.uses[source] > 0 })
            })
            .collect()
    }
}

fn is_regular(file: &File) -> bool {
    matches!(file.mode, Mode::FILE | Mode::FILE_EXECUTABLE)
}

/// The last component of a path.
fn name(path: &BStr) -> &BStr {
    path.rfind_byte(b'/').map_or(path, |at| path[at + 1..].as_bstr())
}

/// Each name with the position of its only bearer; `None` where there are several.
fn unique_names<'a>(files: impl Iterator<Item = (usize, &'a BStr)>) -> HashMap<&'a BStr, Option<usize>> {
    let mut names = HashMap::new();
    for (at, path) in files {
        names.entry(name(path)).and_modify(|at| *at = None).or_insert(Some(at));
    }
    names
}
