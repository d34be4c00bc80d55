//! Recorded changes of how the history is seen, and the named reasons for which a prefix may change.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::record::{record, words};
use crate::{MemoryScope, ToolSpec};

/// A change of how earlier entries are seen. The entries themselves stay as they are.
///
/// From the first item that an edit names, a prefix may differ from the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "edit", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ViewEdit {
    /// A tool call was interrupted: it is answered by a text that says so.
    Interrupted {
        /// The call.
        tool_use_id: String,
    },
    /// The content of a tool result is replaced by a text.
    ReplaceResult {
        /// The call.
        tool_use_id: String,
        /// What stands in its place.
        text: String,
        /// Why, in snake case.
        reason: String,
    },
    /// One block of an entry is replaced by a text.
    ReplaceBlock {
        /// The entry.
        entry: Uuid,
        /// Place of the block among those that the entry projects to.
        block: usize,
        /// What stands in its place.
        text: String,
        /// Why, in snake case.
        reason: String,
    },
    /// Entries go out of view.
    Drop {
        /// The entries.
        entries: Vec<Uuid>,
        /// Why, in snake case.
        reason: String,
    },
    /// A run of entries is seen as one text.
    Fold {
        /// The entries.
        entries: Vec<Uuid>,
        /// What stands in their place.
        text: String,
    },
    /// Entries that were folded or dropped come back into view.
    Unfold {
        /// The entries.
        entries: Vec<Uuid>,
    },
}

record! {
    /// A compaction: what is before it is out of view.
    #[derive(Eq)]
    pub struct Boundary {
        /// The newest entry that was summarised.
        pub head: Option<Uuid>,
        /// The entry that the kept ones follow.
        pub anchor: Option<Uuid>,
        /// The last entry that was kept.
        pub tail: Option<Uuid>,
        /// What set it off.
        pub trigger: Trigger,
        /// Tokens before.
        pub tokens_before: u64,
        /// Tokens after.
        pub tokens_after: u64,
        /// The summary, where there is one.
        pub summary: String,
        /// Entries before it that stay in view.
        pub kept: Vec<Uuid>,
    }

    /// A named reason for which the prefix may change.
    #[derive(Eq)]
    pub struct Invalidate {
        /// The reason.
        pub event: InvalidateEvent,
        /// More about it: the text of a cache breaker, the tool that changed.
        pub detail: String,
        /// The tools that are sent from here on, where their list changed.
        pub tools: Option<Arc<[ToolSpec]>>,
        /// Where memory is looked for from here on, where a session says so.
        pub scope: Option<MemoryScope>,
    }
}

words! {
    /// What set a compaction off.
    pub enum Trigger {
        /// Somebody asked for it.
        Manual,
        /// The threshold.
        Auto,
        /// The provider refused the request as too long.
        Reactive,
        /// The conversation was cleared.
        Clear,
    }

    /// The reasons for which a prefix may change.
    pub enum InvalidateEvent {
        /// The conversation was cleared.
        Clear,
        /// The history was compacted.
        Compact,
        /// The host says that memory was edited on purpose.
        MemoryEdited,
        /// Settings changed.
        SettingsChanged,
        /// A worktree was entered or left.
        WorktreeChanged,
        /// The host wants a fresh cache.
        CacheBreaker,
        /// Sections of the system prompt are to be computed again.
        Sections,
        /// The list of tools changed.
        Tools,
        /// The way entries are projected changed.
        Projection,
    }
}
