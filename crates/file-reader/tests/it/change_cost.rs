//! When facts are enough, and when a file has to be read.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use context_api::ChangeReport;
use context_testkit::{FaultyFs, FixedClock};
use file_reader::ChangeLimits;
use local_fs::LocalFs;

use crate::session::*;

#[test]
fn a_hundred_unchanged_files_cost_one_look_each_and_no_read() {
    let faulty = FaultyFs::new();
    let clock = FixedClock::at("2024-11-14T22:13:30Z", "2024-11-14");
    let session = Session::with(faulty.clone(), context_api::AllowAll, clock, ChangeLimits::default());
    (0..100).for_each(|n| drop(session.write_and_read(&format!("f{n}.txt"), "x\n")));
    let before = faulty.calls();
    assert_eq!(session.turn(), ChangeReport::default());
    assert_eq!(faulty.calls() - before, 100);
}

#[test]
fn a_change_with_the_time_and_length_of_before_is_found_where_the_time_proves_nothing() {
    let clock = FixedClock::at("2023-11-14T22:13:30Z", "2023-11-14");
    let session = Session::with(LocalFs, context_api::AllowAll, clock, ChangeLimits::default());
    let write_at = |content: &str, seconds: u64| {
        let path = session.place.write("a.txt", content);
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        path
    };
    let read_at = 1_700_000_010;
    for (age, found) in [(0, true), (2, true), (3, false)] {
        let path = write_at("one\n", read_at - age);
        session.read(&path);
        write_at("two\n", read_at - age);
        assert_eq!(session.turn().changes.len(), usize::from(found), "{age} s before the read");
    }
}

#[test]
fn a_file_read_soon_after_its_last_change_is_compared_once_and_not_every_turn() {
    let clock = Arc::new(FixedClock::at("2023-11-14T22:13:21Z", "2023-11-14"));
    let faulty = FaultyFs::new();
    let session =
        Session::with(faulty.clone(), context_api::AllowAll, clock.clone(), ChangeLimits::default());
    let path = session.place.write("a.txt", "one\n");
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    session.read(&path);
    let calls = || {
        let before = faulty.calls();
        assert_eq!(session.turn(), ChangeReport::default());
        faulty.calls() - before
    };
    assert!(calls() > 1 && calls() > 1, "too fresh to be settled");
    clock.set("2023-11-14T22:14:00Z", "2023-11-14");
    assert!(calls() > 1, "compared once more");
    assert_eq!((calls(), calls()), (1, 1), "and then known by its facts");
}
