//! What a scenario says before its session begins.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agent_core::claudemd::{IncludePolicy, MemoryBudget, Profile, SettingSources};
use agent_core::context_api::{Clock, Ids, RawJson, Variables};
use agent_core::git_snapshot::GixSource;
use agent_core::transcript::{BlobLimits, JsonlStore};
use agent_core::{Engine, Machine, PoolLimits, SessionOptions, Settings, SettingsPlaces};
use anyhow::{Context as _, bail};
use clap::ValueEnum as _;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;
use uuid::Uuid;

use super::faults::Misbehaving;
use super::memories::ScriptedMemories;
use super::resources::ScriptedResources;
use super::seen::{SeenBlobs, SeenDisk, SeenGit};
use super::seen_store::SeenStore;
use super::step::{OneOrMany, Options};
use super::summaries::Scripted;
use super::workspace::{SEEN, Workspace};
use crate::cli::Format;
use crate::commands::Refused;
use crate::form::Form;
use crate::setup::StillClock;

/// The time of a scenario that sets none.
const START: &str = "2026-04-25T12:00:00Z";

/// A clock that `clock` steps set.
#[derive(Debug, Clone)]
pub(crate) struct ScenarioClock(Arc<Mutex<StillClock>>);

impl ScenarioClock {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self(Arc::new(Mutex::new(StillClock::at(START)?))))
    }

    pub(crate) fn set(&self, text: &str) -> anyhow::Result<()> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = StillClock::at(text)?;
        Ok(())
    }
}

impl Clock for ScenarioClock {
    fn now(&self) -> Timestamp {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).now()
    }

    fn today(&self) -> Date {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).today()
    }
}

/// Identities that count up, the same in every run.
#[derive(Debug, Default)]
pub(crate) struct ScenarioIds(std::sync::atomic::AtomicU64);

impl Ids for ScenarioIds {
    fn next(&self) -> Uuid {
        let count = self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst) + 1;
        uuid::Builder::from_unix_timestamp_millis(1_777_118_400_000 + count, &[0; 10]).into_uuid()
    }
}

/// What a scenario says before its session begins.
pub(crate) struct Config {
    pub(crate) cwd: PathBuf,
    pub(crate) settings: Vec<RawJson>,
    pub(crate) variables: Variables,
    pub(crate) options: Options,
    pub(crate) clock: ScenarioClock,
    pub(crate) summaries: Scripted,
    pub(crate) resources: ScriptedResources,
    pub(crate) memories: ScriptedMemories,
    ids: Arc<ScenarioIds>,
}

/// How long a scenario waits for what does not hang: a busy machine must not change its bytes. Where a fault was asked for,
/// the engine's own limits hold.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

impl Config {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self {
            cwd: PathBuf::from(SEEN).join("proj"),
            settings: Vec::new(),
            variables: Variables::new(),
            options: Options::default(),
            clock: ScenarioClock::new()?,
            summaries: Scripted::default(),
            resources: ScriptedResources::default(),
            memories: ScriptedMemories::default(),
            ids: Arc::default(),
        })
    }

    /// Time for all collectors of a turn; `None`: as the engine's limits say.
    pub(crate) fn deadline(&self, has_faults: bool) -> Option<Duration> {
        (self.options.limits.deadline_ms.is_none() && !has_faults).then_some(PATIENCE)
    }

    /// The engine and the session's options.
    pub(crate) fn engine(
        &self,
        workspace: &Arc<Workspace>,
        disk: &SeenDisk,
        misbehaving: &Misbehaving,
        store: &JsonlStore,
    ) -> anyhow::Result<(Engine, SessionOptions)> {
        let home = PathBuf::from(SEEN).join("home");
        let managed = PathBuf::from(SEEN).join("managed");
        let options = &self.options;
        let memory = MemoryChoice::of(options, &self.cwd)?;
        let clock = self.clock.clone();
        let git = GixSource::new(Arc::new({
            let clock = clock.clone();
            move || clock.now()
        }));
        let misbehaving = misbehaving.clone();
        let mut builder = Engine::builder(&self.cwd)
            .home(home.clone())
            .managed_dir(managed.clone())
            .settings(self.layered(disk, home, managed)?)
            .files(disk.clone())
            .git(SeenGit { inner: git, workspace: Arc::clone(workspace) })
            .clock(clock)
            .dialect(self.form()?)
            .ids(Arc::clone(&self.ids))
            .store(SeenStore { inner: store.clone(), disk: disk.clone() })
            .blobs(SeenBlobs {
                inner: Arc::new(store.blobs(BlobLimits::default())),
                workspace: Arc::clone(workspace),
            })
            .summarizer(self.summaries.clone())
            .resources(self.resources.clone())
            .memory_selector(self.memories.clone())
            .relevant_limits(|limits| {
                limits.selector_wait = options.limits.select_wait_ms.map_or(PATIENCE, Duration::from_millis);
            })
            .wrap_collectors(move |collector| misbehaving.wrap(collector))
            .memory_options(move |its| memory.put_into(its))
            .bus_limits(|limits| {
                limits.deadline = options.limits.deadline_ms.map_or(limits.deadline, Duration::from_millis);
            })
            .options(|its| self.put_options(its, disk.has_faults()));
        if let Some(threads) = options.limits.threads {
            builder = builder.pool_limits(PoolLimits::default().threads(threads));
        }
        let session = SessionOptions::default().attachments(options.attachments.unwrap_or_default());
        Ok((builder.build()?, session))
    }

    /// The provider's form that the scenario asks for.
    pub(crate) fn form(&self) -> anyhow::Result<Form> {
        let name = self.options.dialect.as_deref().unwrap_or("anthropic");
        match Format::from_str(name, false) {
            Ok(format) => Ok(Form::of(format)),
            Err(_) => Err(Refused(format!("unknown dialect `{name}`")).into()),
        }
    }

    fn layered(&self, disk: &SeenDisk, home: PathBuf, managed: PathBuf) -> anyhow::Result<Settings> {
        let places =
            SettingsPlaces::new(Arc::new(disk.clone()), &self.cwd).home(Some(home)).managed(Some(managed));
        let mut settings = Settings::load(&places, &self.variables);
        for layer in &self.settings {
            settings = settings.with_layer(&self.cwd, layer.get())?;
        }
        Ok(settings)
    }

    fn put_options(&self, its: &mut agent_core::EngineOptions, has_faults: bool) {
        let options = &self.options;
        its.machine = Machine::default().platform("linux").shell(Some("/bin/bash".to_owned()));
        its.model = options.model.clone().unwrap_or_else(|| its.model.clone());
        its.window = options.window.unwrap_or(its.window);
        its.max_tokens = options.limits.max_tokens.unwrap_or(its.max_tokens);
        let directories = options.additional_directories.iter().flatten();
        its.ignored_changes.extend(options.ignored_changes.iter().cloned());
        its.additional_directories.extend(directories.map(|directory| self.cwd.join(directory)));
        let wait = |asked: Option<u64>, own: Duration| {
            asked.map(Duration::from_millis).unwrap_or(if has_faults { own } else { PATIENCE })
        };
        its.git.budget = wait(options.limits.git_budget_ms, its.git.budget);
        its.limits.git_grace = wait(None, its.limits.git_grace);
        its.limits.memory_wait = wait(options.limits.memory_wait_ms, its.limits.memory_wait);
        its.limits.transcript_wait = wait(None, its.limits.transcript_wait);
    }
}

