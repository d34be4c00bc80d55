//! Looking for memories in the background.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use context_api::{Cancel, Decision, FileSystem, Job, MemoryLoader, ReadPolicy, Threads, TurnParts, Verdict};
use tokio::runtime::Handle;

use super::bm25::{Document, Weights, ranked};
use super::disk::Disk;
use super::read::read;
use super::scan::Scan;
use super::search::{AtWork, MemorySearch, Place};
use super::select::{Choice, MemorySelector, SelectRequest, places};
use super::{FoundMemories, KIND, MemoryAsk, MemoryHeader, RelevantLimits};
use crate::bus::{Timer, drive, panic_message};

/// Looks for memories that match what the user asks: among the notes about the project, and those of agents that are named.
/// Shared by all sessions of an engine. Cheap to clone.
#[derive(Clone)]
pub struct MemoryFinder(Arc<Sources>);

struct Sources {
    loader: Arc<dyn MemoryLoader>,
    files: Arc<dyn FileSystem>,
    policy: Arc<dyn ReadPolicy>,
    threads: Arc<dyn Threads>,
    selector: Option<Arc<dyn MemorySelector>>,
    limits: RelevantLimits,
    timer: Timer,
    disk: Arc<Disk>,
}

impl MemoryFinder {
    /// A finder among the notes that `loader` knows of, by the words that they share with the text; it looks on `threads`.
    pub fn new(
        loader: Arc<dyn MemoryLoader>,
        files: Arc<dyn FileSystem>,
        policy: Arc<dyn ReadPolicy>,
        threads: Arc<dyn Threads>,
        limits: RelevantLimits,
    ) -> Self {
        let (timer, disk) = (Timer::default(), Arc::default());
        Self(Arc::new(Sources { loader, files, policy, threads, selector: None, limits, timer, disk }))
    }

    /// The same with somebody who chooses.
    pub fn selector(self, selector: Option<Arc<dyn MemorySelector>>) -> Self {
        let Sources { loader, files, policy, threads, limits, timer, disk, .. } = &*self.0;
        Self(Arc::new(Sources {
            loader: Arc::clone(loader),
            files: Arc::clone(files),
            policy: Arc::clone(policy),
            threads: Arc::clone(threads),
            limits: limits.clone(),
            timer: timer.clone(),
            disk: Arc::clone(disk),
            selector,
        }))
    }

    /// The limits.
    pub fn limits(&self) -> &RelevantLimits {
        &self.0.limits
    }

    /// What a turn is to look for, if anything.
    ///
    /// # Errors
    /// The decision where the session has been shown as much as it may, or its profile leaves notes out.
    pub fn ask(&self, parts: &TurnParts) -> Result<Option<MemoryAsk>, Decision> {
        if self.0.limits.files == 0 {
            return Ok(None);
        }
        MemoryAsk::of(parts, &self.0.limits)
    }

    /// What to look for about a text, whoever said it.
    ///
    /// # Errors
    /// The decision where the session's profile leaves notes out.
    pub fn ask_about(&self, parts: &TurnParts, text: impl Into<Arc<str>>) -> Result<MemoryAsk, Decision> {
        MemoryAsk::about(parts, text.into())
    }

    /// Starts a search, which ends with `cancel` or when its guard is dropped. Never blocks.
    pub fn start(&self, ask: MemoryAsk, cancel: &Cancel) -> MemorySearch {
        let (place, cancel) = (Arc::new(Place::default()), cancel.child());
        if self.0.disk.give_up(self.0.limits.disk_wait) {
            place.settle(only(still_at_the_disk()));
            return MemorySearch::new(place, cancel);
        }
        let work = Work {
            sources: Arc::clone(&self.0),
            ask,
            cancel: cancel.clone(),
            place: Arc::clone(&place),
            host: Handle::try_current().ok(),
        };
        let job = Job::new(cancel.clone(), move || work.caught(Work::look));
        if self.0.threads.spawn(job).is_err() {
            place.settle(only(io_stalled()));
        }
        MemorySearch::new(place, cancel)
    }
}

impl std::fmt::Debug for MemoryFinder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryFinder").field("limits", &self.0.limits).finish_non_exhaustive()
    }
}

