//! What holds for a touched path.

use std::path::{Path, PathBuf};

use context_api::{FileKind, MemoryLoad, MemoryScope};

use crate::base::Base;
use crate::context::Context;
use crate::include::tidy;
use crate::item::Item;
use crate::rule_set::{RuleGroup, Touch};
use crate::scan::Scan;
use crate::seal::Seal;

/// A load for one path.
pub(crate) struct Nested {
    pub(crate) load: MemoryLoad,
    pub(crate) seal: Seal,
}

impl Nested {
    /// Loads what holds for `path` beyond `base`, the nearest last.
    pub(crate) fn scan(
        context: &Context,
        scope: &MemoryScope,
        base: &Base,
        path: &Path,
        before: Option<&Self>,
    ) -> Self {
        let reread = before.is_some_and(|before| before.seal.wants_second_look());
        let mut scan = Scan::new(context, scope, reread);
        scan.shown = base.shown.clone();
        if !(context.options.disabled || context.options.bare && scope.additional_directories.is_empty()) {
            scan.path(base, path);
        }
        let load = scan.finish();
        Self { load, seal: Seal::new(scan, before.map(|before| &before.seal)) }
    }
}

impl Scan<'_> {
    fn path(&mut self, base: &Base, path: &Path) {
        let touch = self.touch(path);
        let matched: Vec<Item> = base.groups.iter().flat_map(|group| group.matching(&touch)).collect();
        self.take_all(matched);
        if !self.context.options.bare {
            for dir in self.dirs_below_cwd(&touch) {
                self.nested_level(base, &dir, &touch);
            }
        }
    }

    fn touch(&mut self, path: &Path) -> Touch {
        let given = tidy(&self.scope.cwd.join(path));
        let is_dir = self.disk.target(&given).is_ok_and(|meta| meta.kind == FileKind::Directory);
        Touch { real: self.disk.canonical_any(&given), given, is_dir }
    }

    /// The directories from the working directory (exclusive) down to the one that holds the path.
    fn dirs_below_cwd(&mut self, touch: &Touch) -> Vec<PathBuf> {
        let cwd = self.scope.cwd.clone();
        let real_cwd = self.disk.canonical_dir(&cwd);
        let below = touch.given.strip_prefix(&cwd).or_else(|_| touch.real.strip_prefix(&real_cwd));
        let Ok(below) = below else { return Vec::new() };
        let dir = if touch.is_dir { Some(below) } else { below.parent() };
        let mut dirs = Vec::new();
        let mut at = cwd;
        for name in dir.into_iter().flat_map(Path::components) {
            at.push(name);
            dirs.push(at.clone());
        }
        dirs
    }

    /// A directory's memory files, then its rules, then those of its rules that wait for this path.
    fn nested_level(&mut self, base: &Base, dir: &Path, touch: &Touch) {
        let sources = self.context.options.setting_sources;
        let mut level = self.level(dir);
        if base.fallback && level.project.is_empty() && level.local.is_empty() {
            self.add_fallback(dir, &mut level);
        }
        let mut items = Vec::new();
        if sources.project {
            items.append(&mut level.project);
        }
        if sources.local {
            items.append(&mut level.local);
        }
        if sources.project {
            items.append(&mut level.rules);
        }
        self.take_all(items);
        let groups: Vec<RuleGroup> = self.compile_groups();
        let matched = groups.iter().flat_map(|group| group.matching(touch)).collect();
        self.take_all(matched);
    }
}
