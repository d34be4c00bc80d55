//! Engine, session and turn: the parts wired together.
//!
//! An [`Engine`] holds parts, caches and limits that sessions share. A [`Session`] is one conversation. A [`Turn`] asks it
//! for a request; the [`PreparedTurn`] that comes back holds the request, and everything that was decided on the way. No
//! algorithm and no text for a model lives here.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! # runtime.block_on(async {
//! use agent_core::{Engine, SessionOptions, Turn};
//! let engine = Engine::builder(std::env::current_dir()?).model("claude-sonnet-4-5").build()?;
//! let mut session = engine.session(SessionOptions::default());
//! let turn = session.prepare(Turn::prompt("What is in @Cargo.toml?")).await?;
//! assert!(turn.request.is_some());
//! # Ok(())
//! # })
//! # }
//! ```

mod builder;
mod engine;
mod error;
mod handle;
mod parts;
mod prepared;
mod session;
mod settings;
mod turn;

#[cfg(feature = "compaction")]
mod budget;
mod context;
mod offload;
mod pool;
mod states;
mod system;
#[cfg(feature = "compaction")]
mod usage;

pub use builder::EngineBuilder;
pub use engine::Engine;
pub use error::Error;
pub use handle::SessionHandle;
pub use parts::{EngineLimits, EngineOptions, Machine, StatesFactory};
pub use pool::{IoPool, PoolLimits};
pub use prepared::PreparedTurn;
#[cfg(feature = "compaction")]
pub use session::{Compact, CompactError, Compacted, PinRefused, Summary, SummaryJob};
pub use session::{Late, Recorded, Session, SessionOptions};
pub use settings::{
    DenyRule, DenyRules, SettingLayer, SettingOrigin, SettingOutcome, Settings, SettingsPlaces,
};
pub use states::NoStates;
pub use system::{SystemClock, SystemIds};
pub use turn::Turn;

/// The example of the README, compiled.
#[cfg(all(doctest, feature = "dialects"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

pub use attachments;
#[cfg(feature = "claudemd")]
pub use claudemd;
pub use context_api;
#[cfg(feature = "compaction")]
pub use context_budget;
#[cfg(feature = "dialects")]
pub use dialects;
#[cfg(feature = "git")]
pub use git_snapshot;
pub use local_fs::LocalFs;
#[cfg(feature = "transcript")]
pub use transcript;
#[cfg(feature = "files")]
pub use {file_reader, file_state_cache};
pub use {projector, prompt_assembly};
