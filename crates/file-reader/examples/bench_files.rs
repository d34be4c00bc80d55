//! What reading and checking files costs, against the bare system calls. Run it with
//! `cargo run --release -p file-reader --example bench_files`; medians of interleaved rounds.

#![expect(clippy::print_stdout, reason = "a program that reports")]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use context_api::{
    AllowAll, Clock, FileChanges, FileContent, FileReader, FileState, ReadRequest, StatesView,
};
use context_testkit::Place;
use context_text::numbered;
use file_reader::{ChangeCheck, ChangeLimits, ReadLimits, StandardReader};
use jiff::Timestamp;
use local_fs::LocalFs;

struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
    fn today(&self) -> jiff::civil::Date {
        jiff::civil::date(2026, 1, 1)
    }
}

/// Medians of two things done in turn.
fn compare(rounds: usize, mut bare: impl FnMut(), mut ours: impl FnMut()) -> (Duration, Duration) {
    let timed = |act: &mut dyn FnMut()| {
        let begin = Instant::now();
        act();
        begin.elapsed()
    };
    let (mut bares, mut others): (Vec<_>, Vec<_>) =
        (0..rounds).map(|_| (timed(&mut bare), timed(&mut ours))).unzip();
    bares.sort();
    others.sort();
    (bares[rounds / 2], others[rounds / 2])
}

fn report(name: &str, (bare, ours): (Duration, Duration)) {
    let ratio = ours.as_secs_f64() / bare.as_secs_f64();
    println!("{name:<58} bare {bare:>10.1?}  ours {ours:>10.1?}  ratio {ratio:.2}");
}

struct Bench {
    place: Place,
    reader: Arc<StandardReader>,
    check: ChangeCheck,
}

impl Bench {
    fn new() -> Self {
        let (fs, clock) = (Arc::new(LocalFs), Arc::new(SystemClock));
        let limits = ReadLimits::default();
        let reader = Arc::new(StandardReader::new(fs.clone(), Arc::new(AllowAll), clock.clone(), limits));
        let check = ChangeCheck::new(fs, reader.clone(), clock, ChangeLimits::default());
        Self { place: Place::new(), reader, check }
    }

    /// A file that was last changed an hour ago.
    fn old_file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.place.write(name, content);
        let hour_ago = SystemTime::now() - Duration::from_secs(3_600);
        fs::File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_modified(hour_ago))
            .expect("a time");
        path
    }

    fn content(&self, path: &Path) -> FileContent {
        self.reader.read(&ReadRequest::default().path(path)).expect("a read").content
    }

    fn state(&self, path: &Path) -> FileState {
        self.reader.read(&ReadRequest::default().path(path)).expect("a read").state.expect("a state")
    }
}

fn source(lines: usize) -> String {
    (0..lines).map(|n| format!("    let v{n} = f({n}); // x\n")).collect()
}

fn check_of_unchanged(bench: &Bench) {
    let paths: Vec<_> = (0..100).map(|n| bench.old_file(&format!("src/f{n}.rs"), source(50))).collect();
    let states = StatesView::new(paths.iter().map(|path| Arc::new(bench.state(path))));
    let stats = || paths.iter().for_each(|path| drop(black_box(fs::metadata(path))));
    let check = || assert!(black_box(bench.check.check(&states)).changes.is_empty());
    report("change check of 100 unchanged files / 100 stats", compare(2_001, stats, check));
}

fn check_of_changed(bench: &Bench) {
    let old: String = (0..10_000).map(|n| format!("l{n}\n")).collect();
    let new: String =
        (0..10_000).map(|n| if n % 2 == 0 { format!("m{n}\n") } else { format!("l{n}\n") }).collect();
    let path = bench.old_file("diff.txt", &old);
    let state = Arc::new(bench.state(&path).content(Arc::<str>::from(&*old)).is_partial_view(false));
    let states = StatesView::new([state]);
    bench.old_file("diff.txt", &new);
    let bare = || drop(black_box(fs::read(&path)));
    let check = || {
        let report = bench.check.check(&states);
        assert_eq!((report.changes[0].added, report.changes[0].removed), (5_000, 5_000));
    };
    report("check of one file, 10,000 lines, 5,000 edits / bare read", compare(101, bare, check));
}

fn read_and_number(bench: &Bench) {
    let path = bench.old_file("a.rs", source(2_000));
    let bare = || drop(black_box(fs::read(&path)));
    let shown = || match bench.content(&path) {
        FileContent::Text(text) => drop(black_box(numbered(&text.text, text.first_line))),
        other => panic!("{other:?}"),
    };
    report("read and number 2,000 lines / bare read", compare(501, bare, shown));
}

fn giant_line(bench: &Bench) {
    let path = bench.old_file("min.js", "a".repeat(20_000_000));
    let before = peak_rss();
    let bare = || drop(black_box(fs::read(&path)));
    let cut = || drop(black_box(bench.content(&path)));
    report("one line of 20 MB, cut / bare read", compare(11, bare, cut));
    println!("  peak memory grew by {} MiB for both", (peak_rss() - before) / 1_024);
}

fn peak_rss() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse().ok()).unwrap_or(0)
}

#[cfg(feature = "image")]
fn picture(bench: &Bench) {
    let colour = |x: u32, y: u32| image::Rgb([(x / 24) as u8, (y / 16) as u8, (x ^ y) as u8]);
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_fn(6_000, 4_000, colour);
    picture.write_to(&mut bytes, image::ImageFormat::Jpeg).expect("a picture");
    let path = bench.old_file("photo.jpg", bytes.into_inner());
    let bare = || drop(black_box(image::open(&path)));
    let fitted = || drop(black_box(bench.content(&path)));
    report("JPEG of 6,000 x 4,000 to 1,568 pixels / decoding alone", compare(11, bare, fitted));
}

#[cfg(not(feature = "image"))]
fn picture(_: &Bench) {}

fn main() {
    let bench = Bench::new();
    check_of_unchanged(&bench);
    read_and_number(&bench);
    check_of_changed(&bench);
    giant_line(&bench);
    picture(&bench);
}
