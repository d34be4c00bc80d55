//! What comes in while a turn is prepared.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use context_api::{
    Attachment, HandIn, HookAnswer, HostEvent, Ids, MailMessage, QueuedInput, TaskChange, TouchKind, Touched,
};

/// Takes in what happens in the host, at any time and from any thread. Cheap to clone.
#[derive(Clone)]
pub struct SessionHandle {
    inbox: Arc<Mutex<Inbox>>,
    ids: Arc<dyn Ids>,
}

/// What waits for the next request.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    events: Vec<HostEvent>,
    touched: Vec<Touched>,
}

/// What waited at one moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waiting {
    pub(crate) events: Vec<HostEvent>,
    pub(crate) touched: Vec<Touched>,
}

impl SessionHandle {
    pub(crate) fn new(ids: Arc<dyn Ids>) -> Self {
        Self { inbox: Arc::default(), ids }
    }

    fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A tool read, wrote or is about to write `path`, which is absolute: memory and rules for it follow.
    pub fn touched(&self, path: impl Into<PathBuf>, how: TouchKind) {
        self.lock().touched.push(Touched::default().path(path.into()).how(how));
    }

    /// Input arrived while the model worked. Returns its id, a new one where it has none.
    pub fn queue(&self, input: QueuedInput) -> String {
        self.event(HostEvent::Queued(input))
    }

    /// A hook answered: its raw output. Handed in before the request it belongs to. Returns its id, a new one where it has
    /// none.
    pub fn hook(&self, answer: HookAnswer) -> String {
        self.event(HostEvent::Hook(answer))
    }

    /// Another agent wrote. Returns the mail's id, a new one where it has none.
    pub fn mail(&self, mail: MailMessage) -> String {
        self.event(HostEvent::Mail(mail))
    }

    /// A task in the background changed. Returns the change's id, a new one where it has none.
    pub fn task(&self, change: TaskChange) -> String {
        self.event(HostEvent::Task(change))
    }

    /// An attachment that the host made itself.
    pub fn hand_in(&self, attachment: impl Into<Attachment>) -> String {
        self.event(HostEvent::HandIn(HandIn::default().attachment(attachment)))
    }

    /// Something happened in the host. An event whose id waits already is not taken twice; one without an id gets one, so
    /// that no other is taken for it. Returns the id.
    pub fn event(&self, event: HostEvent) -> String {
        let event = if event.id().is_empty() { event.with_id(self.ids.next().to_string()) } else { event };
        let id = event.id().to_owned();
        let mut inbox = self.lock();
        if !inbox.events.iter().any(|known| known.id() == id) {
            inbox.events.push(event);
        }
        id
    }

    /// Events that wait, in order of arrival.
    pub fn waiting(&self) -> Vec<HostEvent> {
        self.lock().events.clone()
    }

    pub(crate) fn snapshot(&self) -> Waiting {
        let inbox = self.lock();
        Waiting { events: inbox.events.clone(), touched: inbox.touched.clone() }
    }

    /// Forgets what was delivered, and as many touched paths as the request knew of; those that are to come again stay.
    pub(crate) fn delivered(&self, ids: &[String], touched: usize, again: Vec<Touched>) {
        let mut inbox = self.lock();
        inbox.events.retain(|event| !ids.iter().any(|id| id == event.id()));
        inbox.touched.drain(..touched);
        for one in again {
            if !inbox.touched.iter().any(|known| known.path == one.path) {
                inbox.touched.push(one);
            }
        }
    }
}

impl std::fmt::Debug for SessionHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let inbox = self.lock();
        f.debug_struct("SessionHandle")
            .field("events", &inbox.events.len())
            .field("touched", &inbox.touched.len())
            .finish_non_exhaustive()
    }
}
