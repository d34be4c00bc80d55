//! What the cache keeps, what it lets go, and what it says about edits.

use std::collections::BTreeMap;
use std::path::PathBuf;

use context_api::{FileState, StateKind, Verdict};
use jiff::Timestamp;
use proptest::prelude::*;

use super::*;

fn state(path: &str, content: &str) -> FileState {
    FileState::default().path(path).content(Arc::<str>::from(content)).hash(format!("#{content}"))
}

fn put(cache: &FileStateCache, path: &str, content: &str) -> Vec<Decision> {
    cache.apply(&StateChange::Put(state(path, content)))
}

fn paths(cache: &FileStateCache) -> Vec<String> {
    cache.view().iter().map(|state| state.path.to_string_lossy().into_owned()).collect()
}

fn stamp(mtime_ns: i64) -> Fingerprint {
    Fingerprint { mtime_ns, len: 4, inode: 9 }
}

#[test]
fn a_file_just_read_is_there_even_when_the_cache_is_full_of_often_used_ones() {
    let cache = FileStateCache::default();
    let name = |n: usize| format!("/p/f{n}.txt");
    (1..=100).for_each(|n| drop(put(&cache, &name(n), "x")));
    for _ in 0..10 {
        (1..=50).for_each(|n| drop(put(&cache, &name(n), "x")));
    }
    let mut evicted = Vec::new();
    for n in 101..=130 {
        evicted.extend(put(&cache, &name(n), "x").into_iter().map(|decision| decision.subject));
        assert!(cache.view().get(name(n).as_ref()).is_some(), "{n}");
    }
    assert_eq!(evicted, (51..=80).map(name).collect::<Vec<_>>());
    assert_eq!(cache.view().len(), 100);
}

#[test]
fn looking_at_a_state_does_not_keep_it_from_going() {
    let cache = FileStateCache::new(StateLimits::default().entries(2));
    put(&cache, "/a", "1");
    put(&cache, "/b", "2");
    let _ = cache.view().get("/a".as_ref());
    let _ = cache.may_edit("/a".as_ref(), None);
    cache.apply(&StateChange::Refresh { path: "/a".into(), fingerprint: stamp(1) });
    put(&cache, "/c", "3");
    assert_eq!(paths(&cache), ["/b", "/c"]);
}

#[test]
fn bytes_are_bounded_and_each_eviction_is_a_decision() {
    let cache = FileStateCache::new(StateLimits::default().bytes(10));
    put(&cache, "/a", "1234");
    put(&cache, "/b", "1234");
    let decisions = put(&cache, "/c", "123456789");
    assert_eq!(paths(&cache), ["/c"]);
    let seen: Vec<_> =
        decisions.iter().map(|d| (d.subject.as_str(), d.verdict, d.reason.as_str(), d.bytes)).collect();
    assert_eq!(
        seen,
        [
            ("/a", Verdict::LeftOut, "state_evicted", Some(4)),
            ("/b", Verdict::LeftOut, "state_evicted", Some(4))
        ]
    );
}

#[test]
fn content_larger_than_the_cache_leaves_hash_and_fingerprint_and_costs_no_other_entry() {
    let cache = FileStateCache::new(StateLimits::default().bytes(10));
    put(&cache, "/a", "1234");
    let decisions = put(&cache, "/big", "12345678901");
    assert_eq!(paths(&cache), ["/a", "/big"]);
    let view = cache.view();
    let big = view.get("/big".as_ref()).unwrap();
    assert_eq!((big.content.clone(), big.hash.as_str()), (None, "#12345678901"));
    assert_eq!((decisions.len(), decisions[0].reason.as_str()), (1, "state_content_too_large"));
}

#[test]
fn replacing_a_state_counts_its_bytes_once() {
    let cache = FileStateCache::new(StateLimits::default().bytes(10));
    for content in ["123456", "12", "1234567", "1"] {
        assert_eq!(put(&cache, "/a", content), []);
    }
    assert_eq!(put(&cache, "/b", "123456789"), []);
    assert_eq!(cache.store().bytes(), 10);
    cache.apply(&StateChange::Remove("/b/".into()));
    assert_eq!(cache.store().bytes(), 1);
}

#[test]
fn a_limit_of_zero_keeps_the_entry_just_written() {
    let cache = FileStateCache::new(StateLimits::default().entries(0).bytes(0));
    put(&cache, "/a", "1");
    put(&cache, "/b", "2");
    assert_eq!(paths(&cache), ["/b"]);
}

