//! Files that were compared and are settled since.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use context_api::Fingerprint;

/// For each path the facts and the hash that were seen to belong together, long enough after the last change. A mere saving of
/// work: what it forgets is compared again.
#[derive(Default)]
pub(super) struct Memo(Mutex<BTreeMap<PathBuf, (Fingerprint, String)>>);

impl Memo {
    pub(super) fn knows(&self, path: &Path, fingerprint: &Fingerprint, hash: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(path).is_some_and(|(facts, known)| facts == fingerprint && known == hash)
    }

    pub(super) fn remember(&self, path: &Path, fingerprint: Fingerprint, hash: &str, limit: usize) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= limit && !known.contains_key(path) {
            known.clear();
        }
        known.insert(path.to_owned(), (fingerprint, hash.to_owned()));
    }
}
