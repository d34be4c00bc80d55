//! From flags to an engine.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agent_core::context_api::{Clock, RawJson};
use agent_core::{Engine, EngineBuilder, LocalFs, Machine, Settings, SettingsPlaces, SystemClock};
use anyhow::Context as _;
use jiff::Timestamp;
use jiff::civil::Date;

use crate::cli::Globals;
use crate::process::Process;

/// How long a command waits for memories that match the prompt: there is no later request with which they could come, and
/// the same tree gives the same bytes.
const MEMORIES_WAIT: Duration = Duration::from_secs(2);

/// A clock that stands where a flag put it.
#[derive(Debug, Clone)]
pub(crate) struct StillClock {
    now: Timestamp,
    today: Date,
}

impl StillClock {
    /// The moment of an RFC 3339 time, with the date that stands in it.
    pub(crate) fn at(text: &str) -> anyhow::Result<Self> {
        let now: Timestamp = text.parse().with_context(|| format!("{text} is no time in RFC 3339 form"))?;
        let today =
            text.get(..10).unwrap_or_default().parse().with_context(|| format!("{text} has no date"))?;
        Ok(Self { now, today })
    }
}

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        self.now
    }

    fn today(&self) -> Date {
        self.today
    }
}

/// An engine as the flags say.
pub(crate) fn engine(globals: &Globals, process: &Process) -> anyhow::Result<EngineBuilder> {
    engine_with(globals, process, settings(globals, process)?)
}

/// The same with settings that were read already: a file may be a pipe, which gives what it has once.
pub(crate) fn engine_with(
    globals: &Globals,
    process: &Process,
    settings: Settings,
) -> anyhow::Result<EngineBuilder> {
    let builder = Engine::builder(cwd(globals, process))
        .home(globals.home.clone())
        .managed_dir(Some(managed(globals)))
        .settings(settings)
        .options(|options| {
            options.machine = machine(process);
            options.limits.memories_wait = MEMORIES_WAIT;
        });
    match &globals.now {
        Some(text) => Ok(builder.clock(StillClock::at(text)?)),
        None => Ok(builder.clock(SystemClock::new())),
    }
}

/// What files, variables and the flag say, merged.
pub(crate) fn settings(globals: &Globals, process: &Process) -> anyhow::Result<Settings> {
    let cwd = cwd(globals, process);
    let places = SettingsPlaces::new(Arc::new(LocalFs::new()), cwd.clone())
        .home(globals.home.clone())
        .managed(Some(managed(globals)));
    let settings = Settings::load(&places, &process.variables);
    let Some(file) = &globals.settings else { return Ok(settings) };
    let json = std::fs::read_to_string(file).with_context(|| format!("can not read {}", file.display()))?;
    settings.with_layer(&cwd, &json).map_err(|error| match error {
        agent_core::Error::Settings { reason, .. } => {
            anyhow::anyhow!("settings {}: {reason}", file.display())
        }
        other => other.into(),
    })
}

fn cwd(globals: &Globals, process: &Process) -> PathBuf {
    globals.cwd.clone().unwrap_or_else(|| process.cwd.clone())
}

fn managed(globals: &Globals) -> PathBuf {
    globals.managed_dir.clone().unwrap_or_else(agent_core::claudemd::MemoryOptions::platform_managed_dir)
}

fn machine(process: &Process) -> Machine {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").ok();
    let version = release.map(|release| format!("Linux {}", release.trim()));
    Machine::default().shell(process.variables.get("SHELL").cloned()).os_version(version)
}

/// Waits for a future without a runtime of threads.
pub(crate) fn wait<F: Future>(future: F) -> anyhow::Result<F::Output> {
    Ok(runtime()?.block_on(future))
}

/// A runtime without threads.
pub(crate) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().build().context("can not start")
}

/// Reads JSON and names every key that means nothing here.
pub(crate) fn read_strictly<T: serde::de::DeserializeOwned>(json: &str) -> anyhow::Result<T> {
    let mut unknown = Vec::new();
    let mut reader = serde_json::Deserializer::from_str(json);
    let value = serde_ignored::deserialize(&mut reader, |path| unknown.push(path.to_string()))?;
    reader.end()?;
    anyhow::ensure!(unknown.is_empty(), "unknown key {}", unknown.join(", "));
    Ok(value)
}

/// JSON of anything, as raw text.
pub(crate) fn raw<T: serde::Serialize + ?Sized>(value: &T) -> anyhow::Result<RawJson> {
    RawJson::of(value).context("can not be written as JSON")
}
