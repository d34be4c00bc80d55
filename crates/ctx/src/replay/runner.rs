//! Running steps.

mod compact;
mod disk;
mod hands;
mod late;
mod sessions;
mod skills;
mod tools;
mod unix_steps;

use std::io;
use std::sync::Arc;

use agent_core::context_api::{
    AssistantReply, ContentBlock, EntryKind, InvalidateEvent, PastedImage, QueuedInput, RawJson, StopReason,
    ToolResult, ToolResultBlock, TurnInput,
};
use agent_core::transcript::JsonlStore;
use agent_core::{Engine, Session, Turn};
use anyhow::{Context as _, bail};
use serde_json::Value;

use super::config::Config;
use super::expect::{Last, check};
use super::faults::{Misbehaving, Misbehaviour};
use super::seen::{Fault, SeenDisk};
use super::step::{FaultSpec, ImageSpec, Queued, Step, ToolResultSpec, TurnSpec, blocks};
use super::text::repeated;
use super::workspace::Workspace;
use crate::json;
use crate::setup::read_strictly;

/// Runs the steps of one scenario.
pub(super) struct Runner {
    workspace: Arc<Workspace>,
    allow_run: bool,
    disk: SeenDisk,
    misbehaving: Misbehaving,
    config: Config,
    store: JsonlStore,
    forks: u32,
    live: Option<Live>,
    host: Value,
    tool_calls: u64,
    printed: Option<Value>,
    previous: Option<Value>,
    /// One for all requests: what settles late is a task of it.
    runtime: Arc<tokio::runtime::Runtime>,
    /// What the user asked last.
    asked: String,
    /// Whether something settles late behind the next request.
    comes_late: bool,
}

/// The session, once it has begun.
struct Live {
    engine: Engine,
    session: Session,
}

impl Runner {
    pub(super) fn new(workspace: Workspace, allow_run: bool) -> anyhow::Result<Self> {
        let workspace = Arc::new(workspace);
        let store = sessions::store(&workspace)?;
        Ok(Self {
            store,
            forks: 0,
            disk: SeenDisk::new(Arc::clone(&workspace)),
            workspace,
            allow_run,
            misbehaving: Misbehaving::default(),
            config: Config::new()?,
            live: None,
            host: Value::Object(serde_json::Map::new()),
            tool_calls: 0,
            printed: None,
            previous: None,
            runtime: Arc::new(crate::setup::runtime()?),
            asked: String::new(),
            comes_late: false,
        })
    }

    /// Says whether something settles behind the next request and before the one after it.
    pub(super) fn comes_late(&mut self, comes_late: bool) {
        self.comes_late = comes_late;
    }

    /// Runs one line; what it produced, as JSON.
    pub(super) fn step(&mut self, line: &str) -> anyhow::Result<Option<String>> {
        let line = context_text::repair_surrogates(line);
        let line = repeated(self.workspace.filled_as_seen(&line))?;
        match Step::read(&line)? {
            Step::Turn(spec) => self.turn(&spec).map(Some),
            Step::Continue => self.request(Turn::continuation()).map(Some),
            Step::Read(spec) => self.read(&spec).map(Some),
            Step::Edit(spec) => self.edit(&spec).map(Some),
            Step::InvokeSkill(name) => self.invoke_skill(&name).map(Some),
            Step::Compact(spec) => self.compact(spec).map(Some),
            Step::Late(spec) => self.late(spec),
            step => self.quiet(step).map(|()| None),
        }
    }

    fn quiet(&mut self, step: Step) -> anyhow::Result<()> {
        match step {
            Step::Cwd(path) => self.cwd(&path),
            Step::Settings(layer) => {
                self.config.settings.push(layer);
                Ok(())
            }
            Step::Env(variables) => {
                self.env(variables);
                Ok(())
            }
            Step::Clock(time) => self.config.clock.set(&time),
            Step::Options(options) => {
                self.config.options = options;
                Ok(())
            }
            Step::Host(host) => self.merge_host(host),
            Step::Fault(fault) => self.fault(fault),
            Step::Select(next) => {
                self.config.memories.push(next);
                Ok(())
            }
            Step::Resource(spec) => {
                self.config.resources.set(spec);
                Ok(())
            }
            Step::Expect(expect) => self.expect(&expect),
            step => self.session_step(step),
        }
    }