/// One search at work.
struct Work {
    sources: Arc<Sources>,
    ask: MemoryAsk,
    cancel: Cancel,
    place: Arc<Place>,
    /// The host's runtime; the handle does not keep it alive.
    host: Option<Handle>,
}

/// What was seen before anybody chose.
struct Looked {
    headers: Vec<MemoryHeader>,
    decisions: Vec<Decision>,
}

impl Work {
    /// Takes a step, past a panic in somebody else's part.
    fn caught(self, step: impl FnOnce(Self)) {
        let place = Arc::clone(&self.place);
        let _at_work = AtWork::begin(&place);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| step(self))) {
            let detail = format!("The search panicked: {}.", panic_message(&*panic));
            place.settle(only(Decision::failed(KIND, "search_panicked", detail)));
        }
    }

    /// Reads the heads of all memories, and has somebody choose. Runs where it may block.
    fn look(self) {
        let looked = self.looked();
        match &self.sources.selector {
            _ if self.cancel.is_cancelled() => {}
            Some(selector) if !looked.headers.is_empty() => {
                let selector = Arc::clone(selector);
                self.have_chosen(selector, looked);
            }
            _ => self.finish(looked, None),
        }
    }

    fn looked(&self) -> Looked {
        let _at_the_disk = self.sources.disk.begin(&self.cancel, &self.place);
        let Sources { loader, files, policy, limits, .. } = &*self.sources;
        let mut decisions = Vec::new();
        // Without notes about the project none are looked for at all.
        let directories: Vec<PathBuf> = match loader.notes_dir(&self.ask.scope) {
            Some(notes) => std::iter::once(notes).chain(self.ask.stores.iter().cloned()).collect(),
            None => Vec::new(),
        };
        let scan = Scan {
            files: &**files,
            policy: &**policy,
            limits,
            known: &self.ask.known,
            now: self.ask.now,
            cancel: &self.cancel,
        };
        let headers = scan.headers(&directories, &mut decisions);
        Looked { headers, decisions }
    }

    /// Asks the selector: as a task of the host's runtime, so that no thread waits for a model; here where there is none.
    fn have_chosen(self, selector: Arc<dyn MemorySelector>, looked: Looked) {
        let request = SelectRequest {
            text: Arc::clone(&self.ask.text),
            headers: looked.headers.clone(),
            tools: self.ask.tools.clone(),
            most: self.sources.limits.files,
        };
        let (sources, cancel) = (Arc::clone(&self.sources), self.cancel.clone());
        let Some(host) = self.host.clone() else {
            let choosing = choose(&*selector, &request, &sources);
            if let Some(choice) = drive(choosing, &cancel) {
                self.finish(looked, Some(choice));
            }
            return;
        };
        // Where the runtime ends before the task does, the words decide.
        let waiting = Waiting(Some((self, looked)));
        host.spawn(async move {
            let mut cancelled = pin!(cancel.cancelled());
            let mut choosing = pin!(choose(&*selector, &request, &sources));
            let choice = poll_fn(|cx| match cancelled.as_mut().poll(cx) {
                Poll::Ready(()) => Poll::Ready(None),
                Poll::Pending => choosing.as_mut().poll(cx).map(Some),
            });
            if let Some(choice) = choice.await {
                waiting.goes_on(choice);
            }
        });
    }

    /// Reads what was chosen, else what the words choose. Runs where it may block.
    fn finish(self, looked: Looked, choice: Option<Choice>) {
        let Looked { headers, mut decisions } = looked;
        let limits = &self.sources.limits;
        let chosen = match choice {
            Some(Choice::Chosen(paths)) => places(&headers, &paths, limits.files, &mut decisions),
            Some(Choice::Without(why)) => {
                decisions.push(why);
                by_words(&self.ask.text, &headers, limits)
            }
            Some(Choice::Left) | None => by_words(&self.ask.text, &headers, limits),
        };
        let _at_the_disk = self.sources.disk.begin(&self.cancel, &self.place);
        let mut found = FoundMemories { memories: Vec::new(), decisions };
        let mut left_out = 0_usize;
        for place in chosen {
            if self.cancel.is_cancelled() {
                return;
            }
            if found.memories.len() == limits.files {
                left_out += 1;
                continue;
            }
            match read(&*self.sources.files, &*self.sources.policy, &headers[place], limits) {
                Ok((memory, cut)) => {
                    found.memories.push(memory);
                    found.decisions.extend(cut);
                }
                Err(why) => found.decisions.push(why),
            }
        }
        if left_out > 0 {
            let detail = format!("{left_out} more memories share words with the text.");
            found.decisions.push(Decision::left_out(KIND, "not_among_the_best", detail));
        }
        self.place.settle(found);
    }
}

