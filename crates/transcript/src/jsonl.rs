//! Sessions as files of JSON lines.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use context_api::{
    Batch, Cancel, Fork, Job, Loaded, Reach, StoreError, StoreErrorKind, Threads, TranscriptStore,
};
use lru::LruCache;
use tokio::sync::oneshot;

use crate::file_blobs::FileBlobs;
use crate::fork::fork;
use crate::limits::{BlobLimits, StoreLimits, SyncPolicy};
use crate::list::{SessionSummary, list};
use crate::load::{Reading, file, not_found};
use crate::name;
use crate::owners::{Owners, Refused};
use crate::session_file::Writing;
use crate::writer::{Item, Writer};

/// Keeps each session as a file `ROOT/SESSION.jsonl`, one entry a line, which only its owner reads.
///
/// Lines of a session are written in order by one thread at a time, those of a batch in one write. A session that another
/// process works on is refused; whatever ends a process lets go of its sessions. Nothing is ever rewritten: a line that was
/// torn stays where it is and is passed over.
///
/// Waiting for a result never blocks the runtime: the work is done on [`Threads`].
#[derive(Clone)]
pub struct JsonlStore(
    pub(crate) Arc<Inner>,
    #[expect(dead_code, reason = "its end is what it is for")] Arc<Handle>,
);

/// Shared by the clones of a store: with the last of them its sessions are free for others, whatever a thread that still
/// ends holds.
struct Handle(Arc<Owners>);

impl Drop for Handle {
    fn drop(&mut self) {
        // the store's own, and this; blobs of the same sessions go on
        if Arc::strong_count(&self.0) <= 2 {
            self.0.let_go();
        }
    }
}

pub(crate) struct Inner {
    pub(crate) root: PathBuf,
    pub(crate) limits: StoreLimits,
    pub(crate) sync: SyncPolicy,
    pub(crate) owners: Arc<Owners>,
    threads: Arc<dyn Threads>,
    writers: Mutex<HashMap<String, Arc<Writer>>>,
    open: Mutex<LruCache<String, std::fs::File>>,
    /// Room for lines, kept from one write to the next: letting it grow took a tenth of a write.
    room: Mutex<Vec<u8>>,
}

/// Tries to take a session over from a store that lets go of it, and what lies between two: a fifth of a second in all.
const CLAIM_TRIES: u32 = 20;
const CLAIM_PAUSE: std::time::Duration = std::time::Duration::from_millis(10);

impl JsonlStore {
    /// A store below `root`, which is made when something is written. Looks at nothing yet.
    pub fn new(root: impl Into<PathBuf>, threads: Arc<dyn Threads>) -> Self {
        Self::with_limits(root, threads, SyncPolicy::default(), StoreLimits::default())
    }

    /// The same with a policy and limits of its own.
    pub fn with_limits(
        root: impl Into<PathBuf>,
        threads: Arc<dyn Threads>,
        sync: SyncPolicy,
        limits: StoreLimits,
    ) -> Self {
        let root = root.into();
        let open = NonZeroUsize::new(limits.open_files).unwrap_or(NonZeroUsize::MIN);
        let owners = Arc::new(Owners::new(&root, limits.guard_tries));
        let handle = Arc::new(Handle(Arc::clone(&owners)));
        let inner = Inner {
            owners,
            root,
            limits,
            sync,
            threads,
            writers: Mutex::default(),
            room: Mutex::default(),
            open: Mutex::new(LruCache::new(open)),
        };
        Self(Arc::new(inner), handle)
    }

    /// Blobs of the same sessions, below the same root. A session that is written here is never swept there.
    pub fn blobs(&self, limits: BlobLimits) -> FileBlobs {
        FileBlobs::shared(self.0.root.clone(), limits, Arc::clone(&self.0.owners))
    }

    /// Where the sessions are.
    pub fn root(&self) -> &Path {
        &self.0.root
    }

    /// The file of a session.
    ///
    /// # Errors
    /// The id is not allowed.
    pub fn file(&self, session: &str) -> Result<PathBuf, StoreError> {
        file(&self.0.root, session)
    }

    /// The sessions that began in `cwd`, or all; the newest first. Compares the directory that a transcript names, not its
    /// file's name. May block.
    pub fn list(&self, cwd: Option<&Path>) -> Vec<SessionSummary> {
        list(&self.0.root, cwd, &self.0.limits)
    }

    /// A conversation up to an entry, or to its newest one. May block; [`TranscriptStore::load`] does not.
    ///
    /// # Errors
    /// There is no such session or entry, or it can not be read at all.
    pub fn read(&self, session: &str, at: Option<uuid::Uuid>, reach: Reach) -> Result<Loaded, StoreError> {
        Reading::new(&self.0.root, &self.0.limits).load(session, at, reach)
    }

    /// Has something done for a session behind all that its writer has to do, and waits for it.
    async fn queued(
        &self,
        session: &str,
        item: impl FnOnce(oneshot::Sender<Result<(), StoreError>>) -> Item,
    ) -> Result<(), StoreError> {
        let writer = self.0.writer(session)?;
        let (reply, answer) = oneshot::channel();
        writer.enqueue(item(reply), &self.0)?;
        let waits = writer.waits();
        let answer = answer.await;
        waits.ended();
        answer.unwrap_or_else(|_| Err(stalled_by(session, "the thread that worked on it ended")))
    }

