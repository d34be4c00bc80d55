//! Going on with a session that is in a store.

use std::sync::Arc;

use context_api::{
    ContextRecord, Decision, Entry, EntryKind, Fork, Invalidate, InvalidateEvent, Loaded, Reach,
    StoreErrorKind, TranscriptStore,
};
use projector::ProjectedHistory;
use uuid::Uuid;

use super::{Session, commit};
use crate::context::{Context, Stale};
use crate::parts::Parts;
use crate::{Engine, Error, SessionOptions};

impl Engine {
    /// Goes on with a session: its next request is what it would have been without the pause. What waited in its handle
    /// (queued input, touched paths) and what the host knows are the host's to hand in again. What could not be read of it
    /// is told with the next request.
    ///
    /// # Errors
    /// The engine has no store, another process works on the session, or it is not there or can not be read at all.
    pub async fn resume(&self, id: &str, options: SessionOptions) -> Result<Session, Error> {
        let store = self.0.store.as_ref().ok_or(Error::NoStore)?;
        let claimed = Claimed { store: Arc::clone(store), id: Some(id) };
        let unclaimed = match store.claim(id).await {
            Ok(()) => None,
            Err(error) if error.kind == StoreErrorKind::InUse => {
                claimed.kept();
                return Err(error.into());
            }
            // What can not be written can still be read.
            Err(error) => {
                let detail = format!("Another process may write it at the same time: {error}.");
                Some(Decision::failed(id, "session_not_claimed", detail))
            }
        };
        let loaded = store.load(id, Reach::SinceBoundary).await?;
        claimed.kept();
        let mut session = Session::restored(Arc::clone(&self.0), options.id(id), loaded);
        session.found.extend(unclaimed);
        Ok(session)
    }

    /// A new session that begins with the history of another, up to an entry or to its newest; the other stays as it is.
    ///
    /// # Errors
    /// The engine has no store, the other session or entry is not there, or there is a session with the new id.
    pub async fn fork(
        &self,
        from: &str,
        at: Option<Uuid>,
        options: SessionOptions,
    ) -> Result<Session, Error> {
        let store = self.0.store.as_ref().ok_or(Error::NoStore)?;
        let id = options.id.clone().unwrap_or_else(|| self.0.ids.next().to_string());
        let fork = Fork::new(from, id.clone(), self.0.ids.next(), self.0.clock.now());
        store.fork(fork.at(at)).await?;
        self.resume(&id, options).await
    }
}

/// A session that is let go again where nothing comes of it. One that somebody else in this process works on is claimed
/// again by its next append.
struct Claimed<'a> {
    store: Arc<dyn TranscriptStore>,
    id: Option<&'a str>,
}

impl Claimed<'_> {
    fn kept(mut self) {
        self.id = None;
    }
}

impl Drop for Claimed<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.store.release(id);
        }
    }
}

impl Session {
    fn restored(parts: Arc<Parts>, mut options: SessionOptions, loaded: Loaded) -> Self {
        if options.cwd.is_none() && loaded.last.cwd.is_absolute() {
            options.cwd = Some(loaded.last.cwd.clone());
        }
        let chosen = options.profile.is_some();
        let mut session = Self::new(parts, options);
        session.turn = loaded.last.request;
        session.branch = loaded.last.git_branch;
        session.ledger = Arc::new(loaded.ledger);
        session.found = loaded.decisions;
        if loaded.first.cwd.is_absolute() {
            session.scope.cwd = loaded.first.cwd;
        }
        session.restore_context(&loaded.entries);
        session.restore_files(&loaded.entries);
        // what was decided about them was told when they were new
        session.projected.extend(&loaded.entries);
        session.history = Arc::new(loaded.entries);
        if chosen {
            session.change_profile();
        } else {
            session.restore_profile();
        }
        session
    }

    /// The newest context, and what was to be computed anew since.
    fn restore_context(&mut self, entries: &[Arc<Entry>]) {
        let place = entries.iter().rposition(|entry| matches!(entry.kind, EntryKind::Context(_)));
        if let Some(record) = place.and_then(|place| context(&entries[place])) {
            self.stale = Stale { sections: record.basis.sections.is_empty(), ..Stale::default() };
            if record.basis.scope.cwd.is_absolute() {
                self.scope = record.basis.scope.clone();
                self.project_as(record);
            }
            self.tools = record.basis.tools.clone();
            self.context = Context::restored(record.clone());
        }
        for entry in &entries[place.unwrap_or_default()..] {
            if let EntryKind::Invalidate(reason) = &entry.kind {
                self.restore_reason(reason);
            }
        }
    }

    /// What was left out goes on to be left out.
    fn restore_profile(&mut self) {
        self.profile = self.context.record.basis.profile.clone();
        self.attachments = self.attachments.fewer(self.profile.attachments);
    }

    /// Another profile than before is a named reason to compute the context anew.
    fn change_profile(&mut self) {
        let has_context = self.context.record != ContextRecord::default();
        if has_context && self.profile != self.context.record.basis.profile {
            self.invalidate(InvalidateEvent::SettingsChanged, "context profile");
            self.stale.git = true;
        }
    }

    fn project_as(&mut self, record: &ContextRecord) {
        let projector = Arc::clone(&self.parts.projector);
        self.projected = ProjectedHistory::new(projector, record.basis.projection.clone());
    }

    fn restore_reason(&mut self, reason: &Invalidate) {
        self.stale.mark(reason.event, &reason.detail);
        if reason.event == InvalidateEvent::Tools {
            self.tools = reason.tools.clone().or(self.tools.take());
        }
        if let Some(scope) = reason.scope.as_ref().filter(|scope| scope.cwd.is_absolute()) {
            self.scope = scope.clone();
        } else if reason.event == InvalidateEvent::WorktreeChanged {
            // Lines of older versions do not say where.
            self.scope.cwd = self.cwd.clone();
        }
    }

    fn restore_files(&self, entries: &[Arc<Entry>]) {
        for (index, entry) in entries.iter().enumerate() {
            if let EntryKind::Boundary(boundary) = &entry.kind {
                // what it decides was told when the entry was new
                drop(self.cross(boundary, &entries[..index]));
            }
            for change in commit::changes(entry) {
                // what it decides was told when the entry was new
                drop(self.states.apply(change));
            }
        }
    }
}

fn context(entry: &Entry) -> Option<&ContextRecord> {
    match &entry.kind {
        EntryKind::Context(record) => Some(record),
        _ => None,
    }
}
