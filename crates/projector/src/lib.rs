//! One entry, several destinations: what the model, a person and the host see.
//!
//! [`StandardProjector`] looks at one entry and gives every destination's view of it; its words are a [`Wording`].
//! [`normalise()`] puts a history's views together as messages that a provider takes, and says in decisions what it left
//! out or added. [`ProjectedHistory`] does the same as the history grows: messages that are complete are kept and never
//! made again. [`file_blocks`] is how a file looks, in a mention and in a read tool's answer alike.
//!
//! # How entries become messages
//!
//! What lies between two answers of the model is a *run*. A run falls into *groups*: neighbouring entries of one
//! [`context_api::Entry::turn`], that is, of one request. In a group the results of tools come first, then what the
//! engine says, then input that waited, then the user's words. Groups follow each other and never mix, so that whatever is
//! appended later stands behind everything that was sent before.
//!
//! Only results in the first group behind an answer answer its calls. A call without one there is answered as interrupted,
//! always, so that a normalised history can be sent at any time ([`Normalised::unanswered`] names those calls; record a
//! [`context_api::ViewEdit::Interrupted`] for each when the request is committed). A result that comes in a later group is
//! told in a reminder.
//!
//! ```
//! use std::sync::Arc;
//! use context_api::{Entry, EntryKind, ProjectionConfig, Role};
//! use projector::{StandardProjector, normalise};
//!
//! let id = uuid::Uuid::from_u128(1);
//! let entry = Entry::new(id, Default::default(), 1, EntryKind::user("hello"));
//! let history = normalise(&[Arc::new(entry)], &StandardProjector::default(), &ProjectionConfig::default());
//! assert_eq!(history.messages[0].role, Role::User);
//! assert_eq!(history.messages[0].blocks[0].content.as_text(), Some("hello"));
//! ```

mod clean;
mod decide;
mod fence;
mod file;
mod tool;
mod wording;

mod projector;
mod signal;
mod ui;

mod history;
mod normalise;

pub use file::{file_blocks, list_text};
pub use history::{Peek, ProjectedHistory};
pub use normalise::{Normalised, normalise, normalise_with};
pub use projector::StandardProjector;
pub use wording::{StandardWording, WORDING_VERSION, Wording};
