//! Measures the store of files: `cargo run --release -p transcript --example measure -- append|make|resume [FILE]`.
#![expect(clippy::print_stdout, reason = "a program that prints what it measured")]

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use context_api::{Batch, Boundary, Entry, EntryKind, LineFacts, Reach, TranscriptStore as _};
use context_api::{IoStalled, Job, Threads};
use context_testkit::{ThreadPerJob, wait};
use transcript::{JsonlStore, StoreLimits, SyncPolicy};
use uuid::Uuid;

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let (what, place) = (arguments.next().unwrap_or_default(), arguments.next().map(PathBuf::from));
    match (what.as_str(), place) {
        ("append", _) => append(),
        ("make", Some(place)) => make(&place, false),
        ("make-with-boundary", Some(place)) => make(&place, true),
        ("resume", Some(place)) => resume(&place),
        _ => Err("append, make DIR, make-with-boundary DIR or resume DIR".into()),
    }
}

fn entries(count: u128, bytes: usize) -> Vec<Arc<Entry>> {
    let text = "some words of a tool's result, as they come\n".repeat(bytes / 44 + 1);
    let entry = |id: u128| {
        let entry =
            Entry::new(Uuid::from_u128(id), jiff::Timestamp::UNIX_EPOCH, 1, EntryKind::user(&text[..bytes]));
        Arc::new(entry.after((id > 1).then(|| Uuid::from_u128(id - 1))))
    };
    (1..=count).map(entry).collect()
}

fn store(place: &Path) -> JsonlStore {
    JsonlStore::with_limits(place, Arc::new(ThreadPerJob), SyncPolicy::Never, StoreLimits::default())
}

/// One thread that stays, as those of an engine do.
struct OneThread(mpsc::Sender<Job>);

impl OneThread {
    fn start() -> Self {
        let (send, jobs) = mpsc::channel::<Job>();
        std::thread::spawn(move || jobs.into_iter().for_each(|job| (job.run)()));
        Self(send)
    }
}

impl Threads for OneThread {
    fn spawn(&self, job: Job) -> Result<(), IoStalled> {
        self.0.send(job).map_err(|_| IoStalled)
    }
}

fn batch(session: &str, entries: &[Arc<Entry>]) -> Batch {
    Batch::new(session, LineFacts::default().cwd("/project").version("0"), entries.to_vec())
}

/// What the store does, without the way to another thread and back.
struct SameThread;

impl Threads for SameThread {
    fn spawn(&self, job: Job) -> Result<(), IoStalled> {
        (job.run)();
        Ok(())
    }
}

/// Lines of a turn's entries against the same lines in bare writes. Processor time, which a busy machine does not change
/// much, and time on the clock.
fn append() -> Outcome {
    println!("7 times 20,000 lines of 2,000 bytes, in batches of 20");
    let whole = StoreLimits::default();
    append_on("another thread", Arc::new(OneThread::start()), &whole)?;
    append_on("the same thread", Arc::new(SameThread), &whole)?;
    append_on("the same thread, line by line", Arc::new(SameThread), &whole.clone().write_buffer(1))
}

fn append_on(name: &str, threads: Arc<dyn Threads>, limits: &StoreLimits) -> Outcome {
    let all = entries(20_000, 2_000);
    let place = tempfile::tempdir()?;
    let (mut stored, mut bare, mut json) = (Took::default(), Took::default(), Took::default());
    for round in 0..7 {
        let threads = Arc::clone(&threads);
        let store = JsonlStore::with_limits(place.path(), threads, SyncPolicy::Never, limits.clone());
        let session = format!("s{round}");
        stored.add(|| all.chunks(20).try_for_each(|turn| wait(store.append(batch(&session, turn)))))?;
        let bytes = fs::read(store.file(&session)?)?;
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let mut file = fs::File::create(place.path().join(format!("bare{round}")))?;
        bare.add(|| lines.iter().try_for_each(|line| file.write_all(line)))?;
        json.add(|| all.iter().try_for_each(|entry| serde_json::to_vec(&**entry).map(drop)))?;
    }
    println!("on {name}: in the store {stored:?}, bare {bare:?}, their JSON alone {json:?}");
    println!(
        "ratio to bare writes {:.2}, to JSON and bare writes {:.2}",
        stored.to(&[&bare]),
        stored.to(&[&bare, &json])
    );
    Ok(())
}

/// Times of some work.
#[derive(Debug, Default)]
struct Took {
    clock: Duration,
    processor: Duration,
}

impl Took {
    fn add<E>(&mut self, work: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        let (begin, before) = (Instant::now(), processor());
        work()?;
        self.clock += begin.elapsed();
        self.processor += processor().saturating_sub(before);
        Ok(())
    }

    fn to(&self, others: &[&Self]) -> f64 {
        self.processor.as_secs_f64() / others.iter().map(|one| one.processor.as_secs_f64()).sum::<f64>()
    }
}

/// Processor time of this process, in the system's steps of 10 ms.
fn processor() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// 100,000 entries, 200 MB.
fn make(place: &Path, boundary: bool) -> Outcome {
    let mut all = entries(100_000, 1_700);
    if boundary {
        let mut entry = (*all[79_999]).clone();
        entry.kind = EntryKind::Boundary(Boundary::default().summary("summary"));
        all[79_999] = Arc::new(entry);
    }
    for part in all.chunks(1_000) {
        wait(store(place).append(batch("s", part)))?;
    }
    println!("{} bytes", fs::metadata(place.join("s.jsonl"))?.len());
    Ok(())
}

fn resume(place: &Path) -> Outcome {
    let store = store(place);
    let before = memory("VmRSS");
    let (mut took, mut loaded) = (Took::default(), None);
    took.add(|| wait(store.load("s", Reach::SinceBoundary)).map(|it| loaded = Some(it)))?;
    let loaded = loaded.ok_or("nothing was loaded")?;
    let (after, peak) = (memory("VmRSS"), memory("VmHWM"));
    let (kept, most) = (after.saturating_sub(before), peak.saturating_sub(before));
    println!("{} entries kept, {} left out, {took:?}", loaded.entries.len(), loaded.left_out);
    println!("kept {kept} KiB, peak {most} KiB, ratio {:.2}", most as f64 / kept as f64);
    Ok(())
}

/// A figure of `/proc/self/status`, KiB.
fn memory(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|figure| figure.parse().ok()).unwrap_or(0)
}
