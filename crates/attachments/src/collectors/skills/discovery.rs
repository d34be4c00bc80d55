//! Skills that fit the first input.

use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    CollectError, Collector, ContextProfile, Decision, Draft, ListedSkill, Outbox, SkillDiscovery, Stage,
    Thread, Threads, TurnView, Work,
};
use context_text::cut_chars;

use super::available::Disk;
use crate::reads::Reads;
use crate::skills::{Match, SkillLimits, SkillSource, ranked};

const LABEL: &str = "skill_discovery";

/// Shared words that make a skill fit whose name shares none.
const LEAST_WORDS: usize = 2;

/// Names the skills that fit a session's first input, and what the host asks for. A sub-agent is told what a skill is, since its prompt may not say so.
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
        let Some(text) = text(turn) else { return Ok(()) };
        if turn.profile.without_skills {
            // A profile that leaves skills out does so from the first words on, which is told with the list of them.
            return match turn.skills_about {
                Some(_) => Ok(out.decide(ContextProfile::leaves_out(LABEL))?),
                None => Ok(()),
            };
        }
        let disk = Disk::look(self.source.as_ref(), &self.reads, turn).await;
        let skills = disk.skills(turn);
        let texts: Vec<_> = skills.iter().map(|skill| (skill.spec.name.as_str(), skill.text())).collect();
        let matches = ranked(&text, texts.iter().map(|(name, text)| (*name, &**text)));
        let fits = |one: &Match| one.in_name || one.words >= LEAST_WORDS;
        let found: Vec<ListedSkill> = matches
            .into_iter()
            .filter(fits)
            .take(self.limits.discovered)
            .map(|one| named(&texts[one.place], self.limits.entry_chars))
            .collect();
        if found.is_empty() {
            return match turn.skills_about {
                Some(_) => Ok(out.decide(none_fits())?),
                None => Ok(()),
            };
        }
        let framed = matches!(turn.thread, Thread::Agent(_));
        Ok(out.push(Draft::new(SkillDiscovery::default().skills(found).framed(framed)))?)
    }
}

/// What is looked at: a session's first words, and what the host asks for.
fn text(turn: &TurnView) -> Option<String> {
    let words = turn.input.as_ref().filter(|input| !input.is_meta && turn.turn == 1);
    let texts: Vec<&str> =
        words.map(|input| &*input.text).into_iter().chain(turn.skills_about.as_deref()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

fn none_fits() -> Decision {
    Decision::left_out(LABEL, "no_skill_fits", "No skill fits what the host asked to look for.")
}

/// The listing cuts at the same place, and tells of it.
fn named((name, text): &(&str, impl AsRef<str>), chars: usize) -> ListedSkill {
    let text = text.as_ref().trim();
    let shown = cut_chars(text, chars);
    let cut = text.chars().count() - shown.chars().count();
    ListedSkill::default().name(*name).description(shown).cut(u64::try_from(cut).unwrap_or(u64::MAX))
}
