//! Removing blobs of sessions that nobody goes on with.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use context_api::{Decision, Verdict};

use crate::file_blobs::{DIRECTORIES, FileBlobs};

/// The blobs of one session.
struct Kept {
    session: String,
    directories: Vec<PathBuf>,
    newest: SystemTime,
    bytes: u64,
}

impl FileBlobs {
    /// Removes the blobs of sessions that are too old, and of the oldest ones while all together take too much room; never
    /// those of a session that some process works on. What was removed or could not be is in the decisions. May block; for
    /// the start of a program.
    pub fn sweep(&self, now: SystemTime) -> Vec<Decision> {
        let live = match self.owners.live() {
            Ok(live) => live,
            Err(error) => {
                let detail =
                    format!("It is not known which sessions are at work, so nothing is removed: {error}.");
                return vec![Decision::failed("blobs", "blobs_not_swept", detail)];
            }
        };
        let mut kept = self.kept();
        kept.sort_by(|a, b| (a.newest, &a.session).cmp(&(b.newest, &b.session)));
        let mut total: u64 = kept.iter().map(|one| one.bytes).sum();
        let mut decisions = Vec::new();
        for one in kept.iter().filter(|one| !live.contains(&one.session)) {
            let age = now.duration_since(one.newest).unwrap_or(Duration::ZERO);
            let reason = if age > self.limits.max_age {
                "older_than_the_limit"
            } else if total > self.limits.max_total {
                "more_than_the_limit"
            } else {
                continue;
            };
            total -= one.bytes;
            decisions.push(remove(one, reason));
        }
        self.forget();
        decisions
    }

    /// What there is, by session.
    fn kept(&self) -> Vec<Kept> {
        let mut by_session: BTreeMap<String, Kept> = BTreeMap::new();
        for kind in DIRECTORIES {
            let Ok(sessions) = fs::read_dir(self.root.join(kind)) else { continue };
            for directory in sessions.flatten().filter(|one| one.file_type().is_ok_and(|kind| kind.is_dir()))
            {
                let Ok(session) = directory.file_name().into_string() else { continue };
                let kept = by_session.entry(session.clone()).or_insert_with(|| Kept::none(session));
                kept.add(directory.path());
            }
        }
        by_session.into_values().collect()
    }
}

impl Kept {
    fn none(session: String) -> Self {
        Self { session, directories: Vec::new(), newest: SystemTime::UNIX_EPOCH, bytes: 0 }
    }

    fn add(&mut self, directory: PathBuf) {
        for file in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let Ok(meta) = file.metadata() else { continue };
            self.bytes += meta.len();
            self.newest = self.newest.max(meta.modified().unwrap_or(SystemTime::UNIX_EPOCH));
        }
        self.directories.push(directory);
    }
}

fn remove(kept: &Kept, reason: &str) -> Decision {
    let removed: io::Result<()> = kept.directories.iter().try_for_each(fs::remove_dir_all);
    match removed {
        Ok(()) => Decision::new(
            kept.session.clone(),
            Verdict::LeftOut,
            reason,
            format!("The session's blobs ({} bytes) were removed; its transcript stays.", kept.bytes),
        ),
        Err(error) => Decision::failed(
            kept.session.clone(),
            "blobs_not_removed",
            format!("The session's blobs stay where they are: {error}."),
        ),
    }
}
