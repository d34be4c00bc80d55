//! The notes of this session.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    CollectError, Collector, CurrentSessionMemory, Decision, DeliveryKey, Draft, FileContent, FileReader,
    FileSystem, FileText, Follow, Outbox, ReadError, ReadRequest, Stage, Threads, TurnView, Verdict, Work,
};
use context_text::display_path;

use crate::reads::{Looked, Reads};

const KIND: &str = "current_session_memory";

/// Limits of the notes of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionMemoryLimits {
    /// Characters by which the file has to grow before it is shown again. Default 5,000.
    pub growth: u64,
}

impl Default for SessionMemoryLimits {
    fn default() -> Self {
        Self { growth: 5_000 }
    }
}

/// Shows the session's memory file, which the host names, once it grew by much since it was last shown.
pub struct SessionMemoryCollector {
    files: Arc<dyn FileSystem>,
    reader: Arc<dyn FileReader>,
    reads: Reads,
    limits: SessionMemoryLimits,
}

impl SessionMemoryCollector {
    /// A collector that looks at `files` and reads by `reader`, on `threads`.
    pub fn new(
        files: Arc<dyn FileSystem>,
        reader: Arc<dyn FileReader>,
        threads: Arc<dyn Threads>,
        limits: SessionMemoryLimits,
    ) -> Self {
        Self { files, reader, reads: Reads::new(threads), limits }
    }
}

#[async_trait]
impl Collector for SessionMemoryCollector {
    fn label(&self) -> &str {
        KIND
    }

    fn stage(&self) -> Stage {
        Stage::Everywhere
    }

    // What blocks is done by `Reads`; a host that names no file costs no thread.
    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let Some(path) = &turn.host.work.session_memory else { return Ok(()) };
        let path = turn.cwd.join(path);
        let shown = turn.ledger.in_view(KIND, &path.to_string_lossy());
        let least = shown.map_or(0, |shown| shown.hash.parse().unwrap_or(0)) + self.limits.growth;
        let (files, reader) = (Arc::clone(&self.files), Arc::clone(&self.reader));
        let look = move |path: PathBuf| grown(&*files, &*reader, &path, least);
        let looked = self.reads.all(turn, vec![(path.clone(), path.clone())], look).await;
        match looked.into_iter().next().map(Looked::into_result) {
            Some(Ok(Ok(Some(text)))) => tell(&path, &text, out),
            Some(Ok(Err(error))) => Ok(out.decide(not_read(&error))?),
            Some(Err(why)) => Ok(out.decide(not_looked_at(&why))?),
            _ => Ok(()),
        }
    }
}

/// The text, where it has at least so many characters. A file that is not there has not grown.
fn grown(
    files: &dyn FileSystem,
    reader: &dyn FileReader,
    path: &Path,
    least: u64,
) -> Result<Option<FileText>, ReadError> {
    // A character takes a byte at least: most looks need no read.
    if files.metadata(path, Follow::Links).is_ok_and(|meta| meta.fingerprint.len < least) {
        return Ok(None);
    }
    match reader.read(&ReadRequest::default().path(path)) {
        Ok(outcome) => Ok(match outcome.content {
            FileContent::Text(text) if chars(&text.text) >= least => Some(text),
            _ => None,
        }),
        Err(error) if error.kind.reason() == "not_found" => Ok(None),
        Err(error) => Err(error),
    }
}

fn chars(text: &str) -> u64 {
    u64::try_from(text.chars().count()).unwrap_or(u64::MAX)
}

fn tell(path: &Path, read: &FileText, out: &Outbox) -> Result<(), CollectError> {
    let chars = chars(&read.text);
    let key = DeliveryKey::new(KIND, path.to_string_lossy(), chars.to_string());
    let mut text = Arc::clone(&read.text);
    if !read.note.is_empty() {
        out.decide(Decision::cut(
            display_path(path),
            "session_notes_cut",
            "The session's notes are too long to show whole.",
        ))?;
        text = format!("{}\n\n{}", read.text, read.note).into();
    }
    let memory = CurrentSessionMemory::default().path(path).text(text).chars(chars);
    Ok(out.push(Draft::new(memory).key(key))?)
}

fn not_read(error: &ReadError) -> Decision {
    let detail = format!("The session's notes can not be read: {}.", error.kind);
    Decision::failed(display_path(&error.path), error.kind.reason(), detail)
}

fn not_looked_at(why: &Looked<()>) -> Decision {
    let verdict = if *why == Looked::TimedOut { Verdict::TimedOut } else { Verdict::Failed };
    Decision::new(KIND, verdict, why.reason(), "The session's notes were not looked at this turn.")
}
