//! One look at one mention: which file or resource, and what a model gets to see of it. Runs where it may block.

use std::path::{Path, PathBuf};

use context_api::{
    AlreadyReadFile, Attachment, Decision, DirectoryAttachment, Draft, FileAttachment, FileContent,
    FileState, Follow, HostSnapshot, LineSpan, PdfReference, ReadError, ReadOutcome, ReadRequest, Source,
    StateChange, StatesView,
};
use context_text::{cut_chars, safe_line};
use jiff::Timestamp;

use super::MentionSources;
use crate::mention::{Mention, MentionKind, ResolvedMention, resolve_mention};
use crate::paths::shown;
use crate::resources::{self, Name, ResourceError, ResourceLimits, ResourceRequest};

/// What looks, with all that it needs of the turn.
pub(super) struct Looker {
    pub(super) sources: MentionSources,
    pub(super) cwd: PathBuf,
    pub(super) states: StatesView,
    pub(super) now: Timestamp,
    pub(super) racy_ns: i64,
    pub(super) host: std::sync::Arc<HostSnapshot>,
    pub(super) resources: ResourceLimits,
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
    /// A resource of a server.
    Resource {
        /// What to attach.
        draft: Box<Draft>,
        /// What was cut.
        decisions: Vec<Decision>,
    },
}

impl Looker {
    pub(super) async fn look(&self, mention: &Mention) -> Seen {
        match self.file(mention) {
            Some(seen) => seen,
            None if mention.kind == MentionKind::Resource => self.resource(mention).await,
            None => Seen::Nothing(unresolved(mention, &self.host)),
        }
    }

    /// The file or directory that a mention means, where there is one.
    fn file(&self, mention: &Mention) -> Option<Seen> {
        let files = &*self.sources.files;
        let resolved = resolve_mention(files, &self.cwd, self.sources.home.as_deref(), mention)?;
        Some(self.known(&resolved).unwrap_or_else(|| match self.read(&resolved) {
            Ok(outcome) => self.attach(&resolved, outcome),
            Err(error) => Seen::Nothing(refused(&self.cwd, &resolved, &error)),
        }))
    }

    /// What a server answers, the longest name first.
    async fn resource(&self, mention: &Mention) -> Seen {
        let subject = safe_line(&mention.target).into_owned();
        let Some(reader) = &self.sources.resources else {
            let detail = "The server is known, but nothing here reads its resources.";
            return Seen::Nothing(Decision::left_out(subject, "no_resource_reader", detail));
        };
        for name in resources::named(&mention.target, mention.quoted, self.resources.names) {
            if let Some(why) = self.unavailable(name) {
                return Seen::Nothing(Decision::left_out(subject, "server_unavailable", why));
            }
            let mut request = ResourceRequest::new(name.server, name.uri);
            request.most_bytes = self.resources.text_bytes;
            match reader.read(&request).await {
                Ok(resource) => {
                    let (draft, decisions) = resources::shown(&request, &resource, &self.resources);
                    return Seen::Resource { draft: Box::new(draft), decisions };
                }
                Err(ResourceError::NotFound) => {}
                Err(error) => {
                    let said = error.to_string();
                    let why = safe_line(cut_chars(&said, self.resources.error_chars)).into_owned();
                    let detail = format!("The server could not give it: {why}.");
                    return Seen::Nothing(Decision::failed(subject, "resource_failed", detail));
                }
            }
        }
        let detail = "The server has no resource of this name; the text stays as typed.";
        Seen::Nothing(Decision::left_out(subject, "resource_not_found", detail))
    }

    /// Why a server can not be reached, where the host knows.
    fn unavailable(&self, name: Name<'_>) -> Option<String> {
        let servers = self.host.catalog.mcp.items();
        let server = servers.iter().find(|server| server.name == name.server)?;
        let why = server.unavailable.as_deref()?;
        let why = safe_line(cut_chars(why, self.resources.error_chars)).into_owned();
        Some(format!("The server can not be reached now: {why}."))
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

fn unresolved(mention: &Mention, host: &HostSnapshot) -> Decision {
    let name = safe_line(&mention.target).into_owned();
    if !is_address(&mention.target) {
        let detail = "No file or directory has this name; the text stays as typed.";
        return Decision::left_out(name, "not_found", detail);
    }
    if let Source::Unavailable(_) = host.catalog.mcp {
        let detail = "The host can not say now which servers there are; the text stays as typed.";
        return Decision::left_out(name, "servers_unavailable", detail);
    }
    let detail = "No server and no file has this name; the text stays as typed.";
    Decision::left_out(name, "unknown_server", detail)
}

/// Whether a name has the form of a resource: `server:scheme://place`.
fn is_address(target: &str) -> bool {
    target.split_once(':').is_some_and(|(server, uri)| !server.contains('/') && uri.contains("://"))
}

fn refused(cwd: &Path, resolved: &ResolvedMention, error: &ReadError) -> Decision {
    let detail = format!("It is not attached: {}.", error.kind);
    Decision::left_out(shown(cwd, &resolved.path), error.kind.reason(), detail)
}
