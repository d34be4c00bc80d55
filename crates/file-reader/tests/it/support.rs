//! A reader over a throw-away place.

use std::path::Path;
use std::sync::Arc;

use context_api::{
    Access, AllowAll, Clock, FileContent, FileReader, FileSystem, FileText, LineSpan, ReadErrorKind,
    ReadOutcome, ReadPolicy, ReadRequest,
};
use context_testkit::{FixedClock, Place};
use file_reader::{ReadLimits, StandardReader};
use jiff::Timestamp;
use local_fs::LocalFs;

/// Denies every path that contains one of these texts.
pub(crate) struct Deny(pub(crate) &'static str);

impl ReadPolicy for Deny {
    fn check(&self, path: &Path) -> Access {
        if path.to_string_lossy().contains(self.0) {
            return Access::Denied { rule: format!("Read({})", self.0) };
        }
        Access::Allowed
    }
}

/// The system's clock, for tests of what happens at the same time.
pub(crate) struct RealClock;

impl Clock for RealClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
    fn today(&self) -> jiff::civil::Date {
        jiff::civil::date(2026, 4, 25)
    }
}

pub(crate) fn reader_of(
    fs: impl FileSystem,
    policy: impl ReadPolicy,
    clock: impl Clock,
    limits: ReadLimits,
) -> StandardReader {
    StandardReader::new(Arc::new(fs), Arc::new(policy), Arc::new(clock), limits)
}

pub(crate) fn reader() -> StandardReader {
    limited(ReadLimits::default())
}

pub(crate) fn limited(limits: ReadLimits) -> StandardReader {
    reader_of(LocalFs, AllowAll, FixedClock::default(), limits)
}

pub(crate) fn read(path: impl AsRef<Path>) -> ReadOutcome {
    reader().read(&whole(path)).expect("a read")
}

pub(crate) fn whole(path: impl AsRef<Path>) -> ReadRequest {
    ReadRequest::default().path(path.as_ref())
}

pub(crate) fn lines(path: impl AsRef<Path>, start: u64, end: impl Into<Option<u64>>) -> ReadRequest {
    whole(path).lines(LineSpan::default().start(start).end(end))
}

pub(crate) fn kind_of_error(reader: &StandardReader, request: &ReadRequest) -> ReadErrorKind {
    reader.read(request).expect_err("no read").kind
}

pub(crate) fn text(outcome: &ReadOutcome) -> &FileText {
    match &outcome.content {
        FileContent::Text(text) => text,
        other => panic!("no text: {other:?}"),
    }
}

pub(crate) fn reasons(outcome: &ReadOutcome) -> Vec<&str> {
    outcome.decisions.iter().map(|decision| decision.reason.as_str()).collect()
}

/// A place with one file `a.txt`.
pub(crate) fn with_file(content: impl AsRef<[u8]>) -> (Place, std::path::PathBuf) {
    let place = Place::new();
    let path = place.write("a.txt", content);
    (place, path)
}
