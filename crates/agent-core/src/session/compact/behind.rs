//! What stands behind a boundary.

use std::time::Instant;

use context_api::{
    Boundary, CompactFileReference, Draft, EntryKind, FileAttachment, FileContent, FileReader, ReadError,
    ReadOutcome, ReadRequest, StateChange, TodoReminder,
};
use context_budget::{Form, RecentFile, WorkingSet, recent_files};
use uuid::Uuid;

use super::job::Summary;
use super::text::shown;
use crate::offload::offload;
use crate::session::Session;
use crate::session::prepare::Line;

/// What came back.
pub(super) struct Behind {
    pub(super) working_set: WorkingSet,
    pub(super) tokens_after: u64,
}

type Reads = Vec<(RecentFile, Result<ReadOutcome, ReadError>)>;

impl Session {
    /// Pushes the boundary and what comes back behind it; `later` came after the history was looked at and stays.
    pub(super) async fn behind(&self, summary: &Summary, later: Vec<Uuid>, line: &mut Line<'_>) -> Behind {
        let cut = summary.cut.clone().and_kept(later);
        let mut set = WorkingSet::default();
        let mut drafts = self.files_back(&cut.kept, &mut set).await;
        drafts.extend(self.todos_back(&mut set));
        let counter = &*self.parts.budget.counter;
        let summary_tokens = counter.text(&summary.text);
        let restored: u64 =
            set.items.iter().filter(|item| item.form != Form::Kept).map(|item| item.tokens).sum();
        let tokens_after = summary.overhead + summary_tokens + cut.kept_tokens + restored;
        set.note(
            "messages",
            Form::Kept,
            "newest_messages",
            format!("{} entries stay as they are.", cut.kept.len()),
            cut.kept_tokens,
        );
        let detail = format!("{} entries are the summary now.", cut.gone.len());
        set.note("history", Form::Cut, "summarised", detail, summary_tokens);
        line.push(EntryKind::Boundary(
            Boundary::default()
                .head(cut.gone.last().copied())
                .anchor(self.history.last().map(|entry| entry.uuid))
                .tail(cut.kept.last().copied())
                .trigger(summary.trigger)
                .tokens_before(summary.tokens_before)
                .tokens_after(tokens_after)
                .summary(summary.text.clone())
                .kept(cut.kept),
        ));
        drafts.into_iter().for_each(|draft| line.push_draft(draft));
        Behind { working_set: set, tokens_after }
    }

    async fn files_back(&self, kept: &[Uuid], set: &mut WorkingSet) -> Vec<Draft> {
        let limits = &self.parts.budget.compaction;
        let view = self.taken_now().view;
        let (stay, back): (Vec<_>, Vec<_>) =
            recent_files(&self.history, &view, kept).into_iter().partition(|file| file.stays);
        for file in stay {
            set.note(shown(&self.cwd, &file.path), Form::Kept, "still_shown", "What stays shows it.", 0);
        }
        let mut back = back;
        let beyond = back.split_off(limits.files.min(back.len()));
        let mut drafts = Vec::new();
        let mut left = limits.files_tokens.min(self.room() / limits.restored_divisor.max(1));
        for (file, outcome) in self.read_again(back).await {
            drafts.extend(self.file_back(&file, outcome, &mut left, set));
        }
        for file in beyond {
            let detail = "It was read longer ago than those that come back.";
            set.note(shown(&self.cwd, &file.path), Form::LeftOut, "not_among_newest", detail, 0);
        }
        drafts
    }

    /// Reads files on the engine's threads; what does not come in time comes back by name.
    async fn read_again(
        &self,
        files: Vec<RecentFile>,
    ) -> Vec<(RecentFile, Option<Result<ReadOutcome, ReadError>>)> {
        let by_name = |files: Vec<RecentFile>| files.into_iter().map(|file| (file, None)).collect();
        let Some(reader) = self.parts.reader.clone().filter(|_| !files.is_empty()) else {
            return by_name(files);
        };
        let job = files.clone();
        let deadline = Instant::now() + self.parts.options.limits.restore_wait;
        let reads = offload(&self.parts.threads, move || read_all(&*reader, job));
        match reads.until(&self.parts.timer, deadline).await {
            Ok(reads) => reads.into_iter().map(|(file, outcome)| (file, Some(outcome))).collect(),
            Err(_) => by_name(files),
        }
    }

    fn file_back(
        &self,
        file: &RecentFile,
        outcome: Option<Result<ReadOutcome, ReadError>>,
        left: &mut u64,
        set: &mut WorkingSet,
    ) -> Option<Draft> {
        let name = shown(&self.cwd, &file.path);
        let limits = &self.parts.budget.compaction;
        let outcome = match outcome {
            Some(Ok(outcome)) => outcome,
            Some(Err(error)) => {
                set.note(name, Form::LeftOut, error.kind.reason(), format!("{error}."), 0);
                return None;
            }
            None => return Some(reference(file, name, "not_read_in_time", set)),
        };
        let tokens = match &outcome.content {
            FileContent::Text(text) if file.is_text => self.parts.budget.counter.text(&text.text),
            FileContent::Empty => 1,
            _ => return Some(reference(file, name, "no_text", set)),
        };
        if tokens > limits.file_tokens || tokens > *left {
            return Some(reference(file, name, "too_large_to_come_back", set));
        }
        *left -= tokens;
        set.note(&name, Form::Whole, "read_before", "It was read before; this is its text now.", tokens);
        Some(whole(file, name, outcome))
    }

    /// The todo list, which the model has lost sight of.
    fn todos_back(&self, set: &mut WorkingSet) -> Option<Draft> {
        let todos = self.host.work.todos.items();
        if todos.is_empty() {
            return None;
        }
        set.note("todos", Form::Whole, "todo_list", "The list as it stands.", 0);
        Some(Draft::new(TodoReminder::default().todos(todos.to_vec())))
    }
}

fn read_all(reader: &dyn FileReader, files: Vec<RecentFile>) -> Reads {
    let read = |file: RecentFile| {
        let request = ReadRequest::default().path(file.path.clone()).lines(file.lines);
        let outcome = reader.read(&request);
        (file, outcome)
    };
    files.into_iter().map(read).collect()
}

fn whole(file: &RecentFile, name: String, outcome: ReadOutcome) -> Draft {
    let state = outcome.state.as_ref();
    let attachment = FileAttachment::default()
        .path(outcome.path.clone())
        .display_path(name)
        .lines(file.lines)
        .fingerprint(state.map(|state| state.fingerprint).unwrap_or_default())
        .hash(state.map(|state| state.hash.clone()).unwrap_or_default())
        .content(outcome.content);
    let draft = Draft::new(attachment);
    outcome.state.map(StateChange::Put).into_iter().fold(draft, Draft::state)
}

fn reference(file: &RecentFile, name: String, reason: &str, set: &mut WorkingSet) -> Draft {
    let detail = "It was read before and comes back by name only: read it again where it is needed.";
    set.note(&name, Form::Reference, reason, detail, 0);
    Draft::new(CompactFileReference::default().path(file.path.clone()).display_path(name))
}
