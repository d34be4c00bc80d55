//! The parts of an engine.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use attachments::{Bus, SkillSource, Timer};
use context_api::{
    BlobStore, Clock, ContextSource, Decision, Dialect, FileReader, FileStates, FileSystem, GitOptions,
    GitSource, HostHandler, Ids, MemoryLoader, ProjectionConfig, Projector, ReadPolicy, SystemPrompt,
    Threads, TranscriptStore,
};
use prompt_assembly::BasePrompt;

/// Makes the file states of a new session.
pub type StatesFactory = Arc<dyn Fn() -> Arc<dyn FileStates> + Send + Sync>;

/// Everything that the sessions of an engine share.
pub(crate) struct Parts {
    pub(crate) files: Arc<dyn FileSystem>,
    pub(crate) policy: Arc<dyn ReadPolicy>,
    pub(crate) memory: Option<Arc<dyn MemoryLoader>>,
    pub(crate) git: Option<Arc<dyn GitSource>>,
    pub(crate) reader: Option<Arc<dyn FileReader>>,
    pub(crate) skills: Option<Arc<dyn SkillSource>>,
    #[cfg(feature = "memories")]
    pub(crate) finder: Option<attachments::MemoryFinder>,
    pub(crate) states: StatesFactory,
    pub(crate) projector: Arc<dyn Projector>,
    pub(crate) prompt: Arc<dyn SystemPrompt>,
    pub(crate) dialect: Option<Arc<dyn Dialect>>,
    pub(crate) store: Option<Arc<dyn TranscriptStore>>,
    pub(crate) blobs: Option<Arc<dyn BlobStore>>,
    pub(crate) context_sources: Vec<Arc<dyn ContextSource>>,
    pub(crate) handler: Arc<dyn HostHandler>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) threads: Arc<dyn Threads>,
    pub(crate) bus: Bus,
    pub(crate) timer: Timer,
    pub(crate) options: EngineOptions,
    pub(crate) settings_decisions: Vec<Decision>,
    #[cfg(feature = "compaction")]
    pub(crate) budget: crate::budget::BudgetParts,
}

/// What an engine may be told besides its parts.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EngineOptions {
    /// Where sessions begin; absolute.
    pub cwd: PathBuf,
    /// The model's name.
    pub model: String,
    /// What the model's knowledge ends with.
    pub knowledge_cutoff: Option<String>,
    /// Size of the context window, tokens. Default 200,000.
    pub window: u64,
    /// Output limit of a request, tokens. Default 20,000.
    pub max_tokens: u64,
    /// Budget for thinking, tokens.
    pub thinking: Option<u64>,
    /// Further directories.
    pub additional_directories: Vec<PathBuf>,
    /// Text in front of the system prompt, in a block of its own that is never cached; default none.
    pub header: Option<String>,
    /// Which base prompt holds.
    pub base_prompt: BasePrompt,
    /// Whether git facts are wanted.
    pub include_git: bool,
    /// How git facts are taken.
    pub git: GitOptions,
    /// How entries are projected.
    pub projection: ProjectionConfig,
    /// What the machine is, for the prompt.
    pub machine: Machine,
    /// The language to answer in.
    pub language: Option<String>,
    /// A directory for temporary files, for the prompt.
    pub scratchpad: Option<PathBuf>,
    /// Whether only skills that fit the input are listed. Default no.
    pub filter_skills: bool,
    /// Globs on absolute paths of files whose changes are not told, such as `target/` anywhere or `/srv/app/log`: what builds
    /// and generators write again and again. One that can not be understood is a decision.
    pub ignored_changes: Vec<String>,
    /// Limits of the engine.
    pub limits: EngineLimits,
}

/// What the machine is, for the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Machine {
    /// Such as `linux`.
    pub platform: String,
    /// Such as `/bin/bash`.
    pub shell: Option<String>,
    /// Such as `Linux 6.1`.
    pub os_version: Option<String>,
}

impl Default for Machine {
    fn default() -> Self {
        Self { platform: std::env::consts::OS.to_owned(), shell: None, os_version: None }
    }
}

impl Machine {
    /// Sets [`Machine::platform`].
    pub fn platform(mut self, platform: impl Into<String>) -> Self {
        self.platform = platform.into();
        self
    }

    /// Sets [`Machine::shell`].
    pub fn shell(mut self, shell: Option<String>) -> Self {
        self.shell = shell;
        self
    }

    /// Sets [`Machine::os_version`].
    pub fn os_version(mut self, os_version: Option<String>) -> Self {
        self.os_version = os_version;
        self
    }
}

/// Limits of the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineLimits {
    /// How long the first request of a session waits for memory files. Default 5 s.
    pub memory_wait: Duration,
    /// How long it waits for git facts beyond their own budget, before it takes what was reported. Default 250 ms.
    pub git_grace: Duration,
    /// How long a request waits for its entries to be written. Default 2 s: then it goes out, and the entries are handed in
    /// again with the next one.
    pub transcript_wait: Duration,
    /// How often a request is mended before the provider's refusal is an error. Default 3: one round mends all blocks, and a
    /// mended one can bring to light what it hid.
    pub mending_rounds: u32,
    /// How long a request waits for results to be put aside. Default 2 s; what is not written by then stays a preview only.
    pub blob_wait: Duration,
    /// How long a compaction waits for files that come back. Default 1 s; what is not read by then comes back by name.
    pub restore_wait: Duration,
    /// How long a request waits for memories that match what the user asks. Default 0: those found later come with the next
    /// one.
    pub memories_wait: Duration,
    /// How long one try of the summarizer may take. Default 300 s: a model writes for a minute or two.
    pub summary_wait: Duration,
}

impl Default for EngineLimits {
    fn default() -> Self {
        Self {
            memory_wait: Duration::from_secs(5),
            git_grace: Duration::from_millis(250),
            transcript_wait: Duration::from_secs(2),
            mending_rounds: 3,
            blob_wait: Duration::from_secs(2),
            restore_wait: Duration::from_secs(1),
            memories_wait: Duration::ZERO,
            summary_wait: Duration::from_secs(300),
        }
    }
}

impl EngineOptions {
    pub(crate) fn new(cwd: PathBuf) -> Self {
        Self {
            cwd,
            model: "claude-sonnet-4-5".to_owned(),
            knowledge_cutoff: None,
            window: 200_000,
            max_tokens: 20_000,
            thinking: None,
            additional_directories: Vec::new(),
            header: None,
            base_prompt: BasePrompt::default(),
            include_git: true,
            git: GitOptions::default(),
            projection: ProjectionConfig::default(),
            machine: Machine::default(),
            language: None,
            scratchpad: None,
            filter_skills: false,
            ignored_changes: Vec::new(),
            limits: EngineLimits::default(),
        }
    }
}
