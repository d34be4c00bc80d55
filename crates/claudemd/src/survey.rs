//! What is there and does not load: for people who ask why a file is ignored.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use context_api::{Decision, DirEntry, FileKind, MemoryKind, Verdict};

use crate::Profile;
use crate::item::{about, left_out};
use crate::scan::Scan;

/// Directories that hold no memory of their own and would cost the walk all it may spend.
const PASSED_OVER: [&str; 3] = [".git", "node_modules", "target"];

const NO_FALLBACK: &str = "It counts only where no other memory file of the project is found.";

impl Scan<'_> {
    /// Says of the fallback names that are there why they do not count.
    pub(crate) fn note_unused(&mut self) {
        let context = self.context;
        let scope = self.scope;
        // Above the project only where somebody asks: each directory costs a look.
        let root = if context.options.survey { PathBuf::new() } else { self.project_root() };
        for name in &context.options.profile.fallback {
            for dir in scope.cwd.ancestors().filter(|dir| dir.starts_with(&root)) {
                let path = dir.join(name);
                self.note_if_ignored(&path, left_out(&path, "not_in_profile", NO_FALLBACK));
            }
        }
    }

    /// Says `decision` of a file that is there, is not shown, and of which nothing was said yet.
    fn note_if_ignored(&mut self, path: &Path, decision: Decision) {
        let Ok(meta) = self.disk.target(path) else { return };
        let canonical = self.disk.canonical_file(path);
        if !(self.shown.contains(&canonical, &meta) || self.waiting.contains(&canonical, &meta)) {
            self.note_once(decision);
        }
    }

    fn note_once(&mut self, decision: Decision) {
        if !self.decisions.iter().any(|earlier| earlier.subject == decision.subject) {
            self.decisions.push(decision);
        }
    }

    /// Says of names that differ from those of the profile by nothing but case that they do not count.
    fn note_misspelt(&mut self, dir: &Path) {
        let profile = &self.context.options.profile;
        let names = profile.project.iter().flatten().chain(&profile.local).chain(&profile.fallback);
        let names: Vec<&str> = names.filter_map(|name| name.rsplit('/').next()).collect();
        for entry in self.listed(dir).into_iter().filter(|entry| entry.kind != FileKind::Directory) {
            let Some(name) = entry.name.to_str() else { continue };
            let meant = names.iter().find(|meant| meant.eq_ignore_ascii_case(name));
            if let Some(meant) = meant.filter(|meant| **meant != name && !names.contains(&name)) {
                let path = dir.join(name);
                let detail = format!("Names count as they are spelt: it would have to be called {meant}.");
                self.note_if_ignored(&path, left_out(&path, "wrong_case", detail));
            }
        }
    }

    /// Says of a file below the working directory when it loads, or why it will not even then.
    fn note_deferred(&mut self, path: &Path, decision: Decision) {
        match self.vet(path, MemoryKind::Project, false) {
            Ok(file) if file.meta.fingerprint.len == 0 => {
                self.note_if_ignored(path, left_out(path, "empty", "It holds nothing."));
            }
            Ok(_) => self.note_if_ignored(path, decision),
            Err(refused) if refused.reason == "not_found" => {}
            Err(refused) => self.note_once(refused),
        }
    }

    /// Looks for memory that other programs read, and for memory below the working directory. `fallback` says whether
    /// the fallback names of the profile count.
    pub(crate) fn survey(&mut self, fallback: bool) {
        let cwd = self.scope.cwd.clone();
        let mut places = vec![self.project_root(), cwd.clone()];
        places.dedup();
        for dir in &places {
            self.note_foreign(dir);
        }
        let root = self.project_root();
        for dir in cwd.ancestors().filter(|dir| dir.starts_with(&root)) {
            self.note_misspelt(dir);
        }
        let limits = self.context.options.limits.clone();
        let mut left = limits.survey_directories;
        let mut queue = VecDeque::from([(cwd, 0)]);
        while let Some((dir, depth)) = queue.pop_front() {
            for below in self.directories(&dir) {
                if left == 0 {
                    let detail =
                        format!("The survey looks into {} directories at most.", limits.survey_directories);
                    return self.refuse(&dir, "survey_cut", detail);
                }
                left -= 1;
                self.note_nested(&below, fallback);
                self.note_misspelt(&below);
                if depth + 1 < limits.survey_depth {
                    queue.push_back((below, depth + 1));
                }
            }
        }
    }

    /// Files of other profiles.
    fn note_foreign(&mut self, dir: &Path) {
        let own = &self.context.options.profile;
        let all = Profile::agents_md()
            .combine(Profile::gemini())
            .combine(Profile::cursor_rules())
            .combine(Profile::copilot())
            .combine(Profile::claude());
        let names =
            all.project.iter().flatten().chain(&all.local).chain(all.rules.iter().map(|rules| &rules.dir));
        let counts = |name: &String| {
            own.project.iter().flatten().chain(&own.local).chain(&own.fallback).any(|known| known == name)
                || own.rules.iter().any(|rules| rules.dir == *name)
        };
        for name in names.filter(|name| !counts(name)) {
            let path = dir.join(name);
            let detail = "The profile in use does not read this name.";
            self.note_if_ignored(&path, left_out(&path, "not_in_profile", detail));
        }
    }

    /// Memory of a directory below the working directory.
    fn note_nested(&mut self, dir: &Path, fallback: bool) {
        let context = self.context;
        let profile = &context.options.profile;
        let names = profile.project.iter().flatten().chain(&profile.local);
        let detail = format!("It loads when a path in {} is touched.", context_text::display_path(dir));
        let deferred = |path: &Path| about(path, Verdict::Deferred, "loads_when_touched", detail.clone());
        for path in names.map(|name| dir.join(name)) {
            self.note_deferred(&path, deferred(&path));
        }
        for path in profile.rules.iter().map(|rules| dir.join(&rules.dir)) {
            self.note_if_ignored(&path, deferred(&path));
        }
        for path in profile.fallback.iter().map(|name| dir.join(name)) {
            if fallback {
                self.note_deferred(&path, deferred(&path));
            } else {
                self.note_if_ignored(&path, left_out(&path, "not_in_profile", NO_FALLBACK));
            }
        }
    }

    /// The directories in a directory, by the bytes of their names; links are not followed.
    fn directories(&self, dir: &Path) -> Vec<PathBuf> {
        let found = self.listed(dir).into_iter().filter(|entry| entry.kind == FileKind::Directory);
        let mut names: Vec<OsString> = found.map(|entry| entry.name).collect();
        names.retain(|name| !PASSED_OVER.iter().any(|passed| name == passed));
        names.into_iter().map(|name| dir.join(name)).collect()
    }

    /// What a directory holds, by the bytes of the names, as far as the limit goes.
    fn listed(&self, dir: &Path) -> Vec<DirEntry> {
        let entries = self.disk.fs.read_dir(dir).into_iter().flatten().filter_map(Result::ok);
        let mut entries: Vec<DirEntry> = entries.take(self.context.options.limits.rule_entries).collect();
        entries.sort_by(|a, b| a.name.as_encoded_bytes().cmp(b.name.as_encoded_bytes()));
        entries
    }
}
