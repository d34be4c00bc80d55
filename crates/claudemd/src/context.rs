//! What all loads of one loader share.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use context_api::{Access, FileMeta, FileSystem, ReadPolicy};
use context_text::{GlobProblem, PathGlobs};

use crate::MemoryOptions;
use crate::disk::{Unread, read};
use crate::parsed::Parsed;
use crate::shelf::Shelf;

/// File system, policy, options, and the files parsed so far.
pub(crate) struct Context {
    pub(crate) fs: Arc<dyn FileSystem>,
    pub(crate) policy: Arc<dyn ReadPolicy>,
    pub(crate) options: MemoryOptions,
    excludes: PathGlobs,
    exclude_patterns: Vec<String>,
    pub(crate) exclude_problems: Vec<GlobProblem>,
    /// By the bytes of canonical paths.
    texts: Shelf<OsString, Arc<Parsed>>,
}

impl Context {
    pub(crate) fn new(fs: Arc<dyn FileSystem>, policy: Arc<dyn ReadPolicy>, options: MemoryOptions) -> Self {
        let exclude_patterns: Vec<String> =
            options.excludes.iter().map(|pattern| at_home(pattern, options.home.as_deref())).collect();
        let (excludes, exclude_problems) = PathGlobs::compile(&exclude_patterns);
        let texts = Shelf::new(options.limits.cached_bytes);
        Self { fs, policy, options, excludes, exclude_patterns, exclude_problems, texts }
    }

    /// The pattern that excludes a file by its name or its canonical one.
    pub(crate) fn excluded(&self, path: &Path, canonical: &Path) -> Option<&str> {
        if self.exclude_patterns.is_empty() {
            return None;
        }
        let deciding = |path: &Path| self.excludes.deciding(&slashed(path));
        let index = deciding(path).or_else(|| deciding(canonical))?;
        self.exclude_patterns.get(index).map(String::as_str)
    }

    /// The rule that denies a file by its name or its canonical one, where that is another.
    pub(crate) fn denied(&self, path: &Path, canonical: Option<&Path>) -> Option<String> {
        let rule = |path: &Path| match self.policy.check(path) {
            Access::Allowed => None,
            Access::Denied { rule } => Some(rule),
        };
        rule(path).or_else(|| rule(canonical?))
    }

    /// The file as it was parsed before, if its facts are the same.
    pub(crate) fn known(&self, canonical: &Path, meta: &FileMeta) -> Option<Arc<Parsed>> {
        self.texts.get(canonical.as_os_str()).filter(|parsed| parsed.meta == *meta)
    }

    /// Reads and parses a file.
    pub(crate) fn parse(&self, canonical: &Path, seen: &FileMeta) -> Result<Arc<Parsed>, Unread> {
        let limits = &self.options.limits;
        let (bytes, meta) = read(&*self.fs, canonical, seen, limits.file_bytes, limits.read_attempts)?;
        let parsed = Arc::new(Parsed::new(&bytes, meta, limits.mentions));
        self.texts.insert(canonical.as_os_str().to_owned(), parsed.clone(), parsed.weight());
        Ok(parsed)
    }

    /// Forgets what was parsed.
    pub(crate) fn forget(&self) {
        self.texts.clear();
    }
}

/// A path as patterns see it.
pub(crate) fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace('\\', "/") }
}

fn at_home(pattern: &str, home: Option<&Path>) -> String {
    match (pattern.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => format!("{}/{rest}", slashed(home).trim_end_matches('/')),
        _ => pattern.to_owned(),
    }
}
