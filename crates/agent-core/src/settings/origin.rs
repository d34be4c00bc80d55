//! Where each value of the settings came from.

use std::path::PathBuf;

use context_api::RawJson;

use super::Settings;

/// Who a settings file, or another place that sets values, belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SettingLayer {
    /// The user's own, for all projects.
    User,
    /// The project's, shared with everyone who works on it: what a repository says.
    Project,
    /// The user's own, for this project.
    Local,
    /// The organisation's.
    Managed,
    /// Above all files: a command line's flag, or the embedder itself.
    Flag,
    /// An environment variable.
    Environment,
}

impl SettingLayer {
    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Managed => "managed",
            Self::Flag => "flag",
            Self::Environment => "environment",
        }
    }

    /// Whether this layer may say where the user's own memory lies: a repository may not, since its text would pose as the
    /// user's.
    pub(super) fn may_move_auto_memory(self) -> bool {
        self != Self::Project
    }

    /// Whether this layer may carry a text of the organisation.
    pub(super) fn may_carry_memory(self) -> bool {
        self == Self::Managed
    }
}

/// What became of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SettingOutcome {
    /// It holds, for a list together with those of other layers.
    Holds,
    /// A stronger layer says something else.
    Overridden,
    /// This layer may not say it: a decision tells why.
    Refused,
    /// It has the wrong form: a decision tells why.
    NotUnderstood,
}

impl SettingOutcome {
    /// Its name, in snake case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Overridden => "overridden",
            Self::Refused => "refused",
            Self::NotUnderstood => "not_understood",
        }
    }
}

/// One value that some layer says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingOrigin {
    /// The key as the file writes it, or the variable's name.
    pub key: String,
    /// Its value: JSON of a file, the text of a variable.
    pub value: String,
    /// Who says it.
    pub layer: SettingLayer,
    /// The file; `None` for a variable.
    pub path: Option<PathBuf>,
    /// What became of it.
    pub outcome: SettingOutcome,
}

/// Keys whose values add up over the layers; of all others the strongest layer's holds.
const LISTS: &[&str] = &["permissions", "claudeMdExcludes", "additionalDirectories"];
/// Keys of one value.
const SINGLES: &[&str] =
    &["autoMemoryDirectory", "autoMemoryEnabled", "claudeMd", "includeGitInstructions", "language"];

/// Whether the engine reads this key; others are other programs' business.
pub(super) fn is_known(key: &str) -> bool {
    LISTS.contains(&key) || SINGLES.contains(&key)
}

impl Settings {
    /// Writes down a value; one of the same key that held before is overridden now, unless both add up.
    pub(super) fn note(&mut self, origin: SettingOrigin) {
        if origin.outcome == SettingOutcome::Holds && SINGLES.contains(&origin.key.as_str()) {
            let before = self.origins.iter_mut().filter(|before| before.key == origin.key);
            for before in before.filter(|before| before.outcome == SettingOutcome::Holds) {
                before.outcome = SettingOutcome::Overridden;
            }
        }
        self.origins.push(origin);
    }

    /// Writes down a variable that is set.
    pub(super) fn note_variable(&mut self, name: &str, value: &str) {
        self.note(SettingOrigin {
            key: name.to_owned(),
            value: value.to_owned(),
            layer: SettingLayer::Environment,
            path: None,
            outcome: SettingOutcome::Holds,
        });
    }
}

impl SettingOrigin {
    pub(super) fn of(
        key: &str,
        value: &RawJson,
        layer: SettingLayer,
        path: Option<PathBuf>,
        outcome: SettingOutcome,
    ) -> Self {
        Self { key: key.to_owned(), value: value.get().to_owned(), layer, path, outcome }
    }
}