#[test]
fn all_spellings_of_a_path_are_one_entry() {
    let cache = FileStateCache::default();
    for spelling in ["/p/a.rs", "/p//a.rs", "/p/./a.rs", "/p/x/../a.rs", "/p/a.rs/"] {
        put(&cache, spelling, "x");
    }
    assert_eq!(paths(&cache), ["/p/a.rs"]);
    assert!(cache.may_edit("/p/y/../a.rs".as_ref(), Some(&Fingerprint::default())).is_ok());
    cache.apply(&StateChange::Remove("/p/./a.rs".into()));
    assert!(cache.view().is_empty());
}

#[test]
fn an_edit_waits_for_a_read_that_is_whole_and_fresh() {
    let cache = FileStateCache::default();
    let may = |now: Option<Fingerprint>| cache.may_edit("/a".as_ref(), now.as_ref());
    let whole = state("/a", "text").fingerprint(stamp(1));
    assert_eq!(may(Some(stamp(1))), Err(EditRefusal::NeverRead));
    cache.apply(&StateChange::Put(whole.clone().is_partial_view(true)));
    assert_eq!(may(Some(stamp(1))), Err(EditRefusal::PartView));
    cache.apply(&StateChange::Put(whole.clone().lines(context_api::LineSpan::default().start(1_u64))));
    assert_eq!(may(Some(stamp(1))), Err(EditRefusal::PartView));
    cache.apply(&StateChange::Put(whole));
    assert_eq!(may(Some(stamp(1))), Ok(()));
    assert_eq!(may(Some(stamp(2))), Err(EditRefusal::ChangedSince));
    assert_eq!(may(None), Err(EditRefusal::ChangedSince), "the file is gone");
    cache.apply(&StateChange::Refresh { path: "/a".into(), fingerprint: stamp(2) });
    assert_eq!(may(Some(stamp(2))), Ok(()), "touched, same bytes");
    cache.apply(&StateChange::Remove("/a".into()));
    assert_eq!(may(None), Err(EditRefusal::NeverRead), "deleted, and the session knows");
}

#[test]
fn a_refresh_of_an_unknown_file_makes_no_state() {
    let cache = FileStateCache::default();
    cache.apply(&StateChange::Refresh { path: "/a".into(), fingerprint: stamp(2) });
    assert!(cache.view().is_empty());
}

#[test]
fn a_part_read_after_the_whole_leaves_the_whole_unless_the_file_is_another() {
    let cache = FileStateCache::default();
    cache.apply(&StateChange::Put(state("/a", "text").fingerprint(stamp(1))));
    let part = state("/a", "text").lines(context_api::LineSpan::default().start(2_u64));
    cache.apply(&StateChange::Put(part.clone().fingerprint(stamp(2))));
    let view = cache.view();
    let kept = view.get("/a".as_ref()).unwrap();
    assert!(kept.is_whole() && kept.fingerprint == stamp(2), "{kept:?}");
    cache.apply(&StateChange::Put(part.hash("#other")));
    assert!(!cache.view().get("/a".as_ref()).unwrap().is_whole());
}

#[test]
fn a_view_is_made_once_until_something_changes() {
    let cache = FileStateCache::default();
    put(&cache, "/a", "1");
    let address = |view: &StatesView| view.get("/a".as_ref()).map(Arc::as_ptr);
    let (first, second) = (cache.view(), cache.view());
    assert_eq!(address(&first), address(&second));
    put(&cache, "/b", "2");
    assert_eq!((first.len(), cache.view().len()), (1, 2), "a view taken earlier stays as it was");
    cache.apply(&StateChange::Refresh { path: "/a".into(), fingerprint: stamp(7) });
    assert_eq!(first.get("/a".as_ref()).unwrap().fingerprint, Fingerprint::default());
    assert_eq!(cache.view().get("/a".as_ref()).unwrap().fingerprint, stamp(7));
}

#[test]
fn a_fork_goes_its_own_way_and_keeps_the_order_of_use() {
    let cache = FileStateCache::new(StateLimits::default().entries(3));
    for path in ["/a", "/b", "/c", "/a"] {
        put(&cache, path, "1");
    }
    let fork: Arc<dyn FileStates> = cache.fork();
    let gone = fork.apply(&StateChange::Put(state("/d", "1")));
    assert_eq!(gone[0].subject, "/b");
    assert_eq!(paths(&cache), ["/a", "/b", "/c"]);
}

