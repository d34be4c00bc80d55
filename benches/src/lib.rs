//! What the benches share: trees to work on, texts to count, and the floor, which is what the system itself needs for the same files.
//!
//! A [`Tree`] is a throw-away directory, a git repository where it is wanted. [`floor`] looks at and reads every file of a
//! tree with nothing but system calls; no engine can be faster, so figures are given as multiples of it.
//!
//! ```
//! let tree = context_benches::Tree::of(12)?;
//! let files = context_benches::floor::files(tree.path())?;
//! assert_eq!(files.len(), 12);
//! assert_eq!(context_benches::floor::stat_all(&files)?, context_benches::floor::read_all(&files)?);
//! # Ok::<(), std::io::Error>(())
//! ```

mod corpus;
mod tree;

pub mod floor;

pub use corpus::{Sample, corpus};
pub use tree::Tree;
