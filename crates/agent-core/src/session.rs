//! One conversation.

mod agent;
mod commit;
#[cfg(feature = "compaction")]
mod compact;
#[cfg(feature = "compaction")]
mod fit;
mod late;
mod line;
#[cfg(feature = "memories")]
mod memories;
#[cfg(not(feature = "memories"))]
#[path = "session/memories_off.rs"]
mod memories;
mod prepare;
mod record;
mod request;
mod resume;
mod save;
#[cfg(feature = "compaction")]
mod stages;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attachments::Runs;
use context_api::{
    AttachmentMode, Boundary, Cancel, ContextProfile, Decision, EditRefusal, Entry, EntryKind, FileStates,
    Follow, HostSnapshot, Invalidate, InvalidateEvent, Ledger, MemoryScope, ModelRequest, QueuedInput,
    ReadRequest, StatesNote, StatesView, Thread, ToolSpec, TouchKind, Trigger,
};
use projector::ProjectedHistory;

use crate::Engine;
use crate::context::{Context, Stale};
use crate::handle::SessionHandle;
use crate::parts::Parts;
use commit::Seen;
#[cfg(feature = "compaction")]
pub use compact::{Compact, CompactError, Compacted, PinRefused, Summary, SummaryJob};
pub use late::Late;
pub use record::Recorded;
use save::Unsaved;

/// What a session may be told when it begins.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct SessionOptions {
    /// Its id; `None`: a new one.
    pub id: Option<String>,
    /// Whose conversation it is.
    pub thread: Thread,
    /// Which attachments it wants; of this and what its profile wants, the fewer.
    pub attachments: AttachmentMode,
    /// What of the context it leaves out; `None`: nothing, or for a resumed session what it left out before. Another one at a
    /// resume computes the context anew (`settings_changed`, `context profile`).
    pub profile: Option<ContextProfile>,
    /// Its working directory; `None`: the engine's, or for a resumed session its last one.
    pub cwd: Option<PathBuf>,
    /// What ends its work: a request that is under way is given up and changes nothing.
    pub cancel: Cancel,
}

impl SessionOptions {
    /// Sets [`SessionOptions::id`].
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets [`SessionOptions::thread`].
    pub fn thread(mut self, thread: Thread) -> Self {
        self.thread = thread;
        self
    }

    /// Sets [`SessionOptions::attachments`].
    pub fn attachments(mut self, attachments: AttachmentMode) -> Self {
        self.attachments = attachments;
        self
    }

    /// Sets [`SessionOptions::profile`].
    pub fn profile(mut self, profile: ContextProfile) -> Self {
        self.profile = Some(profile);
        self
    }

    /// Sets [`SessionOptions::cancel`].
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Sets [`SessionOptions::cwd`].
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }
}

/// One conversation: its history, and what is folded from it.
///
/// `prepare` makes the next request, `record` takes in what came of it. What happens in the host meanwhile goes through a
/// [`SessionHandle`].
pub struct Session {
    parts: Arc<Parts>,
    id: String,
    thread: Thread,
    attachments: AttachmentMode,
    profile: ContextProfile,
    scope: MemoryScope,
    cwd: PathBuf,
    handle: SessionHandle,
    runs: Runs,
    host: Arc<HostSnapshot>,
    history: Arc<Vec<Arc<Entry>>>,
    ledger: Arc<Ledger>,
    projected: ProjectedHistory,
    states: Arc<dyn FileStates>,
    context: Context,
    stale: Stale,
    tools: Option<Arc<[ToolSpec]>>,
    turn: u64,
    previous: Option<(u64, Arc<ModelRequest>)>,
    /// Whether the request before is of other parts than a next one: of another engine, or of a context before the newest.
    is_other: bool,
    unsaved: Unsaved,
    /// What was to be told with a request that was given up once it was part of the history.
    untold: Seen,
    branch: Option<String>,
    found: Vec<Decision>,
    skills_about: Option<Arc<str>>,
    cancel: Cancel,
    #[cfg(feature = "memories")]
    search: Option<attachments::MemorySearch>,
    #[cfg(feature = "compaction")]
    memory: crate::budget::BudgetMemory,
}

