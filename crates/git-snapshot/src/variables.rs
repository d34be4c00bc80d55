//! The `GIT_*` variables that the embedder passes in.

use std::path::{Path, PathBuf};

use context_api::{Decision, GitOptions, GitRun};

/// Variables that name what is read, all of which are obeyed.
const OBEYED: [&str; 10] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_COUNT",
    "GIT_OPTIONAL_LOCKS",
];

/// Variables that would change which facts are found, and are not obeyed.
const NOT_OBEYED: [&str; 6] = [
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DEFAULT_HASH",
];

/// A view of the variables in [`GitOptions`].
#[derive(Clone, Copy)]
pub(crate) struct Variables<'a>(&'a [(String, String)]);

impl<'a> Variables<'a> {
    pub(crate) fn of(options: &'a GitOptions) -> Self {
        Self(&options.environment)
    }

    /// The value of `name`, where set and not empty.
    pub(crate) fn get(self, name: &str) -> Option<&'a str> {
        self.0
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
            .filter(|v| !v.is_empty())
    }

    /// The value of `name` as a path, taken from `cwd` where it is relative.
    pub(crate) fn path(self, name: &str, cwd: &Path) -> Option<PathBuf> {
        self.get(name).map(|value| cwd.join(value))
    }

    /// Whether `name` holds one of git's words for yes.
    pub(crate) fn is_true(self, name: &str) -> bool {
        self.get(name)
            .is_some_and(|value| matches!(value.to_ascii_lowercase().as_str(), "1" | "true" | "yes" | "on"))
    }

    /// The settings of `GIT_CONFIG_COUNT`, `GIT_CONFIG_KEY_<n>` and `GIT_CONFIG_VALUE_<n>`.
    pub(crate) fn settings(self) -> Vec<String> {
        let count = self
            .get("GIT_CONFIG_COUNT")
            .and_then(|count| count.parse().ok())
            .unwrap_or(0usize)
            .min(self.0.len());
        (0..count)
            .filter_map(|n| {
                let key = self.get(&format!("GIT_CONFIG_KEY_{n}"))?;
                let name = format!("GIT_CONFIG_VALUE_{n}");
                let value =
                    self.0.iter().rev().find(|(key, _)| *key == name).map_or("", |(_, value)| value.as_str());
                Some(format!("{key}={value}"))
            })
            .collect()
    }

    /// Says which variables were passed in and mean something that is not done here.
    pub(crate) fn decide(self, run: &GitRun) {
        for name in NOT_OBEYED {
            debug_assert!(!OBEYED.contains(&name));
            if self.get(name).is_some() {
                run.decide(Decision::left_out(
                    name,
                    "git_variable_ignored",
                    "The variable is not obeyed here.",
                ));
            }
        }
    }
}
