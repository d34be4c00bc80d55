//! The search for memories: its guard, its selector, its disk.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use attachments::{
    FoundMemories, MemoryFinder, MemorySearch, MemorySelector, RelevantLimits, SelectError, SelectRequest,
};
use context_api::{
    AllowAll, Cancel, MemoryError, MemoryFile, MemoryLoad, MemoryLoader, MemoryScope, Threads,
};
use context_testkit::{Fault, FaultyFs, Place, wait};

use crate::support::*;

/// Knows of one directory of notes.
struct Notes(Option<PathBuf>);

impl MemoryLoader for Notes {
    fn load(&self, _: &MemoryScope) -> Result<MemoryLoad, MemoryError> {
        Ok(MemoryLoad::default())
    }
    fn load_for_path(&self, _: &MemoryScope, _: &std::path::Path) -> Result<MemoryLoad, MemoryError> {
        Ok(MemoryLoad::default())
    }
    fn render(&self, _: &[MemoryFile]) -> String {
        String::new()
    }
    fn notes_dir(&self, _: &MemoryScope) -> Option<PathBuf> {
        self.0.clone()
    }
}

/// How a selector behaves, and what it was asked.
#[derive(Clone, Default)]
struct Picks {
    does: Option<Does>,
    asked: Arc<Mutex<Vec<SelectRequest>>>,
    dropped: Arc<AtomicUsize>,
}

#[derive(Clone, Copy)]
enum Does {
    Hang,
    Panic,
    Fail,
    Last,
}

struct CountsDrops(Arc<AtomicUsize>);

impl Drop for CountsDrops {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl MemorySelector for Picks {
    async fn select(&self, request: &SelectRequest) -> Result<Option<Vec<PathBuf>>, SelectError> {
        self.asked.lock().unwrap().push(request.clone());
        let _counted = CountsDrops(Arc::clone(&self.dropped));
        match self.does {
            None => Ok(None),
            Some(Does::Hang) => std::future::pending().await,
            Some(Does::Panic) => panic!("on purpose"),
            Some(Does::Fail) => Err(SelectError("no key".into())),
            Some(Does::Last) => {
                Ok(Some(request.headers.last().map(|header| header.path.clone()).into_iter().collect()))
            }
        }
    }
}

struct World {
    place: Place,
    files: Arc<FaultyFs>,
    threads: Arc<dyn Threads>,
    limits: RelevantLimits,
}

impl World {
    fn new() -> Self {
        let place = Place::new();
        place.write("{home}/notes/deploy.md", "---\ndescription: How we deploy\n---\nUse make.\n");
        place.write("{home}/notes/style.md", "---\ndescription: Tabs and spaces\n---\nTabs.\n");
        let limits = RelevantLimits::default();
        Self { place, files: FaultyFs::new(), threads: Arc::new(Spawner::default()), limits }
    }

    fn finder(&self, selector: Option<Picks>) -> MemoryFinder {
        let notes = Notes(Some(self.place.home().join("notes")));
        let (files, threads) = (Arc::clone(&self.files), Arc::clone(&self.threads));
        let finder =
            MemoryFinder::new(Arc::new(notes), files, Arc::new(AllowAll), threads, self.limits.clone());
        finder.selector(selector.map(|picks| Arc::new(picks) as Arc<dyn MemorySelector>))
    }

    fn start(&self, finder: &MemoryFinder, text: &str) -> MemorySearch {
        let ask = finder.ask(&parts_in(&self.place.proj(), text)).unwrap().expect("worth it");
        finder.start(ask, &Cancel::new())
    }