impl Session {
    pub(crate) fn new(parts: Arc<Parts>, options: SessionOptions) -> Self {
        let cwd = options.cwd.unwrap_or_else(|| parts.options.cwd.clone());
        let projected = ProjectedHistory::new(Arc::clone(&parts.projector), parts.options.projection.clone());
        let scope = MemoryScope::default()
            .cwd(cwd.clone())
            .additional_directories(parts.options.additional_directories.clone());
        let profile = options.profile.unwrap_or_default();
        Self {
            id: options.id.unwrap_or_else(|| parts.ids.next().to_string()),
            thread: options.thread,
            attachments: options.attachments.fewer(profile.attachments),
            profile,
            scope,
            cwd,
            handle: SessionHandle::new(Arc::clone(&parts.ids)),
            runs: Runs::new(),
            host: Arc::default(),
            history: Arc::default(),
            ledger: Arc::default(),
            projected,
            states: (parts.states)(),
            context: Context::default(),
            stale: Stale::all(),
            tools: None,
            turn: 0,
            previous: None,
            is_other: false,
            unsaved: Unsaved::default(),
            untold: Seen::default(),
            branch: None,
            found: Vec::new(),
            skills_about: None,
            cancel: options.cancel,
            #[cfg(feature = "memories")]
            search: None,
            #[cfg(feature = "compaction")]
            memory: crate::budget::BudgetMemory::new(&parts.budget.limits),
            parts,
        }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What takes in what happens in the host.
    pub fn handle(&self) -> SessionHandle {
        self.handle.clone()
    }

    /// The history, oldest first.
    pub fn history(&self) -> &Arc<Vec<Arc<Entry>>> {
        &self.history
    }

    /// What was delivered so far.
    pub fn ledger(&self) -> &Arc<Ledger> {
        &self.ledger
    }

    /// What the model has seen of files.
    pub fn files(&self) -> StatesView {
        self.states.view()
    }

    /// Memory as the context shows it, loaded once: for a classifier, say. Empty before the first request.
    pub fn memory_text(&self) -> &str {
        let memory = self.context.record.user.iter().find(|piece| piece.key == "claudeMd");
        memory.map_or("", |piece| &piece.text)
    }

    /// Whether the model may edit `path`. Looks at the disk; a file whose time moved and whose content did not is unchanged.
    ///
    /// # Errors
    /// The reason why it has to read the file first.
    pub fn may_edit(&self, path: &Path) -> Result<(), EditRefusal> {
        let files = &self.parts.files;
        let path = files.canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let now = files.metadata(&path, Follow::Nothing).ok();
        match self.states.may_edit(&path, now.as_ref().map(|meta| &meta.fingerprint)) {
            Err(EditRefusal::ChangedSince) if self.has_same_content(&path) => Ok(()),
            verdict => verdict,
        }
    }

    fn has_same_content(&self, path: &Path) -> bool {
        let (Some(reader), view) = (&self.parts.reader, self.states.view()) else { return false };
        let request = ReadRequest::default().path(path);
        let now = reader.read(&request).ok().and_then(|outcome| outcome.state);
        view.get(path).zip(now).is_some_and(|(before, now)| before.hash == now.hash)
    }

    /// Goes on with the parts of another engine: settings or options were changed. Takes hold with the next
    /// [`Session::invalidate`]; how entries are projected stays as it was.
    pub fn move_to(&mut self, engine: &Engine) {
        self.parts = Arc::clone(&engine.0);
        self.is_other = true;
        #[cfg(feature = "compaction")]
        self.memory.lock().forget(&self.parts.budget.limits);
        self.scope.additional_directories = self.parts.options.additional_directories.clone();
    }

    /// A later working directory: mentions and shown paths hang on it, memory and rules do not.
    pub fn set_cwd(&mut self, cwd: impl Into<PathBuf>) {
        self.cwd = self.cwd.join(cwd.into());
    }

    /// The user's word on includes outside the project. Takes hold with the next [`Session::invalidate`].
    pub fn approve_includes(&mut self, approved: bool) {
        self.scope.includes_approved = Some(approved);
    }

    /// Shorthand for [`SessionHandle::queue`].
    pub fn queue(&self, input: QueuedInput) -> String {
        self.handle.queue(input)
    }

    /// Shorthand for [`SessionHandle::touched`]; a relative path hangs on the working directory.
    pub fn touched(&self, path: impl AsRef<Path>, how: TouchKind) {
        self.handle.touched(self.cwd.join(path), how);
    }

    /// The model was given the text of a skill: it is told again once a compaction puts it out of view. `path` is that of the
    /// skill's file, canonical, as the source of skills gives it.
    pub fn used_skill(&mut self, name: &str, path: &Path) {
        let key = attachments::invoked_skill(&self.thread, name, path);
        self.append(EntryKind::States(StatesNote::default().keys(vec![key])));
    }

    /// Has skills named that fit a text, with the next words of the user: for a host that knows what is coming, such as a plan
    /// or an issue. The first words of a session are looked at without being asked. Why none is named is a decision.
    pub fn look_for_skills(&mut self, text: impl Into<Arc<str>>) {
        if self.attachments == AttachmentMode::On && !self.profile.without_skills {
            self.skills_about = Some(text.into());
        } else {
            self.found.push(ContextProfile::leaves_out("skill_discovery"));
        }
    }

    /// Gives a named reason for which the prefix may change: what it concerns is computed anew for the next request.
    pub fn invalidate(&mut self, event: InvalidateEvent, detail: impl Into<String>) {
        let detail = detail.into();
        if event == InvalidateEvent::Clear {
            self.append(EntryKind::Boundary(Boundary::default().trigger(Trigger::Clear)));
        }
        if event == InvalidateEvent::WorktreeChanged {
            self.scope.cwd = self.cwd.clone();
        }
        self.stale.mark(event, &detail);
        // so that a resumed session looks there too, and takes no word for one that was taken back
        let reason = Invalidate::default().event(event).detail(detail).scope(Some(self.scope.clone()));
        let kind = EntryKind::Invalidate(reason);
        self.append(kind);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(store) = &self.parts.store {
            store.release(&self.id);
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("id", &self.id)
            .field("turn", &self.turn)
            .field("entries", &self.history.len())
            .finish_non_exhaustive()
    }
}
