//! All skills of a turn: the host's, and those on the disk.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use context_api::{Decision, SkillSpec, Source, TurnView, Verdict};
use context_text::safe_line;

use crate::delta::{DeltaItem, Missing};
use crate::reads::{Looked, Reads};
use crate::skills::{FoundSkill, SkillLoad, SkillPlaces, SkillSource};

/// Kind of the ledger's keys for folders of skills that were found below touched paths.
pub(super) const FOLDERS: &str = "dynamic_skill";
/// What the host's own skills belong to.
const HOST: &str = "host";

/// What a look at the disk brought.
pub(super) struct Disk {
    load: SkillLoad,
    /// Whether the look did not come to its end.
    is_down: bool,
}

impl Disk {
    /// Looks for skills where the turn has to do with them. Without a source there are none.
    pub(super) async fn look(source: Option<&Arc<dyn SkillSource>>, reads: &Reads, turn: &TurnView) -> Self {
        let Some(source) = source.map(Arc::clone) else {
            return Self { load: SkillLoad::default(), is_down: false };
        };
        let cwd = turn.memory.cwd.clone();
        let subjects = vec![(cwd.clone(), places(turn))];
        let looked = reads.all(turn, subjects, move |places| source.find(&places)).await;
        match looked.into_iter().next().map(Looked::into_result) {
            Some(Ok(load)) => Self { load, is_down: false },
            Some(Err(why)) => Self { load: not_looked_at(&why), is_down: true },
            None => Self { load: SkillLoad::default(), is_down: true },
        }
    }

    /// Whether the look did not come to its end.
    pub(super) fn is_down(&self) -> bool {
        self.is_down
    }

    pub(super) fn take_decisions(&mut self) -> Vec<Decision> {
        let mut decisions = std::mem::take(&mut self.load.decisions);
        let hidden = self.load.skills.iter().filter(|skill| !skill.is_listed);
        decisions.extend(hidden.map(|skill| {
            let detail = "Its author wants only people to call it; models are not told of it.";
            Decision::left_out(safe_line(&skill.spec.name), "not_for_models", detail)
        }));
        decisions
    }

    /// Folders below touched paths that were not found before, with the names of their skills.
    pub(super) fn new_folders(&self, turn: &TurnView) -> Vec<(PathBuf, Vec<String>)> {
        let mut folders: Vec<(PathBuf, Vec<String>)> = Vec::new();
        let is_new = |skill: &&FoundSkill| {
            skill.is_nested && turn.ledger.in_view(FOLDERS, &skill.root.to_string_lossy()).is_none()
        };
        for skill in self.load.skills.iter().filter(is_new) {
            match folders.iter_mut().find(|(root, _)| *root == skill.root) {
                Some((_, names)) => names.push(skill.spec.name.clone()),
                None => folders.push((skill.root.clone(), vec![skill.spec.name.clone()])),
            }
        }
        folders
    }

    /// The skills that models are told of: the host's first. One that host and disk know by the same path is one.
    pub(super) fn skills<'a>(&'a self, turn: &'a TurnView) -> Vec<Skill<'a>> {
        let host = turn.host.catalog.skills.items();
        let known: BTreeSet<&PathBuf> = host.iter().filter_map(|skill| skill.path.as_ref()).collect();
        let is_new = |skill: &&FoundSkill| {
            skill.is_listed && skill.spec.path.as_ref().is_none_or(|path| !known.contains(path))
        };
        let on_disk = self.load.skills.iter().filter(is_new);
        let of_host = host.iter().map(|spec| Skill { spec, owner: HOST.into() });
        of_host
            .chain(on_disk.map(|skill| Skill { spec: &skill.spec, owner: skill.root.to_string_lossy() }))
            .collect()
    }

    /// What there is of a skill that was announced and is not among them.
    pub(super) fn missing(&self, turn: &TurnView, owner: Option<&str>) -> Missing {
        match owner {
            Some(HOST) => match turn.host.catalog.skills {
                Source::Ready(_) => Missing::Gone,
                Source::NotReported => Missing::There,
                Source::Unavailable(_) => Missing::Unavailable,
            },
            _ if self.is_down => Missing::Unavailable,
            Some(owner) if self.load.unreachable.iter().any(|root| root.to_string_lossy() == owner) => {
                Missing::Unavailable
            }
            _ => Missing::Gone,
        }
    }
}

/// One skill that models are told of.
pub(super) struct Skill<'a> {
    pub(super) spec: &'a SkillSpec,
    owner: Cow<'a, str>,
}

impl<'a> Skill<'a> {
    /// What it does, and when to use it.
    pub(super) fn text(&self) -> Cow<'a, str> {
        let spec = self.spec;
        match (spec.description.trim_end(), spec.when_to_use.trim()) {
            (description, "") => description.into(),
            ("", when) => when.into(),
            (description, when) => format!("{description} {when}").into(),
        }
    }

    pub(super) fn item(&self) -> DeltaItem<'a> {
        DeltaItem::new(self.spec.name.as_str(), self.text()).owner(Some(self.owner.clone()))
    }
}

fn places(turn: &TurnView) -> SkillPlaces {
    let mut places = SkillPlaces::new(turn.memory.cwd.clone());
    places.touched = turn.touched.iter().map(|touched| touched.path.clone()).collect();
    places.known = turn.ledger.kind_in_view(FOLDERS).map(|(root, _)| PathBuf::from(root)).collect();
    places
}

fn not_looked_at(why: &Looked<()>) -> SkillLoad {
    let verdict = if *why == Looked::TimedOut { Verdict::TimedOut } else { Verdict::Failed };
    let detail = "Skills on the disk were not looked at this turn.";
    let decisions = vec![Decision::new("skills", verdict, why.reason(), detail)];
    SkillLoad { decisions, ..SkillLoad::default() }
}
