//! A history as it is seen now: the fold over boundaries, edits and marks.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use uuid::Uuid;

use crate::{
    Boundary, ContentBlock, Entry, EntryKind, Mark, MarkKind, MarkTarget, StateChange, TokenCounter, ViewEdit,
};

/// A history as its reader sees it now, with what each entry costs.
///
/// Boundaries, drops and folds have taken out of view what they name; replaced results count as what stands in their
/// place. Stages plan over it, and [`HistoryView::apply`] shows them what their edits would do.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct HistoryView {
    /// Entries in view that a model sees, oldest first.
    pub entries: Vec<SeenEntry>,
    tools: HashMap<String, Arc<str>>,
    results: HashMap<String, String>,
    blocks: HashSet<(Uuid, usize)>,
    /// Whether anything was marked: a mark on a file also means entries that come later.
    marked: bool,
}

/// One entry in view.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SeenEntry {
    /// The entry as it was recorded.
    pub entry: Arc<Entry>,
    /// What it costs as it is seen, tokens.
    pub tokens: u64,
    /// Whether no stage may touch it.
    pub pinned: bool,
    /// Whether its exchange may go.
    pub droppable: bool,
}

/// A tool result in view.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct SeenResult<'a> {
    /// Its place in [`HistoryView::entries`].
    pub place: usize,
    /// The id of the call.
    pub id: &'a str,
    /// The tool; empty where the call is out of view.
    pub tool: &'a str,
    /// What it costs as it is seen, tokens.
    pub tokens: u64,
    /// Whether no stage may touch it.
    pub pinned: bool,
    /// Why something else stands in its place, where something does.
    pub replaced: Option<&'a str>,
}

impl HistoryView {
    /// The fold over a history. `tokens` says what each entry costs as it is seen now; one that is not named costs nothing.
    pub fn of(history: &[Arc<Entry>], tokens: &HashMap<Uuid, u64>) -> Self {
        let fold = Fold::of(history);
        let marks = Marks::of(history);
        let mut view = Self {
            results: fold.results,
            blocks: fold.blocks,
            marked: !marks.0.is_empty(),
            ..Self::default()
        };
        for (index, entry) in history.iter().enumerate() {
            let reached = index >= fold.start || fold.kept.contains(&entry.uuid);
            if !reached || fold.gone.contains(&entry.uuid) || !is_said(entry) {
                continue;
            }
            view.push(entry, tokens);
            if let Some(seen) = view.entries.last_mut().filter(|_| view.marked) {
                seen.pinned = marks.is(entry, MarkKind::Pinned);
                seen.droppable = marks.is(entry, MarkKind::Droppable);
            }
        }
        view
    }

    /// Takes in what came behind the history that it is of, so that a turn costs what is new in it. `false`, and nothing
    /// changed, where an entry changes how earlier ones are seen, or is: [`HistoryView::of`] makes it anew then.
    pub fn extend(&mut self, entries: &[Arc<Entry>], tokens: &HashMap<Uuid, u64>) -> bool {
        if self.marked || entries.iter().any(|entry| changes_others(entry)) {
            return false;
        }
        for entry in entries.iter().filter(|entry| is_said(entry)) {
            self.push(entry, tokens);
        }
        true
    }

    /// An entry costs so many tokens now. One of the newest is found at once.
    pub fn recount(&mut self, entry: Uuid, tokens: u64) {
        if let Some(seen) = self.entries.iter_mut().rev().find(|seen| seen.entry.uuid == entry) {
            seen.tokens = tokens;
        }
    }

    fn push(&mut self, entry: &Arc<Entry>, tokens: &HashMap<Uuid, u64>) {
        for (id, tool) in calls(entry) {
            self.tools.insert(id.to_owned(), tool.into());
        }
        self.entries.push(SeenEntry {
            tokens: tokens.get(&entry.uuid).copied().unwrap_or_default(),
            pinned: false,
            droppable: false,
            entry: Arc::clone(entry),
        });
    }

    /// Tokens of all entries in view.
    pub fn tokens(&self) -> u64 {
        self.entries.iter().map(|seen| seen.tokens).sum()
    }

    /// The tool of a call in view; empty for an unknown one.
    pub fn tool(&self, id: &str) -> &str {
        self.tools.get(id).map_or("", |tool| tool)
    }

