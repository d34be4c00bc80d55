//! What a host decides about memory.

use std::path::PathBuf;

use crate::{MemoryLimits, Profile};

/// Which of the levels that people write are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingSources {
    /// The user's own, for all projects.
    pub user: bool,
    /// The project's, checked in.
    pub project: bool,
    /// The user's own, for this project.
    pub local: bool,
}

impl Default for SettingSources {
    fn default() -> Self {
        Self { user: true, project: true, local: true }
    }
}

/// What happens to an include that lies outside the project. Includes of managed and user files need no approval.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum IncludePolicy {
    /// It is left out.
    Deny,
    /// It waits until the user's word is in the scope ([`context_api::MemoryScope::includes_approved`]).
    #[default]
    Ask,
    /// It is read where it lies below one of these directories, and left out elsewhere.
    AllowRoots(Vec<PathBuf>),
    /// It is read.
    AllowAll,
}

/// How much text there may be in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryBudget {
    /// At most so many characters; above that, files are cut fairly.
    Chars(usize),
    /// As much as there is; a decision warns above [`MemoryLimits::warn_chars`].
    Unlimited,
}

impl Default for MemoryBudget {
    fn default() -> Self {
        Self::Chars(MemoryLimits::default().warn_chars)
    }
}

macro_rules! options {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$fmeta:meta])* pub $field:ident: $ty:ty,)* })+) => {$(
        $(#[$meta])*
        pub struct $name { $($(#[$fmeta])* pub $field: $ty,)* }

        impl $name {
            $(
                #[doc = concat!("Sets [`", stringify!($name), "::", stringify!($field), "`].")]
                pub fn $field(mut self, $field: impl Into<$ty>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*
        }
    )+};
}

options! {
    /// Where memory lies and what counts.
    ///
    /// ```
    /// use claudemd::{MemoryBudget, MemoryOptions};
    /// let options = MemoryOptions::default().home(std::path::PathBuf::from("/home/me")).budget(MemoryBudget::Unlimited);
    /// assert!(!options.disabled);
    /// ```
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    #[non_exhaustive]
    pub struct MemoryOptions {
        /// The user's home directory; without one there is no user level and no automatic memory.
        pub home: Option<PathBuf>,
        /// The directory that holds the organisation's `CLAUDE.md` and `.claude/rules`; see
        /// [`MemoryOptions::platform_managed_dir`].
        pub managed_dir: Option<PathBuf>,
        /// The organisation's text from its settings; shown before the files of `managed_dir`.
        pub managed_text: Option<String>,
        /// Which levels are on.
        pub setting_sources: SettingSources,
        /// Nothing but additional directories.
        pub bare: bool,
        /// No memory at all.
        pub disabled: bool,
        /// Whether additional directories bring their project and local files. In bare mode they always do.
        pub additional_directories_memory: bool,
        /// Which file names count.
        pub profile: Profile,
        /// What happens to includes from outside the project.
        pub include_policy: IncludePolicy,
        /// How much text there may be.
        pub budget: MemoryBudget,
        /// Patterns for absolute paths (`**/CLAUDE.md`, `~/code/old/`) of files that do not count. A pattern may name a
        /// link or its target; managed files are never excluded.
        pub excludes: Vec<String>,
        /// Whether what the agent noted by itself is shown.
        pub auto_memory: bool,
        /// Where that lies, else it follows from home and project; see [`crate::auto_memory_dir`].
        pub auto_memory_dir: Option<PathBuf>,
        /// Where the team's memory lies.
        pub team_dir: Option<PathBuf>,
        /// Whether the load also looks below the working directory for memory that loads when a path there is touched,
        /// and says so in its decisions. For people who ask why a file is ignored; costs a bounded walk.
        pub survey: bool,
        /// Bounds.
        pub limits: MemoryLimits,
    }
}

impl MemoryOptions {
    /// Where an organisation puts its files on this platform.
    pub fn platform_managed_dir() -> PathBuf {
        PathBuf::from(if cfg!(target_os = "macos") {
            "/Library/Application Support/ClaudeCode"
        } else if cfg!(windows) {
            r"C:\Program Files\ClaudeCode"
        } else {
            "/etc/claude-code"
        })
    }
}
