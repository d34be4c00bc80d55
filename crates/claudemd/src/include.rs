//! What memory files include.

use std::path::{Path, PathBuf};

use context_api::{Decision, MemoryKind, PendingInclude, Verdict};
use context_text::display_path;

use crate::IncludePolicy;
use crate::item::{Vetted, about, explain, left_out};
use crate::markdown::Mention;
use crate::parsed::Parsed;
use crate::repository::is_git_dir;
use crate::scan::Scan;
use crate::text_names::may_be_text;

/// A file whose text names others.
#[derive(Clone, Copy)]
pub(crate) struct Includer<'a> {
    pub(crate) file: &'a Vetted,
    pub(crate) parsed: &'a Parsed,
    /// Files in the chain so far, this one counted.
    pub(crate) chain: usize,
}

impl Scan<'_> {
    /// Shows what a file includes, depth first, in order of appearance.
    pub(crate) fn include_from(&mut self, from: &Includer<'_>) {
        let limit = self.context.options.limits.lookups;
        for mention in &from.parsed.mentions {
            if self.lookups >= limit {
                let detail = format!(
                    "One load looks up {limit} names at most; the rest of them here are passed over."
                );
                self.decisions.push(left_out(&from.file.path, "too_many_lookups", detail));
                return;
            }
            if let Err(decision) = self.include(from, mention) {
                self.decisions.push(decision);
            }
        }
    }

    fn include(&mut self, from: &Includer<'_>, mention: &Mention) -> Result<(), Decision> {
        let path = self.resolve(from.file, mention)?;
        let limits = &self.context.options.limits;
        if from.chain >= limits.chain {
            let detail =
                format!("A chain of includes has {} files at most, the first one counted.", limits.chain);
            return Err(left_out(&path, "include_too_deep", detail));
        }
        let file = self.vet_include(from.file, &path)?;
        if self.includes >= limits.includes {
            let detail = format!("One load includes {} files at most.", limits.includes);
            return Err(left_out(&path, "too_many_includes", detail));
        }
        let parsed = self.read(&file)?;
        self.includes += 1;
        self.shown.insert(&file.canonical, &file.meta);
        self.push(file.shown(&parsed).parent(from.file.path.clone()), &parsed)?;
        self.include_from(&Includer { file: &file, parsed: &parsed, chain: from.chain + 1 });
        Ok(())
    }

    /// The first of the names that leads somewhere; else one of which more is known than that nothing is there.
    fn resolve(&mut self, from: &Vetted, mention: &Mention) -> Result<PathBuf, Decision> {
        let home = self.context.options.home.as_deref();
        let mut in_the_way = None;
        for name in &mention.names {
            for path in places(from, home, name) {
                self.lookups += 1;
                let itself = self.disk.look_and_watch(&path);
                match self.disk.target(&path) {
                    Ok(_) => return Ok(path),
                    Err("not_found") if itself.is_err() => {}
                    // A link to nothing, or a look that failed: whoever wrote the name learns why.
                    Err(_) => in_the_way = Some(path),
                }
            }
        }
        in_the_way.ok_or_else(|| not_found(from, mention.names.last().map_or("", String::as_str)))
    }

    /// Whether the file may be included.
    fn vet_include(&mut self, from: &Vetted, path: &Path) -> Result<Vetted, Decision> {
        let trusted = from.kind == MemoryKind::Managed;
        if named_git(path) {
            return Err(in_git(path));
        }
        let mut file = match self.vet(path, from.kind, false) {
            // A managed file's includes are never excluded, but the policy holds for them.
            Err(decision) if trusted && decision.reason == "excluded" => self.vet(path, from.kind, true)?,
            other => other?,
        };
        file.is_rule = from.is_rule;
        if self.is_known(&file) {
            return Err(left_out(path, "already_loaded", explain("already_loaded")));
        }
        if named_git(&file.canonical) || self.lies_in_git_dir(&file.canonical) {
            return Err(in_git(path));
        }
        self.may_leave_project(from, &file)?;
        if !may_be_text(&file.canonical) || !may_be_text(path) {
            let detail = "Files whose names end so are not included: they usually hold no text.";
            return Err(left_out(path, "include_not_text", detail));
        }
        Ok(file)
    }

    fn lies_in_git_dir(&mut self, canonical: &Path) -> bool {
        canonical.ancestors().skip(1).any(|dir| is_git_dir(&mut self.disk, dir))
    }

    /// Whether a file is in the project, or somebody lets it in.
    fn may_leave_project(&mut self, from: &Vetted, file: &Vetted) -> Result<(), Decision> {
        if matches!(from.kind, MemoryKind::Managed | MemoryKind::User)
            || self.is_inside(from, &file.canonical)
        {
            return Ok(());
        }
        let refuse = |reason: &str, detail: &str| Err(left_out(&file.path, reason, detail));
        match (&self.context.options.include_policy, self.scope.includes_approved) {
            (IncludePolicy::AllowAll, _) => Ok(()),
            (IncludePolicy::AllowRoots(roots), _) => {
                let roots: Vec<PathBuf> = roots.iter().map(|root| self.disk.canonical_any(root)).collect();
                if roots.iter().any(|root| file.canonical.starts_with(root)) {
                    return Ok(());
                }
                refuse(
                    "include_outside_roots",
                    "It lies outside the project and outside the directories that are allowed.",
                )
            }
            (IncludePolicy::Ask, Some(true)) => Ok(()),
            (IncludePolicy::Ask, None) => Err(self.ask(from, file)),
            (IncludePolicy::Ask, Some(false)) => {
                refuse("include_refused", "It lies outside the project, and the user did not let it in.")
            }
            (IncludePolicy::Deny, _) => {
                refuse("include_denied", "It lies outside the project, and includes from there are off.")
            }
        }
    }

    fn ask(&mut self, from: &Vetted, file: &Vetted) -> Decision {
        let pending = PendingInclude::default().path(file.path.clone()).from(from.path.clone());
        if !self.pending.contains(&pending) {
            self.pending.push(pending);
        }
        let detail = format!(
            "{} includes it from outside the project; the user has to let it in.",
            display_path(&from.path)
        );
        about(&file.path, Verdict::Pending, "include_needs_approval", detail)
    }

    fn is_inside(&mut self, from: &Vetted, canonical: &Path) -> bool {
        let mut roots = self.include_roots();
        if matches!(from.kind, MemoryKind::AutoMem | MemoryKind::TeamMem) {
            roots.extend(from.canonical.parent().map(Path::to_owned));
        }
        roots.iter().any(|root| canonical.starts_with(root))
    }

    /// The canonical directories that includes need no word for.
    fn include_roots(&mut self) -> Vec<PathBuf> {
        let limit = self.context.options.limits.git_file_bytes;
        let root = self.project_root();
        let mut roots = vec![self.disk.canonical_dir(&root)];
        if let Some(repository) = self.repository() {
            roots.extend(repository.main_checkout(&mut self.disk, limit));
        }
        if self.reads_additional() {
            let scope = self.scope;
            roots.extend(scope.additional_directories.iter().map(|dir| self.disk.canonical_any(dir)));
        }
        roots
    }
}

