//! Finds, reads, includes, filters and renders memory files.
//!
//! A [`Profile`] says which names count, [`MemoryOptions`] what the host decides, and [`FsMemoryLoader`] answers for a session
//! or a touched path which files hold, in which order, and why others do not. [`render()`] makes one text of them.
//!
//! ```
//! # struct NoDisk;
//! # impl context_api::FileSystem for NoDisk {
//! #     fn metadata(&self, path: &std::path::Path, _: context_api::Follow) -> std::io::Result<context_api::FileMeta> {
//! #         let kind = context_api::FileKind::Directory;
//! #         let is_dir = path == std::path::Path::new("/work");
//! #         let meta = context_api::FileMeta { kind, fingerprint: Default::default(), device: 0 };
//! #         is_dir.then_some(meta).ok_or(std::io::ErrorKind::NotFound.into())
//! #     }
//! #     fn open(&self, _: &std::path::Path) -> std::io::Result<context_api::OpenFile> { unreachable!() }
//! #     fn read_dir(&self, _: &std::path::Path) -> std::io::Result<context_api::DirEntries> { unreachable!() }
//! #     fn canonicalize(&self, path: &std::path::Path) -> std::io::Result<std::path::PathBuf> { Ok(path.into()) }
//! # }
//! use std::sync::Arc;
//! use claudemd::{FsMemoryLoader, MemoryOptions};
//! use context_api::{AllowAll, MemoryLoader, MemoryScope};
//!
//! let options = MemoryOptions::default().managed_text("Never push to main.".to_owned());
//! let loader = FsMemoryLoader::new(Arc::new(NoDisk), Arc::new(AllowAll), options);
//! let load = loader.load(&MemoryScope::default().cwd("/work"))?;
//! assert!(loader.render(&load.files).contains("Never push to main."));
//! # Ok::<(), context_api::MemoryError>(())
//! ```

mod limits;
mod options;
mod profile;

mod context;
mod disk;
mod identity;
mod repository;
mod shelf;

mod inline;
mod markdown;
mod parsed;

mod index;
mod item;
mod parallel;
mod rule_set;
mod scan;
mod seal;

mod base;
mod gather;
mod include;
mod nested;
mod survey;
mod text_names;
mod worktree;

mod auto_memory;
mod budget;
mod loader;
mod render;
mod wording;

pub use auto_memory::auto_memory_dir;
pub use limits::MemoryLimits;
pub use loader::FsMemoryLoader;
pub use options::{IncludePolicy, MemoryBudget, MemoryOptions, SettingSources};
pub use profile::{Profile, RulesDir};
pub use render::render;
