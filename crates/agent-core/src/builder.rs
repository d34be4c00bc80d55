//! Putting an engine together.

#[cfg(feature = "compaction")]
mod budget;
mod collectors;
mod defaults;
mod host_parts;
#[cfg(feature = "memories")]
mod memories;

use std::path::PathBuf;
use std::sync::Arc;

use attachments::{
    Bus, BusLimits, ChangedFilesCollector, DateChangeCollector, MemoryDeltaCollector, MentionLimits,
    MentionSources, Mentions, NestedMemoryCollector, ResourceReader, SessionMemoryCollector,
    SessionMemoryLimits, SkillLimits, SkillSource, Timer,
};
use context_api::{
    BlobStore, Clock, Collector, ContextSource, Dialect, FileChanges, FileReader, FileSystem, GitSource,
    HostHandler, Ids, MemoryLoader, Projector, ReadPolicy, SystemPrompt, Threads, TranscriptStore, Unhandled,
};

use self::collectors::Skills;
use crate::parts::{EngineOptions, Parts, StatesFactory};
use crate::settings::{DenyRules, Settings};
use crate::{Engine, Error, IoPool, LocalFs, PoolLimits, SystemClock, SystemIds};
use host_parts::{Reach, register_ide, register_others};

/// Puts an engine together: parts with defaults, each replaceable.
#[must_use]
pub struct EngineBuilder {
    pub(crate) options: EngineOptions,
    pub(crate) settings: Settings,
    pub(crate) home: Option<PathBuf>,
    pub(crate) managed: Option<PathBuf>,
    pub(crate) files: Option<Arc<dyn FileSystem>>,
    pub(crate) policy: Option<Arc<dyn ReadPolicy>>,
    pub(crate) memory: Part<dyn MemoryLoader>,
    pub(crate) git: Part<dyn GitSource>,
    pub(crate) reader: Part<dyn FileReader>,
    pub(crate) changes: Part<dyn FileChanges>,
    pub(crate) skills: Part<dyn SkillSource>,
    pub(crate) skill_limits: SkillLimits,
    #[cfg(feature = "memories")]
    relevant: memories::Relevant,
    #[cfg(feature = "skills")]
    pub(crate) plugins: Vec<attachments::SkillPlugin>,
    pub(crate) dialect: Part<dyn Dialect>,
    states: Option<StatesFactory>,
    projector: Option<Arc<dyn Projector>>,
    prompt: Option<Arc<dyn SystemPrompt>>,
    store: Option<Arc<dyn TranscriptStore>>,
    blobs: Option<Arc<dyn BlobStore>>,
    #[cfg(feature = "transcript")]
    transcripts: Option<PathBuf>,
    context_sources: Vec<Arc<dyn ContextSource>>,
    handler: Option<Arc<dyn HostHandler>>,
    resources: Option<Arc<dyn ResourceReader>>,
    clock: Option<Arc<dyn Clock>>,
    ids: Option<Arc<dyn Ids>>,
    threads: Option<Arc<dyn Threads>>,
    pool: PoolLimits,
    bus: BusLimits,
    collectors: Vec<Arc<dyn Collector>>,
    wrap: Option<Wrap>,
    #[cfg(feature = "claudemd")]
    pub(crate) memory_options: Option<ChangeMemory>,
    #[cfg(feature = "compaction")]
    pub(crate) budget: crate::budget::BudgetParts,
}

/// Puts something in the place of a collector.
type Wrap = Box<dyn FnMut(Arc<dyn Collector>) -> Arc<dyn Collector>>;

/// Changes how memory files are found.
#[cfg(feature = "claudemd")]
type ChangeMemory = Box<dyn FnOnce(&mut claudemd::MemoryOptions)>;

/// A part that may be the default one, another, or none.
pub(crate) enum Part<T: ?Sized> {
    Default,
    Given(Arc<T>),
    None,
}