    fn session_step(&mut self, step: Step) -> anyhow::Result<()> {
        match step {
            Step::Queue(input) => self.queue(input),
            step @ (Step::Hook(_) | Step::Mail(_) | Step::Task(_) | Step::HandIn(_)) => {
                hands::event(&self.session()?.handle(), step)
            }
            Step::Assistant { content, usage, stop } => {
                let stop = stop.map(|stop| stop_reason(&stop)).transpose()?;
                let reply = AssistantReply::default().content(content).usage(usage).stop(stop);
                self.session()?.record(EntryKind::Assistant(reply));
                Ok(())
            }
            Step::ToolResult(spec) => self.tool_result(spec),
            Step::Touched(spec) => {
                self.session()?.touched(spec.path, spec.how);
                Ok(())
            }
            Step::Invalidate(event) => self.invalidate(event),
            Step::Summary(next) => {
                self.config.summaries.push(next);
                Ok(())
            }
            Step::ApproveIncludes(approved) => {
                self.session()?.approve_includes(approved);
                Ok(())
            }
            Step::Resume => self.resume(),
            Step::Fork => self.fork(),
            Step::Transcript(spec) => self.damage(&spec),
            step => self.disk_step(step),
        }
    }

    /// Changes of settings and options take hold here: the session goes on with an engine made anew.
    fn invalidate(&mut self, event: InvalidateEvent) -> anyhow::Result<()> {
        if event == InvalidateEvent::SettingsChanged && self.live.is_some() {
            let (engine, _) =
                self.config.engine(&self.workspace, &self.disk, &self.misbehaving, &self.store)?;
            let live = self.live()?;
            live.session.move_to(&engine);
            live.engine = engine;
        }
        self.session()?.invalidate(event, "");
        Ok(())
    }

    fn live(&mut self) -> anyhow::Result<&mut Live> {
        if self.live.is_none() {
            let (engine, options) =
                self.config.engine(&self.workspace, &self.disk, &self.misbehaving, &self.store)?;
            let session = engine.session(options.id("scenario"));
            self.live = Some(Live { engine, session });
        }
        self.live.as_mut().context("the session did not begin")
    }

    fn session(&mut self) -> anyhow::Result<&mut Session> {
        Ok(&mut self.live()?.session)
    }

    fn cwd(&mut self, path: &str) -> anyhow::Result<()> {
        let cwd = self.config.cwd.join(path);
        std::fs::create_dir_all(self.workspace.on_disk(&cwd.to_string_lossy())?)?;
        self.config.cwd = cwd.clone();
        if let Some(live) = &mut self.live {
            live.session.set_cwd(cwd);
        }
        Ok(())
    }

    fn env(&mut self, variables: std::collections::BTreeMap<String, Value>) {
        for (name, value) in variables {
            match value {
                Value::Null => self.config.variables.remove(&name),
                Value::String(value) => self.config.variables.insert(name, value),
                other => self.config.variables.insert(name, other.to_string()),
            };
        }
    }

    fn merge_host(&mut self, host: Value) -> anyhow::Result<()> {
        let mut merged = self.host.clone();
        merge(&mut merged, host);
        // Read at once, so that a mistake is told on the line that makes it.
        crate::host::read(&merged.to_string())?;
        self.host = merged;
        Ok(())
    }

    fn queue(&mut self, spec: Queued) -> anyhow::Result<()> {
        let images = self.images(&spec.images)?;
        let input = QueuedInput::default()
            .id(spec.id)
            .mode(spec.mode)
            .text(spec.text)
            .origin(spec.origin)
            .is_meta(spec.is_meta)
            .images(images)
            .paste_ids(spec.paste_ids);
        self.session()?.queue(input);
        Ok(())
    }

    fn images(&self, specs: &[ImageSpec]) -> anyhow::Result<Vec<PastedImage>> {
        specs
            .iter()
            .map(|spec| match spec {
                ImageSpec::Bytes(image) => Ok(image.clone()),
                ImageSpec::File(path) => disk::image(&self.workspace.on_disk(path)?),
            })
            .collect()
    }

    fn tool_result(&mut self, spec: ToolResultSpec) -> anyhow::Result<()> {
        let content = spec.content.as_ref().map(blocks).transpose()?.unwrap_or_default();
        let block = ToolResultBlock { tool_use_id: spec.id, content, is_error: spec.is_error };
        self.session()?.record(EntryKind::ToolResult(ToolResult::new(block).raw(spec.raw)));
        Ok(())
    }

    fn turn(&mut self, spec: &TurnSpec) -> anyhow::Result<String> {
        let images = self.images(&spec.images)?;
        self.asked.clone_from(&spec.text);
        let mut turn = Turn::default();
        turn.input = Some(TurnInput { text: spec.text.as_str().into(), images, is_meta: spec.is_meta });
        turn.thread = spec.thread.clone();
        self.request(turn)
    }

