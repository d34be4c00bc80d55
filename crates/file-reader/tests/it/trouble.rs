//! What stands in the way of a read, and files that change under it.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use context_api::{
    AllowAll, DirEntries, FileContent, FileMeta, FileReader, FileSystem, Follow, OpenFile, ReadErrorKind,
    ReadSeek,
};
use context_testkit::{Fault, FaultyFs, FixedClock, Place};
use file_reader::ReadLimits;
use local_fs::LocalFs;

use crate::support::*;

/// Fails instead of hanging.
fn within_seconds<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || send.send(act()));
    receive.recv_timeout(Duration::from_secs(20)).expect("it blocked")
}

#[test]
fn pipes_devices_loops_and_missing_files_are_refused_at_once() {
    let place = Place::new();
    place.run("mkfifo", &["pipe"]);
    place.link("zero", "/dev/zero");
    place.link("in", "/dev/stdin");
    place.link("self", "self");
    place.link("dangling", "nowhere");
    place.write("ok.txt", "OK\n");
    let kinds = within_seconds(move || {
        ["pipe", "zero", "self", "dangling", "nope", "ok.txt/x", "in"]
            .map(|name| reader().read(&whole(place.path(name))).map(|_| ()).map_err(|error| error.kind))
    });
    use ReadErrorKind::{LinkLoop, NotFound, Special};
    let expected = [Special, Special, LinkLoop, NotFound, NotFound, NotFound].map(Err);
    assert_eq!(kinds[..6], expected);
    // What the test's standard input is, nobody knows; that it does not block, the watchdog does.
}

#[test]
fn errors_hold_no_raw_text_of_the_system() {
    let place = Place::new();
    let locked = place.write("locked.txt", "LOCKED");
    let faulty = FaultyFs::new();
    faulty.fail(locked.clone(), Fault::Error(io::ErrorKind::PermissionDenied));
    let reader = reader_of(faulty, AllowAll, FixedClock::default(), ReadLimits::default());
    let error = reader.read(&whole(&locked)).unwrap_err();
    assert_eq!(error.kind, ReadErrorKind::PermissionDenied);
    let missing = reader.read(&whole(place.path("nope"))).unwrap_err().to_string();
    assert!(missing.ends_with("nope: no such file") && !missing.contains("os error"), "{missing}");
}

#[test]
fn the_policy_holds_for_the_path_as_given_and_for_what_it_leads_to() {
    let place = Place::new();
    place.write(".env", "SECRET=1\n");
    place.link("link.txt", ".env");
    place.link("dir", "{out}");
    std::fs::write(place.out().join("a"), "x").unwrap();
    let reader = reader_of(LocalFs, Deny(".env"), FixedClock::default(), ReadLimits::default());
    for name in [".env", "link.txt", "./.env", "x/../.env"] {
        let error = kind_of_error(&reader, &whole(place.path(name)));
        let expected = ReadErrorKind::Policy { rule: "Read(.env)".into() };
        assert!(
            error == expected || (name.starts_with('x') && error == ReadErrorKind::NotFound),
            "{name}: {error:?}"
        );
    }
    let given = reader_of(LocalFs, Deny("/proj/dir/"), FixedClock::default(), ReadLimits::default());
    assert!(matches!(kind_of_error(&given, &whole(place.path("dir/a"))), ReadErrorKind::Policy { .. }));
}

#[test]
fn a_denied_file_is_never_opened() {
    let place = Place::new();
    let path = place.write(".env", "SECRET=1\n");
    let faulty = FaultyFs::new();
    let reader = reader_of(faulty.clone(), Deny(".env"), FixedClock::default(), ReadLimits::default());
    assert!(matches!(kind_of_error(&reader, &whole(path)), ReadErrorKind::Policy { .. }));
    assert_eq!(faulty.calls(), 0);
}

#[test]
fn relative_paths_are_refused_since_the_reader_has_no_directory_of_its_own() {
    assert!(matches!(kind_of_error(&reader(), &whole("Cargo.toml")), ReadErrorKind::Unusable { .. }));
}

#[test]
fn files_of_the_kernel_without_a_length_are_read() {
    let outcome = read("/proc/self/mounts");
    assert!(!text(&outcome).text.is_empty());
}

/// The disk, where the next so many reads of a file find it changed afterwards.
struct Restless {
    changes: Arc<AtomicU32>,
}

struct RestlessFile {
    inner: Box<dyn ReadSeek>,
    changes: Arc<AtomicU32>,
}

impl io::Read for RestlessFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer)
    }
}

