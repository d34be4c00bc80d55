//! What a host or user says of entries for the stages that make a history fit.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::record::{record, words};

record! {
    /// A word about entries, results or files: the newest about a target holds.
    #[derive(Eq)]
    pub struct Mark {
        /// What it is about.
        pub targets: Vec<MarkTarget>,
        /// What is said.
        pub mark: MarkKind,
    }
}

words! {
    /// What may be said of a part of a history.
    pub enum MarkKind {
        /// No stage may touch it.
        Pinned,
        /// Its exchange may go once it is no longer the newest.
        Droppable,
        /// What was said before no longer holds.
        Plain,
    }
}

/// What a [`Mark`] is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MarkTarget {
    /// One entry.
    Entry(Uuid),
    /// The result of a call.
    Result(String),
    /// Whatever shows a file.
    File(
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        PathBuf,
    ),
}
