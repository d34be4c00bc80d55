//! The check beside somebody who writes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use context_api::StateChange;
use file_reader::ChangeLimits;
use local_fs::LocalFs;

use crate::session::*;
use crate::support::*;

/// A version of a file that is whole.
fn version(n: usize) -> String {
    format!("version {n:06}\n").repeat(300 + n % 40)
}

/// Looks each few milliseconds while `write` makes so many versions, and some more times afterwards; what the model has been
/// told in the end is what is on the disk, each text told is a whole version, and no file was taken for deleted.
fn look_beside(write: impl Fn(&Path, usize) + Send + 'static) {
    let session = Session::with(LocalFs, context_api::AllowAll, RealClock, ChangeLimits::default());
    let path = session.place.write("a.txt", version(0));
    session.read(&path);
    let writer = std::thread::spawn({
        let path = path.clone();
        move || {
            let mut slowest = Duration::ZERO;
            for n in 1..=60 {
                let begin = Instant::now();
                write(&path, n);
                slowest = slowest.max(begin.elapsed());
                std::thread::sleep(Duration::from_millis(if n % 5 == 0 { 70 } else { 2 }));
            }
            slowest
        }
    });
    let (mut told, begin) = (Vec::new(), Instant::now());
    let mut after = 0;
    while after < 4 {
        after += usize::from(writer.is_finished());
        assert!(begin.elapsed() < Duration::from_secs(60), "it never ends");
        let report = session.turn();
        assert_eq!(report.removed, Vec::<PathBuf>::new(), "taken for deleted");
        told.extend(report.changes.into_iter().flat_map(|change| change.states));
        std::thread::sleep(Duration::from_millis(1));
    }
    let slowest = writer.join().expect("the writer");
    let texts: Vec<_> = told
        .iter()
        .map(|change| match change {
            StateChange::Put(state) => state.content.clone().expect("a text"),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(texts.last().map(|text| &**text), Some(&*version(60)), "the final content is told");
    assert_eq!(texts.iter().filter(|text| ***text == *version(60)).count(), 1, "and told once");
    assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "nothing is told twice in a row");
    // A writer that stood still within a write for as long as a file has to be quiet left it torn for anybody to see.
    let is_whole = |text: &str| (0..=60).any(|n| text == version(n));
    assert!(slowest > Duration::from_millis(10) || texts.iter().all(|text| is_whole(text)), "torn");
}

#[test]
fn beside_renaming_each_text_told_is_whole_and_the_last_is_told_once() {
    look_beside(|path, n| {
        let next = path.with_extension("next");
        fs::write(&next, version(n)).unwrap();
        fs::rename(&next, path).unwrap();
    });
}

#[test]
fn beside_removing_and_writing_anew_nothing_is_taken_for_deleted() {
    look_beside(|path, n| {
        let next = path.with_extension("next");
        fs::write(&next, version(n)).unwrap();
        fs::remove_file(path).unwrap();
        fs::rename(&next, path).unwrap();
    });
}

#[test]
fn beside_writing_in_place_the_last_is_told_once() {
    look_beside(|path, n| fs::write(path, version(n)).unwrap());
}
