//! Which file a path names, and whether it may be read.

use std::path::{Path, PathBuf};

use context_api::{Access, FileKind, Follow, ReadErrorKind};

use super::StandardReader;
use crate::wording;

impl StandardReader {
    /// The canonical path and what it names: a regular file or a directory. Links may point anywhere, so the policy is asked
    /// on both ends.
    pub(super) fn locate(&self, given: &Path) -> Result<(PathBuf, FileKind), ReadErrorKind> {
        if !given.is_absolute() {
            return Err(ReadErrorKind::Unusable { reason: wording::RELATIVE_PATH.into() });
        }
        self.allowed(given)?;
        let path = self.fs.canonicalize(given).map_err(|error| ReadErrorKind::from(&error))?;
        self.allowed(&path)?;
        let meta = self.fs.metadata(&path, Follow::Nothing).map_err(|error| ReadErrorKind::from(&error))?;
        match meta.kind {
            FileKind::File | FileKind::Directory => Ok((path, meta.kind)),
            FileKind::Special | FileKind::Link => Err(ReadErrorKind::Special),
        }
    }

    fn allowed(&self, path: &Path) -> Result<(), ReadErrorKind> {
        match self.policy.check(path) {
            Access::Allowed => Ok(()),
            Access::Denied { rule } => Err(ReadErrorKind::Policy { rule }),
        }
    }
}
