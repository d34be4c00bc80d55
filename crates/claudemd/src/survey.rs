//! What is there and does not load: for people who ask why a file is ignored.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use context_api::{Decision, FileKind, Verdict};

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
        let is_known = self.shown.contains(&canonical, &meta) || self.waiting.contains(&canonical, &meta);
        if !is_known && !self.decisions.iter().any(|earlier| earlier.subject == decision.subject) {
            self.decisions.push(decision);
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
        for name in names.chain(profile.rules.iter().map(|rules| &rules.dir)) {
            let path = dir.join(name);
            let detail = format!("It loads when a path in {} is touched.", context_text::display_path(dir));
            self.note_if_ignored(&path, about(&path, Verdict::Deferred, "loads_when_touched", detail));
        }
        for path in profile.fallback.iter().map(|name| dir.join(name)) {
            let decision = if fallback {
                let detail =
                    format!("It loads when a path in {} is touched.", context_text::display_path(dir));
                about(&path, Verdict::Deferred, "loads_when_touched", detail)
            } else {
                left_out(&path, "not_in_profile", NO_FALLBACK)
            };
            self.note_if_ignored(&path, decision);
        }
    }

    /// The directories in a directory, by the bytes of their names; links are not followed.
    fn directories(&mut self, dir: &Path) -> Vec<PathBuf> {
        let entries = self.disk.fs.read_dir(dir).into_iter().flatten().filter_map(Result::ok);
        let limit = self.context.options.limits.rule_entries;
        let mut names: Vec<OsString> = entries
            .take(limit)
            .filter(|entry| entry.kind == FileKind::Directory)
            .map(|entry| entry.name)
            .collect();
        names.retain(|name| !PASSED_OVER.iter().any(|passed| name == passed));
        names.sort_by(|a, b| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
        names.into_iter().map(|name| dir.join(name)).collect()
    }
}