    fn request(&mut self, mut turn: Turn) -> anyhow::Result<String> {
        turn.host = Some(crate::host::read(&self.host.to_string())?);
        turn.deadline = self.config.deadline(self.has_faults());
        turn.memories_wait = Some(self.memories_wait());
        self.config.memories.hold(self.comes_late);
        let form = self.config.form()?;
        let runtime = Arc::clone(&self.runtime);
        let prepared = runtime.block_on(self.session()?.prepare(turn))?;
        let mut row = json::Turn::of(&prepared, &form)?;
        row.turn = Some(prepared.turn);
        let line = self.workspace.real_to_seen(&serde_json::to_string(&row)?);
        if let Some(before) = self.printed.take().filter(|before| !before["request"].is_null()) {
            self.previous = Some(before["request"].clone());
        }
        self.printed = Some(serde_json::from_str(&line)?);
        Ok(line)
    }

    fn fault(&mut self, spec: FaultSpec) -> anyhow::Result<()> {
        match (&spec.path, &spec.collector) {
            (Some(path), None) => {
                let path = self.workspace.unmap(&self.workspace.on_disk(path)?);
                match path_fault(spec.error.as_deref())? {
                    Some(fault) => self.disk.fail(path, fault),
                    None => self.disk.mend(&path),
                }
                Ok(())
            }
            (None, Some(label)) => {
                let label = self.collector(label)?;
                self.misbehaving.set(label, misbehaviour(spec.error.as_deref())?);
                Ok(())
            }
            _ => bail!("a fault is at a path or in a collector"),
        }
    }

    fn has_faults(&self) -> bool {
        let config = &self.config;
        let waits_for_selector = config.options.limits.select_wait_ms.is_none();
        self.disk.has_faults()
            || self.misbehaving.is_any()
            || config.resources.has_faults()
            || (waits_for_selector && config.memories.has_faults())
    }

    /// The label of a collector, given by its label or by a type of attachment that it makes.
    fn collector(&mut self, name: &str) -> anyhow::Result<String> {
        let label = match name {
            "file" | "directory" | "already_read_file" | "pdf_reference" | "agent_mention"
            | "mcp_resource" => "mentions",
            "dynamic_skill" => "skill_listing",
            "plan_mode_reentry" | "plan_mode_exit" => "plan_mode",
            "auto_mode_exit" => "auto_mode",
            other => other,
        };
        let known = self.live()?.engine.collectors();
        anyhow::ensure!(
            known.iter().any(|one| one == label),
            "no collector `{name}`; there are {}",
            known.join(", ")
        );
        Ok(label.to_owned())
    }

    fn expect(&self, expect: &super::step::Expect) -> anyhow::Result<()> {
        let last = self.printed.as_ref().map(|printed| Last { printed, previous: self.previous.as_ref() });
        check(expect, last.as_ref(), &self.workspace)
    }

    fn record_call(&mut self, tool: &str, input: RawJson, result: ToolResult) -> anyhow::Result<()> {
        let id = result.block.tool_use_id.clone();
        let session = self.session()?;
        session.record(EntryKind::assistant(vec![ContentBlock::tool_use(id, tool, input)]));
        session.record(EntryKind::ToolResult(result));
        Ok(())
    }

    fn next_call(&mut self) -> String {
        self.tool_calls += 1;
        format!("toolu_scenario_{}", self.tool_calls)
    }
}

fn stop_reason(word: &str) -> anyhow::Result<StopReason> {
    read_strictly(&serde_json::to_string(word)?).with_context(|| format!("unknown stop reason `{word}`"))
}

/// Merges in depth; null removes, lists and sources are replaced.
fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) if !is_source(&from) => {
            for (key, value) in from {
                match value {
                    Value::Null => drop(into.remove(&key)),
                    value => merge(into.entry(key).or_insert(Value::Null), value),
                }
            }
        }
        (into, from) => *into = without_nulls(from),
    }
}

fn is_source(map: &serde_json::Map<String, Value>) -> bool {
    map.len() == 1 && (map.contains_key("ready") || map.contains_key("unavailable"))
}

pub(crate) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let kept = map.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key, without_nulls(value))).collect())
        }
        other => other,
    }
}

fn path_fault(error: Option<&str>) -> anyhow::Result<Option<Fault>> {
    Ok(Some(match error {
        None => return Ok(None),
        Some("permission_denied") => Fault::Error(io::ErrorKind::PermissionDenied),
        Some("not_found") => Fault::Error(io::ErrorKind::NotFound),
        Some("io") => Fault::Error(io::ErrorKind::Other),
        Some("hang") => Fault::Hang,
        Some("too_slow") => Fault::TooSlow,
        Some(other) => bail!("unknown fault {other}"),
    }))
}

fn misbehaviour(error: Option<&str>) -> anyhow::Result<Option<Misbehaviour>> {
    Ok(Some(match error {
        None => return Ok(None),
        Some("hang") => Misbehaviour::Hang,
        Some("panic") => Misbehaviour::Panic,
        Some("fail") => Misbehaviour::Fail,
        Some(other) => bail!("unknown fault `{other}`"),
    }))
}
