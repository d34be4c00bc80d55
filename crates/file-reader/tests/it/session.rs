//! A session that does what the check says.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use context_api::{
    ChangeReport, Clock, FileChange, FileChanges, FileReader, FileState, FileSystem, ReadPolicy, StateChange,
    StatesView,
};
use context_testkit::{FixedClock, Place};
use file_reader::{ChangeCheck, ChangeLimits, ReadLimits, StandardReader};
use local_fs::LocalFs;

use crate::support::*;

/// A session's states, as a session applies what it is told.
pub(crate) struct Session {
    pub(crate) place: Place,
    pub(crate) reader: Arc<StandardReader>,
    pub(crate) check: ChangeCheck,
    pub(crate) states: Mutex<BTreeMap<PathBuf, Arc<FileState>>>,
}

impl Session {
    pub(crate) fn new() -> Self {
        Self::with(LocalFs, context_api::AllowAll, FixedClock::default(), ChangeLimits::default())
    }

    pub(crate) fn limited(limits: ChangeLimits) -> Self {
        Self::with(LocalFs, context_api::AllowAll, FixedClock::default(), limits)
    }

    pub(crate) fn with(
        fs: impl FileSystem,
        policy: impl ReadPolicy,
        clock: impl Clock,
        limits: ChangeLimits,
    ) -> Self {
        let (fs, clock): (Arc<dyn FileSystem>, Arc<dyn Clock>) = (Arc::new(fs), Arc::new(clock));
        let policy = Arc::new(policy);
        let read_limits = ReadLimits::default().image(file_reader::ImageLimits::default().side(64));
        let reader = Arc::new(StandardReader::new(fs.clone(), policy, clock.clone(), read_limits));
        let check = ChangeCheck::new(fs, reader.clone(), clock, limits.second_look_ms(5));
        Self { place: Place::new(), reader, check, states: Mutex::default() }
    }

    /// Writes a file with a time of its own, so that no two versions share one.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.place.write(name, content);
        self.touch(&path);
        path
    }

    pub(crate) fn touch(&self, path: &Path) {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let time =
            SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + NEXT.fetch_add(1, Ordering::SeqCst));
        fs::File::options().write(true).open(path).and_then(|file| file.set_modified(time)).expect("a time");
    }

    pub(crate) fn read(&self, path: &Path) {
        let state = self.reader.read(&whole(path)).expect("a read").state.expect("a state");
        self.apply(&StateChange::Put(state));
    }

    pub(crate) fn write_and_read(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.write(name, content);
        self.read(&path);
        path
    }

    pub(crate) fn apply(&self, change: &StateChange) {
        let mut states = self.states.lock().expect("the states");
        match change {
            StateChange::Put(state) => drop(states.insert(state.path.clone(), Arc::new(state.clone()))),
            StateChange::Remove(path) => drop(states.remove(path)),
            StateChange::Refresh { path, fingerprint } => {
                let state = states[path].as_ref().clone().fingerprint(*fingerprint);
                states.insert(path.clone(), Arc::new(state));
            }
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn state(&self, path: &Path) -> Option<Arc<FileState>> {
        self.states.lock().expect("the states").get(path).cloned()
    }

    pub(crate) fn look(&self) -> ChangeReport {
        let view = StatesView::new(self.states.lock().expect("the states").values().cloned());
        self.check.check(&view)
    }

    /// A turn: a look, and everything it says is delivered.
    pub(crate) fn turn(&self) -> ChangeReport {
        let report = self.look();
        report.changes.iter().flat_map(|change| &change.states).for_each(|change| self.apply(change));
        report.refreshed.iter().for_each(|change| self.apply(change));
        report.removed.iter().for_each(|path| self.apply(&StateChange::Remove(path.clone())));
        report
    }
}

pub(crate) fn only(report: &ChangeReport) -> &FileChange {
    assert_eq!(report.changes.len(), 1, "{report:?}");
    &report.changes[0]
}

pub(crate) fn decided(report: &ChangeReport) -> Vec<&str> {
    report.decisions.iter().map(|decision| decision.reason.as_str()).collect()
}

pub(crate) fn rows(count: usize) -> String {
    (1..=count).map(|n| format!("line{n}\n")).collect()
}
