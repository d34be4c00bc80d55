//! The layers of settings files.

use std::io::Read;
use std::path::{Path, PathBuf};

use context_api::{Decision, FileSystem, RawJson};
use serde::Deserialize;

use super::origin::{SettingLayer, SettingOrigin, SettingOutcome, is_known};
use super::{DenyRule, Settings};

/// Where settings files lie.
#[derive(Clone)]
#[non_exhaustive]
pub struct SettingsPlaces {
    /// What they are read through.
    pub files: std::sync::Arc<dyn FileSystem>,
    /// The working directory: its `.claude/settings.json` and `.claude/settings.local.json`.
    pub cwd: PathBuf,
    /// The home directory: its `.claude/settings.json`.
    pub home: Option<PathBuf>,
    /// The organisation's directory: its `managed-settings.json`.
    pub managed: Option<PathBuf>,
}

impl SettingsPlaces {
    /// The places around a working directory.
    pub fn new(files: std::sync::Arc<dyn FileSystem>, cwd: impl Into<PathBuf>) -> Self {
        Self { files, cwd: cwd.into(), home: None, managed: None }
    }

    /// Sets [`SettingsPlaces::home`].
    pub fn home(mut self, home: Option<PathBuf>) -> Self {
        self.home = home;
        self
    }

    /// Sets [`SettingsPlaces::managed`].
    pub fn managed(mut self, managed: Option<PathBuf>) -> Self {
        self.managed = managed;
        self
    }

    /// From the weakest to the strongest. Relative patterns of all of them hold in the project: a user who denies `./.env`
    /// means that of each project.
    pub(super) fn layers(&self) -> Vec<Layer> {
        let layer =
            |path: PathBuf, kind| Layer { files: self.files.clone(), path, base: self.cwd.clone(), kind };
        let user = self.home.as_deref().map(|home| home.join(".claude/settings.json"));
        let managed = self.managed.as_deref().map(|dir| dir.join("managed-settings.json"));
        let project = self.cwd.join(".claude/settings.json");
        let mut layers = Vec::new();
        layers.extend(user.map(|path| layer(path, SettingLayer::User)));
        layers.push(layer(project, SettingLayer::Project));
        layers.push(layer(self.cwd.join(".claude/settings.local.json"), SettingLayer::Local));
        layers.extend(managed.map(|path| layer(path, SettingLayer::Managed)));
        layers
    }
}

/// One settings file.
pub(super) struct Layer {
    files: std::sync::Arc<dyn FileSystem>,
    path: PathBuf,
    base: PathBuf,
    kind: SettingLayer,
}

/// The largest settings file that is read, bytes.
const LARGEST: u64 = 1 << 20;

/// The keys that the engine knows; others are other programs' business.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct File {
    permissions: Permissions,
    claude_md_excludes: Vec<String>,
    claude_md: Option<String>,
    include_git_instructions: Option<bool>,
    auto_memory_enabled: Option<bool>,
    auto_memory_directory: Option<String>,
    additional_directories: Vec<PathBuf>,
    language: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Permissions {
    deny: Vec<String>,
    additional_directories: Vec<PathBuf>,
}

/// Whose words are merged.
pub(super) struct Said<'a> {
    /// What relative paths hang on.
    pub(super) base: &'a Path,
    /// Who says it.
    pub(super) layer: SettingLayer,
    /// The file.
    pub(super) path: &'a Path,
}

impl Settings {
    pub(super) fn read_layer(&mut self, layer: &Layer) {
        let said = Said { base: &layer.base, layer: layer.kind, path: &layer.path };
        let outcome = layer.text().and_then(|text| match text {
            Some(text) => self.merge(&said, &text),
            None => Ok(()),
        });
        if let Err(reason) = outcome {
            let subject = context_text::display_path(&layer.path);
            self.decisions.push(Decision::failed(subject, "settings_not_read", format!("{reason}.")));
        }
    }

