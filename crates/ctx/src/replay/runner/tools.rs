//! The reference read and edit tools, recorded as a call and its result.

use agent_core::context_api::{
    ContentBlock, FileState, LineSpan, RawJson, ReadError, ReadRequest, StateChange, ToolResult,
    ToolResultBlock, TouchKind,
};
use agent_core::projector::file_blocks;
use anyhow::Context as _;
use serde::Serialize;

use super::super::step::{EditSpec, ReadSpec};
use super::Runner;
use crate::setup::raw;

#[derive(Serialize)]
struct ReadInput<'a> {
    file_path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<&'a str>,
}

#[derive(Serialize)]
struct EditInput<'a> {
    file_path: &'a str,
    old_string: &'a str,
    new_string: &'a str,
}

#[derive(Serialize)]
struct Line<'a> {
    tool: &'a str,
    path: &'a str,
    is_error: bool,
    content: &'a [ContentBlock],
}

impl Runner {
    pub(super) fn read(&mut self, spec: &ReadSpec) -> anyhow::Result<String> {
        let input = ReadInput {
            file_path: &spec.path,
            offset: spec.offset,
            limit: spec.limit,
            pages: spec.pages.as_deref(),
        };
        let input = raw(&input)?;
        let path = self.config.cwd.join(&spec.path);
        let request = ReadRequest::default().path(path.clone()).lines(lines(spec)).pages(pages(spec)?);
        let reader = self.live()?.engine.reader().context("there is no file reader")?.clone();
        let (content, is_error, states) = match reader.read(&request) {
            Ok(outcome) => {
                let states: Vec<StateChange> = outcome.state.into_iter().map(StateChange::Put).collect();
                (file_blocks(&outcome.content), false, states)
            }
            Err(error) => (vec![refusal(&error)], true, Vec::new()),
        };
        self.session()?.touched(&path, TouchKind::Read);
        self.record("Read", &spec.path, input, content, is_error, states)
    }

    pub(super) fn edit(&mut self, spec: &EditSpec) -> anyhow::Result<String> {
        let input = raw(&EditInput { file_path: &spec.path, old_string: &spec.old, new_string: &spec.new })?;
        let path = self.config.cwd.join(&spec.path);
        self.session()?.touched(&path, TouchKind::Edit);
        let (text, is_error, states) = match self.edited(&path, spec) {
            Ok(state) => {
                (format!("The file {} was changed.", spec.path), false, vec![StateChange::Put(state)])
            }
            Err(error) => (format!("The file {} was not changed: {error}.", spec.path), true, Vec::new()),
        };
        self.record("Edit", &spec.path, input, vec![ContentBlock::text(text)], is_error, states)
    }

    fn edited(&mut self, path: &std::path::Path, spec: &EditSpec) -> anyhow::Result<FileState> {
        let live = self.live()?;
        live.session.may_edit(path)?;
        let reader = live.engine.reader().context("there is no file reader")?.clone();
        let real = self.workspace.on_disk(&path.to_string_lossy())?;
        let before = std::fs::read_to_string(&real).context("it can not be read")?;
        let found = before.matches(spec.old.as_str()).count();
        anyhow::ensure!(found == 1, "the text to replace is there {found} times, not once");
        std::fs::write(&real, before.replacen(spec.old.as_str(), &spec.new, 1))
            .context("it can not be written")?;
        let outcome = reader.read(&ReadRequest::default().path(path))?;
        outcome.state.context("the new text can not be kept")
    }

    pub(super) fn record(
        &mut self,
        tool: &str,
        path: &str,
        input: RawJson,
        content: Vec<ContentBlock>,
        is_error: bool,
        states: Vec<StateChange>,
    ) -> anyhow::Result<String> {
        let line = serde_json::to_string(&Line { tool, path, is_error, content: &content })?;
        let id = self.next_call();
        let block = ToolResultBlock { tool_use_id: id, content, is_error };
        self.record_call(tool, input, ToolResult::new(block).states(states))?;
        Ok(self.workspace.real_to_seen(&line))
    }
}

fn refusal(error: &ReadError) -> ContentBlock {
    ContentBlock::text(format!("The file can not be read: {}.", error.kind))
}

fn lines(spec: &ReadSpec) -> Option<LineSpan> {
    if spec.offset.is_none() && spec.limit.is_none() {
        return None;
    }
    let start = spec.offset.unwrap_or(1).max(1);
    let end = spec.limit.map(|limit| start.saturating_add(limit.max(1)) - 1);
    Some(LineSpan::default().start(start).end(end))
}

fn pages(spec: &ReadSpec) -> anyhow::Result<Option<LineSpan>> {
    let Some(pages) = spec.pages.as_deref() else { return Ok(None) };
    let (start, end) = pages.split_once('-').unwrap_or((pages, pages));
    let number = |text: &str| text.trim().parse::<u64>().with_context(|| format!("`{pages}` are no pages"));
    Ok(Some(LineSpan::default().start(number(start)?).end(number(end)?)))
}
