//! Skills that fit the first input, or what the host asks for.

use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    CollectError, Collector, Decision, Draft, ListedSkill, Outbox, SkillDiscovery, Stage, Thread, Threads,
    TurnView, Work,
};
use context_text::cut_chars;

use super::available::Disk;
use crate::reads::Reads;
use crate::skills::{Match, SkillLimits, SkillSource, ranked};

const LABEL: &str = "skill_discovery";

/// Shared words that make a skill fit whose name shares none.
const LEAST_WORDS: usize = 2;

/// Names the skills that fit a session's first input, and what the host asks for. A sub-agent is told what a skill is, since
/// its prompt may not say so.
pub struct SkillDiscoveryCollector {
    source: Option<Arc<dyn SkillSource>>,
    reads: Reads,
    limits: SkillLimits,
}

impl SkillDiscoveryCollector {
    /// A collector of the host's skills and of those of `source`, where there is one, which is asked on `threads`.
    pub fn new(source: Option<Arc<dyn SkillSource>>, threads: Arc<dyn Threads>, limits: SkillLimits) -> Self {
        Self { source, reads: Reads::new(threads), limits }
    }
}

#[async_trait]
impl Collector for SkillDiscoveryCollector {
    fn label(&self) -> &str {
        LABEL
    }

    fn stage(&self) -> Stage {
        Stage::Input
    }

    // What blocks is done by `Reads`, where there is something to look for.
    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let asked = Asked::of(turn);
        if asked.is_nothing() || turn.profile.without_skills {
            return Ok(());
        }
        let disk = Disk::look(self.source.as_ref(), &self.reads, turn).await;
        let skills = disk.skills(turn);
        let texts: Vec<_> = skills.iter().map(|skill| (skill.spec.name.as_str(), skill.text())).collect();
        let fitting = |text: Option<&str>| -> Vec<usize> {
            let Some(text) = text else { return Vec::new() };
            let matches = ranked(text, texts.iter().map(|(name, text)| (*name, &**text)));
            let fits = matches.into_iter().filter(|one: &Match| one.in_name || one.words >= LEAST_WORDS);
            fits.take(self.limits.discovered).map(|one| one.place).collect()
        };
        let (about, mut found) = (fitting(asked.about), fitting(asked.words));
        if about.is_empty() && asked.about.is_some() {
            out.decide(none_fits())?;
        }
        found.extend(about.into_iter().filter(|place| !found.contains(place)).collect::<Vec<_>>());
        if found.is_empty() {
            return Ok(());
        }
        let found: Vec<ListedSkill> =
            found.into_iter().map(|place| named(&texts[place], self.limits.entry_chars)).collect();
        let framed = matches!(turn.thread, Thread::Agent(_));
        Ok(out.push(Draft::new(SkillDiscovery::default().skills(found).framed(framed)))?)
    }
}

/// What skills are to fit: a session's first words, and with any words of a person what the host asks for.
struct Asked<'a> {
    words: Option<&'a str>,
    about: Option<&'a str>,
}

impl<'a> Asked<'a> {
    fn of(turn: &'a TurnView) -> Self {
        let words = turn.input.as_ref().filter(|input| !input.is_meta).map(|input| &*input.text);
        let about = words.and(turn.skills_about.as_deref());
        Self { words: words.filter(|_| turn.turn == 1), about }
    }

    fn is_nothing(&self) -> bool {
        self.words.or(self.about).is_none()
    }
}

fn none_fits() -> Decision {
    Decision::left_out(
        LABEL,
        "no_skill_fits",
        "No skill that is known now fits what the host asked to look for.",
    )
}

/// The listing cuts at the same place, and tells of it.
fn named((name, text): &(&str, impl AsRef<str>), chars: usize) -> ListedSkill {
    let text = text.as_ref().trim();
    let shown = cut_chars(text, chars);
    let cut = text.chars().count() - shown.chars().count();
    ListedSkill::default().name(*name).description(shown).cut(u64::try_from(cut).unwrap_or(u64::MAX))
}
