//! The local disk as a [`FileSystem`].
//!
//! [`LocalFs`] opens without blocking and without following links, takes regular files only, and compares what it opened
//! with what the path named. It is the default of the engine; overlays wrap it.
//!
//! ```
//! use context_api::{FileSystem, Follow};
//! use local_fs::LocalFs;
//! let disk = LocalFs::new();
//! assert!(disk.metadata("/".as_ref(), Follow::Links).is_ok());
//! ```

mod local;
#[cfg(unix)]
mod unix;

pub use local::LocalFs;

#[cfg(doc)]
use context_api::FileSystem;
