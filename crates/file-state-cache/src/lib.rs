//! What the model has seen of each file.
//!
//! [`FileStateCache`] is the engine's own [`FileStates`]: at most [`StateLimits::entries`] states and
//! [`StateLimits::bytes`] of content, in strict order of use. Taking a state in counts as use, looking does not, so that a
//! replay of a history gives the same cache. What has to go is a decision. [`merge_changes`] says what a session takes over
//! from a sub-agent's copy, and [`normalise_path`] gives all spellings of a path one entry.
//!
//! ```
//! use context_api::{EditRefusal, FileState, FileStates, Fingerprint, StateChange};
//! use file_state_cache::{FileStateCache, StateLimits};
//! let cache = FileStateCache::new(StateLimits::default());
//! let now = Fingerprint { mtime_ns: 1, len: 2, inode: 3 };
//! assert_eq!(cache.may_edit("/p/a.rs".as_ref(), Some(&now)), Err(EditRefusal::NeverRead));
//! cache.apply(&StateChange::Put(FileState::default().path("/p/./a.rs").fingerprint(now)));
//! assert_eq!(cache.may_edit("/p/a.rs".as_ref(), Some(&now)), Ok(()));
//! ```

mod cache;
mod limits;
mod merge;
mod path;
mod store;
mod wording;

pub use cache::FileStateCache;
pub use limits::StateLimits;
pub use merge::merge_changes;
pub use path::normalise_path;

#[cfg(doc)]
use context_api::FileStates;
