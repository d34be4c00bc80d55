//! How much is kept.

/// How much a [`FileStateCache`](crate::FileStateCache) keeps. A limit of zero still keeps the entry just written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateLimits {
    /// Files. 100: more than a session works on at once, and few enough to look at each of them every turn.
    pub entries: usize,
    /// Bytes of content, all files together. 25 MiB: 100 files of the largest size that is read whole, several times over.
    pub bytes: usize,
}

impl Default for StateLimits {
    fn default() -> Self {
        Self { entries: 100, bytes: 25 * 1024 * 1024 }
    }
}

impl StateLimits {
    /// Sets [`StateLimits::entries`].
    pub fn entries(mut self, entries: usize) -> Self {
        self.entries = entries;
        self
    }

    /// Sets [`StateLimits::bytes`].
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }
}
