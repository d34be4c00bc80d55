//! What holds from the start of a session.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use context_api::{
    Decision, FileKind, FileMeta, Fingerprint, MemoryError, MemoryFile, MemoryKind, MemoryLoad, MemoryScope,
};

use crate::auto_memory::auto_memory_dir;
use crate::budget;
use crate::context::Context;
use crate::gather::Level;
use crate::identity::Identities;
use crate::include::Includer;
use crate::item::{Item, Role, Vetted};
use crate::parsed::Parsed;
use crate::rule_set::RuleGroup;
use crate::scan::Scan;
use crate::seal::Seal;

/// A load, and what later loads for single paths need of it.
pub(crate) struct Base {
    pub(crate) load: MemoryLoad,
    /// Rules that wait for a path, in the order of their levels.
    pub(crate) groups: Vec<RuleGroup>,
    /// Files that are shown.
    pub(crate) shown: Identities,
    /// Whether the fallback names of the profile count.
    pub(crate) fallback: bool,
    pub(crate) seal: Seal,
}

impl Base {
    /// Loads everything that holds from the start.
    pub(crate) fn scan(
        context: &Context,
        scope: &MemoryScope,
        before: Option<&Self>,
    ) -> Result<Self, MemoryError> {
        let reread = before.is_some_and(|before| before.seal.wants_second_look());
        let mut scan = Scan::new(context, scope, reread);
        scan.check_cwd()?;
        let fallback = scan.start();
        let groups = scan.compile_groups();
        scan.decisions.extend(groups.iter().flat_map(RuleGroup::waiting));
        let load = scan.finish();
        let shown = std::mem::take(&mut scan.shown);
        let seal = Seal::new(scan, before.map(|before| &before.seal));
        Ok(Self { load, groups, shown, fallback, seal })
    }
}

