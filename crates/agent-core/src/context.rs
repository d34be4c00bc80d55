//! The context in front of a history: sections, git facts, memory, date. Computed once a session, then by name only.

mod hosted;

use std::sync::Arc;
use std::time::Instant;

use context_api::{
    ContextPiece, ContextProfile, ContextRecord, Decision, GitError, GitRun, GitSnapshot, Head, HostSnapshot,
    InvalidateEvent, MemoryFile, MemoryLoad, MemoryScope, PromptFacts, Section, SectionScope, ShownMemory,
    Verdict,
};
use jiff::civil::Date;

use crate::offload::{Offloaded, Unfinished, offload};
use crate::parts::Parts;
use hosted::{HostedJob, HostedPieces};

/// What decisions on memory as a whole are about.
const MEMORY_SUBJECT: &str = "memory";
/// Key of the memory text in the user context.
const MEMORY: &str = "claudeMd";
/// Key of the date in the user context.
const DATE: &str = "currentDate";
/// Key of the git facts in the system context.
pub(crate) const GIT: &str = "gitStatus";
/// Key of the cache breaker in the system context.
const BREAKER: &str = "cacheBreaker";

/// Which parts of the context are to be computed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Stale {
    pub(crate) sections: bool,
    pub(crate) user: bool,
    pub(crate) git: bool,
    pub(crate) memory_cache: bool,
    pub(crate) breaker: Option<String>,
}

impl Stale {
    /// All of it: a new session.
    pub(crate) fn all() -> Self {
        Self { sections: true, user: true, git: true, ..Self::default() }
    }

    pub(crate) fn is_any(&self) -> bool {
        *self != Self::default()
    }

    /// Marks what a named reason concerns.
    pub(crate) fn mark(&mut self, event: InvalidateEvent, detail: &str) {
        match event {
            InvalidateEvent::Clear | InvalidateEvent::WorktreeChanged => {
                *self = Self { memory_cache: true, ..Self::all() };
            }
            InvalidateEvent::MemoryEdited | InvalidateEvent::SettingsChanged => {
                (self.sections, self.user, self.memory_cache) = (true, true, true);
            }
            InvalidateEvent::Compact => (self.user, self.memory_cache) = (true, true),
            InvalidateEvent::CacheBreaker => {
                (self.user, self.breaker) = (true, Some(detail.to_owned()));
            }
            InvalidateEvent::Sections => self.sections = true,
            _ => {}
        }
    }
}

/// What the context is computed for.
pub(crate) struct Moment<'a> {
    pub(crate) host: &'a HostSnapshot,
    pub(crate) today: Date,
    /// Whether the turn's events announce what changes, so that no section has to hold it.
    pub(crate) announces: bool,
    /// What of it is left out.
    pub(crate) profile: &'a ContextProfile,
}

/// The context of a session, memoised.
#[derive(Debug, Clone, Default)]
pub(crate) struct Context {
    pub(crate) sections: Arc<Vec<Section>>,
    pub(crate) record: ContextRecord,
    pub(crate) memory_files: Arc<Vec<MemoryFile>>,
    pub(crate) git: Option<GitSnapshot>,
    pub(crate) is_git: Option<bool>,
    hosted: HostedPieces,
}

impl Context {
    /// The context that a transcript holds.
    pub(crate) fn restored(record: ContextRecord) -> Self {
        Self {
            sections: record.basis.sections.clone(),
            is_git: record.basis.is_git,
            record,
            ..Self::default()
        }
    }

    /// The branch that was checked out when git facts were taken.
    pub(crate) fn branch(&self) -> Option<&str> {
        match &self.git.as_ref()?.branch {
            Head::Branch { name, .. } => Some(name),
            _ => None,
        }
    }

    /// What is stale, computed anew; the rest as it is.
    pub(crate) async fn refreshed(
        &self,
        parts: &Arc<Parts>,
        stale: &Stale,
        scope: &MemoryScope,
        moment: &Moment<'_>,
        decisions: &mut Vec<Decision>,
    ) -> Self {
        let mut next = self.clone();
        // All are started before any is waited for.
        let hosted = HostedJob::start(parts, stale, scope, decisions);
        let profile = moment.profile;
        decisions.extend(left_out_by(profile, stale));
        let git = (stale.git && !profile.without_git).then(|| GitJob::start(parts, scope)).flatten();
        let memory = stale.user.then(|| start_memory(parts, scope, stale.memory_cache)).flatten();
        if let Some(memory) = memory {
            let files = finish_memory(memory, parts, decisions).await.files;
            next.memory_files = Arc::new(shown_by(profile, files, decisions));
        }
        if stale.git {
            next.git = None;
            next.is_git = None;
        }
        if let Some(git) = git {
            git.finish(parts, &mut next, decisions).await;
        }
        let said = hosted.finish(parts, decisions).await;
        if stale.user {
            next.hosted.user = said.user;
        }
        if stale.git {
            next.hosted.system = said.system;
        }
        next.record = next.record_of(parts, self, stale, moment.today, decisions);
        if stale.sections || stale.git {
            let facts = next.facts(parts, moment);
            next.sections = Arc::new(parts.options.base_prompt.choose(|| parts.prompt.sections(&facts)));
        }
        next
    }

