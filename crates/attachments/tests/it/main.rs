//! The bus and its collectors, from outside.
#![expect(clippy::unwrap_used, reason = "a test that can not go on fails")]

mod bus;
mod changed_files;
mod deltas;
mod hooks;
mod life;
#[cfg(feature = "memories")]
mod memories;
mod mentions;
mod resources;
mod schedules;
#[cfg(feature = "skills")]
mod skills;
mod support;
