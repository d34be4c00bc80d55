//! The parts that features bring.

use std::sync::Arc;

use context_api::{
    Clock, Decision, Dialect, FileChanges, FileReader, FileStates, FileSystem, GitSource, MemoryLoader,
    ReadPolicy,
};

use attachments::SkillSource;

use super::{EngineBuilder, Part};
use crate::parts::StatesFactory;

/// What a part is: given, none, or the default made now.
fn chosen<T: ?Sized>(part: Part<T>, default: impl FnOnce() -> Option<Arc<T>>) -> Option<Arc<T>> {
    match part {
        Part::Given(part) => Some(part),
        Part::None => None,
        Part::Default => default(),
    }
}

impl EngineBuilder {
    pub(super) fn memory_part(
        &mut self,
        files: &Arc<dyn FileSystem>,
        policy: &Arc<dyn ReadPolicy>,
    ) -> Option<Arc<dyn MemoryLoader>> {
        let part = std::mem::replace(&mut self.memory, Part::None);
        chosen(part, || self.default_memory(files, policy))
    }

    pub(super) fn git_part(&mut self, clock: &Arc<dyn Clock>) -> Option<Arc<dyn GitSource>> {
        chosen(std::mem::replace(&mut self.git, Part::None), || default_git(clock))
    }

    pub(super) fn reader_part(
        &mut self,
        files: &Arc<dyn FileSystem>,
        policy: &Arc<dyn ReadPolicy>,
        clock: &Arc<dyn Clock>,
    ) -> Option<Arc<dyn FileReader>> {
        chosen(std::mem::replace(&mut self.reader, Part::None), || default_reader(files, policy, clock))
    }

    pub(super) fn changes_part(
        &mut self,
        files: &Arc<dyn FileSystem>,
        reader: Option<&Arc<dyn FileReader>>,
        clock: &Arc<dyn Clock>,
    ) -> Option<Arc<dyn FileChanges>> {
        let part = std::mem::replace(&mut self.changes, Part::None);
        chosen(part, || {
            let (changes, problems) = default_changes(files, reader?, clock, &self.options.ignored_changes)?;
            self.settings.decisions.extend(problems);
            Some(changes)
        })
    }

    pub(super) fn skills_part(
        &mut self,
        files: &Arc<dyn FileSystem>,
        policy: &Arc<dyn ReadPolicy>,
    ) -> Option<Arc<dyn SkillSource>> {
        let part = std::mem::replace(&mut self.skills, Part::None);
        chosen(part, || self.default_skills(files, policy))
    }

    #[cfg(feature = "skills")]
    fn default_skills(
        &mut self,
        files: &Arc<dyn FileSystem>,
        policy: &Arc<dyn ReadPolicy>,
    ) -> Option<Arc<dyn SkillSource>> {
        let mut options = attachments::SkillOptions::default();
        options.home = self.home.clone();
        options.plugins = std::mem::take(&mut self.plugins);
        options.limits = self.skill_limits.clone();
        Some(Arc::new(attachments::FsSkillSource::new(Arc::clone(files), Arc::clone(policy), options)))
    }

    #[cfg(not(feature = "skills"))]
    fn default_skills(
        &mut self,
        _: &Arc<dyn FileSystem>,
        _: &Arc<dyn ReadPolicy>,
    ) -> Option<Arc<dyn SkillSource>> {
        None
    }

    pub(super) fn dialect_part(&mut self) -> Option<Arc<dyn Dialect>> {
        chosen(std::mem::replace(&mut self.dialect, Part::None), default_dialect)
    }