    /// The same context with what is computed for each request, and the keys of what is other than before; `None` where
    /// nothing is.
    pub(crate) fn with_volatile(&self, parts: &Parts, moment: &Moment<'_>) -> Option<(Self, Vec<String>)> {
        if !parts.options.base_prompt.uses_default_sections() {
            return None;
        }
        let now = parts.prompt.volatile(&self.facts(parts, moment));
        let is_volatile = |section: &&Section| section.scope == SectionScope::Volatile;
        let before: Vec<&Section> = self.sections.iter().filter(is_volatile).collect();
        if before.iter().copied().eq(&now) {
            return None;
        }
        let kept = |section: &&Section| before.contains(section) && now.contains(section);
        let mut changed: Vec<String> =
            before.iter().copied().chain(&now).filter(|one| !kept(one)).map(|one| one.key.clone()).collect();
        changed.dedup();
        let others = self.sections.iter().filter(|section| !is_volatile(section)).cloned();
        let sections = Arc::new(others.chain(now.iter().cloned()).collect());
        Some((Self { sections, ..self.clone() }, changed))
    }

    fn record_of(
        &self,
        parts: &Parts,
        before: &Self,
        stale: &Stale,
        today: Date,
        decisions: &mut Vec<Decision>,
    ) -> ContextRecord {
        let mut record = before.record.clone();
        if stale.user {
            let text =
                parts.memory.as_ref().map(|loader| loader.render(&self.memory_files)).unwrap_or_default();
            let pieces = [(MEMORY, text), (DATE, today.to_string())];
            let pieces = pieces.into_iter().filter_map(piece).chain(self.hosted.user.iter().cloned());
            record = record.user(pieces.collect::<Vec<_>>()).date(today);
            record.memory = self.memory_files.iter().map(shown).collect();
        }
        if stale.git {
            let breaker = record.system.iter().position(|piece| piece.key == BREAKER);
            let breaker = breaker.map(|place| record.system.remove(place));
            record.system.clear();
            if let (Some(source), Some(snapshot)) = (&parts.git, &self.git) {
                let (text, cut) = source.render(snapshot);
                decisions.extend(cut);
                record.system.extend(piece((GIT, context_text::neutralise(&text).into_owned())));
            }
            record.system.extend(self.hosted.system.iter().cloned().chain(breaker));
        }
        if let Some(text) = &stale.breaker {
            record.system.retain(|piece| piece.key != BREAKER);
            record.system.extend(piece((BREAKER, text.clone())));
        }
        record
    }

    fn facts(&self, parts: &Parts, moment: &Moment<'_>) -> PromptFacts {
        let options = &parts.options;
        let host = moment.host;
        let machine = &options.machine;
        PromptFacts::default()
            .model(options.model.clone())
            .knowledge_cutoff(options.knowledge_cutoff.clone())
            .cwd(options.cwd.clone())
            .additional_directories(options.additional_directories.clone())
            .is_git(self.is_git)
            .platform(machine.platform.clone())
            .shell(machine.shell.clone())
            .os_version(machine.os_version.clone())
            .language(host.modes.language.clone().or_else(|| options.language.clone()))
            .scratchpad(options.scratchpad.clone())
            .turn_target(host.budgets.turn_target)
            .agents(host.catalog.agents.items().to_vec())
            .has_skills(!host.catalog.skills.items().is_empty() && !moment.profile.without_skills)
            .mcp(if moment.announces { Vec::new() } else { host.catalog.mcp.items().to_vec() })
            .tool_names(options.projection.tool_names.clone())
    }
}

fn piece((key, text): (&str, String)) -> Option<ContextPiece> {
    (!text.trim().is_empty()).then(|| ContextPiece::default().key(key).text(text))
}

/// What a profile leaves out besides files, told where it would be computed.
fn left_out_by(profile: &ContextProfile, stale: &Stale) -> Vec<Decision> {
    let parts = [("git", stale.git && profile.without_git), ("skills", stale.user && profile.without_skills)];
    let hidden = parts.into_iter().filter(|(_, is_hidden)| *is_hidden);
    hidden.map(|(subject, _)| ContextProfile::leaves_out(subject)).collect()
}

