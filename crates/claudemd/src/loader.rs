//! The loader.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use context_api::{FileSystem, MemoryError, MemoryFile, MemoryLoad, MemoryLoader, MemoryScope, ReadPolicy};

use crate::MemoryOptions;
use crate::base::Base;
use crate::context::Context;
use crate::include::tidy;
use crate::nested::Nested;
use crate::scan::Scan;
use crate::shelf::Shelf;

/// Memory files read through a [`FileSystem`].
///
/// One loader serves all sessions of an engine. It keeps what it parsed by the files' facts: a load of what has not changed
/// costs one `stat` a file and a directory. Until the same facts were seen by two loads, files are read again, because one that
/// changes twice within a tick of the file system's clock shows the same facts. What the loader keeps does not see a directory
/// become a repository; [`MemoryLoader::forget`] does.
pub struct FsMemoryLoader {
    context: Context,
    loads: Shelf<ScopeKey, Arc<Base>>,
    paths: Shelf<(ScopeKey, PathBuf), Arc<PathLoad>>,
}

/// A scope as the key of what is kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ScopeKey(PathBuf, Vec<PathBuf>, Option<bool>);

impl From<&MemoryScope> for ScopeKey {
    fn from(scope: &MemoryScope) -> Self {
        Self(scope.cwd.clone(), scope.additional_directories.clone(), scope.includes_approved)
    }
}

/// A load for a path, and the load it adds to.
struct PathLoad {
    base: Arc<Base>,
    nested: Nested,
}

impl FsMemoryLoader {
    /// A loader that reads through `fs` what `policy` lets it.
    pub fn new(fs: Arc<dyn FileSystem>, policy: Arc<dyn ReadPolicy>, options: MemoryOptions) -> Self {
        let loads = Shelf::new(options.limits.cached_loads);
        let paths = Shelf::new(options.limits.cached_paths);
        Self { context: Context::new(fs, policy, options), loads, paths }
    }

    /// Where the agent's notes about the project of a scope lie, whether anything is there or not: the directory in the
    /// options, else the one that follows from the home directory and the repository's main checkout. `None` without a home.
    pub fn auto_memory_dir(&self, scope: &MemoryScope) -> Option<PathBuf> {
        let scope = absolute(scope).ok()?;
        Scan::new(&self.context, &scope, false).auto_memory_dir()
    }

    fn base(&self, scope: &MemoryScope) -> Result<Arc<Base>, MemoryError> {
        let key = ScopeKey::from(scope);
        let before = self.loads.get(&key);
        if let Some(base) = before.as_ref().filter(|base| base.seal.holds(&self.context)) {
            return Ok(base.clone());
        }
        let base = Arc::new(Base::scan(&self.context, scope, before.as_deref())?);
        self.loads.insert(key, base.clone(), 1);
        Ok(base)
    }
}

impl MemoryLoader for FsMemoryLoader {
    fn load(&self, scope: &MemoryScope) -> Result<MemoryLoad, MemoryError> {
        let scope = absolute(scope)?;
        Ok(self.base(&scope)?.load.clone())
    }

    fn load_for_path(&self, scope: &MemoryScope, path: &Path) -> Result<MemoryLoad, MemoryError> {
        let scope = absolute(scope)?;
        let base = self.base(&scope)?;
        let key = (ScopeKey::from(&scope), path.to_owned());
        let before = self.paths.get(&key).filter(|known| Arc::ptr_eq(&known.base, &base));
        if let Some(known) = before.as_ref().filter(|known| known.nested.seal.holds(&self.context)) {
            return Ok(known.nested.load.clone());
        }
        let nested =
            Nested::scan(&self.context, &scope, &base, path, before.as_ref().map(|known| &known.nested));
        let load = nested.load.clone();
        self.paths.insert(key, Arc::new(PathLoad { base, nested }), 1);
        Ok(load)
    }

    fn render(&self, files: &[MemoryFile]) -> String {
        crate::render(files)
    }

    fn notes_dir(&self, scope: &MemoryScope) -> Option<PathBuf> {
        let options = &self.context.options;
        let wanted = options.auto_memory && !options.disabled && !options.bare;
        if wanted { self.auto_memory_dir(scope) } else { None }
    }

    fn forget(&self) {
        self.loads.clear();
        self.paths.clear();
        self.context.forget();
    }
}

/// The scope with directories that names alone make plain.
fn absolute(scope: &MemoryScope) -> Result<MemoryScope, MemoryError> {
    if !scope.cwd.is_absolute() {
        return Err(MemoryError::RelativeCwd { path: scope.cwd.clone() });
    }
    let cwd = tidy(&scope.cwd);
    let additional: Vec<PathBuf> =
        scope.additional_directories.iter().map(|dir| tidy(&cwd.join(dir))).collect();
    Ok(scope.clone().cwd(cwd).additional_directories(additional))
}
