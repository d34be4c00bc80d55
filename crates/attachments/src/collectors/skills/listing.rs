//! The listing of skills, and folders of skills that a turn came upon.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    CollectError, Collector, Decision, DeliveryKey, Draft, DynamicSkill, Outbox, SkillListing, Source, Stage,
    Threads, TurnView, Work,
};

use super::available::{Disk, FOLDERS, Skill};
use crate::delta::{Delta, DeltaItem, Missing, difference, unavailable};
use crate::paths::shown;
use crate::reads::Reads;
use crate::skills::{Candidate, SkillLimits, SkillSource, listed, ranked};

const KIND: &str = "skill_listing";

/// Announces skills that the model was never told of, within their room: the first listing is whole, later ones hold what is
/// new, changed or gone. Folders of skills below touched paths are told to people.
pub struct SkillListingCollector {
    source: Option<Arc<dyn SkillSource>>,
    reads: Reads,
    limits: SkillLimits,
    is_filtered: bool,
}

impl SkillListingCollector {
    /// A collector of the host's skills and of those of `source`, where there is one, which is asked on `threads`.
    pub fn new(source: Option<Arc<dyn SkillSource>>, threads: Arc<dyn Threads>, limits: SkillLimits) -> Self {
        Self { source, reads: Reads::new(threads), limits, is_filtered: false }
    }

    /// The same, telling only of skills that fit the input.
    pub fn filtered(mut self, is_filtered: bool) -> Self {
        self.is_filtered = is_filtered;
        self
    }

    /// The items that may be announced now: all, or those that fit the input and those that were announced.
    fn items<'a>(
        &self,
        turn: &TurnView,
        skills: &[Skill<'a>],
        out: &Outbox,
    ) -> Result<Vec<DeltaItem<'a>>, CollectError> {
        let items: Vec<DeltaItem<'a>> = skills.iter().map(Skill::item).collect();
        if !self.is_filtered {
            return Ok(items);
        }
        let input = turn.input.as_ref().map_or("", |input| &*input.text);
        let fitting = ranked(input, items.iter().map(|item| (&*item.name, &*item.text)));
        let fitting: BTreeSet<usize> =
            fitting.iter().take(self.limits.filtered).map(|one| one.place).collect();
        let is_told = |item: &DeltaItem<'_>| turn.ledger.in_view(KIND, &item.name).is_some();
        let all = items.len();
        let kept: Vec<DeltaItem<'a>> = (0..)
            .zip(items)
            .filter(|(place, item)| fitting.contains(place) || is_told(item))
            .map(|(_, item)| item)
            .collect();
        if kept.len() < all {
            let detail =
                format!("{} of {all} skills do not fit the input and are not listed.", all - kept.len());
            out.decide(Decision::left_out(KIND, "not_fitting", detail))?;
        }
        Ok(kept)
    }

    fn tell(
        &self,
        turn: &TurnView,
        skills: &[Skill<'_>],
        delta: &Delta<'_>,
        out: &Outbox,
    ) -> Result<(), CollectError> {
        let uses: BTreeMap<&str, u64> =
            skills.iter().map(|skill| (skill.spec.name.as_str(), skill.spec.uses)).collect();
        let candidates: Vec<Candidate<'_>> = delta
            .added
            .iter()
            .map(|item| Candidate {
                name: &item.name,
                text: &item.text,
                uses: uses.get(&*item.name).copied().unwrap_or_default(),
            })
            .collect();
        let skills = listed(&candidates, self.limits.listing_chars(turn.window), &self.limits, out)?;
        let listing = SkillListing::default()
            .skills(skills)
            .is_initial(delta.is_initial)
            .removed(delta.removed.clone());
        Ok(out.push(delta.draft(KIND, listing.into()))?)
    }
}

#[async_trait]
impl Collector for SkillListingCollector {
    fn label(&self) -> &str {
        KIND
    }

    fn stage(&self) -> Stage {
        Stage::Everywhere
    }

    // What blocks is done by `Reads`.
    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        if turn.profile.without_skills {
            return Ok(());
        }
        let mut disk = Disk::look(self.source.as_ref(), &self.reads, turn).await;
        for decision in disk.take_decisions() {
            out.decide(decision)?;
        }
        if disk.is_down() {
            turn.touched.iter().try_for_each(|touched| out.again(touched.clone()))?;
        }
        if let Source::Unavailable(why) = &turn.host.catalog.skills {
            out.decide(unavailable(KIND, why))?;
        }
        for (root, names) in disk.new_folders(turn) {
            out.push(folder(turn, root, names))?;
        }
        let skills = disk.skills(turn);
        let items = self.items(turn, &skills, out)?;
        let missing = |_: &str, owner: Option<&str>| -> Missing { disk.missing(turn, owner) };
        match difference(turn, KIND, items, &missing, out)? {
            Some(delta) => self.tell(turn, &skills, &delta, out),
            None => Ok(()),
        }
    }
}

fn folder(turn: &TurnView, root: PathBuf, names: Vec<String>) -> Draft {
    let key = DeliveryKey::new(FOLDERS, root.to_string_lossy(), "");
    Draft::new(DynamicSkill::default().display_path(shown(&turn.cwd, &root)).directory(root).skills(names))
        .key(key)
}
