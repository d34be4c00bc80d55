//! What stands behind a boundary.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::time::Instant;

use context_api::{
    Attachment, Boundary, CompactFileReference, Draft, EntryKind, FileAttachment, FileContent, FileReader,
    ReadError, ReadOutcome, ReadRequest, StateChange, TodoReminder,
};
use context_budget::{Cut, Form, RecentFile, WorkingSet, recent_files};
use uuid::Uuid;

use super::job::{Sent, Summary};
use super::text::shown;
use crate::offload::offload;
use crate::session::Session;
use crate::session::line::Line;

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
        let (mut set, mut todos) = (WorkingSet::default(), WorkingSet::default());
        let list = self.todos_back(&mut todos);
        let may = summary.may_replace(&self.parts.budget.compaction);
        let left = may.saturating_sub(summary.tokens + todos.tokens());
        let mut drafts = self.files_back(&cut.kept, left, &mut set).await;
        drafts.extend(list);
        set.items.append(&mut todos.items);
        self.note_memory(&cut, &mut set);
        let tokens_after = summary.overhead + summary.tokens + cut.kept_tokens + set.tokens();
        set.note(
            "messages",
            Form::Kept,
            "newest_messages",
            format!("{} entries stay as they are.", cut.kept.len()),
            cut.kept_tokens,
        );
        let detail = format!("{} entries are the summary now.", cut.gone.len());
        set.note("history", Form::Cut, "summarised", detail, summary.tokens);
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

    /// Files that were read last, within `left` tokens.
    async fn files_back(&self, kept: &[Uuid], left: u64, set: &mut WorkingSet) -> Vec<Draft> {
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
        let mut left = left.min(limits.files_tokens).min(self.room() / limits.restored_divisor.max(1));
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
            None => return self.by_name(file, name, "not_read_in_time", left, set),
        };
        let is_text = matches!(outcome.content, FileContent::Text(_)) && file.is_text;
        if !is_text && outcome.content != FileContent::Empty {
            return self.by_name(file, name, "no_text", left, set);
        }
        let draft = whole(file, &name, outcome);
        let tokens = self.sent_tokens(&draft);
        if tokens > limits.file_tokens || tokens > *left {
            return self.by_name(file, name, "too_large_to_come_back", left, set);
        }
        *left -= tokens;
        set.note(&name, Form::Whole, "read_before", "It was read before; this is its text now.", tokens);
        Some(draft)
    }

    /// A file that comes back by its name, where there is room even for that.
    fn by_name(
        &self,
        file: &RecentFile,
        name: String,
        reason: &str,
        left: &mut u64,
        set: &mut WorkingSet,
    ) -> Option<Draft> {
        let reference = CompactFileReference::default().path(file.path.clone()).display_path(name.clone());
        let draft = Draft::new(reference);
        let tokens = self.sent_tokens(&draft);
        if tokens > *left {
            let detail = "What goes out of view leaves no room for it behind the summary.";
            set.note(name, Form::LeftOut, "no_room_to_come_back", detail, 0);
            return None;
        }
        *left -= tokens;
        let detail = "It was read before and comes back by name only: read it again where it is needed.";
        set.note(name, Form::Reference, reason, detail, tokens);
        Some(draft)
    }

    /// What a draft costs as it is sent.
    fn sent_tokens(&self, draft: &Draft) -> u64 {
        let budget = &self.parts.budget;
        let sent = Sent {
            projector: &*self.parts.projector,
            config: self.projected.config(),
            counter: &*budget.counter,
        };
        let envelope = draft.clone().commit(Uuid::nil(), jiff::Timestamp::UNIX_EPOCH);
        sent.tokens(EntryKind::Attachment(envelope), &budget.limits)
    }

    /// Memory that was shown for a path waits until the path is touched again.
    fn note_memory(&self, cut: &Cut, set: &mut WorkingSet) {
        let kept = self.nested(&cut.kept);
        for path in self.nested(&cut.gone).difference(&kept) {
            let detail = "It comes back once something that it is about is touched again.";
            set.note(shown(&self.cwd, path), Form::LeftOut, "waits_for_a_touch", detail, 0);
        }
    }

    fn nested(&self, entries: &[Uuid]) -> BTreeSet<&Path> {
        let entries: HashSet<&Uuid> = entries.iter().collect();
        let among = self.history.iter().filter(|entry| entries.contains(&entry.uuid));
        let shown = among.filter_map(|entry| match &entry.attachment()?.attachment {
            Attachment::NestedMemory(memory) => Some(memory.path.as_path()),
            _ => None,
        });
        shown.collect()
    }

    /// The todo list, which the model has lost sight of.
    fn todos_back(&self, set: &mut WorkingSet) -> Option<Draft> {
        let todos = self.host.work.todos.items();
        if todos.is_empty() {
            return None;
        }
        let draft = Draft::new(TodoReminder::default().todos(todos.to_vec()));
        let tokens = self.sent_tokens(&draft);
        set.note("todos", Form::Whole, "todo_list", "The list as it stands.", tokens);
        Some(draft)
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

fn whole(file: &RecentFile, name: &str, outcome: ReadOutcome) -> Draft {
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
