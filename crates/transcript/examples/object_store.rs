//! A transcript store over objects that can not be appended to, such as those of S3: one object a batch.
//!
//! `cargo run -p transcript --example object_store`. It runs on the local backend of the crate `object_store`; any other
//! backend that can refuse to overwrite an object takes its place unchanged. The contract test of the engine's own stores
//! holds for it too.
//!
//! The objects of a session are `SESSION/00000000.jsonl` and so on. The first line of each says what stood beside its
//! entries, or of which session it is a fork; each further line is an entry.
#![expect(clippy::print_stdout, reason = "a program that says that it held")]

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use context_api::{
    Batch, Entry, Fork, LineFacts, Loaded, Reach, StoreError, StoreErrorKind, TranscriptStore,
};
use object_store::path::Path;
use object_store::{GetOptions, ObjectStore, PutMode, PutOptions, PutPayload};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How often another number is tried when one is taken.
const ATTEMPTS: usize = 3;

/// The first line of an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Head {
    facts: LineFacts,
    /// The session whose history comes before, and its last entry that does.
    from: Option<(String, Uuid)>,
}

/// What this process knows of a session.
#[derive(Debug, Default)]
struct Known {
    next: usize,
    uuids: HashSet<Uuid>,
}

/// What the objects of a session hold.
#[derive(Debug, Default)]
struct Read {
    heads: Vec<Head>,
    entries: Vec<Arc<Entry>>,
    objects: usize,
}

/// Entries in objects.
#[derive(Debug)]
pub(crate) struct ObjectTranscripts {
    objects: Arc<dyn ObjectStore>,
    known: Mutex<HashMap<String, Known>>,
}

impl ObjectTranscripts {
    /// Sessions in `objects`.
    pub(crate) fn new(objects: Arc<dyn ObjectStore>) -> Self {
        Self { objects, known: Mutex::default() }
    }

    /// What is known of a session, taken out: whoever is interrupted leaves nothing half right behind.
    async fn take_known(&self, session: &str) -> Result<Known, StoreError> {
        let kept = self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
        match kept {
            Some(known) => Ok(known),
            None => {
                let read = self.read(session).await?;
                Ok(Known { next: read.objects, uuids: read.entries.iter().map(|entry| entry.uuid).collect() })
            }
        }
    }

    fn keep(&self, session: &str, known: Known) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(session.to_owned(), known);
    }

    /// All that is there of a session, its forks' histories included; nothing where there is none.
    async fn read(&self, session: &str) -> Result<Read, StoreError> {
        let listed = self.objects.list_with_delimiter(Some(&Path::from(session))).await;
        let mut paths: Vec<Path> = listed
            .map_err(|error| failed(session, &error))?
            .objects
            .into_iter()
            .map(|meta| meta.location)
            .collect();
        paths.sort();
        let mut read = Read { objects: paths.len(), ..Read::default() };
        let mut met = HashSet::new();
        for path in paths {
            let bytes = match self.objects.get_opts(&path, GetOptions::default()).await {
                Ok(object) => object.bytes().await,
                Err(error) => Err(error),
            };
            let bytes = bytes.map_err(|error| failed(session, &error))?;
            let mut lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
            let head: Head = parsed(session, &path, lines.next().unwrap_or_default())?;
            if let Some((from, at)) = &head.from {
                read.entries = self.history(from, Some(*at)).await?;
                met.extend(read.entries.iter().map(|entry| entry.uuid));
            }
            read.heads.push(head);
            for line in lines {
                let entry: Entry = parsed(session, &path, line)?;
                if met.insert(entry.uuid) {
                    read.entries.push(Arc::new(entry));
                }
            }
        }
        Ok(read)
    }

    /// The history of a session up to an entry, or to its newest.
    async fn history(&self, session: &str, at: Option<Uuid>) -> Result<Vec<Arc<Entry>>, StoreError> {
        // A fork of a fork of a fork: the compiler wants a box for what calls itself.
        let mut read = Box::pin(self.read(session)).await?;
        if read.objects == 0 {
            return Err(missing(session, "there is no such session"));
        }
        if let Some(at) = at {
            let place = read.entries.iter().position(|entry| entry.uuid == at);
            let place = place.ok_or_else(|| missing(session, "it has no such entry"))?;
            read.entries.truncate(place + 1);
        }
        Ok(read.entries)
    }

    /// Writes one object; `false` where one with that number is there.
    async fn put(
        &self,
        session: &str,
        number: usize,
        head: &Head,
        entries: &[Arc<Entry>],
    ) -> Result<bool, StoreError> {
        let mut text = line(session, head)?;
        for entry in entries {
            text.push_str(&line(session, &**entry)?);
        }
        let path = Path::from_iter([session.to_owned(), format!("{number:08}.jsonl")]);
        let only_new = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match self.objects.put_opts(&path, PutPayload::from(text.into_bytes()), only_new).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(failed(session, &error)),
        }
    }
}