/// Where a name may lie: beside the file itself, and where that is a link, beside the link.
fn places(from: &Vetted, home: Option<&Path>, name: &str) -> Vec<PathBuf> {
    if let Some(rest) = name.strip_prefix("~/") {
        return home.map(|home| home.join(rest.trim_start_matches('/'))).into_iter().collect();
    }
    if name.starts_with('/') || Path::new(name).is_absolute() {
        return vec![PathBuf::from(name)];
    }
    // Whoever wrote a linked file saw it at its own place; any other is where the walk found it.
    let (own, real) = (from.path.parent(), from.canonical.parent());
    let order = if from.is_link { [real, own] } else { [own, real] };
    let mut places: Vec<PathBuf> = order.into_iter().flatten().map(|dir| tidy(&dir.join(name))).collect();
    places.dedup();
    places
}

/// The path without `.` and `..` where names alone can tell.
pub(crate) fn tidy(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            Component::ParentDir if out.has_root() => {}
            part => out.push(part),
        }
    }
    out
}

fn named_git(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git"))
}

fn in_git(path: &Path) -> Decision {
    left_out(
        path,
        "include_in_git_dir",
        "It lies inside a repository's own directory, which holds no instructions.",
    )
}

/// Text that only looks like a path makes no noise beyond this.
fn not_found(from: &Vetted, name: &str) -> Decision {
    let looks_like_path = name.contains('/') || name.contains('.');
    let reason = if looks_like_path { "include_not_found" } else { "not_a_path" };
    let detail = format!("{} names it, and no such file is there.", display_path(&from.path));
    Decision::left_out(context_text::safe_line(&format!("@{name}")), reason, detail)
}
