//! A session's file, given by its path.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_core::context_api::{Batch, Fork, Loaded, Reach, StoreError, TranscriptStore};
use agent_core::transcript::JsonlStore;
use agent_core::{Engine, EngineBuilder, Error, IoPool, PoolLimits, Session, SessionOptions};
use async_trait::async_trait;

use crate::commands::Refused;

/// A file `DIRECTORY/ID.jsonl`.
pub(crate) struct SessionFile {
    pub(crate) id: String,
    pub(crate) path: PathBuf,
    pub(crate) store: JsonlStore,
}

impl SessionFile {
    /// The session in a file, which may be there or not.
    pub(crate) fn at(path: &Path) -> anyhow::Result<Self> {
        let id = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
        let is_jsonl = path.extension().is_some_and(|extension| extension == "jsonl");
        let (Some(id), true, Some(root)) = (id, is_jsonl, path.parent()) else {
            let problem = format!("{} is no transcript: its name has the form ID.jsonl", path.display());
            return Err(Refused(problem).into());
        };
        let store = store(root);
        let path = store.file(&id).map_err(|error| Refused(error.to_string()))?;
        Ok(Self { id, path, store })
    }

    /// The engine with this session's store; `dry`: which writes nothing.
    pub(crate) fn put_into(&self, builder: EngineBuilder, dry: bool) -> EngineBuilder {
        if dry { builder.store(ReadOnly(self.store.clone())) } else { builder.store(self.store.clone()) }
    }

    /// Goes on with it; a file that is not there yet is a new session.
    pub(crate) async fn open(&self, engine: &Engine) -> Result<Session, Error> {
        if self.path.exists() {
            return engine.resume(&self.id, SessionOptions::default()).await;
        }
        Ok(engine.session(SessionOptions::default().id(&self.id)))
    }
}

/// The sessions below a directory.
pub(crate) fn store(root: &Path) -> JsonlStore {
    JsonlStore::new(root, Arc::new(IoPool::new(PoolLimits::default())))
}

/// A store that takes what it is given and writes nothing.
struct ReadOnly(JsonlStore);

#[async_trait]
impl TranscriptStore for ReadOnly {
    async fn append(&self, _: Batch) -> Result<(), StoreError> {
        Ok(())
    }

    async fn load(&self, session: &str, reach: Reach) -> Result<Loaded, StoreError> {
        self.0.load(session, reach).await
    }

    async fn fork(&self, _: Fork) -> Result<(), StoreError> {
        Ok(())
    }
}
