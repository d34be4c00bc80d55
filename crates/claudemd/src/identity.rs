//! Which files were met already, by whatever name.

use std::ffi::OsString;
use std::path::Path;

use foldhash::HashSet;

use context_api::FileMeta;

/// Files by device and inode, and where there is no such thing by the bytes of canonical paths.
#[derive(Debug, Clone, Default)]
pub(crate) struct Identities {
    inodes: HashSet<(u64, u64)>,
    paths: HashSet<OsString>,
}

impl Identities {
    pub(crate) fn contains(&self, canonical: &Path, meta: &FileMeta) -> bool {
        match meta.identity() {
            Some(identity) => self.inodes.contains(&identity),
            None => self.paths.contains(canonical.as_os_str()),
        }
    }

    pub(crate) fn insert(&mut self, canonical: &Path, meta: &FileMeta) {
        match meta.identity() {
            Some(identity) => self.inodes.insert(identity),
            None => self.paths.insert(canonical.as_os_str().to_owned()),
        };
    }
}