    /// Runs `work` on a thread that may block.
    async fn offload<T: Send + 'static>(
        &self,
        session: &str,
        work: impl FnOnce(&Inner) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let (inner, cancel) = (Arc::clone(&self.0), Cancel::new());
        let job = Job::new(cancel.clone(), move || drop(reply.send(work(&inner))));
        self.0.threads.spawn(job).map_err(|stalled| stalled_by(session, &stalled.to_string()))?;
        let given_up = GivenUp(Some(cancel));
        let answer = answer.await;
        given_up.ended();
        answer.unwrap_or_else(|_| Err(stalled_by(session, "the thread that worked on it ended")))
    }
}

/// Says that nobody waits any more, unless the work ended.
struct GivenUp(Option<Cancel>);

impl GivenUp {
    fn ended(mut self) {
        self.0 = None;
    }
}

impl Drop for GivenUp {
    fn drop(&mut self) {
        if let Some(cancel) = &self.0 {
            cancel.cancel();
        }
    }
}

pub(crate) fn stalled_by(session: &str, why: &str) -> StoreError {
    StoreError::new(session, StoreErrorKind::Stalled, why)
}

impl Inner {
    pub(crate) fn writer(&self, session: &str) -> Result<Arc<Writer>, StoreError> {
        name::session(session)?;
        let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = writers.entry(session.to_owned()).or_insert_with(|| Arc::new(Writer::new(session)));
        Ok(Arc::clone(writer))
    }

    pub(crate) fn spawn(&self, job: Job) -> Result<(), context_api::IoStalled> {
        self.threads.spawn(job)
    }

    /// Makes a session this store's.
    pub(crate) fn claim(&self, session: &str) -> Result<(), StoreError> {
        self.owners.claim(session).map_err(|refused| match refused {
            Refused::InUse(process) => {
                let path = self.root.join(format!("{session}.jsonl"));
                let reason = format!("process {process} writes {} already", path.display());
                StoreError::new(session, StoreErrorKind::InUse, reason)
            }
            Refused::Io(error) => {
                let reason = format!("{}: {error}", self.root.display());
                StoreError::new(session, StoreErrorKind::Failed, reason)
            }
        })
    }

    /// Makes a session that is there this store's. One that another store is just letting go of is waited for a little.
    pub(crate) fn claim_what_is_there(&self, session: &str) -> Result<(), StoreError> {
        if !crate::load::file(&self.root, session)?.exists() {
            return Ok(());
        }
        let mut claimed = self.claim(session);
        for _ in 0..CLAIM_TRIES {
            if !claimed.as_ref().is_err_and(|error| error.kind == StoreErrorKind::InUse) {
                break;
            }
            std::thread::sleep(CLAIM_PAUSE);
            claimed = self.claim(session);
        }
        claimed
    }

    /// Writes a batch; whether somebody is told what became of it. On a thread that may block, one at a time for a
    /// session.
    pub(crate) fn write(
        &self,
        file: &mut crate::session_file::SessionFile,
        batch: &Batch,
        told: bool,
    ) -> Result<(), StoreError> {
        self.claim(&batch.session)?;
        let path = crate::load::file(&self.root, &batch.session)?;
        let mut open = self.opened().pop(&batch.session);
        let writing = Writing { path: &path, limits: &self.limits, sync: self.sync, told };
        let mut lines = std::mem::take(&mut *self.room());
        let written = file.append(batch, &mut open, &writing, &mut lines);
        if lines.capacity() <= 2 * self.limits.write_buffer {
            lines.clear();
            *self.room() = lines;
        }
        if let (Some(open), Ok(())) = (open, &written) {
            self.opened().put(batch.session.clone(), open);
        }
        written
    }

    fn room(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn opened(&self) -> std::sync::MutexGuard<'_, LruCache<String, std::fs::File>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl TranscriptStore for JsonlStore {
    async fn append(&self, batch: Batch) -> Result<(), StoreError> {
        let session = batch.session.clone();
        self.queued(&session, |reply| Item::Append(batch, reply)).await
    }

    async fn load(&self, session: &str, reach: Reach) -> Result<Loaded, StoreError> {
        let name = name::session(session)?.to_owned();
        self.offload(session, move |inner| {
            let path = file(&inner.root, &name)?;
            if !path.exists() {
                return Err(not_found(&name, &path));
            }
            Reading::new(&inner.root, &inner.limits).load(&name, None, reach)
        })
        .await
    }

    async fn fork(&self, fork: Fork) -> Result<(), StoreError> {
        let session = fork.to.clone();
        self.offload(&session, move |inner| self::fork(inner, &fork)).await
    }

    async fn claim(&self, session: &str) -> Result<(), StoreError> {
        self.queued(session, Item::Claim).await
    }

    fn offer(&self, batch: Batch) {
        let Ok(writer) = self.0.writer(&batch.session) else { return };
        // what does not get through is handed in again, and told then
        let _handed_in_again = writer.enqueue(Item::Offer(batch), &self.0);
    }

    fn release(&self, session: &str) {
        let Ok(writer) = self.0.writer(session) else { return };
        // where no thread is free the session stays this process's, which harms nobody but the next one
        let _stays = writer.enqueue(Item::Release, &self.0);
    }
}

impl std::fmt::Debug for JsonlStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JsonlStore").field("root", &self.0.root).finish_non_exhaustive()
    }
}