/// The files that a profile shows; each other one is told.
fn shown_by(
    profile: &ContextProfile,
    files: Vec<MemoryFile>,
    decisions: &mut Vec<Decision>,
) -> Vec<MemoryFile> {
    let (shown, hidden): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| profile.shows(file));
    decisions.extend(hidden.iter().map(|file| profile.hides(file)));
    shown
}

fn shown(file: &MemoryFile) -> ShownMemory {
    ShownMemory::default()
        .path(file.path.clone())
        .canonical(file.canonical.clone())
        .kind(file.kind)
        .hash(file.hash.clone())
}

type Loaded = Result<MemoryLoad, context_api::MemoryError>;

fn start_memory(parts: &Arc<Parts>, scope: &MemoryScope, forget: bool) -> Option<Offloaded<Loaded>> {
    let loader = Arc::clone(parts.memory.as_ref()?);
    let scope = scope.clone();
    Some(offload(&parts.threads, move || {
        if forget {
            loader.forget();
        }
        loader.load(&scope)
    }))
}

async fn finish_memory(
    memory: Offloaded<Loaded>,
    parts: &Parts,
    decisions: &mut Vec<Decision>,
) -> MemoryLoad {
    let deadline = Instant::now() + parts.options.limits.memory_wait;
    match memory.until(&parts.timer, deadline).await {
        Ok(Ok(load)) => {
            decisions.extend(load.decisions.iter().cloned());
            load
        }
        Ok(Err(error)) => {
            decisions.push(Decision::failed(MEMORY_SUBJECT, "memory_not_loaded", format!("{error}.")));
            MemoryLoad::default()
        }
        Err(why) => {
            decisions.push(unfinished(
                MEMORY_SUBJECT,
                &why,
                "The memory files did not load; the request goes without them.",
            ));
            MemoryLoad::default()
        }
    }
}

/// Memory as it is now, as far as it loads in time; what was decided of single files is told where they are shown.
pub(crate) async fn memory_of(
    parts: &Arc<Parts>,
    scope: &MemoryScope,
    decisions: &mut Vec<Decision>,
) -> Vec<MemoryFile> {
    let Some(memory) = start_memory(parts, scope, false) else { return Vec::new() };
    let mut said = Vec::new();
    let load = finish_memory(memory, parts, &mut said).await;
    let is_lost = |one: &Decision| matches!(one.verdict, Verdict::Failed | Verdict::TimedOut);
    decisions.extend(said.into_iter().filter(|one| one.subject == MEMORY_SUBJECT && is_lost(one)));
    load.files
}

fn unfinished(subject: &str, why: &Unfinished, detail: &str) -> Decision {
    let verdict = if *why == Unfinished::TimedOut { Verdict::TimedOut } else { Verdict::Failed };
    Decision::new(subject, verdict, why.reason(), detail)
}

/// Why git facts are not whole.
const TOO_LATE: &str = "The snapshot did not end in time; what was known by then is shown.";

/// A snapshot under way.
struct GitJob {
    work: Offloaded<Result<Option<GitSnapshot>, GitError>>,
    run: GitRun,
    deadline: Instant,
}

impl GitJob {
    fn start(parts: &Arc<Parts>, scope: &MemoryScope) -> Option<Self> {
        let options = &parts.options;
        if !options.include_git || !options.base_prompt.wants_system_context() {
            return None;
        }
        let source = Arc::clone(parts.git.as_ref()?);
        let over = Instant::now() + options.git.budget;
        let run = GitRun::new().with_deadline(over);
        let (its, cwd, its_options) = (run.clone(), scope.cwd.clone(), options.git.clone());
        let work = offload(&parts.threads, move || source.snapshot(&cwd, &its_options, &its));
        Some(Self { work, run, deadline: over + options.limits.git_grace })
    }

    async fn finish(self, parts: &Parts, next: &mut Context, decisions: &mut Vec<Decision>) {
        let ended = self.work.until(&parts.timer, self.deadline).await;
        self.run.interrupt();
        let partial = self.run.partial();
        match ended {
            Ok(Ok(snapshot)) => {
                next.is_git = Some(snapshot.is_some());
                next.git = snapshot;
            }
            Ok(Err(GitError::Interrupted { .. })) => {
                decisions.push(unfinished("git", &Unfinished::TimedOut, TOO_LATE));
                next.git = partial;
            }
            Ok(Err(error)) => {
                decisions.push(Decision::failed("git", "git_not_read", format!("{error}.")));
                next.git = partial;
            }
            Err(why) => {
                decisions.push(unfinished("git", &why, TOO_LATE));
                next.git = partial;
            }
        }
        next.is_git = next.is_git.or(next.git.as_ref().map(|_| true));
        decisions.extend(self.run.take_decisions());
    }
}