#[test]
fn a_merge_takes_the_newer_read_of_each_file() {
    let at = |second| Timestamp::from_second(second).unwrap();
    let ours = FileStateCache::default();
    let theirs = FileStateCache::default();
    for (cache, path, content, second) in [
        (&ours, "/both", "ours", 5),
        (&theirs, "/both", "theirs", 6),
        (&ours, "/mine", "ours", 6),
        (&theirs, "/mine", "theirs", 5),
        (&ours, "/tie", "ours", 5),
        (&theirs, "/tie", "theirs", 5),
        (&theirs, "/new", "theirs", 1),
        (&ours, "/only", "ours", 1),
    ] {
        cache.apply(&StateChange::Put(state(path, content).read_at(at(second))));
    }
    assert_eq!(ours.merge(&theirs.view()), []);
    let contents: Vec<_> = ours.view().iter().map(|s| (s.path.clone(), s.content.clone().unwrap())).collect();
    let expected =
        [("/both", "theirs"), ("/mine", "ours"), ("/new", "theirs"), ("/only", "ours"), ("/tie", "ours")];
    assert_eq!(contents, expected.map(|(path, content)| (PathBuf::from(path), content.into())));
}

#[test]
fn hash_only_states_of_pictures_take_no_bytes() {
    let cache = FileStateCache::new(StateLimits::default().bytes(0));
    let picture = FileState::default().path("/a.png").hash("#").kind(StateKind::Image);
    cache.apply(&StateChange::Put(picture.clone()));
    cache.apply(&StateChange::Put(picture.path("/b.png")));
    assert_eq!(cache.view().len(), 2);
}

/// A list of (path, content bytes), the most recently used last: what the cache is meant to be.
#[derive(Default)]
struct Naive(Vec<(String, usize)>);

impl Naive {
    fn put(&mut self, path: String, bytes: usize, limits: StateLimits) {
        self.0.retain(|(known, _)| *known != path);
        self.0.push((path, if bytes > limits.bytes { 0 } else { bytes }));
        while self.0.len() > limits.entries
            || self.0.iter().map(|(_, bytes)| bytes).sum::<usize>() > limits.bytes
        {
            self.0.remove(0);
        }
    }
}

#[derive(Debug, Clone)]
enum Step {
    Put(u8, usize),
    Remove(u8),
    Refresh(u8),
    Look(u8),
    Fork,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0u8..12, 0usize..40).prop_map(|(path, bytes)| Step::Put(path, bytes)),
        1 => (0u8..12).prop_map(Step::Remove),
        1 => (0u8..12).prop_map(Step::Refresh),
        1 => (0u8..12).prop_map(Step::Look),
        1 => Just(Step::Fork),
    ]
}

proptest! {
    #[test]
    fn any_sequence_keeps_both_bounds_and_equals_a_naive_list(
        steps in prop::collection::vec(step(), 0..60), entries in 1usize..8, bytes in 0usize..100,
    ) {
        let limits = StateLimits::default().entries(entries).bytes(bytes);
        let mut cache = FileStateCache::new(limits);
        let mut naive = Naive::default();
        let name = |n: u8| format!("/p/{n:02}");
        for step in steps {
            match step {
                Step::Put(n, size) => {
                    put(&cache, &name(n), &"x".repeat(size));
                    naive.put(name(n), size, limits);
                    prop_assert!(cache.view().get(name(n).as_ref()).is_some());
                }
                Step::Remove(n) => {
                    cache.apply(&StateChange::Remove(name(n).into()));
                    naive.0.retain(|(known, _)| *known != name(n));
                }
                Step::Refresh(n) => {
                    cache.apply(&StateChange::Refresh { path: name(n).into(), fingerprint: stamp(i64::from(n)) });
                }
                Step::Look(n) => drop(cache.may_edit(name(n).as_ref(), None)),
                Step::Fork => cache = cache.clone(),
            }
            let kept: BTreeMap<_, _> = naive.0.iter().cloned().collect();
            let sizes = |s: &Arc<FileState>| s.content.as_ref().map_or(0, |text| text.len());
            let seen: BTreeMap<_, _> =
                cache.view().iter().map(|s| (s.path.to_string_lossy().into_owned(), sizes(s))).collect();
            prop_assert!(seen.len() <= entries && seen.values().sum::<usize>() <= bytes);
            prop_assert_eq!(cache.store().bytes(), seen.values().sum::<usize>());
            prop_assert_eq!(seen, kept);
        }
    }
}
