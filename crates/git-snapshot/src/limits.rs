//! The numbers of this crate.

/// What bounds the text and the work of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GitLimits {
    /// Characters of the status in the rendered text. Default 2,000: a few dozen entries, which is what a model uses.
    pub status_chars: usize,
    /// Characters of one commit subject in the rendered text. Default 500; longer subjects are machine-made.
    pub subject_chars: usize,
    /// Threads of one scan. Default 8; never more than the machine has. More only wait for the kernel.
    pub threads: usize,
    /// Index entries below which one thread scans. Default 400: below it, starting a thread costs more than it gains.
    pub entries_for_threads: usize,
    /// Bytes of one ignore or attributes file. Default 100 MiB, which is git's own limit for attributes files.
    pub rules_bytes: u64,
    /// Repositories that one source keeps open for the next snapshot. Default 4.
    pub kept_repositories: usize,
    /// Names in one directory besides those of the index that are kept for the next snapshot. Default 64; where there are more, the
    /// directory is listed again.
    pub kept_names: usize,
    /// Such names of one repository that are kept in all. Default 50,000, which are some 5 MB.
    pub kept_names_in_all: usize,
    /// Submodules inside submodules that are looked into. Default 16.
    pub submodule_depth: usize,
}

impl Default for GitLimits {
    fn default() -> Self {
        Self {
            status_chars: 2_000,
            subject_chars: 500,
            threads: 8,
            entries_for_threads: 400,
            rules_bytes: 100 << 20,
            kept_repositories: 4,
            kept_names: 64,
            kept_names_in_all: 50_000,
            submodule_depth: 16,
        }
    }
}
