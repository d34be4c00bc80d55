//! What `cargo metadata` says of the workspace.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::Shell;
use crate::shell::capture;

/// The packages of the workspace, or all that it is built from.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Workspace {
    /// The packages.
    pub packages: Vec<Package>,
}

/// One package.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence as an SPDX expression, where it states one.
    #[serde(default)]
    pub license: Option<String>,
    /// Where it comes from; `None` is a path.
    #[serde(default)]
    pub source: Option<String>,
    /// Its manifest.
    #[serde(default)]
    pub manifest_path: PathBuf,
    /// What it asks for.
    #[serde(default)]
    pub dependencies: Vec<Dependency>,
    /// Its features, with what each turns on.
    #[serde(default)]
    pub features: BTreeMap<String, Vec<String>>,
}

/// What a package asks for.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Dependency {
    /// The package's name.
    pub name: String,
    /// What it is needed for.
    #[serde(default, deserialize_with = "kind")]
    pub kind: Kind,
    /// Whether only a feature asks for it.
    #[serde(default)]
    pub optional: bool,
}

/// What a dependency is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The package itself.
    #[default]
    Normal,
    /// Its tests, benches and examples.
    Dev,
    /// Its build script.
    Build,
}

/// Cargo writes a normal dependency's kind as `null`.
fn kind<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

impl Workspace {
    /// The workspace's own packages.
    ///
    /// # Errors
    /// Cargo fails.
    pub fn own(shell: &Shell) -> Result<Self> {
        Self::read(shell, &["--no-deps"])
    }

    /// Every package that any feature, target or test of the workspace asks for.
    ///
    /// # Errors
    /// Cargo fails.
    pub fn all(shell: &Shell) -> Result<Self> {
        Self::read(shell, &[])
    }

    fn read(shell: &Shell, more: &[&str]) -> Result<Self> {
        let args: Vec<&str> = ["metadata", "--format-version", "1"].iter().chain(more).copied().collect();
        let json = capture(shell.cargo(&args))?;
        serde_json::from_str(&json).context("cargo metadata wrote what was not expected")
    }

    /// The package of a name.
    pub fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }
}
