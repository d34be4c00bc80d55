//! One look at all files of a session.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use context_api::{
    ChangeKind, ChangeReport, Clock, Decision, FileChange, FileChanges, FileContent, FileKind, FileLook,
    FileReader, FileState, FileSystem, Fingerprint, Follow, ReadErrorKind, ReadOutcome, ReadRequest,
    StateChange, StateKind,
};
use context_text::{GlobProblem, PathGlobs, display_path};

use super::diff::Changes;
use super::memo::Memo;
use super::snippet;
use crate::{ChangeLimits, wording};

/// Compares what a model has seen of files with what is on the disk.
///
/// A file whose facts (time, length, inode) are the same is unchanged, unless it was read so soon after its last change that
/// the facts prove nothing; then, and where they differ, it is read through the [`FileReader`], so that policy and limits are
/// those of any other read, and what a file that is being written shows is one version of it. Nothing is held between looks but a note of which files need no second comparison.
pub struct ChangeCheck {
    fs: Arc<dyn FileSystem>,
    reader: Arc<dyn FileReader>,
    clock: Arc<dyn Clock>,
    limits: ChangeLimits,
    ignored: PathGlobs,
    memo: Memo,
}

/// What a turn has room for.
struct Room {
    chars: usize,
    images: usize,
}

impl ChangeCheck {
    /// A check of files of `fs`, read by `reader`.
    pub fn new(
        fs: Arc<dyn FileSystem>,
        reader: Arc<dyn FileReader>,
        clock: Arc<dyn Clock>,
        limits: ChangeLimits,
    ) -> Self {
        let (ignored, memo) = (PathGlobs::default(), Memo::default());
        Self { fs, reader, clock, limits, ignored, memo }
    }

    /// Leaves out changes of files that match one of these patterns (of absolute paths, see [`PathGlobs`]). Patterns that can
    /// not be understood are given back.
    pub fn ignoring(mut self, patterns: &[String]) -> (Self, Vec<GlobProblem>) {
        let (ignored, problems) = PathGlobs::compile(patterns);
        self.ignored = ignored;
        (self, problems)
    }

    /// Whether the file may have changed after it was read without a new time.
    fn may_hide_a_change(&self, state: &FileState) -> bool {
        self.is_racy(&state.fingerprint, state.read_at.as_nanosecond())
            && !self.memo.knows(&state.path, &state.fingerprint, &state.hash)
    }

    fn is_racy(&self, fingerprint: &Fingerprint, seen_ns: i128) -> bool {
        i128::from(fingerprint.mtime_ns) + i128::from(self.limits.racy_ms) * 1_000_000 >= seen_ns
    }

    fn compare(&self, state: &FileState, mut outcome: ReadOutcome) -> FileLook {
        let Some(now) = outcome.state.take() else {
            return FileLook::Decided(turned(&state.path, &outcome.content));
        };
        if is_same(state, &now) {
            if !self.is_racy(&now.fingerprint, self.clock.now().as_nanosecond()) {
                self.memo.remember(&state.path, now.fingerprint, &state.hash, self.limits.remembered);
            }
            return if now.fingerprint == state.fingerprint {
                FileLook::Same
            } else {
                FileLook::Touched(now.fingerprint)
            };
        }
        if now.kind != state.kind {
            return FileLook::Decided(turned(&state.path, &outcome.content));
        }
        if now.kind == StateKind::Text && now.content.is_none() {
            return FileLook::Decided(wording::changed_too_large(&state.path, now.fingerprint.len));
        }
        // The next comparison is with the whole new text, however little of it the notice shows.
        let now = now.path(state.path.clone()).lines(None).is_partial_view(false);
        FileLook::Changed(Box::new(outcome), Box::new(now))
    }

    fn take(&self, state: &FileState, seen: FileLook, room: &mut Room, report: &mut ChangeReport) {
        let path = state.path.clone();
        match seen {
            FileLook::Same => {}
            FileLook::Gone => report.removed.push(path),
            FileLook::Touched(fingerprint) => {
                report.refreshed.push(StateChange::Refresh { path, fingerprint })
            }
            FileLook::Withheld => {
                report.decisions.push(wording::change_withheld(&path));
                report.changes.push(withheld(path));
            }
            FileLook::Decided(decision) => report.decisions.push(decision),
            FileLook::Changed(outcome, now) => {
                let change = self.describe(state, *outcome, &now, room);
                report.decisions.extend(wording::cut_change(&change));
                report.changes.push(change.hash(now.hash.clone()).states(vec![StateChange::Put(*now)]));
            }
        }
    }