    pub(super) fn merge(&mut self, said: &Said<'_>, json: &str) -> Result<(), String> {
        let json = context_text::repair_surrogates(json.trim_start_matches('\u{feff}')).into_owned();
        let keys: std::collections::BTreeMap<String, RawJson> =
            serde_json::from_str(&json).map_err(|error| format!("It is no JSON object: {error}"))?;
        // One key of the wrong type must not cost the others, so each is read by itself.
        for (key, value) in keys.iter().filter(|(key, _)| is_known(key)) {
            let outcome = self.take_key(said, key, value);
            let path = Some(said.path.to_path_buf());
            self.note(SettingOrigin::of(key, value, said.layer, path, outcome));
        }
        Ok(())
    }

    fn take_key(&mut self, said: &Said<'_>, key: &str, value: &RawJson) -> SettingOutcome {
        if let Some(why) = refusal(said.layer, key) {
            let detail = format!("{} says it, and {why}.", context_text::display_path(said.path));
            self.decisions.push(Decision::left_out(key, "setting_not_allowed_here", detail));
            return SettingOutcome::Refused;
        }
        let one = RawJson::of(&std::collections::BTreeMap::from([(key, value)]));
        match one.and_then(|one| one.read::<File>()) {
            Ok(file) => {
                self.take(said.base, file);
                SettingOutcome::Holds
            }
            Err(error) => {
                let detail = format!("Its value has the wrong form: {error}.");
                self.decisions.push(Decision::failed(key, "setting_not_understood", detail));
                SettingOutcome::NotUnderstood
            }
        }
    }

    fn take(&mut self, base: &Path, file: File) {
        let denied = file.permissions.deny.iter().filter_map(|rule| read_rule(rule));
        self.deny_read.extend(denied.map(|pattern| DenyRule { pattern, base: base.to_path_buf() }));
        self.memory_excludes.extend(file.claude_md_excludes);
        let directories =
            file.additional_directories.into_iter().chain(file.permissions.additional_directories);
        self.additional_directories.extend(directories.map(|directory| base.join(directory)));
        self.managed_memory = file.claude_md.or(self.managed_memory.take());
        self.include_git = file.include_git_instructions.or(self.include_git);
        self.auto_memory = file.auto_memory_enabled.or(self.auto_memory);
        self.auto_memory_directory =
            file.auto_memory_directory.map(|path| base.join(path)).or(self.auto_memory_directory.take());
        self.language = file.language.or(self.language.take());
    }
}

/// Why a layer may not say this.
fn refusal(layer: SettingLayer, key: &str) -> Option<&'static str> {
    match key {
        "autoMemoryDirectory" if !layer.may_move_auto_memory() => {
            Some("what a repository keeps must not stand as the user's own memory")
        }
        "claudeMd" if !layer.may_carry_memory() => {
            Some("only the organisation's settings hold a text of the organisation")
        }
        _ => None,
    }
}

/// The pattern of a rule that is about reading: `Read(./.env)` gives `./.env`, `Read` alone everything.
fn read_rule(rule: &str) -> Option<String> {
    let rule = rule.trim();
    if rule == "Read" {
        return Some("**".to_owned());
    }
    rule.strip_prefix("Read(")?.strip_suffix(')').map(|pattern| pattern.trim().to_owned())
}

impl Layer {
    fn text(&self) -> Result<Option<String>, String> {
        let path = match self.files.canonicalize(&self.path) {
            Ok(path) => path,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("It can not be read ({:?})", error.kind())),
        };
        let open =
            self.files.open(&path).map_err(|error| format!("It can not be opened ({:?})", error.kind()))?;
        if open.meta.fingerprint.len > LARGEST {
            return Err(format!("It is larger than {LARGEST} bytes"));
        }
        let mut bytes = Vec::new();
        open.reader
            .take(LARGEST)
            .read_to_end(&mut bytes)
            .map_err(|error| format!("It can not be read ({:?})", error.kind()))?;
        Ok(Some(context_text::decode(&bytes).text))
    }
}