impl Scan<'_> {
    fn check_cwd(&mut self) -> Result<(), MemoryError> {
        let cwd = &self.scope.cwd;
        let reason = match self.disk.target(cwd) {
            Ok(meta) if meta.kind == FileKind::Directory => return Ok(()),
            Ok(_) => "it is no directory",
            Err("not_found") => "no such directory",
            // Files in it may be out of reach too, and say so themselves.
            Err(_) => return Ok(()),
        };
        Err(MemoryError::Other { path: cwd.clone(), reason: reason.to_owned() })
    }

    /// All levels, in order. Whether the fallback names count.
    fn start(&mut self) -> bool {
        let context = self.context;
        let options = &context.options;
        if options.disabled {
            self.decisions.push(Decision::left_out("memory", "disabled", "Memory files are off."));
            return false;
        }
        for problem in &context.exclude_problems {
            let detail = format!("The exclude matches nothing: {}.", problem.reason);
            self.decisions.push(Decision::left_out(problem.pattern.clone(), "bad_pattern", detail));
        }
        if options.bare {
            let items = self.additional();
            self.take_all(items);
            let detail = "Bare mode loads nothing but additional directories.";
            self.decisions.push(Decision::left_out("memory", "bare_mode", detail));
            return false;
        }
        self.managed_text();
        let mut items = self.managed();
        items.extend(self.user());
        let (walk, fallback) = self.walk();
        items.extend(walk);
        items.extend(self.additional());
        items.extend(self.notes());
        self.take_all(items);
        self.note_unused();
        if options.survey {
            self.survey(fallback);
        }
        fallback
    }

    /// The organisation's text from its settings.
    fn managed_text(&mut self) {
        let context = self.context;
        let Some(text) = &context.options.managed_text else { return };
        let dir = context.options.managed_dir.clone().unwrap_or_default();
        let meta = FileMeta { kind: FileKind::File, fingerprint: Fingerprint::default(), device: 0 };
        let parsed = Arc::new(Parsed::new(text.as_bytes(), meta, context.options.limits.mentions));
        let path = dir.join("managed-settings.json");
        let file = Vetted {
            canonical: path.clone(),
            path,
            kind: MemoryKind::Managed,
            meta,
            is_link: false,
            is_rule: false,
        };
        match self.push(file.shown(&parsed), &parsed) {
            Ok(()) => self.include_from(&Includer { file: &file, parsed: &parsed, chain: 1 }),
            Err(decision) => self.decisions.push(decision),
        }
    }

    fn managed(&mut self) -> Vec<Item> {
        let context = self.context;
        let profile = &context.options.profile;
        let Some(dir) = &context.options.managed_dir else { return Vec::new() };
        let mut items = self.named(dir, &profile.managed, MemoryKind::Managed);
        if profile.rules.iter().any(|rules| self.present(dir, &rules.dir).is_some()) {
            let base = self.project_root();
            items.extend(self.rules(dir, &base, &profile.rules, MemoryKind::Managed));
        }
        items
    }

    fn user(&mut self) -> Vec<Item> {
        let context = self.context;
        let profile = &context.options.profile;
        let Some(home) = &context.options.home else { return Vec::new() };
        if !context.options.setting_sources.user {
            self.level_off("user");
            return Vec::new();
        }
        let mut items = self.named(home, &profile.user, MemoryKind::User);
        if profile.user_rules.iter().any(|rules| self.present(home, &rules.dir).is_some()) {
            let base = self.project_root();
            items.extend(self.rules(home, &base, &profile.user_rules, MemoryKind::User));
        }
        items
    }

    fn level_off(&mut self, level: &str) {
        let detail = format!("The {level} level is off in the settings.");
        self.decisions.push(Decision::left_out(level, "level_off", detail));
    }

    /// The project and local files of the directories from the root down to the working directory.
    fn walk(&mut self) -> (Vec<Item>, bool) {
        let scope = self.scope;
        let sources = self.context.options.setting_sources;
        for (level, on) in [("project", sources.project), ("local", sources.local)] {
            if !on {
                self.level_off(level);
            }
        }
        self.disk.learn_canonical(&scope.cwd);
        let mut dirs: Vec<&Path> = scope.cwd.ancestors().collect();
        dirs.reverse();
        let mut levels: Vec<(&Path, Level)> = dirs.into_iter().map(|dir| (dir, self.level(dir))).collect();
        let user = self.user_paths();
        let found = levels.iter().any(|(_, level)| counts_as_found(level, &user));
        let fallback = !found && !self.context.options.profile.fallback.is_empty();
        if fallback {
            for (dir, level) in &mut levels {
                self.add_fallback(dir, level);
            }
        }
        let twin = if levels.len() > 1 { self.main_checkout_above() } else { None };
        let mut items = Vec::new();
        for (dir, level) in levels {
            let level = match &twin {
                Some(twin) if twin.covers(dir) => self.without_copies(twin, level),
                _ => level,
            };
            items.extend(self.ordered(level, &user));
        }
        (items, fallback)
    }

    /// Project files and rules first, private files after them. `user` is where the user's level lies.
    fn ordered<'u>(&self, level: Level, user: &'u [PathBuf]) -> impl Iterator<Item = Item> + use<'u> {
        let sources = self.context.options.setting_sources;
        let project = level.project.into_iter().chain(level.rules).filter(move |_| sources.project);
        let local = level.local.into_iter().filter(move |_| sources.local);
        // A level that is off does not come back in as a project file of the home directory.
        project
            .chain(local)
            .filter(move |item| sources.user || !user.iter().any(|path| item.path.starts_with(path)))
    }

    /// Where the user's level lies.
    fn user_paths(&self) -> Vec<PathBuf> {
        let options = &self.context.options;
        let Some(home) = &options.home else { return Vec::new() };
        let rules = options.profile.user_rules.iter().map(|rules| &rules.dir);
        options.profile.user.iter().chain(rules).map(|name| home.join(name)).collect()
    }

    /// Lets the fallback names of the profile count in a directory that has no file of its own.
    pub(crate) fn add_fallback(&mut self, dir: &Path, level: &mut Level) {
        let context = self.context;
        level.project.extend(self.named(dir, &context.options.profile.fallback, MemoryKind::Project));
    }

    /// Whether additional directories bring memory.
    pub(crate) fn reads_additional(&self) -> bool {
        self.context.options.additional_directories_memory || self.context.options.bare
    }

    fn additional(&mut self) -> Vec<Item> {
        let scope = self.scope;
        if !self.reads_additional() {
            for dir in &scope.additional_directories {
                let detail = "Memory of additional directories is off in the settings.";
                self.refuse(dir, "additional_directory", detail);
            }
            return Vec::new();
        }
        let user = self.user_paths();
        let mut items = Vec::new();
        for dir in &scope.additional_directories {
            let level = self.level(dir);
            items.extend(self.ordered(level, &user));
        }
        items
    }

    /// What the agent noted, and what the team shares.
    fn notes(&mut self) -> Vec<Item> {
        let context = self.context;
        let auto = if context.options.auto_memory { self.auto_memory_dir() } else { None };
        let team = context.options.team_dir.clone();
        let mut items = Vec::new();
        for (dir, kind) in [(auto, MemoryKind::AutoMem), (team, MemoryKind::TeamMem)] {
            let path = dir.and_then(|dir| self.present(&dir, "MEMORY.md"));
            items.extend(path.map(|path| Item { path, kind, role: Role::Index }));
        }
        items
    }

    /// Where the notes about this project lie.
    pub(crate) fn auto_memory_dir(&mut self) -> Option<PathBuf> {
        let options = &self.context.options;
        if let Some(dir) = &options.auto_memory_dir {
            return Some(dir.clone());
        }
        let home = options.home.as_ref()?;
        let project = match self.repository() {
            Some(repository) => repository.main(&mut self.disk),
            None => self.disk.canonical_dir(&self.scope.cwd),
        };
        Some(auto_memory_dir(home, &project))
    }

    /// The rules that wait for a path, compiled.
    pub(crate) fn compile_groups(&mut self) -> Vec<RuleGroup> {
        let drafts = std::mem::take(&mut self.groups);
        let drafts = drafts.into_iter().filter(|draft| !draft.rules.is_empty());
        drafts.map(|draft| RuleGroup::compile(&mut self.disk, draft, &mut self.decisions)).collect()
    }

    /// The load, within the budget.
    pub(crate) fn finish(&mut self) -> MemoryLoad {
        let options = &self.context.options;
        let files: Vec<MemoryFile> = std::mem::take(&mut self.files);
        let files = budget::fit(files, &self.sources, options, &mut self.decisions);
        MemoryLoad::default()
            .files(files)
            .pending(std::mem::take(&mut self.pending))
            .decisions(std::mem::take(&mut self.decisions))
    }
}

/// Whether a directory has memory, so that the fallback names do not count. The user's does not count for that.
fn counts_as_found(level: &Level, user: &[PathBuf]) -> bool {
    level.project.iter().chain(&level.local).any(|item| !user.contains(&item.path))
}
