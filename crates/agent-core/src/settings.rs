//! Settings: files of four layers and the environment variables that the design names.

mod layers;
mod origin;
mod policy;

pub use layers::SettingsPlaces;
pub use origin::{SettingLayer, SettingOrigin, SettingOutcome};
pub use policy::DenyRules;

use std::path::PathBuf;

use context_api::{Decision, Variables};
use layers::Said;

/// What settings files and environment say, merged.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Read rules that deny, with the directory that relative ones hang on: `permissions.deny` of all layers.
    pub deny_read: Vec<DenyRule>,
    /// `claudeMdExcludes` of all layers: globs on absolute paths.
    pub memory_excludes: Vec<String>,
    /// `claudeMd` of the managed layer: a text of the organisation.
    pub managed_memory: Option<String>,
    /// `additionalDirectories` (`permissions.additionalDirectories`) of all layers.
    pub additional_directories: Vec<PathBuf>,
    /// `includeGitInstructions`; unset is yes.
    pub include_git: Option<bool>,
    /// `autoMemoryEnabled`; unset is yes.
    pub auto_memory: Option<bool>,
    /// `autoMemoryDirectory`.
    pub auto_memory_directory: Option<PathBuf>,
    /// `language`.
    pub language: Option<String>,
    /// `CLAUDE_CODE_DISABLE_CLAUDE_MDS`: no memory at all.
    pub disable_memory: bool,
    /// `CLAUDE_CODE_REMOTE` or `CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS`: no git facts.
    pub disable_git: bool,
    /// Every value that some layer says, from the weakest layer to the strongest, and what became of it.
    pub origins: Vec<SettingOrigin>,
    /// What could not be read or understood, or is not for the layer that says it.
    pub decisions: Vec<Decision>,
}

/// A rule that denies reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DenyRule {
    /// As its author wrote it, such as `./.env` or `~/secret/**`.
    pub pattern: String,
    /// What a relative pattern hangs on.
    pub base: PathBuf,
}

impl Settings {
    /// Reads the settings files of all layers (managed over local over project over user) and the variables.
    ///
    /// A file that is missing says nothing; one that can not be read or understood is a decision, and the others hold.
    /// Calling this is the embedder's choice: no part does it by itself.
    pub fn load(places: &SettingsPlaces, variables: &Variables) -> Self {
        let mut settings = Self::default();
        for layer in places.layers() {
            settings.read_layer(&layer);
        }
        settings.read_variables(variables);
        settings
    }

    /// Adds one more layer above the others, given as JSON: what a command line's flag says.
    ///
    /// # Errors
    /// The text is no JSON object.
    pub fn with_layer(mut self, base: impl Into<PathBuf>, json: &str) -> Result<Self, crate::Error> {
        let base = base.into();
        let said = Said { base: &base, layer: SettingLayer::Flag, path: &base };
        match self.merge(&said, json) {
            Ok(()) => Ok(self),
            Err(reason) => Err(crate::Error::Settings { path: base, reason }),
        }
    }

    /// Takes in the environment variables that the design names.
    pub fn read_variables(&mut self, variables: &Variables) {
        let on = |name: &str| {
            variables.get(name).is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
        };
        let mut set = |name: &str| {
            let on = on(name);
            if let Some(value) = variables.get(name).filter(|_| on) {
                self.note_variable(name, value);
            }
            on
        };
        let no_memory = set("CLAUDE_CODE_DISABLE_CLAUDE_MDS");
        let no_git = [set("CLAUDE_CODE_REMOTE"), set("CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS")];
        self.disable_memory |= no_memory;
        self.disable_git |= no_git.contains(&true);
    }

    /// Whether git facts are wanted.
    pub fn wants_git(&self) -> bool {
        !self.disable_git && self.include_git.unwrap_or(true)
    }
}