    /// Results in view, oldest first.
    pub fn results(&self) -> impl Iterator<Item = SeenResult<'_>> {
        self.entries.iter().enumerate().filter_map(|(place, seen)| {
            let EntryKind::ToolResult(result) = &seen.entry.kind else { return None };
            let id = result.block.tool_use_id.as_str();
            Some(SeenResult {
                place,
                id,
                tool: self.tool(id),
                tokens: seen.tokens,
                pinned: seen.pinned,
                replaced: self.replaced(id),
            })
        })
    }

    /// Why something else stands in the place of a call's result, where something does.
    pub fn replaced(&self, id: &str) -> Option<&str> {
        self.results.get(id).map(String::as_str)
    }

    /// Whether something else stands in the place of a block.
    pub fn is_replaced(&self, entry: Uuid, block: usize) -> bool {
        self.blocks.contains(&(entry, block))
    }

    /// Place of the newest answer of the model.
    pub fn newest_answer(&self) -> Option<usize> {
        self.entries.iter().rposition(|seen| matches!(seen.entry.kind, EntryKind::Assistant(_)))
    }

    /// Place of the newest words of a person.
    pub fn newest_words(&self) -> Option<usize> {
        self.entries.iter().rposition(|seen| is_words(&seen.entry))
    }

    /// Takes an edit in as if it were recorded; what stands in the place of something costs what `counter` says.
    pub fn apply(&mut self, edit: &ViewEdit, counter: &dyn TokenCounter) {
        self.apply_all([edit], counter);
    }

    /// Shows what edits would do, one after the other. Many at once cost one look through the view, and not one each.
    pub fn apply_all<'a>(
        &mut self,
        edits: impl IntoIterator<Item = &'a ViewEdit>,
        counter: &dyn TokenCounter,
    ) {
        let mut places: Option<Places> = None;
        for edit in edits {
            match edit {
                ViewEdit::ReplaceResult { tool_use_id, text, reason } => {
                    let places = places.get_or_insert_with(|| Places::of(&self.entries));
                    let tokens = counter.text(text);
                    for place in places.results.get(tool_use_id).into_iter().flatten() {
                        self.entries[*place].tokens = tokens;
                    }
                    self.results.insert(tool_use_id.clone(), reason.clone());
                }
                ViewEdit::ReplaceBlock { entry, block, text, .. } => {
                    let places = places.get_or_insert_with(|| Places::of(&self.entries));
                    for place in places.entries.get(entry).into_iter().flatten() {
                        replace_block(&mut self.entries[*place], *block, text, counter);
                    }
                    self.blocks.insert((*entry, *block));
                }
                ViewEdit::Drop { entries, .. } | ViewEdit::Fold { entries, .. } => {
                    let gone: HashSet<&Uuid> = entries.iter().collect();
                    self.entries.retain(|seen| !gone.contains(&seen.entry.uuid));
                    places = None;
                }
                _ => {}
            }
        }
    }
}

fn replace_block(seen: &mut SeenEntry, block: usize, text: &str, counter: &dyn TokenCounter) {
    let tokens = counter.text(text);
    seen.tokens = match block_text(&seen.entry, block) {
        Some(before) => seen.tokens.saturating_sub(counter.text(before)) + tokens,
        // How an attachment is told, nobody knows here: its first block is nearly all of it.
        None if block == 0 => seen.tokens.min(tokens),
        None => seen.tokens,
    };
}

/// Where entries stand in a view.
struct Places {
    /// Results, by the id of their call.
    results: HashMap<String, Vec<usize>>,
    entries: HashMap<Uuid, Vec<usize>>,
}

impl Places {
    fn of(entries: &[SeenEntry]) -> Self {
        let mut places = Self { results: HashMap::new(), entries: HashMap::new() };
        for (place, seen) in entries.iter().enumerate() {
            places.entries.entry(seen.entry.uuid).or_default().push(place);
            if let EntryKind::ToolResult(result) = &seen.entry.kind {
                places.results.entry(result.block.tool_use_id.clone()).or_default().push(place);
            }
        }
        places
    }
}

/// Whether an entry is words of a person: typed, or typed while the model worked.
pub fn is_words(entry: &Entry) -> bool {
    match &entry.kind {
        EntryKind::User(input) => !input.is_meta,
        EntryKind::Attachment(envelope) => matches!(
            &envelope.attachment,
            crate::Attachment::QueuedCommand(it) if !it.is_meta && it.mode == crate::queue_mode::PROMPT
        ),
        _ => false,
    }
}

/// Whether an entry says something to a model by itself.
fn is_said(entry: &Entry) -> bool {
    matches!(
        entry.kind,
        EntryKind::User(_) | EntryKind::Assistant(_) | EntryKind::ToolResult(_) | EntryKind::Attachment(_)
    )
}