/// A search whose selector was asked. Dropped unasked, it goes on without.
struct Waiting(Option<(Work, Looked)>);

impl Waiting {
    fn goes_on(mut self, choice: Choice) {
        self.hand_over(choice);
    }

    /// Reads on a thread of the engine: a task of the host must not block.
    fn hand_over(&mut self, choice: Choice) {
        let Some((work, looked)) = self.0.take() else { return };
        let (threads, place) = (Arc::clone(&work.sources.threads), Arc::clone(&work.place));
        let job = Job::new(work.cancel.clone(), move || {
            work.caught(|work| work.finish(looked, Some(choice)));
        });
        if threads.spawn(job).is_err() {
            place.settle(only(io_stalled()));
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.0.as_ref().is_some_and(|(work, _)| !work.cancel.is_cancelled()) {
            let detail = "The host's runtime ended before the selector answered; the words decided.";
            self.hand_over(Choice::Without(Decision::failed("memory_selector", "selector_dropped", detail)));
        }
    }
}

/// What the selector says, no later than it may and past a panic in it.
async fn choose(selector: &dyn MemorySelector, request: &SelectRequest, sources: &Sources) -> Choice {
    let wait = sources.limits.selector_wait;
    let mut over = pin!(sources.timer.until(Instant::now() + wait));
    let mut asked = pin!(async { selector.select(request).await });
    poll_fn(|cx| {
        let polled = catch_unwind(AssertUnwindSafe(|| asked.as_mut().poll(cx)));
        Poll::Ready(match polled {
            Ok(Poll::Ready(Ok(Some(paths)))) => Choice::Chosen(paths),
            Ok(Poll::Ready(Ok(None))) => Choice::Left,
            Ok(Poll::Ready(Err(error))) => {
                without(Verdict::Failed, "selector_failed", &format!("failed: {error}"))
            }
            Ok(Poll::Pending) => match over.as_mut().poll(cx) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(()) => without(
                    Verdict::TimedOut,
                    "selector_too_slow",
                    &format!("had not answered after {} ms", wait.as_millis()),
                ),
            },
            Err(panic) => without(
                Verdict::Failed,
                "selector_panicked",
                &format!("panicked: {}", panic_message(&*panic)),
            ),
        })
    })
    .await
}

fn without(verdict: Verdict, reason: &str, what: &str) -> Choice {
    let detail = format!("The selector {what}; the words decided.");
    Choice::Without(Decision::new("memory_selector", verdict, reason, detail))
}

/// Places of the headers that share words with a text, the best first.
fn by_words(text: &str, headers: &[MemoryHeader], limits: &RelevantLimits) -> Vec<usize> {
    let titles: Vec<String> = headers.iter().map(MemoryHeader::title).collect();
    let documents: Vec<Document<'_>> =
        headers.iter().zip(&titles).map(|(header, title)| header.document(title)).collect();
    let weights = Weights {
        saturation: limits.saturation,
        length: limits.length,
        title: limits.title,
        least_words: limits.least_words,
    };
    ranked(text, &documents, &weights)
}

pub(super) fn only(decision: Decision) -> FoundMemories {
    FoundMemories { memories: Vec::new(), decisions: vec![decision] }
}

fn still_at_the_disk() -> Decision {
    let detail = "An earlier search has not come back from the disk; no other is sent there.";
    Decision::left_out(KIND, "still_running", detail)
}

fn io_stalled() -> Decision {
    let detail = "All threads for input and output are stuck; memories are not looked for.";
    Decision::failed(KIND, "io_stalled", detail)
}
