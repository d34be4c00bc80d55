//! Steps of a scenario.

use std::collections::BTreeMap;

use agent_core::context_api::{
    ContentBlock, InvalidateEvent, MailMessage, Origin, PastedImage, RawJson, TaskChange, Thread, TouchKind,
    Usage,
};
use serde::Deserialize;
use serde_json::Value;

use super::memories::{LateSpec, SelectSpec};
use super::resources::ResourceSpec;
use super::summaries::{CompactSpec, SummarySpec};
use crate::setup::read_strictly;

/// One step: its key, what belongs to it, and what stands beside it.
#[derive(Debug)]
pub(crate) enum Step {
    Write(BTreeMap<String, String>),
    WriteBase64(BTreeMap<String, String>),
    Delete(Vec<String>),
    Symlink(BTreeMap<String, String>),
    Rename(BTreeMap<String, String>),
    Mtime(BTreeMap<String, String>),
    Mode(BTreeMap<String, String>),
    Owner(BTreeMap<String, u32>),
    Fifo(Vec<String>),
    Git { commands: Vec<String>, directory: Option<String> },
    Run(String),
    Cwd(String),
    Settings(RawJson),
    Env(BTreeMap<String, Value>),
    Clock(String),
    Options(Options),
    Host(Value),
    Queue(Queued),
    Hook(HookSpec),
    Mail(MailMessage),
    Task(TaskChange),
    HandIn(RawJson),
    Resource(ResourceSpec),
    Turn(TurnSpec),
    Continue,
    Assistant { content: Vec<ContentBlock>, usage: Option<Usage>, stop: Option<String> },
    ToolResult(ToolResultSpec),
    Touched(TouchedSpec),
    Read(ReadSpec),
    Edit(EditSpec),
    Invalidate(InvalidateEvent),
    ApproveIncludes(bool),
    InvokeSkill(String),
    Fault(FaultSpec),
    Resume,
    Fork,
    Transcript(TranscriptSpec),
    Summary(SummarySpec),
    Select(SelectSpec),
    Late(LateSpec),
    Compact(CompactSpec),
    Expect(Box<Expect>),
}

/// Steps, by their keys.
pub(crate) const KNOWN: [&str; 42] = [
    "write",
    "write_base64",
    "delete",
    "symlink",
    "rename",
    "mtime",
    "mode",
    "owner",
    "fifo",
    "git",
    "run",
    "cwd",
    "settings",
    "env",
    "clock",
    "options",
    "host",
    "queue",
    "hook",
    "mail",
    "task",
    "hand_in",
    "resource",
    "turn",
    "continue",
    "assistant",
    "tool_result",
    "touched",
    "read",
    "edit",
    "invalidate",
    "approve_includes",
    "invoke_skill",
    "fault",
    "resume",
    "fork",
    "transcript",
    "summary",
    "select",
    "late",
    "compact",
    "expect",
];

#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Options {
    pub(crate) profile: Option<OneOrMany>,
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::PolicyForm>"))]
    pub(crate) include_policy: Option<Value>,
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::BudgetForm>"))]
    pub(crate) memory_budget: Option<Value>,
    pub(crate) additional_directories: Option<Vec<String>>,
    pub(crate) additional_directories_memory: Option<bool>,
    pub(crate) setting_sources: Option<Vec<String>>,
    pub(crate) attachments: Option<agent_core::context_api::AttachmentMode>,
    pub(crate) model: Option<String>,
    pub(crate) window: Option<u64>,
    pub(crate) dialect: Option<String>,
    pub(crate) bare: Option<bool>,
    pub(crate) ignored_changes: Vec<String>,
    pub(crate) limits: Limits,
}