/// How memory files are found.
struct MemoryChoice {
    profile: Option<Profile>,
    include_policy: Option<IncludePolicy>,
    budget: Option<MemoryBudget>,
    additional: Option<bool>,
    sources: Option<SettingSources>,
    bare: bool,
}

impl MemoryChoice {
    fn of(options: &Options, cwd: &std::path::Path) -> anyhow::Result<Self> {
        Ok(Self {
            profile: options.profile.as_ref().map(profile).transpose()?,
            include_policy: options.include_policy.as_ref().map(|value| policy(value, cwd)).transpose()?,
            budget: options.memory_budget.as_ref().map(budget).transpose()?,
            additional: options.additional_directories_memory,
            sources: options.setting_sources.as_deref().map(sources).transpose()?,
            bare: options.bare.unwrap_or_default(),
        })
    }

    fn put_into(self, options: &mut agent_core::claudemd::MemoryOptions) {
        options.profile = self.profile.unwrap_or_else(|| options.profile.clone());
        options.include_policy = self.include_policy.unwrap_or_else(|| options.include_policy.clone());
        options.budget = self.budget.unwrap_or(options.budget);
        options.additional_directories_memory =
            self.additional.unwrap_or(options.additional_directories_memory);
        options.setting_sources = self.sources.unwrap_or(options.setting_sources);
        options.bare |= self.bare;
    }
}

fn profile(names: &OneOrMany) -> anyhow::Result<Profile> {
    let names = match names {
        OneOrMany::One(name) => std::slice::from_ref(name),
        OneOrMany::Many(names) => names,
    };
    let mut profiles = names.iter().map(|name| {
        Ok(match name.as_str() {
            "claude" => Profile::claude(),
            "agents_md" | "agents" => Profile::agents_md(),
            "gemini" => Profile::gemini(),
            "cursor" | "cursor_rules" => Profile::cursor_rules(),
            "copilot" => Profile::copilot(),
            other => bail!("unknown profile `{other}`"),
        })
    });
    let first = profiles.next().context("no profile")??;
    profiles.try_fold(first, |all, next| Ok(all.combine(next?)))
}

fn policy(value: &Value, cwd: &std::path::Path) -> anyhow::Result<IncludePolicy> {
    match value.as_str() {
        Some("deny") => return Ok(IncludePolicy::Deny),
        Some("ask") => return Ok(IncludePolicy::Ask),
        Some("allow_all") => return Ok(IncludePolicy::AllowAll),
        _ => {}
    }
    let roots = value["allow_roots"].as_array().with_context(|| format!("unknown include policy {value}"))?;
    let roots = roots.iter().map(|root| root.as_str().map(|root| cwd.join(root)).context("a root is a path"));
    Ok(IncludePolicy::AllowRoots(roots.collect::<Result<_, _>>()?))
}

fn budget(value: &Value) -> anyhow::Result<MemoryBudget> {
    match (value.as_str(), value.as_u64()) {
        (Some("unlimited"), _) => Ok(MemoryBudget::Unlimited),
        (_, Some(chars)) => Ok(MemoryBudget::Chars(usize::try_from(chars)?)),
        _ => bail!("unknown memory budget {value}"),
    }
}

fn sources(names: &[String]) -> anyhow::Result<SettingSources> {
    for name in names {
        anyhow::ensure!(
            ["user", "project", "local"].contains(&name.as_str()),
            "unknown setting source `{name}`"
        );
    }
    let has = |name: &str| names.iter().any(|one| one == name);
    Ok(SettingSources { user: has("user"), project: has("project"), local: has("local") })
}
