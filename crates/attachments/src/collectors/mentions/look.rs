//! One look at one mention: which file, and what a model gets to see of it. Runs where it may block.

use std::path::{Path, PathBuf};

use context_api::{
    AlreadyReadFile, Attachment, Decision, DirectoryAttachment, Draft, FileAttachment, FileContent,
    FileState, Follow, LineSpan, PdfReference, ReadError, ReadOutcome, ReadRequest, StateChange, StatesView,
};
use context_text::safe_line;
use jiff::Timestamp;

use super::MentionSources;
use crate::mention::{Mention, MentionKind, ResolvedMention, resolve_mention};
use crate::paths::shown;

/// What looks, with all that it needs of the turn.
pub(super) struct Looker {
    pub(super) sources: MentionSources,
    pub(super) cwd: PathBuf,
    pub(super) states: StatesView,
    pub(super) now: Timestamp,
    pub(super) racy_ns: i64,
}

/// What was seen.
pub(super) enum Seen {
    /// Nothing to attach, and why.
    Nothing(Decision),
    /// A file or directory.
    Target {
        /// Canonical path.
        path: PathBuf,
        /// Lines of it.
        lines: Option<LineSpan>,
        /// What to attach.
        draft: Box<Draft>,
        /// What was cut.
        decisions: Vec<Decision>,
    },
}

impl Looker {
    pub(super) fn look(&self, mention: &Mention) -> Seen {
        let files = &*self.sources.files;
        match resolve_mention(files, &self.cwd, self.sources.home.as_deref(), mention) {
            None => Seen::Nothing(unresolved(mention)),
            Some(resolved) => self.known(&resolved).unwrap_or_else(|| match self.read(&resolved) {
                Ok(outcome) => self.attach(&resolved, outcome),
                Err(error) => Seen::Nothing(refused(&self.cwd, &resolved, &error)),
            }),
        }
    }

    fn read(&self, resolved: &ResolvedMention) -> Result<ReadOutcome, ReadError> {
        self.sources.reader.read(&ReadRequest::default().path(resolved.path.clone()).lines(resolved.lines))
    }

    /// The file is known as it is now, by its facts alone: it need not be read again.
    fn known(&self, resolved: &ResolvedMention) -> Option<Seen> {
        let path = self.sources.files.canonicalize(&resolved.path).ok()?;
        let state = self.covering(&path, resolved.lines)?;
        let meta = self.sources.files.metadata(&path, Follow::Nothing).ok()?;
        let settled = !self.is_racy(state);
        (meta.fingerprint == state.fingerprint && settled).then(|| self.already(resolved, path, None))
    }

    /// The state of a file of which the model has just what is asked for. Lines of a file that it has whole are sent all the
    /// same: whoever names them points at them.
    fn covering(&self, path: &Path, lines: Option<LineSpan>) -> Option<&FileState> {
        let state = self.states.get(path)?;
        (!state.is_partial_view && !state.inherited && state.lines == lines).then_some(state)
    }

    /// Whether the file may have changed after it was read without a new time.
    fn is_racy(&self, state: &FileState) -> bool {
        let read_ns = i64::try_from(state.read_at.as_nanosecond()).unwrap_or(i64::MAX);
        state.fingerprint.mtime_ns.saturating_add(self.racy_ns) >= read_ns
    }

    fn already(&self, resolved: &ResolvedMention, path: PathBuf, refresh: Option<StateChange>) -> Seen {
        let payload =
            AlreadyReadFile::default().path(path.clone()).display_path(shown(&self.cwd, &resolved.path));
        let mut draft = Draft::new(payload);
        draft.states.extend(refresh);
        Seen::Target { path, lines: resolved.lines, draft: Box::new(draft), decisions: Vec::new() }
    }

    fn attach(&self, resolved: &ResolvedMention, outcome: ReadOutcome) -> Seen {
        let path = outcome.path.clone();
        if let (Some(before), Some(now)) = (self.covering(&path, resolved.lines), &outcome.state)
            && before.hash == now.hash
        {
            let fingerprint = now.fingerprint;
            let refresh = StateChange::Refresh { path: path.clone(), fingerprint };
            return self.already(resolved, path, Some(refresh));
        }
        let display = shown(&self.cwd, &resolved.path);
        let decisions = outcome.decisions.clone();
        let mut draft = Draft::new(payload(display, resolved.lines, &outcome));
        draft.states.extend(outcome.state.map(|mut state| {
            state.read_at = self.now;
            StateChange::Put(state)
        }));
        Seen::Target { path, lines: resolved.lines, draft: Box::new(draft), decisions }
    }
}

fn payload(display: String, lines: Option<LineSpan>, outcome: &ReadOutcome) -> Attachment {
    let path = outcome.path.clone();
    match &outcome.content {
        FileContent::Directory(listing) => DirectoryAttachment::default()
            .path(path)
            .display_path(display)
            .entries(listing.entries.clone())
            .left_out(listing.left_out)
            .into(),
        FileContent::PdfReference(reference) => PdfReference::default()
            .path(path)
            .display_path(display)
            .pages(reference.pages)
            .size(reference.size)
            .problem(reference.note.clone())
            .into(),
        content => {
            let state = outcome.state.as_ref();
            FileAttachment::default()
                .path(path)
                .display_path(display)
                .lines(lines)
                .content(content.clone())
                .fingerprint(state.map(|state| state.fingerprint).unwrap_or_default())
                .hash(state.map(|state| state.hash.clone()).unwrap_or_default())
                .into()
        }
    }
}

fn unresolved(mention: &Mention) -> Decision {
    let name = safe_line(&mention.target).into_owned();
    if mention.kind == MentionKind::Resource {
        return Decision::left_out(
            name,
            "no_resource_reader",
            "The server is known, but nothing here reads its resources.",
        );
    }
    Decision::left_out(name, "not_found", "No file or directory has this name; the text stays as typed.")
}

fn refused(cwd: &Path, resolved: &ResolvedMention, error: &ReadError) -> Decision {
    let detail = format!("It is not attached: {}.", error.kind);
    Decision::left_out(shown(cwd, &resolved.path), error.kind.reason(), detail)
}
