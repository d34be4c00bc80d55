//! Where memory may lie: the names that are there in one directory.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use context_api::{FileKind, MemoryKind};

use crate::RulesDir;
use crate::identity::Identities;
use crate::item::{Item, Role, RuleDraft, explain, left_out};
use crate::scan::Scan;

/// What one directory holds.
#[derive(Debug, Default)]
pub(crate) struct Level {
    pub(crate) project: Vec<Item>,
    pub(crate) rules: Vec<Item>,
    pub(crate) local: Vec<Item>,
}

impl Scan<'_> {
    /// What the profile names in a directory of the project.
    pub(crate) fn level(&mut self, dir: &Path) -> Level {
        let context = self.context;
        let profile = &context.options.profile;
        let project =
            profile.project.iter().filter_map(|names| self.first_present(dir, names)).collect::<Vec<_>>();
        let local = profile.local.iter().filter_map(|name| self.present(dir, name)).collect::<Vec<_>>();
        let plain = |paths: Vec<PathBuf>, kind| paths.into_iter().map(|path| item(path, kind)).collect();
        Level {
            project: plain(project, MemoryKind::Project),
            local: plain(local, MemoryKind::Local),
            rules: self.rules(dir, dir, &profile.rules, MemoryKind::Project),
        }
    }

    /// The files of that names that are there, in the order of the names.
    pub(crate) fn named(&mut self, dir: &Path, names: &[String], kind: MemoryKind) -> Vec<Item> {
        names.iter().filter_map(|name| self.present(dir, name)).map(|path| item(path, kind)).collect()
    }

    /// The first of the names that is there.
    pub(crate) fn first_present(&mut self, dir: &Path, names: &[String]) -> Option<PathBuf> {
        names.iter().find_map(|name| self.present(dir, name))
    }

    /// The path of a name below a directory, if anything is there.
    pub(crate) fn present(&mut self, dir: &Path, name: &str) -> Option<PathBuf> {
        let path = dir.join(name);
        if !self.way_is_there(dir, &path) {
            return None;
        }
        match self.disk.look_and_watch(&path) {
            Err("not_found") => None,
            _ => Some(path),
        }
    }

    /// Whether the directory is there that a name of two parts lies in: one look for all names in it.
    fn way_is_there(&mut self, dir: &Path, path: &Path) -> bool {
        let Some(parent) = path.parent().filter(|parent| *parent != dir) else { return true };
        if !self.way_is_there(dir, parent) {
            return false;
        }
        let there = self.disk.peek(parent) != Err("not_found");
        if !there {
            self.disk.watch(parent);
        }
        there
    }

    /// The rules below a directory, relative to `base`, as one group a directory of rules.
    pub(crate) fn rules(
        &mut self,
        dir: &Path,
        base: &Path,
        kinds: &[RulesDir],
        kind: MemoryKind,
    ) -> Vec<Item> {
        let mut items = Vec::new();
        for rules in kinds {
            let Some(root) = self.present(dir, &rules.dir) else { continue };
            let paths = self.rule_files(&root, rules);
            if paths.is_empty() {
                continue;
            }
            let group = self.groups.len();
            self.groups.push(RuleDraft { base: base.to_owned(), rules: Vec::new() });
            let role = Role::Rule { group, by_name: rules.by_name };
            items.extend(paths.into_iter().map(|path| Item { path, kind, role: role.clone() }));
        }
        items
    }

    /// The files below a directory of rules, by the bytes of their paths.
    fn rule_files(&mut self, root: &Path, rules: &RulesDir) -> Vec<PathBuf> {
        let limits = &self.context.options.limits;
        let mut walk =
            RuleWalk { suffix: &rules.suffix, met: Identities::default(), files: Vec::new(), entries: 0 };
        self.walk_rules(root, limits.rule_depth, &mut walk);
        walk.files.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
        if walk.files.len() > limits.rule_files || walk.entries > limits.rule_entries {
            let detail = format!(
                "It holds more than {} rules or {} entries; the first ones are read.",
                limits.rule_files, limits.rule_entries
            );
            self.decisions.push(left_out(root, "too_many_rules", detail));
            walk.files.truncate(limits.rule_files);
        }
        walk.files
    }

    fn walk_rules(&mut self, dir: &Path, depth: usize, walk: &mut RuleWalk<'_>) {
        self.disk.watch(dir);
        let meta = match self.disk.target(dir) {
            Ok(meta) if meta.kind == FileKind::Directory => meta,
            Ok(_) => return self.refuse(dir, "not_a_directory", "Rules lie in a directory."),
            Err(reason) => return self.refuse(dir, reason, explain(reason)),
        };
        let canonical = self.disk.canonical_dir(dir);
        if walk.met.contains(&canonical, &meta) {
            return self.refuse(
                dir,
                "already_loaded",
                "The same directory is read already, under another name.",
            );
        }
        walk.met.insert(&canonical, &meta);
        if depth == 0 {
            return self.refuse(dir, "rules_too_deep", "Rules this deep are not looked for.");
        }
        for (name, kind) in self.entries(dir, walk) {
            self.rule_entry(&dir.join(&name), kind, depth, walk);
        }
    }

    fn rule_entry(&mut self, path: &Path, kind: FileKind, depth: usize, walk: &mut RuleWalk<'_>) {
        let is_rule = path.as_os_str().as_encoded_bytes().ends_with(walk.suffix.as_bytes());
        let kind = match kind {
            FileKind::Link => self.disk.target(path).map_or(FileKind::Link, |meta| meta.kind),
            kind => kind,
        };
        match kind {
            FileKind::Directory => self.walk_rules(path, depth - 1, walk),
            _ if is_rule => {
                self.disk.watch(path);
                walk.files.push(path.to_owned());
            }
            _ => {
                let detail = format!("Rules are files whose names end in `{}`.", walk.suffix);
                self.refuse(path, "not_a_rule", detail);
            }
        }
    }

    /// The entries of a directory by the bytes of their names, as far as the walk's limit goes.
    fn entries(&mut self, dir: &Path, walk: &mut RuleWalk<'_>) -> Vec<(OsString, FileKind)> {
        let left = (self.context.options.limits.rule_entries + 1).saturating_sub(walk.entries);
        let entries = match self.disk.fs.read_dir(dir) {
            Ok(entries) => entries,
            Err(error) => {
                let reason = context_api::ReadErrorKind::from(&error).reason();
                self.refuse(dir, reason, explain(reason));
                return Vec::new();
            }
        };
        let mut found: Vec<_> =
            entries.filter_map(Result::ok).map(|entry| (entry.name, entry.kind)).take(left).collect();
        walk.entries += found.len();
        found.sort_by(|a, b| a.0.as_encoded_bytes().cmp(b.0.as_encoded_bytes()));
        found
    }

    pub(crate) fn refuse(&mut self, path: &Path, reason: &str, detail: impl Into<String>) {
        self.decisions.push(left_out(path, reason, detail));
    }
}

/// A walk through one directory of rules.
struct RuleWalk<'a> {
    suffix: &'a str,
    met: Identities,
    files: Vec<PathBuf>,
    entries: usize,
}

fn item(path: PathBuf, kind: MemoryKind) -> Item {
    Item { path, kind, role: Role::Plain }
}