    fn describe(
        &self,
        old: &FileState,
        outcome: ReadOutcome,
        now: &FileState,
        room: &mut Room,
    ) -> FileChange {
        let change = FileChange::default().path(old.path.clone());
        match (&old.content, &now.content) {
            (Some(old), Some(new)) => self.describe_text(change, old, new, room),
            _ if now.kind == StateKind::Image && room.images > 0 => {
                room.images -= 1;
                change.kind(ChangeKind::Image).content(outcome.content)
            }
            _ => change.kind(ChangeKind::Other),
        }
    }

    fn describe_text(&self, change: FileChange, old: &str, new: &str, room: &mut Room) -> FileChange {
        let changes = Changes::between(old, new, self.limits.context);
        let snippet = snippet::of(old, new, &changes, &self.limits);
        let change = change.added(changes.added).removed(changes.removed);
        let size = snippet.text.chars().count();
        if size > room.chars {
            return change.regions_left_out(changes.regions.len() as u64);
        }
        room.chars -= size;
        change.snippet(snippet.text).regions_left_out(snippet.left_out)
    }
}

impl FileChanges for ChangeCheck {
    fn look(&self, state: &FileState) -> FileLook {
        let meta = match self.fs.metadata(&state.path, Follow::Links) {
            Ok(meta) => meta,
            Err(error) => return unreadable(&state.path, &ReadErrorKind::from(&error)),
        };
        let is_touched = meta.fingerprint != state.fingerprint;
        if !is_touched && !self.may_hide_a_change(state) {
            return FileLook::Same;
        }
        if self.ignored.matches(&state.path.to_string_lossy()) {
            return if is_touched { ignored(&state.path) } else { FileLook::Same };
        }
        if meta.kind != FileKind::File {
            return unreadable(&state.path, &ReadErrorKind::Special);
        }
        match self.reader.read(&ReadRequest::default().path(state.path.clone())) {
            Ok(outcome) => self.compare(state, outcome),
            Err(error) if matches!(error.kind, ReadErrorKind::Policy { .. }) => {
                if is_touched {
                    FileLook::Withheld
                } else {
                    FileLook::Same
                }
            }
            Err(error) => unreadable(&state.path, &error.kind),
        }
    }

    fn second_look_after(&self) -> Duration {
        Duration::from_millis(self.limits.second_look_ms)
    }

    fn report(&self, mut looks: Vec<(Arc<FileState>, FileLook)>) -> ChangeReport {
        looks.sort_by(|a, b| bytes(&a.0.path).cmp(bytes(&b.0.path)));
        let mut room = Room { chars: self.limits.turn_chars, images: self.limits.images };
        let mut report = ChangeReport::default();
        for (state, seen) in looks {
            self.take(&state, seen, &mut room, &mut report);
        }
        report
    }
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// A host may hand in content without a hash.
fn is_same(old: &FileState, now: &FileState) -> bool {
    match (&old.content, &now.content) {
        _ if old.kind != now.kind => false,
        (Some(old), Some(now)) => old == now,
        _ => old.hash == now.hash,
    }
}

fn unreadable(path: &Path, error: &ReadErrorKind) -> FileLook {
    match error {
        ReadErrorKind::NotFound => FileLook::Gone,
        ReadErrorKind::Unsettled => FileLook::Decided(wording::still_changing(path)),
        error => FileLook::Decided(wording::can_not_look(path, error)),
    }
}

fn ignored(path: &Path) -> FileLook {
    FileLook::Decided(Decision::left_out(display_path(path), "ignored_by_pattern", wording::IGNORED))
}

fn turned(path: &Path, content: &FileContent) -> Decision {
    let reason = match content {
        FileContent::Binary(_) => "turned_binary",
        _ => "turned_into_another_kind",
    };
    Decision::left_out(display_path(path), reason, wording::TURNED)
}

/// The model is told that what it knows is old, and nothing else. The state goes: it is told once, and an edit has to wait.
fn withheld(path: PathBuf) -> FileChange {
    let states = vec![StateChange::Remove(path.clone())];
    FileChange::default().path(path).kind(ChangeKind::Withheld).states(states)
}
