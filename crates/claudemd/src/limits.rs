//! How much is read, followed and kept.

/// Bounds of one load. They hold against hostile trees; real ones stay far below.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryLimits {
    /// Largest file that is read, in bytes. A memory file of this size is a mistake: real ones are under 100 KiB.
    pub file_bytes: u64,
    /// What one load reads at most, in bytes.
    pub total_bytes: u64,
    /// Files that one load includes at most.
    pub includes: usize,
    /// `@` names that are looked at in one file; real ones have dozens.
    pub mentions: usize,
    /// Names that one load looks up because of an `@`; each costs a `stat`.
    pub lookups: usize,
    /// Files in one chain of includes, the first one counted: four hops, as in the product whose files these are.
    pub chain: usize,
    /// Lines of an index (`MEMORY.md`) that are shown.
    pub index_lines: usize,
    /// Bytes of an index that are shown, where its lines are long.
    pub index_bytes: usize,
    /// Characters of all texts above which an unlimited budget warns. The default budget.
    pub warn_chars: usize,
    /// Share of a cut file that is kept from its end, in percent: what stands last is often what was added last.
    pub tail_percent: usize,
    /// Share of the budget that is left to other files however long the organisation's are, in percent: policies are never
    /// cut, and the project's own instructions are not to vanish behind them.
    pub least_percent: usize,
    /// Rule files that one rules directory may bring.
    pub rule_files: usize,
    /// Entries that are looked at below one rules directory.
    pub rule_entries: usize,
    /// Levels below a rules directory.
    pub rule_depth: usize,
    /// How often a file is read again that changes while it is read.
    pub read_attempts: usize,
    /// Largest file of git that is read, in bytes: they hold a path or a short configuration.
    pub git_file_bytes: u64,
    /// Characters of a project's key (see [`crate::auto_memory_dir`]) above which it ends in a digest. File names end at 255 bytes.
    pub key_chars: usize,
    /// Directories below the working directory that a survey looks into.
    pub survey_directories: usize,
    /// Levels below the working directory that a survey looks into.
    pub survey_depth: usize,
    /// Parsed files that are kept for all sessions, in bytes of text.
    pub cached_bytes: u64,
    /// Loads that are kept: one for each working directory in use.
    pub cached_loads: u64,
    /// Touched paths whose memory is kept.
    pub cached_paths: u64,
    /// Threads that read at the same time.
    pub read_threads: usize,
    /// Files from which on more than one thread pays. On a busy machine a new thread may wait for milliseconds before it
    /// runs at all, in which one thread reads hundreds of files.
    pub parallel_from: usize,
}

impl Default for MemoryLimits {
    fn default() -> Self {
        Self {
            file_bytes: 4 * 1024 * 1024,
            total_bytes: 8 * 1024 * 1024,
            includes: 512,
            mentions: 1_024,
            lookups: 8_192,
            chain: 5,
            index_lines: 200,
            index_bytes: 25_000,
            warn_chars: 40_000,
            tail_percent: 25,
            least_percent: 25,
            rule_files: 10_000,
            rule_entries: 50_000,
            rule_depth: 32,
            read_attempts: 3,
            git_file_bytes: 256 * 1024,
            key_chars: 200,
            survey_directories: 2_000,
            survey_depth: 12,
            cached_bytes: 32 * 1024 * 1024,
            cached_loads: 64,
            cached_paths: 1_024,
            read_threads: 4,
            parallel_from: 256,
        }
    }
}
