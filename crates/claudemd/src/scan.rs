//! One load under way.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use foldhash::HashMap;

use context_api::{
    Decision, FileKind, FileMeta, MemoryFile, MemoryKind, MemoryScope, PendingInclude, Verdict,
};
use context_text::Patterns;

use crate::context::Context;
use crate::disk::{Disk, Unread};
use crate::identity::Identities;
use crate::include::Includer;
use crate::item::{Item, Role, Rule, RuleDraft, Vetted, about, explain, left_out};
use crate::parsed::Parsed;
use crate::repository::Repository;
use crate::{index, rule_set};

/// The verdict of the policy on a file, to be compared with a later one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PolicyCheck {
    pub(crate) path: PathBuf,
    /// Where it differs from the path.
    pub(crate) canonical: Option<PathBuf>,
    pub(crate) denied: bool,
}

/// What a load has found so far.
pub(crate) struct Scan<'a> {
    pub(crate) context: &'a Context,
    pub(crate) scope: &'a MemoryScope,
    pub(crate) disk: Disk,
    /// Files that are shown.
    pub(crate) shown: Identities,
    /// Rules that wait for a path.
    pub(crate) waiting: Identities,
    pub(crate) files: Vec<MemoryFile>,
    /// What the texts of `files` come from.
    pub(crate) sources: Vec<Arc<Parsed>>,
    pub(crate) pending: Vec<PendingInclude>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) groups: Vec<RuleDraft>,
    pub(crate) checks: Vec<PolicyCheck>,
    /// Bytes read.
    pub(crate) bytes: u64,
    /// Files included.
    pub(crate) includes: usize,
    /// Names looked up.
    pub(crate) lookups: usize,
    /// Whether files are read again whose facts are the same as before.
    reread: bool,
    ahead: HashMap<PathBuf, Result<Arc<Parsed>, Unread>>,
    repository: Option<Option<Repository>>,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(context: &'a Context, scope: &'a MemoryScope, reread: bool) -> Self {
        Self {
            context,
            scope,
            disk: Disk::new(context.fs.clone()),
            shown: Identities::default(),
            waiting: Identities::default(),
            files: Vec::new(),
            sources: Vec::new(),
            pending: Vec::new(),
            decisions: Vec::new(),
            groups: Vec::new(),
            checks: Vec::new(),
            bytes: 0,
            includes: 0,
            lookups: 0,
            reread,
            ahead: HashMap::default(),
            repository: None,
        }
    }

    /// The repository that holds the working directory.
    pub(crate) fn repository(&mut self) -> Option<Repository> {
        let limit = self.context.options.limits.git_file_bytes;
        let (disk, cwd) = (&mut self.disk, &self.scope.cwd);
        self.repository.get_or_insert_with(|| Repository::find(disk, cwd, limit)).clone()
    }

    /// The project's top directory: the repository's, else the working directory.
    pub(crate) fn project_root(&mut self) -> PathBuf {
        self.repository().map_or_else(|| self.scope.cwd.clone(), |repository| repository.root)
    }

    /// Takes in what was found, in order.
    pub(crate) fn take_all(&mut self, items: Vec<Item>) {
        let mut vetted = Vec::with_capacity(items.len());
        for item in items {
            match self.vet(&item.path, item.kind, item.kind == MemoryKind::Managed) {
                Ok(mut file) => {
                    file.is_rule = matches!(item.role, Role::Rule { .. } | Role::Matched(_));
                    vetted.push((file, item.role));
                }
                Err(decision) => self.decisions.push(decision),
            }
        }
        self.read_ahead(&vetted);
        for (file, role) in vetted {
            self.take(file, role);
        }
    }

    /// Whether a file that is there may be read. `untouchable` ones are neither excluded nor denied.
    pub(crate) fn vet(
        &mut self,
        path: &Path,
        kind: MemoryKind,
        untouchable: bool,
    ) -> Result<Vetted, Decision> {
        let refuse = |reason: &str| left_out(path, reason, explain(reason));
        let itself = self.disk.peek(path);
        let is_link = itself.is_ok_and(|meta| meta.kind == FileKind::Link);
        let meta = if is_link { self.disk.target(path) } else { itself };
        let meta = meta.map_err(|reason| match reason {
            "not_found" if is_link => refuse("broken_link"),
            reason => refuse(reason),
        })?;
        match meta.kind {
            FileKind::File => {}
            FileKind::Directory => return Err(refuse("directory")),
            FileKind::Special | FileKind::Link => return Err(refuse("not_a_regular_file")),
        }
        let canonical = self.disk.canonical_of(path, is_link);
        if !untouchable {
            self.may_count(path, &canonical)?;
        }
        Ok(Vetted { path: path.to_owned(), kind, canonical, meta, is_link, is_rule: false })
    }

    /// Whether neither an exclude nor the policy speaks against a file.
    fn may_count(&mut self, path: &Path, canonical: &Path) -> Result<(), Decision> {
        if let Some(pattern) = self.context.excluded(path, canonical) {
            return Err(left_out(path, "excluded", format!("The exclude `{pattern}` matches it.")));
        }
        let canonical = (canonical != path).then_some(canonical);
        let denied = self.context.denied(path, canonical);
        self.checks.push(PolicyCheck {
            path: path.to_owned(),
            canonical: canonical.map(Path::to_owned),
            denied: denied.is_some(),
        });
        match denied {
            Some(rule) => {
                Err(left_out(path, "denied_by_policy", format!("The rule `{rule}` denies reading it.")))
            }
            None => Ok(()),
        }
    }

    fn take(&mut self, file: Vetted, role: Role) {
        if let Err(decision) = self.take_file(&file, role) {
            self.decisions.push(decision);
        }
    }

    fn take_file(&mut self, file: &Vetted, role: Role) -> Result<(), Decision> {
        let is_rule = matches!(role, Role::Rule { .. });
        if self.is_known(file) || (is_rule && self.waiting.contains(&file.canonical, &file.meta)) {
            return Err(left_out(&file.path, "already_loaded", explain("already_loaded")));
        }
        let parsed = self.read(file)?;
        match role {
            Role::Plain => self.show(file, &parsed, Vec::new()),
            Role::Matched(globs) => self.show(file, &parsed, globs),
            Role::Index => self.show_index(file, &parsed),
            Role::Rule { group, by_name } => self.take_rule(file, &parsed, group, by_name),
        }
    }

    pub(crate) fn is_known(&self, file: &Vetted) -> bool {
        self.shown.contains(&file.canonical, &file.meta)
    }

    /// The content of a file within the bounds of the load.
    pub(crate) fn read(&mut self, file: &Vetted) -> Result<Arc<Parsed>, Decision> {
        let limits = &self.context.options.limits;
        let len = file.meta.fingerprint.len;
        if len > limits.file_bytes {
            return Err(too_large(&file.path, len, limits.file_bytes));
        }
        if self.bytes.saturating_add(len) > limits.total_bytes {
            let detail = format!("With it, one load would read more than {} bytes.", limits.total_bytes);
            return Err(left_out(&file.path, "total_too_large", detail).bytes(len));
        }
        let parsed = self.parsed(file).map_err(|unread| match unread.size {
            Some(size) => too_large(&file.path, size, limits.file_bytes),
            None => left_out(&file.path, unread.reason, explain(unread.reason)),
        })?;
        self.bytes += parsed.meta.fingerprint.len;
        if parsed.binary {
            return Err(left_out(&file.path, "binary", explain("binary")).bytes(len));
        }
        self.note_oddities(file, &parsed);
        Ok(parsed)
    }

    fn parsed(&mut self, file: &Vetted) -> Result<Arc<Parsed>, Unread> {
        // Hashing a path takes longer than asking whether there is anything.
        if !self.ahead.is_empty()
            && let Some(read) = self.ahead.remove(&file.canonical)
        {
            return read;
        }
        match self.context.known(&file.canonical, &file.meta) {
            Some(parsed) if !self.reread => Ok(parsed),
            _ => self.context.parse(&file.canonical, &file.meta),
        }
    }

    fn note_oddities(&mut self, file: &Vetted, parsed: &Parsed) {
        if parsed.lossy {
            let detail = "Bytes that are no text were replaced; the rest is shown.";
            self.decisions.push(about(&file.path, Verdict::Included, "invalid_utf8", detail));
        }
        if let Some(problem) = &parsed.problem {
            let detail = format!("Its frontmatter can not be read ({problem}), so it puts no condition.");
            self.decisions.push(about(&file.path, Verdict::Included, "frontmatter_unreadable", detail));
        }
        if parsed.mentions_cut {
            let detail = "It holds more names of files than are looked at.";
            self.decisions.push(about(&file.path, Verdict::Cut, "too_many_mentions", detail));
        }
    }

    fn take_rule(
        &mut self,
        file: &Vetted,
        parsed: &Arc<Parsed>,
        group: usize,
        by_name: bool,
    ) -> Result<(), Decision> {
        let patterns = match &parsed.patterns {
            Patterns::Some(patterns) if !rule_set::is_unconditional(patterns) => patterns,
            Patterns::None if by_name && parsed.always == Some(false) => {
                let detail = "It says that it is applied only where somebody names it.";
                return Err(left_out(&file.path, "waits_to_be_named", detail));
            }
            _ => {
                self.note_stray_key(file, parsed);
                return self.show(file, parsed, Vec::new());
            }
        };
        if by_name && parsed.always == Some(true) {
            return self.show(file, parsed, Vec::new());
        }
        self.waiting.insert(&file.canonical, &file.meta);
        let rule = Rule { path: file.path.clone(), kind: file.kind, patterns: patterns.clone().into() };
        if let Some(group) = self.groups.get_mut(group) {
            group.rules.push(rule);
        }
        Ok(())
    }

    fn note_stray_key(&mut self, file: &Vetted, parsed: &Parsed) {
        if let Some(key) = &parsed.stray_key {
            let key = context_text::safe_line(key);
            let detail = format!("Its key `{key}` puts no condition on it; `paths` with a pattern would.");
            self.decisions.push(about(&file.path, Verdict::Included, "no_condition", detail));
        }
    }

    fn show_index(&mut self, file: &Vetted, parsed: &Arc<Parsed>) -> Result<(), Decision> {
        let limits = &self.context.options.limits;
        match index::cut(parsed, &file.path, limits) {
            None => self.show(file, parsed, Vec::new()),
            Some(cut) => {
                self.decisions.push(cut.decision);
                self.show(file, &Arc::new(cut.parsed), Vec::new())
            }
        }
    }

    /// Shows a file and what it includes.
    fn show(&mut self, file: &Vetted, parsed: &Arc<Parsed>, globs: Vec<String>) -> Result<(), Decision> {
        self.shown.insert(&file.canonical, &file.meta);
        self.push(file.shown(parsed).globs(globs), parsed)?;
        self.include_from(&Includer { file, parsed, chain: 1 });
        Ok(())
    }

    /// Adds a file to what is shown, unless it has nothing to say.
    pub(crate) fn push(&mut self, file: MemoryFile, parsed: &Arc<Parsed>) -> Result<(), Decision> {
        if parsed.text.trim().is_empty() {
            let detail = "It holds no text besides comments and blanks.";
            return Err(left_out(&file.path, "empty", detail).bytes(parsed.meta.fingerprint.len));
        }
        self.files.push(file);
        self.sources.push(parsed.clone());
        Ok(())
    }

    /// Reads many files at the same time.
    fn read_ahead(&mut self, files: &[(Vetted, Role)]) {
        let limits = &self.context.options.limits;
        if files.len() < limits.parallel_from {
            return;
        }
        let mut bytes = self.bytes;
        let mut wanted: Vec<(PathBuf, FileMeta)> = Vec::new();
        for (file, _) in files {
            bytes = bytes.saturating_add(file.meta.fingerprint.len);
            if bytes > limits.total_bytes {
                break;
            }
            if self.reread || self.context.known(&file.canonical, &file.meta).is_none() {
                wanted.push((file.canonical.clone(), file.meta));
            }
        }
        if wanted.len() >= limits.parallel_from {
            self.ahead = crate::parallel::parse_all(self.context, &wanted, limits.read_threads);
        }
    }
}

fn too_large(path: &Path, size: u64, limit: u64) -> Decision {
    let detail = format!("It has {size} bytes; files of more than {limit} bytes are not read.");
    left_out(path, "too_large", detail).bytes(size)
}
