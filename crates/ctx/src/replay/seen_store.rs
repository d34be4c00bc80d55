//! The store of a scenario, which fails where it is asked to.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use agent_core::context_api::{Batch, Fork, Loaded, Reach, StoreError, StoreErrorKind, TranscriptStore};
use agent_core::transcript::JsonlStore;
use async_trait::async_trait;

use super::seen::{Fault, SeenDisk};
use super::workspace::SEEN;

/// Where a scenario's sessions are, in its workspace.
pub(crate) const DIRECTORY: &str = "sessions";

/// The sessions of a scenario. A fault at their directory is one of whatever is appended.
pub(crate) struct SeenStore {
    pub(crate) inner: JsonlStore,
    pub(crate) disk: SeenDisk,
}

impl SeenStore {
    fn place() -> PathBuf {
        PathBuf::from(SEEN).join(DIRECTORY)
    }

    /// The file goes away once; what is appended then has to notice.
    fn vanish(&self, session: &str) -> Result<(), StoreError> {
        self.disk.mend(&Self::place());
        let file = self.inner.file(session)?;
        fs::remove_file(&file).map_err(|error| failed(session, &format!("{}: {error}", file.display())))
    }
}

#[async_trait]
impl TranscriptStore for SeenStore {
    async fn append(&self, batch: Batch) -> Result<(), StoreError> {
        match self.disk.fault(&Self::place()) {
            None => {}
            Some(Fault::Error(ErrorKind::NotFound)) => self.vanish(&batch.session)?,
            Some(Fault::Error(kind)) => return Err(failed(&batch.session, &kind.to_string())),
            Some(Fault::Hang) => std::future::pending().await,
            Some(Fault::TooSlow) => {
                self.inner.append(batch).await?;
                // It is written, and nobody hears of it.
                return std::future::pending().await;
            }
        }
        self.inner.append(batch).await
    }

    async fn claim(&self, session: &str) -> Result<(), StoreError> {
        self.inner.claim(session).await
    }

    async fn load(&self, session: &str, reach: Reach) -> Result<Loaded, StoreError> {
        self.inner.load(session, reach).await
    }

    async fn fork(&self, fork: Fork) -> Result<(), StoreError> {
        self.inner.fork(fork).await
    }

    fn offer(&self, batch: Batch) {
        if self.disk.fault(&Self::place()).is_none() {
            self.inner.offer(batch);
        }
    }

    fn release(&self, session: &str) {
        self.inner.release(session);
    }
}

fn failed(session: &str, reason: &str) -> StoreError {
    StoreError::new(session, StoreErrorKind::Failed, reason)
}
