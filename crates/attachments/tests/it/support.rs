//! What the tests share.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use context_api::{
    CollectError, Collector, CustomAttachment, Draft, FileContent, FileReader, FileState, FileText,
    HostEvent, IoStalled, Job, Outbox, QueuedInput, ReadError, ReadErrorKind, ReadOutcome, ReadRequest,
    Stage, Threads, TurnInput, TurnParts, TurnView, Work,
};

/// A thread for each job, never joined.
#[derive(Default)]
pub(crate) struct Spawner(AtomicUsize);

impl Spawner {
    /// How many were started.
    pub(crate) fn started(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Threads for Spawner {
    fn spawn(&self, job: Job) -> Result<(), IoStalled> {
        self.0.fetch_add(1, Ordering::SeqCst);
        std::thread::spawn(job.run);
        Ok(())
    }
}

/// No thread is left.
pub(crate) struct Stuck;

impl Threads for Stuck {
    fn spawn(&self, _: Job) -> Result<(), IoStalled> {
        Err(IoStalled)
    }
}

/// Holds whoever waits at it until it is opened.
#[derive(Default)]
pub(crate) struct Gate(Mutex<bool>, Condvar);

impl Gate {
    pub(crate) fn wait(&self) {
        let mut open = self.0.lock().unwrap();
        while !*open {
            open = self.1.wait(open).unwrap();
        }
    }

    pub(crate) fn open(&self) {
        *self.0.lock().unwrap() = true;
        self.1.notify_all();
    }
}

type Act = dyn Fn(&TurnView, &Outbox) -> Result<(), CollectError> + Send + Sync;

/// A collector made of a closure.
pub(crate) struct Fake {
    label: &'static str,
    stage: Stage,
    work: Work,
    act: Box<Act>,
}

impl Fake {
    pub(crate) fn new(
        label: &'static str,
        act: impl Fn(&TurnView, &Outbox) -> Result<(), CollectError> + Send + Sync + 'static,
    ) -> Self {
        Self { label, stage: Stage::Everywhere, work: Work::Io, act: Box::new(act) }
    }

    pub(crate) fn stage(mut self, stage: Stage) -> Self {
        self.stage = stage;
        self
    }

    pub(crate) fn inline(mut self) -> Self {
        self.work = Work::Memory;
        self
    }
}

#[async_trait]
impl Collector for Fake {
    fn label(&self) -> &str {
        self.label
    }
    fn stage(&self) -> Stage {
        self.stage
    }
    fn work(&self) -> Work {
        self.work
    }
    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        (self.act)(turn, out)
    }
}

/// A collector that is never ready, without a thread.
pub(crate) struct Sleeper;

#[async_trait]
impl Collector for Sleeper {
    fn label(&self) -> &str {
        "sleeper"
    }
    fn stage(&self) -> Stage {
        Stage::Everywhere
    }
    async fn collect(&self, _: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        out.push(note("before sleep"))?;
        std::future::pending().await
    }
}

pub(crate) fn note(text: &str) -> Draft {
    Draft::new(CustomAttachment::default().kind("note").text(text))
}

/// The texts of custom drafts, in order.
pub(crate) fn notes(drafts: &[Draft]) -> Vec<String> {
    drafts
        .iter()
        .filter_map(|draft| match &draft.attachment {
            context_api::Attachment::Custom(custom) => Some(custom.text.clone()),
            context_api::Attachment::QueuedCommand(command) => Some(format!("queued {}", command.text)),
            _ => None,
        })
        .collect()
}

pub(crate) fn parts(input: &str) -> TurnParts {
    parts_in(Path::new("/p"), input)
}

pub(crate) fn parts_in(cwd: &Path, input: &str) -> TurnParts {
    let mut parts = TurnParts::new(
        cwd.to_path_buf(),
        "2026-04-25T12:00:00Z".parse().unwrap(),
        "2026-04-25".parse().unwrap(),
    );
    parts.input = Some(TurnInput { text: input.into(), ..TurnInput::default() });
    parts
}

pub(crate) fn with_queue(mut parts: TurnParts, texts: &[&str]) -> TurnParts {
    let queued = |text: &&str| HostEvent::Queued(QueuedInput::default().id(*text).mode("prompt").text(*text));
    parts.events = Arc::new(texts.iter().map(queued).collect());
    parts
}

/// Fails the test, rather than hanging it, when `act` does not return within seconds.
pub(crate) fn within_seconds<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(act()));
    receive.recv_timeout(Duration::from_secs(20)).expect("it did not return")
}

/// A reader of texts, straight from the disk.
pub(crate) struct PlainReader;

impl FileReader for PlainReader {
    fn read(&self, request: &ReadRequest) -> Result<ReadOutcome, ReadError> {
        let fail = |error: std::io::Error| ReadError::new(&request.path, ReadErrorKind::from(&error));
        let path: PathBuf = request.path.canonicalize().map_err(fail)?;
        if path.is_dir() {
            return Ok(ReadOutcome::default().path(path).content(FileContent::Directory(Default::default())));
        }
        let text = std::fs::read_to_string(&path).map_err(fail)?;
        let state = FileState::default().path(path.clone()).hash(text.clone()).lines(request.lines);
        let content = FileContent::Text(FileText::default().text(text).first_line(1u64));
        Ok(ReadOutcome::default().path(path).content(content).state(state))
    }
}