/// Whether an entry changes how others are seen.
fn changes_others(entry: &Entry) -> bool {
    match &entry.kind {
        // That a call was interrupted is said where its result would stand, which is no entry.
        EntryKind::ViewEdit(edit) => !matches!(edit, ViewEdit::Interrupted { .. }),
        EntryKind::Boundary(_) | EntryKind::Mark(_) => true,
        _ => false,
    }
}

/// Ids and tools of the calls in an answer.
fn calls(entry: &Entry) -> impl Iterator<Item = (&str, &str)> {
    let content = match &entry.kind {
        EntryKind::Assistant(reply) => reply.content.as_slice(),
        _ => &[],
    };
    content.iter().filter_map(|block| match block {
        ContentBlock::ToolUse(call) => Some((call.id.as_str(), call.name.as_str())),
        _ => None,
    })
}

fn block_text(entry: &Entry, block: usize) -> Option<&str> {
    let content = match &entry.kind {
        EntryKind::User(input) => &input.content,
        EntryKind::Assistant(reply) => &reply.content,
        EntryKind::ToolResult(result) => &result.block.content,
        _ => return None,
    };
    content.get(block).and_then(ContentBlock::as_text)
}

/// What recorded edits take out of view or replace.
#[derive(Default)]
struct Fold {
    start: usize,
    kept: HashSet<Uuid>,
    gone: HashSet<Uuid>,
    results: HashMap<String, String>,
    blocks: HashSet<(Uuid, usize)>,
}

impl Fold {
    fn of(history: &[Arc<Entry>]) -> Self {
        let mut fold = Self::default();
        for (index, entry) in history.iter().enumerate() {
            match &entry.kind {
                EntryKind::Boundary(boundary) => fold.cross(index, boundary),
                EntryKind::ViewEdit(edit) => fold.edit(edit),
                _ => {}
            }
        }
        fold
    }

    fn cross(&mut self, index: usize, boundary: &Boundary) {
        self.start = index;
        self.kept = boundary.kept.iter().copied().collect();
    }

    fn edit(&mut self, edit: &ViewEdit) {
        match edit {
            ViewEdit::ReplaceResult { tool_use_id, reason, .. } => {
                self.results.insert(tool_use_id.clone(), reason.clone());
            }
            ViewEdit::ReplaceBlock { entry, block, .. } => {
                self.blocks.insert((*entry, *block));
            }
            ViewEdit::Drop { entries, .. } | ViewEdit::Fold { entries, .. } => self.gone.extend(entries),
            ViewEdit::Unfold { entries } => entries.iter().for_each(|entry| {
                self.gone.remove(entry);
            }),
            _ => {}
        }
    }
}

/// What was said of entries, results and files: the newest word about a target holds.
#[derive(Default)]
struct Marks<'a>(BTreeMap<&'a MarkTarget, MarkKind>);

impl<'a> Marks<'a> {
    fn of(history: &'a [Arc<Entry>]) -> Self {
        let mut marks = Self::default();
        for entry in history {
            if let EntryKind::Mark(Mark { targets, mark }) = &entry.kind {
                marks.0.extend(targets.iter().map(|target| (target, *mark)));
            }
        }
        marks
    }

    fn is(&self, entry: &Entry, wanted: MarkKind) -> bool {
        !self.0.is_empty() && targets_of(entry).iter().any(|target| self.0.get(target) == Some(&wanted))
    }
}

/// Everything by which a mark can mean an entry.
fn targets_of(entry: &Entry) -> BTreeSet<MarkTarget> {
    let mut targets = BTreeSet::from([MarkTarget::Entry(entry.uuid)]);
    if let EntryKind::ToolResult(result) = &entry.kind {
        targets.insert(MarkTarget::Result(result.block.tool_use_id.clone()));
    }
    // A call stands or falls with its result.
    targets.extend(calls(entry).map(|(id, _)| MarkTarget::Result(id.to_owned())));
    targets.extend(files_shown(entry).map(|path| MarkTarget::File(path.to_path_buf())));
    targets
}

/// Files whose content an entry shows.
fn files_shown(entry: &Entry) -> impl Iterator<Item = &Path> {
    let states = match &entry.kind {
        EntryKind::ToolResult(result) => result.states.as_slice(),
        EntryKind::Attachment(envelope) => &envelope.states,
        _ => &[],
    };
    states.iter().filter_map(|change| match change {
        StateChange::Put(state) => Some(state.path.as_path()),
        _ => None,
    })
}
