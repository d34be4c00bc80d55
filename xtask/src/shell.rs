//! Programs run in the workspace.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

/// Runs programs in the workspace's root.
#[derive(Debug, Clone)]
pub struct Shell {
    root: PathBuf,
    cargo: OsString,
}

impl Shell {
    /// One for the workspace that this program was built from.
    ///
    /// # Errors
    /// The folder has no parent.
    pub fn new() -> Result<Self> {
        let own = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&own).parent().context("xtask lies in no workspace")?.to_owned();
        Ok(Self { root, cargo: std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()) })
    }

    /// The workspace's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A cargo command in the root, without what the outer cargo tells this program of the package `xtask`.
    pub fn cargo(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.cargo);
        command.args(args).current_dir(&self.root);
        let told = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(told)) {
            command.env_remove(name);
        }
        command
    }

    /// Another program in the root.
    pub fn program(&self, name: impl AsRef<OsStr>, args: &[&str]) -> Command {
        let mut command = Command::new(name);
        command.args(args).current_dir(&self.root);
        command
    }
}

/// Runs a command to its end, its output shown.
///
/// # Errors
/// It can not be started or says that it failed.
pub(crate) fn run(mut command: Command) -> Result<()> {
    let name = name_of(&command);
    let status =
        command.stdin(Stdio::null()).status().with_context(|| format!("{name} could not be started"))?;
    if !status.success() {
        bail!("{name}: {status}");
    }
    Ok(())
}

/// What a command writes to its standard output; its messages are shown.
///
/// # Errors
/// It can not be started, says that it failed, or writes something that is no UTF-8.
pub(crate) fn capture(mut command: Command) -> Result<String> {
    let name = name_of(&command);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("{name} could not be started"))?;
    if !output.status.success() {
        bail!("{name}: {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{name} wrote no UTF-8"))
}

/// A command as a person would type it.
pub(crate) fn name_of(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy();
    let args = command.get_args().map(|arg| arg.to_string_lossy());
    std::iter::once(program).chain(args).collect::<Vec<_>>().join(" ")
}