#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Limits {
    pub(crate) deadline_ms: Option<u64>,
    pub(crate) git_budget_ms: Option<u64>,
    pub(crate) memory_wait_ms: Option<u64>,
    pub(crate) select_wait_ms: Option<u64>,
    pub(crate) max_tokens: Option<u64>,
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Queued {
    #[serde(default)]
    pub(crate) id: String,
    #[serde(default = "prompt_mode")]
    pub(crate) mode: String,
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) origin: Origin,
    #[serde(default)]
    pub(crate) is_meta: bool,
    #[serde(default)]
    pub(crate) images: Vec<ImageSpec>,
    #[serde(default)]
    pub(crate) paste_ids: Vec<String>,
}

/// What a hook answered, as the host would hand it in.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct HookSpec {
    #[serde(default)]
    pub(crate) id: String,
    pub(crate) event: String,
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) tool: Option<String>,
    #[serde(default)]
    pub(crate) tool_use_id: Option<String>,
    /// `null` where it did not end by itself.
    #[serde(default = "ended_well")]
    pub(crate) exit_code: Option<i64>,
    #[serde(default)]
    pub(crate) output: String,
    #[serde(default)]
    pub(crate) stderr: String,
    #[serde(default)]
    pub(crate) error: String,
    #[serde(default, rename = "async")]
    pub(crate) is_async: bool,
    #[serde(default)]
    pub(crate) process: Option<String>,
}

#[expect(clippy::unnecessary_wraps, reason = "the default of an optional value")]
fn ended_well() -> Option<i64> {
    Some(0)
}

fn prompt_mode() -> String {
    agent_core::context_api::queue_mode::PROMPT.to_owned()
}

/// A picture: its bytes, or a file of the workspace.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum ImageSpec {
    Bytes(PastedImage),
    File(String),
}

#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TurnSpec {
    pub(crate) text: String,
    pub(crate) images: Vec<ImageSpec>,
    pub(crate) thread: Option<Thread>,
    pub(crate) is_meta: bool,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolResultSpec {
    pub(crate) id: String,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::ContentForm>"))]
    pub(crate) content: Option<RawJson>,
    #[serde(default)]
    pub(crate) is_error: bool,
    #[serde(default)]
    pub(crate) raw: bool,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct TouchedSpec {
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) how: TouchKind,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadSpec {
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) offset: Option<u64>,
    #[serde(default)]
    pub(crate) limit: Option<u64>,
    #[serde(default)]
    pub(crate) pages: Option<String>,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct EditSpec {
    pub(crate) path: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct FaultSpec {
    #[serde(default)]
    pub(crate) path: Option<String>,
    #[serde(default)]
    pub(crate) collector: Option<String>,
    pub(crate) error: Option<String>,
}

/// Damage between two turns.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum TranscriptSpec {
    /// A text at the end of the file, as it is.
    Append(String),
    /// A text in the place of a line, which is counted from 1.
    ReplaceLine(usize, String),
}

#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Expect {
    pub(crate) r#in: Vec<String>,
    pub(crate) not_in: Vec<String>,
    pub(crate) count: BTreeMap<String, usize>,
    pub(crate) order: Vec<String>,
    pub(crate) types: Vec<String>,
    pub(crate) not_types: Vec<String>,
    pub(crate) decision: Option<Value>,
    pub(crate) prefix_of_previous: Option<bool>,
    pub(crate) absent: Vec<String>,
}

impl Step {
    /// Reads a line: one step key, and for some what stands beside it.
    pub(crate) fn read(line: &str) -> anyhow::Result<Self> {
        let mut keys: BTreeMap<String, RawJson> = read_strictly(line)?;
        let mut steps = keys.keys().filter(|key| KNOWN.contains(&key.as_str()));
        let Some(name) = steps.next().cloned() else {
            let first = keys.keys().next().cloned().unwrap_or_default();
            anyhow::bail!("unknown step `{first}`");
        };
        anyhow::ensure!(steps.next().is_none(), "two steps on one line");
        let value = keys.remove(&name).unwrap_or_default();
        let step = Self::of(&name, &value, &mut keys)?;
        match keys.keys().next() {
            Some(beside) => anyhow::bail!("unknown key `{beside}` beside `{name}`"),
            None => Ok(step),
        }
    }

