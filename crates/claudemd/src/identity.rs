//! Which files were met already, by whatever name.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use context_api::FileMeta;

/// Files by device and inode, and by canonical path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Identities {
    inodes: HashSet<(u64, u64)>,
    paths: HashSet<PathBuf>,
}

impl Identities {
    pub(crate) fn contains(&self, canonical: &Path, meta: &FileMeta) -> bool {
        self.paths.contains(canonical) || meta.identity().is_some_and(|id| self.inodes.contains(&id))
    }

    pub(crate) fn insert(&mut self, canonical: &Path, meta: &FileMeta) {
        self.inodes.extend(meta.identity());
        self.paths.insert(canonical.to_owned());
    }
}
