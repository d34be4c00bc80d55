//! A summarizer for tests, and histories for it.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};

use agent_core::context_api::{
    ContentBlock, EntryKind, FileState, RawJson, StateChange, Summarizer, SummaryError, SummaryRequest,
    ToolResult, ToolResultBlock,
};
use agent_core::{EngineBuilder, Session, SessionOptions};
use async_trait::async_trait;

use crate::support::{prompt, texts};

/// A summarizer that answers what it is told and keeps what it was asked.
#[derive(Clone, Default)]
pub(crate) struct Scripted {
    answers: Arc<Mutex<VecDeque<Result<String, SummaryError>>>>,
    asked: Arc<Mutex<Vec<SummaryRequest>>>,
}

impl Scripted {
    pub(crate) fn of(answers: impl IntoIterator<Item = Result<&'static str, SummaryError>>) -> Self {
        let scripted = Self::default();
        scripted.answers.lock().unwrap().extend(answers.into_iter().map(|answer| answer.map(str::to_owned)));
        scripted
    }

    pub(crate) fn answer_next(&self, text: &str) {
        self.answers.lock().unwrap().push_back(Ok(text.to_owned()));
    }

    pub(crate) fn asked(&self) -> Vec<SummaryRequest> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Summarizer for Scripted {
    async fn summarise(&self, request: &SummaryRequest) -> Result<String, SummaryError> {
        self.asked.lock().unwrap().push(request.clone());
        let next = self.answers.lock().unwrap().pop_front();
        next.unwrap_or_else(|| Err(SummaryError::Failed("nothing left to say".into())))
    }
}

pub(crate) fn begin(builder: EngineBuilder, summaries: &Scripted) -> Session {
    builder.summarizer(summaries.clone()).build().unwrap().session(SessionOptions::default().id("s"))
}

pub(crate) fn small(builder: EngineBuilder, window: u64) -> EngineBuilder {
    builder.options(move |options| {
        options.window = window;
        options.max_tokens = 1_000;
    })
}

pub(crate) fn says(session: &mut Session, text: &str) {
    session.record(EntryKind::assistant(vec![ContentBlock::text(text)]));
}

/// A turn of about so many tokens.
pub(crate) fn talk(session: &mut Session, words: usize) -> String {
    let turn = prompt(session, &format!("ASKED {}", "word ".repeat(words)));
    says(session, "ANSWERED");
    texts(turn.request.as_deref().unwrap())
}

pub(crate) fn reads(session: &mut Session, id: &str, path: &Path, text: &str) {
    let state = FileState::default().path(path).hash(text).content(Some(Arc::from(text)));
    session.record(EntryKind::assistant(vec![ContentBlock::tool_use(id, "Read", RawJson::empty_object())]));
    let block =
        ToolResultBlock { tool_use_id: id.into(), content: vec![ContentBlock::text(text)], is_error: false };
    session.record(EntryKind::ToolResult(ToolResult::new(block).states(vec![StateChange::Put(state)])));
}