    fn note(&self, name: &str) -> PathBuf {
        self.place.home().join("notes").join(name)
    }
}

fn names(found: &FoundMemories) -> Vec<String> {
    found.memories.iter().map(|one| one.path.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

fn reasons(found: &FoundMemories) -> Vec<&str> {
    found.decisions.iter().map(|one| &*one.reason).collect()
}

const ASKED: &str = "How do we deploy this?";

#[test]
fn words_decide_without_a_runtime_and_without_waiting_for_anybody() {
    within_seconds(|| {
        let world = World::new();
        let search = world.start(&world.finder(None), ASKED);
        let found = wait(search.settled());
        assert_eq!(names(&found), ["deploy.md"]);
        assert!(Arc::ptr_eq(&found, &search.found().unwrap()), "the same each time");
    });
}

#[test]
fn a_selector_sees_heads_and_decides_with_and_without_a_runtime() {
    within_seconds(|| {
        let world = World::new();
        let picks = Picks { does: Some(Does::Last), ..Picks::default() };
        let finder = world.finder(Some(picks.clone()));
        let first = wait(world.start(&finder, ASKED).settled());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let second = runtime.block_on(async { world.start(&finder, ASKED).settled().await });
        assert_eq!((names(&first).len(), names(&first)), (1, names(&second)));
        let asked = picks.asked.lock().unwrap();
        assert_eq!((asked.len(), asked[0].headers.len(), asked[0].most), (2, 2, 5));
        assert!(asked[0].headers.iter().all(|header| !header.first_lines.is_empty()));
    });
}

#[test]
fn a_selector_that_fails_panics_or_hangs_costs_nothing() {
    within_seconds(|| {
        for (does, reason) in [
            (Does::Fail, "selector_failed"),
            (Does::Panic, "selector_panicked"),
            (Does::Hang, "selector_too_slow"),
        ] {
            let mut world = World::new();
            world.limits.selector_wait = Duration::from_millis(50);
            let finder = world.finder(Some(Picks { does: Some(does), ..Picks::default() }));
            let alone = wait(world.start(&finder, ASKED).settled());
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let hosted = runtime.block_on(async { world.start(&finder, ASKED).settled().await });
            for found in [alone, hosted] {
                assert_eq!((names(&found), reasons(&found)), (vec!["deploy.md".to_owned()], vec![reason]));
            }
        }
    });
}

#[test]
fn dropping_the_guard_drops_what_the_selector_waits_for() {
    within_seconds(|| {
        let world = World::new();
        let picks = Picks { does: Some(Does::Hang), ..Picks::default() };
        let finder = world.finder(Some(picks.clone()));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        runtime.block_on(async {
            let search = world.start(&finder, ASKED);
            while picks.asked.lock().unwrap().is_empty() {
                tokio::task::yield_now().await;
            }
            assert!(search.found().is_none());
            drop(search);
            while picks.dropped.load(Ordering::SeqCst) == 0 {
                tokio::task::yield_now().await;
            }
        });
    });
}

#[test]
fn a_runtime_that_ends_leaves_it_to_the_words() {
    within_seconds(|| {
        let world = World::new();
        let picks = Picks { does: Some(Does::Hang), ..Picks::default() };
        let finder = world.finder(Some(picks.clone()));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let search = runtime.block_on(async { world.start(&finder, ASKED) });
        while picks.asked.lock().unwrap().is_empty() {
            std::thread::yield_now();
        }
        drop(runtime);
        let found = wait(search.settled());
        assert_eq!(
            (names(&found), reasons(&found)),
            (vec!["deploy.md".to_owned()], vec!["selector_dropped"])
        );
    });
}

#[test]
fn a_disk_that_hangs_is_known_and_costs_one_thread() {
    within_seconds(|| {
        let world = World::new();
        world.files.fail(world.note("deploy.md"), Fault::Hang);
        let search = world.start(&world.finder(None), ASKED);
        while !search.is_at_work() {
            std::thread::yield_now();
        }
        assert!(search.found().is_none());
        world.files.release();
        assert_eq!(names(&wait(search.settled())), ["deploy.md"]);
    });
}

#[test]
fn without_a_thread_or_notes_it_says_so_or_is_silent() {
    let mut world = World::new();
    world.threads = Arc::new(Stuck);
    let search = world.start(&world.finder(None), ASKED);
    assert_eq!(reasons(&search.found().expect("at once")), ["io_stalled"]);
    let world = World::new();
    let files = FaultyFs::new();
    let finder = MemoryFinder::new(
        Arc::new(Notes(None)),
        files,
        Arc::new(AllowAll),
        Arc::new(Spawner::default()),
        RelevantLimits::default(),
    );
    let found = wait(world.start(&finder, ASKED).settled());
    assert!(found.memories.is_empty() && found.decisions.is_empty());
}

#[test]
fn a_disk_that_fails_is_told() {
    let world = World::new();
    world.files.fail(world.note("deploy.md"), Fault::Error(std::io::ErrorKind::PermissionDenied));
    let found = wait(world.start(&world.finder(None), ASKED).settled());
    assert_eq!((names(&found), reasons(&found)), (Vec::new(), vec!["permission_denied"]));
    let world = World::new();
    world.files.fail(world.place.home().join("notes"), Fault::Error(std::io::ErrorKind::Other));
    let found = wait(world.start(&world.finder(None), ASKED).settled());
    assert_eq!(reasons(&found), ["io_error"]);
}
