//! The commands.

mod build;
mod context;
mod explain;
mod git;
mod memory;
mod mentions;
mod shell;
mod transcript;

pub(crate) use crate::replay::replay;
pub(crate) use build::build;
pub(crate) use context::context;
pub(crate) use explain::explain;
pub(crate) use git::git;
pub(crate) use memory::memory;
pub(crate) use mentions::mentions;
pub(crate) use shell::{completions, man};
pub(crate) use transcript::transcript;

/// Input that makes no sense here: a usage error.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}
