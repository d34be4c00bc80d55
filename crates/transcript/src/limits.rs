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

/// How transcripts are read and written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreLimits {
    /// Bytes of a line at most; a longer one is passed over when it is read, with a decision. Default 256 MiB: more than any
    /// tool's result, and still in memory at once.
    pub line: u64,
    /// Bytes that are read from a file at once. Default 256 KiB: larger makes nothing faster.
    pub read_buffer: usize,
    /// Bytes of a batch's lines from which they are written, the rest of the batch in further writes. Default 64 KiB: a
    /// turn's lines go in one write. A store keeps at most twice as much memory for them.
    pub write_buffer: usize,
    /// Findings of one sort that are told one by one; of more only the number is told. Default 20.
    pub findings: usize,
    /// Sessions that a fork goes back through at most. Default 64.
    pub fork_depth: usize,
    /// Files that stay open between two writes. Default 64: well below what a process may open, and reopening costs
    /// microseconds.
    pub open_files: usize,
    /// Batches of one session that wait for a thread; above it the store says that it is stalled. Default 64.
    pub waiting: usize,
    /// How long a write that nobody waits for any more may still run before the store says that it is stalled. Default 1 s:
    /// several times what a busy disk takes to make a file last.
    pub patience: Duration,
    /// Bytes at the beginning of a transcript in which its first words are looked for when sessions are listed. Default
    /// 256 KiB.
    pub list_head: u64,
    /// How often the guard of the owners is tried, five milliseconds apart; it is held for some file operations at a time.
    /// Default 400: two seconds.
    pub guard_tries: u32,
}

impl Default for StoreLimits {
    fn default() -> Self {
        Self {
            line: 256 << 20,
            read_buffer: 256 << 10,
            write_buffer: 64 << 10,
            findings: 20,
            fork_depth: 64,
            open_files: 64,
            waiting: 64,
            patience: Duration::from_secs(1),
            list_head: 256 << 10,
            guard_tries: 400,
        }
    }
}

impl StoreLimits {
    /// Sets [`StoreLimits::line`].
    pub fn line(mut self, bytes: u64) -> Self {
        self.line = bytes;
        self
    }

    /// Sets [`StoreLimits::write_buffer`].
    pub fn write_buffer(mut self, bytes: usize) -> Self {
        self.write_buffer = bytes;
        self
    }

    /// Sets [`StoreLimits::open_files`].
    pub fn open_files(mut self, files: usize) -> Self {
        self.open_files = files;
        self
    }

    /// Sets [`StoreLimits::findings`].
    pub fn findings(mut self, findings: usize) -> Self {
        self.findings = findings;
        self
    }
}

/// When lines are made to last on the disk, beyond the file system's own time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SyncPolicy {
    /// After each batch: nothing that was acknowledged is lost with the power.
    Always,
    /// Before each request: at most what came after the last request is lost with the power.
    #[default]
    Turn,
    /// Never: a process that is killed loses nothing, a machine that loses its power the last seconds.
    Never,
}
