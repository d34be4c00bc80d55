//! The bytes of one version of a file.

use std::io::{self, Read};
use std::path::Path;
use std::thread;
use std::time::Duration;

use context_api::{FileMeta, OpenFile};

use super::StandardReader;

/// What was opened.
pub(super) enum Contents {
    /// All of it, read while it did not change.
    Whole(Whole),
    /// A file that is larger than anything that is read to its end, still open.
    Large(OpenFile),
}

/// The bytes of one version of a file and its facts.
pub(super) struct Whole {
    pub(super) bytes: Vec<u8>,
    pub(super) meta: FileMeta,
}

/// Whether an error may come from somebody who replaces the file right now: an editor that removes it and writes it anew, or
/// puts another one in its place between our look and our opening.
pub(super) fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, IsADirectory, NotFound};
    matches!(error.kind(), NotFound | Interrupted | IsADirectory)
}

impl StandardReader {
    /// One try. `None` where the file changed meanwhile.
    ///
    /// A write that comes so soon after another one that the kernel gives both the same time can not be told from the facts.
    /// So a file that changed a moment ago is left to settle first: every write during and after the read then has a new time.
    pub(super) fn contents(&self, path: &Path) -> io::Result<Option<Contents>> {
        let mut file = self.fs.open(path)?;
        if file.meta.fingerprint.len > self.limits.file_bytes {
            return Ok(Some(Contents::Large(file)));
        }
        if let Some(rest) = self.unsettled_for(&file.meta) {
            thread::sleep(rest);
            if file.reader.meta_now()?.fingerprint != file.meta.fingerprint {
                return Ok(None);
            }
        }
        let bytes = read_up_to(&mut file, self.limits.file_bytes)?;
        let same = file.reader.meta_now()?.fingerprint == file.meta.fingerprint;
        Ok((same && is_all(&file.meta, &bytes)).then_some(Contents::Whole(Whole { bytes, meta: file.meta })))
    }

    pub(super) fn pause(&self) {
        thread::sleep(Duration::from_millis(self.limits.settle_ms / 4));
    }

    /// How long until a change of the file would get another time than its last one.
    fn unsettled_for(&self, meta: &FileMeta) -> Option<Duration> {
        if meta.fingerprint.len == 0 {
            // Linux empties a file some milliseconds before it gives it a new time: most likely somebody writes it anew.
            return Some(Duration::from_millis(self.limits.settle_ms));
        }
        let settle = i128::from(self.limits.settle_ms) * 1_000_000;
        let age = self.clock.now().as_nanosecond() - i128::from(meta.fingerprint.mtime_ns);
        let rest = settle - age;
        // A time in the future beyond that says nothing about now.
        (rest > 0 && rest <= 2 * settle).then(|| Duration::from_nanos(u64::try_from(rest).unwrap_or(0)))
    }
}

fn read_up_to(file: &mut OpenFile, limit: u64) -> io::Result<Vec<u8>> {
    // One byte more than there should be, so that the end is seen without growing.
    let expected = usize::try_from(file.meta.fingerprint.len).unwrap_or(0);
    let mut bytes = Vec::with_capacity(expected.saturating_add(1));
    (&mut file.reader).take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Kernels' own files have no length and are read to their end.
fn is_all(meta: &FileMeta, bytes: &[u8]) -> bool {
    meta.fingerprint.len == 0 || meta.fingerprint.len == bytes.len() as u64
}
