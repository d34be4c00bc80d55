//! Which files were met already, by whatever name.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;

use context_api::FileMeta;

/// Files by device and inode, and by canonical path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Identities {
    inodes: HashSet<(u64, u64)>,
    /// The bytes of canonical paths.
    paths: HashSet<OsString>,
}

impl Identities {
    pub(crate) fn contains(&self, canonical: &Path, meta: &FileMeta) -> bool {
        self.paths.contains(canonical.as_os_str())
            || meta.identity().is_some_and(|id| self.inodes.contains(&id))
    }

    pub(crate) fn insert(&mut self, canonical: &Path, meta: &FileMeta) {
        self.inodes.extend(meta.identity());
        self.paths.insert(canonical.as_os_str().to_owned());
    }
}