macro_rules! replaceable {
    ($($(#[$meta:meta])* $name:ident: $trait:ident;)+) => {$(
        $(#[$meta])*
        pub fn $name(mut self, part: impl $trait) -> Self {
            self.$name = Some(Arc::new(part));
            self
        }
    )+};
}

macro_rules! removable {
    ($($(#[$meta:meta])* $name:ident, $without:ident: $trait:ident;)+) => {$(
        $(#[$meta])*
        pub fn $name(mut self, part: impl $trait) -> Self {
            self.$name = Part::Given(Arc::new(part));
            self
        }

        #[doc = concat!("Goes without the part that [`EngineBuilder::", stringify!($name), "`] replaces.")]
        pub fn $without(mut self) -> Self {
            self.$name = Part::None;
            self
        }
    )+};
}

impl EngineBuilder {
    pub(crate) fn new(cwd: PathBuf) -> Self {
        Self {
            options: EngineOptions::new(cwd),
            settings: Settings::default(),
            home: None,
            managed: None,
            files: None,
            policy: None,
            memory: Part::Default,
            git: Part::Default,
            reader: Part::Default,
            changes: Part::Default,
            skills: Part::Default,
            skill_limits: SkillLimits::default(),
            #[cfg(feature = "memories")]
            relevant: memories::Relevant::default(),
            #[cfg(feature = "skills")]
            plugins: Vec::new(),
            dialect: Part::Default,
            states: None,
            projector: None,
            prompt: None,
            store: None,
            blobs: None,
            #[cfg(feature = "transcript")]
            transcripts: None,
            context_sources: Vec::new(),
            handler: None,
            resources: None,
            clock: None,
            ids: None,
            threads: None,
            pool: PoolLimits::default(),
            bus: BusLimits::default(),
            collectors: Vec::new(),
            wrap: None,
            #[cfg(feature = "claudemd")]
            memory_options: None,
            #[cfg(feature = "compaction")]
            budget: crate::budget::BudgetParts::default(),
        }
    }

    /// The model's name.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.options.model = model.into();
        self
    }

    /// The home directory: user memory, user settings, `~`. Default none.
    pub fn home(mut self, home: impl Into<Option<PathBuf>>) -> Self {
        self.home = home.into();
        self
    }

    /// The organisation's directory. Default none; see `claudemd` for the platform's.
    pub fn managed_dir(mut self, directory: impl Into<Option<PathBuf>>) -> Self {
        self.managed = directory.into();
        self
    }

    /// What settings files and environment say.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Changes other options.
    pub fn options(mut self, change: impl FnOnce(&mut EngineOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// Changes how memory files are found, after settings were taken in.
    #[cfg(feature = "claudemd")]
    pub fn memory_options(mut self, change: impl FnOnce(&mut claudemd::MemoryOptions) + 'static) -> Self {
        self.memory_options = Some(Box::new(change));
        self
    }

    /// Limits of the bus, its deadline among them.
    pub fn bus_limits(mut self, change: impl FnOnce(&mut BusLimits)) -> Self {
        change(&mut self.bus);
        self
    }

    /// Limits of the engine's threads.
    pub fn pool_limits(mut self, limits: PoolLimits) -> Self {
        self.pool = limits;
        self
    }

    /// Limits of skills.
    pub fn skill_limits(mut self, change: impl FnOnce(&mut SkillLimits)) -> Self {
        change(&mut self.skill_limits);
        self
    }

    /// A plugin that may bring skills.
    #[cfg(feature = "skills")]
    pub fn plugin(mut self, name: impl Into<String>, directory: impl Into<PathBuf>) -> Self {
        let (name, directory) = (name.into(), directory.into());
        self.plugins.push(attachments::SkillPlugin { name, directory });
        self
    }

    /// Keeps sessions, and the bytes that they only name, as files below `root`, unless a store or blobs are given.
    #[cfg(feature = "transcript")]
    pub fn transcripts(mut self, root: impl Into<PathBuf>) -> Self {
        self.transcripts = Some(root.into());
        self
    }

    /// Makes the file states of each new session.
    pub fn file_states(mut self, make: StatesFactory) -> Self {
        self.states = Some(make);
        self
    }

    /// Adds an entry of the host's own to one of the contexts, behind the others.
    pub fn context_source(mut self, source: impl ContextSource) -> Self {
        self.context_sources.push(Arc::new(source));
        self
    }

    /// Adds a collector behind those that come with the engine.
    pub fn collector(mut self, collector: impl Collector) -> Self {
        self.collectors.push(Arc::new(collector));
        self
    }

    /// Puts `wrap(collector)` in the place of each collector, for tests that inject faults.
    pub fn wrap_collectors(
        mut self,
        wrap: impl FnMut(Arc<dyn Collector>) -> Arc<dyn Collector> + 'static,
    ) -> Self {
        self.wrap = Some(Box::new(wrap));
        self
    }

    replaceable! {
        /// How files are reached.
        files: FileSystem;
        /// Who may be read.
        policy: ReadPolicy;
        /// How entries are seen.
        projector: Projector;
        /// Which sections make the base prompt.
        prompt: SystemPrompt;
        /// Where entries last.
        store: TranscriptStore;
        /// Where bytes last that entries only name.
        blobs: BlobStore;
        /// What the host does with signals.
        handler: HostHandler;
        /// What is in resources of MCP servers. Default none: mentions of them are decisions.
        resources: ResourceReader;
        /// The time.
        clock: Clock;
        /// Identities.
        ids: Ids;
        /// Where blocking work runs.
        threads: Threads;
    }

    removable! {
        /// Which instructions hold.
        memory, without_memory: MemoryLoader;
        /// What state the repository is in.
        git, without_git: GitSource;
        /// What a model gets to see of a path.
        reader, without_reader: FileReader;
        /// Which files changed since the model saw them.
        changes, without_changes: FileChanges;
        /// Which skills are there.
        skills, without_skills: SkillSource;
        /// The provider whose limits each request is checked against.
        dialect, without_dialect: Dialect;
    }

    /// The engine.
    ///
    /// # Errors
    /// The working directory is not absolute.
    pub fn build(mut self) -> Result<Engine, Error> {
        if !self.options.cwd.is_absolute() {
            let reason = format!("{} is not absolute", self.options.cwd.display());
            return Err(Error::Build { part: "working directory", reason });
        }
        self.take_settings();
        let files = self.files.take().unwrap_or_else(|| Arc::new(LocalFs::new()));
        let clock = self.clock.take().unwrap_or_else(|| Arc::new(SystemClock::new()));
        let policy = self.policy.take().unwrap_or_else(|| {
            let (rules, problems) =
                DenyRules::compile(&*files, &self.settings.deny_read, self.home.as_deref());
            self.settings.decisions.extend(problems);
            Arc::new(rules)
        });
        let memory = self.memory_part(&files, &policy);
        let git = self.git_part(&clock);
        let reader = self.reader_part(&files, &policy, &clock);
        let threads = self.threads.take().unwrap_or_else(|| Arc::new(IoPool::new(self.pool.clone())));
        #[cfg(feature = "transcript")]
        self.open_transcripts(&threads);
        let changes = self.changes_part(&files, reader.as_ref(), &clock);
        let skills = self.skills_part(&files, &policy);
        let reach =
            Reach { files: Arc::clone(&files), policy: Arc::clone(&policy), threads: Arc::clone(&threads) };
        let bus = self.bus_of(&reach, reader.as_ref(), changes, memory.as_ref(), skills.as_ref());
        #[cfg(feature = "memories")]
        let finder = self.relevant.finder(memory.as_ref(), &reach);
        Ok(Engine(Arc::new(Parts {
            memory,
            git,
            reader,
            skills,
            #[cfg(feature = "memories")]
            finder,
            states: self.states.take().unwrap_or_else(defaults::states),
            projector: self
                .projector
                .take()
                .unwrap_or_else(|| Arc::new(projector::StandardProjector::default())),
            prompt: self
                .prompt
                .take()
                .unwrap_or_else(|| Arc::new(prompt_assembly::SectionRegistry::standard())),
            dialect: self.dialect_part(),
            store: self.store,
            blobs: self.blobs,
            context_sources: self.context_sources,
            handler: self.handler.unwrap_or_else(|| Arc::new(Unhandled)),
            ids: self.ids.unwrap_or_else(|| Arc::new(SystemIds)),
            settings_decisions: self.settings.decisions,
            timer: Timer::default(),
            options: self.options,
            files,
            policy,
            clock,
            threads,
            bus,
            #[cfg(feature = "compaction")]
            budget: self.budget,
        })))
    }

    #[cfg(feature = "transcript")]
    fn open_transcripts(&mut self, threads: &Arc<dyn Threads>) {
        let Some(root) = self.transcripts.take() else { return };
        let store = transcript::JsonlStore::new(root, Arc::clone(threads));
        self.blobs.get_or_insert_with(|| Arc::new(store.blobs(transcript::BlobLimits::default())));
        self.store.get_or_insert_with(|| Arc::new(store));
    }

    fn take_settings(&mut self) {
        let settings = &self.settings;
        let options = &mut self.options;
        options.additional_directories.extend(settings.additional_directories.iter().cloned());
        options.include_git &= settings.wants_git();
        options.git.home = options.git.home.take().or_else(|| self.home.clone());
        options.language = options.language.take().or_else(|| settings.language.clone());
    }

    fn bus_of(
        &mut self,
        reach: &Reach,
        reader: Option<&Arc<dyn FileReader>>,
        changes: Option<Arc<dyn FileChanges>>,
        memory: Option<&Arc<dyn MemoryLoader>>,
        skills: Option<&Arc<dyn SkillSource>>,
    ) -> Bus {
        let Reach { files, threads, .. } = reach;
        let mut bus = Bus::new(Arc::clone(threads), self.bus.clone());
        if let Some(reader) = reader {
            let sources = MentionSources::new(Arc::clone(files), Arc::clone(reader), self.home.clone())
                .resources(self.resources.take());
            let mentions = Mentions::new(sources, Arc::clone(threads), MentionLimits::default());
            bus.register_essential(Arc::new(mentions));
        }
        let skills = Skills { source: skills, threads, limits: &self.skill_limits };
        skills.discovery(&mut bus);
        if let Some(changes) = changes {
            bus.register(Arc::new(ChangedFilesCollector::new(changes, Arc::clone(threads))));
        }
        if let Some(memory) = memory {
            let (loader, files) = (Arc::clone(memory), Arc::clone(files));
            bus.register_essential(Arc::new(MemoryDeltaCollector::new(loader, files, Arc::clone(threads))));
            let nested = NestedMemoryCollector::new(Arc::clone(memory), Arc::clone(threads));
            bus.register_essential(Arc::new(nested));
        }
        bus.register(Arc::new(DateChangeCollector));
        collectors::deltas(&mut bus);
        skills.listing(&mut bus, self.options.filter_skills);
        collectors::modes(&mut bus);
        collectors::lists(&mut bus, &self.options.projection.tool_names);
        if let Some(reader) = reader {
            let limits = SessionMemoryLimits::default();
            let (files, reader, threads) = (Arc::clone(files), Arc::clone(reader), Arc::clone(threads));
            bus.register(Arc::new(SessionMemoryCollector::new(files, reader, threads, limits)));
        }
        collectors::budgets(&mut bus);
        register_ide(&mut bus, reach);
        register_others(&mut bus);
        for collector in self.collectors.drain(..) {
            bus.register(collector);
        }
        if let Some(wrap) = &mut self.wrap {
            bus.map(wrap);
        }
        bus
    }
}

impl std::fmt::Debug for EngineBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EngineBuilder").field("options", &self.options).finish_non_exhaustive()
    }
}