impl io::Seek for RestlessFile {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

impl ReadSeek for RestlessFile {
    fn meta_now(&self) -> io::Result<FileMeta> {
        let mut meta = self.inner.meta_now()?;
        let left = self.changes.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        meta.fingerprint.mtime_ns += i64::from(left.is_ok());
        Ok(meta)
    }
}

impl FileSystem for Restless {
    fn metadata(&self, path: &std::path::Path, follow: Follow) -> io::Result<FileMeta> {
        LocalFs.metadata(path, follow)
    }
    fn open(&self, path: &std::path::Path) -> io::Result<OpenFile> {
        let file = LocalFs.open(path)?;
        let reader = Box::new(RestlessFile { inner: file.reader, changes: self.changes.clone() });
        Ok(OpenFile { meta: file.meta, reader })
    }
    fn read_dir(&self, path: &std::path::Path) -> io::Result<DirEntries> {
        LocalFs.read_dir(path)
    }
    fn canonicalize(&self, path: &std::path::Path) -> io::Result<PathBuf> {
        LocalFs.canonicalize(path)
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_is_read_again_and_given_up_in_the_end() {
    let (_place, path) = with_file("text\n");
    for (changes, settles) in [(0, true), (1, true), (4, true), (5, false), (1_000, false)] {
        let changes = Arc::new(AtomicU32::new(changes));
        let restless = Restless { changes: changes.clone() };
        let reader = reader_of(restless, AllowAll, FixedClock::default(), ReadLimits::default());
        match reader.read(&whole(&path)) {
            Ok(outcome) => assert!(settles && &*text(&outcome).text == "text\n", "{changes:?}"),
            Err(error) => assert!(!settles && error.kind == ReadErrorKind::Unsettled, "{changes:?}"),
        }
    }
}

/// A version of the file that is whole: so many times the same line.
fn version(n: usize) -> String {
    format!("version {n:06}\n").repeat(200 + n % 50)
}

fn is_whole_version(text: &str) -> bool {
    let Some(first) = text.lines().next() else { return false };
    first.strip_prefix("version ").and_then(|n| n.parse().ok()).is_some_and(|n| text == version(n))
}

/// Longer than this between two parts of a write, and the file is torn for anybody who looks.
const SETTLE: Duration = Duration::from_millis(40);

/// Reads for a while beside a writer, which says how long its write may have stood still. Every text read is one whole version,
/// unless it was read while a write stood still for longer than a file has to be quiet.
fn read_beside(write: impl Fn(&std::path::Path, usize) -> Duration + Send + 'static) -> usize {
    let (_place, path) = with_file(version(0));
    let stop = Arc::new(AtomicBool::new(false));
    let writer = std::thread::spawn({
        let (path, stop) = (path.clone(), stop.clone());
        move || {
            let timed = |n| (Instant::now(), write(&path, n), Instant::now());
            (1..).take_while(|_| !stop.load(Ordering::SeqCst)).map(timed).collect::<Vec<_>>()
        }
    });
    let limits = ReadLimits::default().settle_ms(SETTLE.as_millis() as u64);
    let reader = reader_of(LocalFs, AllowAll, RealClock, limits);
    let (mut good, mut torn, until) = (0, Vec::new(), Instant::now() + Duration::from_millis(1_500));
    while Instant::now() < until {
        let begin = Instant::now();
        match reader.read(&whole(&path)) {
            Ok(outcome) => match &outcome.content {
                FileContent::Text(text) if is_whole_version(&text.text) => good += 1,
                _ => torn.push((begin, Instant::now())),
            },
            Err(error) => assert_eq!(error.kind, ReadErrorKind::Unsettled),
        }
    }
    stop.store(true, Ordering::SeqCst);
    let writes = writer.join().expect("the writer");
    let still = |&(from, gap, to): &_, &(begin, end): &_| gap > SETTLE / 2 && from < end && begin < to;
    torn.retain(|read| !writes.iter().any(|write| still(write, read)));
    assert!(torn.is_empty(), "{} torn texts taken for whole, {good} whole ones", torn.len());
    good
}

#[test]
fn no_torn_text_is_taken_for_whole_beside_a_writer_in_place() {
    let good = read_beside(|path, n| {
        use std::io::Write;
        let text = version(n);
        let begin = Instant::now();
        let mut file = std::fs::File::create(path).unwrap();
        for part in text.as_bytes().chunks(700) {
            file.write_all(part).unwrap();
        }
        drop(file);
        let took = begin.elapsed();
        std::thread::sleep(Duration::from_millis(if n % 4 == 0 { 120 } else { 1 }));
        took
    });
    assert!(good > 0, "the reader never found a quiet moment");
}

#[test]
fn a_file_replaced_by_renaming_is_always_read_whole() {
    let good = read_beside(|path, n| {
        let next = path.with_extension("next");
        std::fs::write(&next, version(n)).unwrap();
        std::fs::rename(&next, path).unwrap();
        std::thread::sleep(Duration::from_millis(5));
        Duration::ZERO
    });
    assert!(good > 0, "renaming never leaves a torn file, so each read succeeds");
}