    #[cfg(feature = "claudemd")]
    fn default_memory(
        &mut self,
        files: &Arc<dyn FileSystem>,
        policy: &Arc<dyn ReadPolicy>,
    ) -> Option<Arc<dyn MemoryLoader>> {
        let settings = &self.settings;
        let mut options = claudemd::MemoryOptions::default();
        options.home = self.home.clone();
        options.managed_dir = self.managed.clone();
        options.managed_text = settings.managed_memory.clone();
        options.excludes = settings.memory_excludes.clone();
        options.disabled = settings.disable_memory;
        options.auto_memory = settings.auto_memory.unwrap_or(true);
        options.auto_memory_dir = settings.auto_memory_directory.clone();
        if let Some(change) = self.memory_options.take() {
            change(&mut options);
        }
        Some(Arc::new(claudemd::FsMemoryLoader::new(Arc::clone(files), Arc::clone(policy), options)))
    }

    #[cfg(not(feature = "claudemd"))]
    fn default_memory(
        &mut self,
        _: &Arc<dyn FileSystem>,
        _: &Arc<dyn ReadPolicy>,
    ) -> Option<Arc<dyn MemoryLoader>> {
        None
    }
}

#[cfg(feature = "git")]
fn default_git(clock: &Arc<dyn Clock>) -> Option<Arc<dyn GitSource>> {
    let clock = Arc::clone(clock);
    // What git reads on this machine decides what its status lists.
    Some(Arc::new(
        git_snapshot::GixSource::new(Arc::new(move || clock.now())).with_system_config("/etc/gitconfig"),
    ))
}

#[cfg(not(feature = "git"))]
fn default_git(_: &Arc<dyn Clock>) -> Option<Arc<dyn GitSource>> {
    None
}

#[cfg(feature = "files")]
fn default_reader(
    files: &Arc<dyn FileSystem>,
    policy: &Arc<dyn ReadPolicy>,
    clock: &Arc<dyn Clock>,
) -> Option<Arc<dyn FileReader>> {
    let limits = file_reader::ReadLimits::default();
    let reader =
        file_reader::StandardReader::new(Arc::clone(files), Arc::clone(policy), Arc::clone(clock), limits);
    Some(Arc::new(reader))
}

#[cfg(not(feature = "files"))]
fn default_reader(
    _: &Arc<dyn FileSystem>,
    _: &Arc<dyn ReadPolicy>,
    _: &Arc<dyn Clock>,
) -> Option<Arc<dyn FileReader>> {
    None
}

/// A check of changed files, and what is wrong with the patterns of those to ignore.
type Check = (Arc<dyn FileChanges>, Vec<Decision>);

#[cfg(feature = "files")]
fn default_changes(
    files: &Arc<dyn FileSystem>,
    reader: &Arc<dyn FileReader>,
    clock: &Arc<dyn Clock>,
    ignored: &[String],
) -> Option<Check> {
    let limits = file_reader::ChangeLimits::default();
    let check =
        file_reader::ChangeCheck::new(Arc::clone(files), Arc::clone(reader), Arc::clone(clock), limits);
    let (check, problems) = check.ignoring(ignored);
    let told = problems.into_iter().map(|problem| {
        let detail = format!("The pattern of ignored changes matches nothing: {}.", problem.reason);
        Decision::left_out(problem.pattern, "bad_pattern", detail)
    });
    Some((Arc::new(check), told.collect()))
}

#[cfg(not(feature = "files"))]
fn default_changes(
    _: &Arc<dyn FileSystem>,
    _: &Arc<dyn FileReader>,
    _: &Arc<dyn Clock>,
    _: &[String],
) -> Option<Check> {
    None
}

/// Makes the file states of a session.
#[cfg(feature = "files")]
pub(super) fn states() -> StatesFactory {
    Arc::new(|| Arc::new(file_state_cache::FileStateCache::default()) as Arc<dyn FileStates>)
}

/// Makes the file states of a session.
#[cfg(not(feature = "files"))]
pub(super) fn states() -> StatesFactory {
    Arc::new(|| Arc::new(crate::states::NoStates) as Arc<dyn FileStates>)
}

#[cfg(feature = "dialects")]
fn default_dialect() -> Option<Arc<dyn Dialect>> {
    Some(Arc::new(dialects::Anthropic::default()))
}

#[cfg(not(feature = "dialects"))]
fn default_dialect() -> Option<Arc<dyn Dialect>> {
    None
}
