//! The file of a session, as its one writer sees it.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::Path;

use context_api::{Batch, LineFacts, StoreError, StoreErrorKind};
use uuid::Uuid;

use crate::file_blobs::failed;
use crate::index::Index;
use crate::limits::{StoreLimits, SyncPolicy};
use crate::line::Envelope;
use crate::private;
use crate::problems::Problems;

/// What the writer of a session knows of its file.
#[derive(Debug, Default)]
pub(crate) struct SessionFile {
    known: HashSet<Uuid>,
    envelope: Option<(LineFacts, Envelope)>,
    on_disk: Option<OnDisk>,
    unsynced: bool,
}

/// The file as it was after the last write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OnDisk {
    identity: (u64, u64),
    bytes: u64,
    /// Whether its last line has no end yet.
    open_end: bool,
}

/// How lines are written.
pub(crate) struct Writing<'a> {
    pub(crate) path: &'a Path,
    pub(crate) limits: &'a StoreLimits,
    pub(crate) sync: SyncPolicy,
    /// Whether somebody is told what became of it.
    pub(crate) told: bool,
}

impl SessionFile {
    /// Appends what is not there yet, through `file`, which is opened where it is `None`. `lines` is room for them, empty.
    pub(crate) fn append(
        &mut self,
        batch: &Batch,
        file: &mut Option<File>,
        writing: &Writing<'_>,
        lines: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        let error = |error: io::Error| failed_to_write(&batch.session, writing.path, &error);
        self.look(batch, file, writing)?;
        let mut written = Vec::new();
        if self.on_disk.is_some_and(|file| file.open_end) {
            // a line that was torn stays one line
            lines.push(b'\n');
        }
        for entry in &batch.entries {
            if !self.known.insert(entry.uuid) {
                continue;
            }
            written.push(entry.uuid);
            let added = self.envelope(batch).and_then(|envelope| envelope.write(entry, lines));
            if let Err(wrong) = added {
                self.forget(&written);
                return Err(error(wrong.into()));
            }
            if lines.len() >= writing.limits.write_buffer {
                self.put(file, writing, lines, &mut written).map_err(error)?;
            }
        }
        if !written.is_empty() {
            self.put(file, writing, lines, &mut written).map_err(error)?;
        }
        self.synced(batch, file, writing).map_err(error)
    }

    /// Whether `file` is still what it was; what somebody else appended is taken in.
    fn look(
        &mut self,
        batch: &Batch,
        file: &mut Option<File>,
        writing: &Writing<'_>,
    ) -> Result<(), StoreError> {
        let error = |error: io::Error| failed_to_write(&batch.session, writing.path, &error);
        let now = match fs::metadata(writing.path) {
            Ok(meta) => {
                private::only_regular(&meta).map_err(error)?;
                Some(meta)
            }
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => None,
            Err(other) => return Err(error(other)),
        };
        let same = |meta: &Metadata, before: &OnDisk| {
            identity(meta) == before.identity && meta.len() == before.bytes
        };
        if now.as_ref().zip(self.on_disk.as_ref()).is_some_and(|(meta, before)| same(meta, before)) {
            return Ok(());
        }
        *file = None;
        let (before, was_on_disk) = (std::mem::take(&mut self.known), self.on_disk.take());
        if let Some(meta) = now {
            let mut problems = Problems::new(&batch.session, writing.limits.findings);
            let index = Index::of(writing.path, writing.limits, &mut problems).map_err(error)?;
            self.known = index.by_uuid.keys().copied().collect();
            self.on_disk =
                Some(OnDisk { identity: identity(&meta), bytes: index.bytes, open_end: index.open_end });
        }
        if before.is_subset(&self.known) {
            return Ok(());
        }
        if !writing.told {
            // found missing again, by somebody who is told
            (self.known, self.on_disk) = (before, was_on_disk);
        }
        let reason = format!("{}: lines that were written are gone", writing.path.display());
        Err(StoreError::new(&batch.session, StoreErrorKind::Lost, reason))
    }

    fn envelope(&mut self, batch: &Batch) -> serde_json::Result<&Envelope> {
        if self.envelope.as_ref().is_none_or(|(facts, _)| *facts != batch.facts) {
            let envelope = Envelope::new(&batch.session, &batch.facts)?;
            self.envelope = Some((batch.facts.clone(), envelope));
        }
        match &self.envelope {
            Some((_, envelope)) => Ok(envelope),
            None => Err(serde::ser::Error::custom("no envelope")),
        }
    }

    /// Writes whole lines, those of `written`.
    fn put(
        &mut self,
        file: &mut Option<File>,
        writing: &Writing<'_>,
        lines: &mut Vec<u8>,
        written: &mut Vec<Uuid>,
    ) -> io::Result<()> {
        let put = opened(file, writing.path).and_then(|open| self.write(open, lines));
        if put.is_err() {
            self.forget(written);
        }
        written.clear();
        lines.clear();
        put
    }

    /// These are to be handed in again.
    fn forget(&mut self, entries: &[Uuid]) {
        for entry in entries {
            self.known.remove(entry);
        }
    }

    /// Lines in one write; what a failed one left of them is taken away again.
    fn write(&mut self, file: &mut File, lines: &[u8]) -> io::Result<()> {
        let before = match self.on_disk {
            Some(before) => before,
            None => {
                let meta = file.metadata()?;
                OnDisk { identity: identity(&meta), bytes: meta.len(), open_end: false }
            }
        };
        if let Err(error) = file.write_all(lines) {
            if file.set_len(before.bytes).is_err() {
                // nobody knows what is there now: the next look tells
                self.on_disk = None;
            }
            return Err(error);
        }
        self.unsynced = true;
        self.on_disk = Some(OnDisk { bytes: before.bytes + lines.len() as u64, open_end: false, ..before });
        Ok(())
    }

    fn synced(&mut self, batch: &Batch, file: &mut Option<File>, writing: &Writing<'_>) -> io::Result<()> {
        let wanted = match writing.sync {
            SyncPolicy::Always => true,
            SyncPolicy::Turn => batch.before_request,
            SyncPolicy::Never => false,
        };
        if wanted && self.unsynced {
            opened(file, writing.path)?.sync_data()?;
            self.unsynced = false;
        }
        Ok(())
    }
}

fn opened<'a>(file: &'a mut Option<File>, path: &Path) -> io::Result<&'a mut File> {
    if file.is_none() {
        if let Some(directory) = path.parent() {
            private::directory(directory)?;
        }
        *file = Some(private::options().append(true).create(true).open(path)?);
    }
    file.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// A directory or file that is not there is nothing that will be found by asking again: it is the disk's failure.
fn failed_to_write(session: &str, path: &Path, error: &io::Error) -> StoreError {
    StoreError::new(session, StoreErrorKind::Failed, failed(session, path, error).reason)
}

#[cfg(unix)]
fn identity(meta: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (meta.dev(), meta.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}