#[async_trait]
impl TranscriptStore for ObjectTranscripts {
    async fn append(&self, batch: Batch) -> Result<(), StoreError> {
        named(&batch.session)?;
        let head = Head { facts: batch.facts, from: None };
        for _ in 0..ATTEMPTS {
            let mut known = self.take_known(&batch.session).await?;
            let new: Vec<Arc<Entry>> =
                batch.entries.iter().filter(|entry| known.uuids.insert(entry.uuid)).cloned().collect();
            let written = new.is_empty() || self.put(&batch.session, known.next, &head, &new).await?;
            if written {
                known.next += usize::from(!new.is_empty());
                self.keep(&batch.session, known);
                return Ok(());
            }
            // What was written there may be this very batch, of a future that was dropped: look again.
        }
        Err(StoreError::new(batch.session, StoreErrorKind::InUse, "another process writes the session"))
    }

    async fn load(&self, session: &str, reach: Reach) -> Result<Loaded, StoreError> {
        named(session)?;
        let read = self.read(session).await?;
        let (Some(first), Some(last)) = (read.heads.first(), read.heads.last()) else {
            return Err(missing(session, "there is no such session"));
        };
        let mut loaded = Loaded::of(&read.entries, reach);
        loaded.first = first.facts.clone();
        loaded.last = last.facts.clone();
        Ok(loaded)
    }

    async fn fork(&self, fork: Fork) -> Result<(), StoreError> {
        named(&fork.to)?;
        let history = self.history(&fork.from, fork.at).await?;
        let newest = history.last().map(|entry| entry.uuid);
        let from = newest.filter(|_| !fork.copy).map(|uuid| (fork.from.clone(), uuid));
        let own = if fork.copy { history } else { Vec::new() };
        let head = Head { facts: fork.facts, from };
        if self.put(&fork.to, 0, &head, &own).await? {
            return Ok(());
        }
        Err(StoreError::new(fork.to, StoreErrorKind::InUse, "there is a session with this id"))
    }

    fn release(&self, session: &str) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }
}

/// A session's id becomes a part of a path: letters, digits, `-`, `_` and dots that do not come first.
fn named(session: &str) -> Result<(), StoreError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !session.is_empty() && !session.starts_with('.') && session.chars().all(plain) {
        return Ok(());
    }
    Err(StoreError::new(session, StoreErrorKind::BadName, "the name is not allowed"))
}

fn line<T: Serialize>(session: &str, value: &T) -> Result<String, StoreError> {
    let text = serde_json::to_string(value);
    text.map(|text| text + "\n").map_err(|error| failed(session, &error))
}

fn parsed<'a, T: Deserialize<'a>>(session: &str, path: &Path, line: &'a [u8]) -> Result<T, StoreError> {
    serde_json::from_slice(line).map_err(|error| failed(session, &format!("{path}: {error}")))
}

fn failed(session: &str, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::new(session, StoreErrorKind::Failed, error.to_string())
}

fn missing(session: &str, why: &str) -> StoreError {
    StoreError::new(session, StoreErrorKind::NotFound, why)
}

#[cfg_attr(test, allow(dead_code, reason = "the tests have this file as a module"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let backend = Arc::new(object_store::local::LocalFileSystem::new_with_prefix(folder.path())?);
    let open = || -> Arc<dyn TranscriptStore> {
        Arc::new(ObjectTranscripts::new(Arc::clone(&backend) as Arc<dyn ObjectStore>))
    };
    context_testkit::store_contract(open);
    let objects = std::fs::read_dir(folder.path())?.count();
    println!("the contract holds; {objects} sessions in {}", folder.path().display());
    Ok(())
}
