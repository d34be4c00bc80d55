//! Limits of this part.

use std::time::Duration;

/// How much room the blobs of sessions take.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlobLimits {
    /// Age of a session's newest blob from which all of them are removed at a sweep. Default 30 days: what nobody went on
    /// with in a month is not gone on with.
    pub max_age: Duration,
    /// Bytes of all sessions together; above it a sweep removes whole sessions, the oldest first. Default 1 GiB: some
    /// thousand screenshots.
    pub max_total: u64,
    /// Blobs that are remembered as written, so that the disk is not asked again. Default 1,024: more than a request shows.
    pub recent: usize,
}

impl Default for BlobLimits {
    fn default() -> Self {
        Self { max_age: Duration::from_secs(30 * 24 * 60 * 60), max_total: 1 << 30, recent: 1024 }
    }
}

impl BlobLimits {
    /// Sets [`BlobLimits::max_age`].
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = age;
        self
    }

    /// Sets [`BlobLimits::max_total`].
    pub fn max_total(mut self, bytes: u64) -> Self {
        self.max_total = bytes;
        self
    }

    /// Sets [`BlobLimits::recent`].
    pub fn recent(mut self, blobs: usize) -> Self {
        self.recent = blobs;
        self
    }
}