    fn of(name: &str, value: &RawJson, beside: &mut BTreeMap<String, RawJson>) -> anyhow::Result<Self> {
        let json = value.get();
        Ok(match name {
            "write" => Self::Write(read_strictly(json)?),
            "write_base64" => Self::WriteBase64(read_strictly(json)?),
            "delete" => Self::Delete(read_strictly(json)?),
            "symlink" => Self::Symlink(read_strictly(json)?),
            "rename" => Self::Rename(read_strictly(json)?),
            "mtime" => Self::Mtime(read_strictly(json)?),
            "mode" => Self::Mode(read_strictly(json)?),
            "owner" => Self::Owner(read_strictly(json)?),
            "fifo" => Self::Fifo(read_strictly(json)?),
            "git" => Self::Git { commands: read_strictly(json)?, directory: taken(beside, "in")? },
            "run" => Self::Run(read_strictly(json)?),
            "cwd" => Self::Cwd(read_strictly(json)?),
            "settings" => Self::Settings(value.clone()),
            "env" => Self::Env(read_strictly(json)?),
            "clock" => Self::Clock(read_strictly(json)?),
            "options" => Self::Options(read_strictly(json)?),
            "host" => Self::Host(read_strictly(json)?),
            "queue" => Self::Queue(read_strictly(json)?),
            "hook" => Self::Hook(read_strictly(json)?),
            "mail" => Self::Mail(read_strictly(json)?),
            "task" => Self::Task(read_strictly(json)?),
            "hand_in" => Self::HandIn(value.clone()),
            "resource" => Self::Resource(read_strictly(json)?),
            "turn" => Self::Turn(turn(value)?),
            "continue" => Self::Continue,
            "assistant" => Self::Assistant {
                content: blocks(value)?,
                usage: taken(beside, "usage")?,
                stop: taken(beside, "stop")?,
            },
            "tool_result" => Self::ToolResult(read_strictly(json)?),
            "touched" => Self::Touched(read_strictly(json)?),
            "read" => Self::Read(read_strictly(json)?),
            "edit" => Self::Edit(read_strictly(json)?),
            "invalidate" => Self::Invalidate(read_strictly(json)?),
            "approve_includes" => Self::ApproveIncludes(read_strictly(json)?),
            "invoke_skill" => Self::InvokeSkill(read_strictly(json)?),
            "fault" => Self::Fault(read_strictly(json)?),
            "resume" => Self::Resume,
            "fork" => Self::Fork,
            "transcript" => Self::Transcript(read_strictly(json)?),
            "summary" => Self::Summary(read_strictly(json)?),
            "select" => Self::Select(read_strictly(json)?),
            "late" => Self::Late(read_strictly(json)?),
            "compact" => Self::Compact(read_strictly(json)?),
            _ => Self::Expect(read_strictly(json)?),
        })
    }
}

/// Whether memories settle late, before the next request, in the lines behind one.
pub(crate) fn settles_late<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let read = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut until_next = read.take_while(|line| line.get("turn").is_none() && line.get("continue").is_none());
    until_next.any(|line| !line["late"]["relevant_memories"].is_null())
}

fn taken<T: serde::de::DeserializeOwned>(
    beside: &mut BTreeMap<String, RawJson>,
    key: &str,
) -> anyhow::Result<Option<T>> {
    beside.remove(key).map(|value| read_strictly(value.get())).transpose()
}

fn turn(value: &RawJson) -> anyhow::Result<TurnSpec> {
    if value.get().starts_with('"') {
        return Ok(TurnSpec { text: read_strictly(value.get())?, ..TurnSpec::default() });
    }
    read_strictly(value.get())
}

/// Blocks, or a text as one block.
pub(crate) fn blocks(value: &RawJson) -> anyhow::Result<Vec<ContentBlock>> {
    if value.get().starts_with('"') {
        let text: String = read_strictly(value.get())?;
        return Ok(vec![ContentBlock::text(text)]);
    }
    Ok(serde_json::from_str(value.get())?)
}
