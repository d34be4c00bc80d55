//! What the check for changed files finds, and what it says of it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use context_api::{Access, ChangeKind, ChangeReport, FileReader, FileSystem, ReadPolicy, StateChange};
use context_testkit::{Fault, FaultyFs, FixedClock};
use file_reader::ChangeLimits;
use local_fs::LocalFs;

use crate::session::*;
use crate::support::*;

#[test]
fn a_snippet_is_the_difference_with_its_line_number_and_little_else() {
    let session = Session::new();
    let path = session.write_and_read("a.txt", rows(200));
    session.write("a.txt", rows(200).replace("line150\n", "MARK_150\n"));
    let report = session.turn();
    let change = only(&report);
    assert_eq!((&change.path, change.kind, change.added, change.removed), (&path, ChangeKind::Text, 1, 1));
    insta::assert_snapshot!(change.snippet, @r"
    Lines 147 to 153 before, now:
    147	line147
    148	line148
    149	line149
    150	MARK_150
    151	line151
    152	line152
    153	line153
    ");
    assert!(report.decisions.is_empty());
}

#[test]
fn a_change_is_reported_once_and_the_next_one_against_the_new_text() {
    let session = Session::new();
    let path = session.write_and_read("a.txt", rows(9));
    session.write("a.txt", rows(9).replace("line5", "five"));
    assert_eq!(session.turn().changes.len(), 1);
    assert_eq!(session.turn(), ChangeReport::default());
    session.write("a.txt", rows(9).replace("line5", "five").replace("line1\n", ""));
    let report = session.turn();
    assert!(!only(&report).snippet.contains("five\n") && only(&report).removed == 1, "{report:?}");
    assert_eq!(
        session.state(&path).unwrap().content.as_deref(),
        Some(&*rows(9).replace("line5", "five").replace("line1\n", ""))
    );
    session.write("a.txt", rows(9));
    assert_eq!(only(&session.turn()).added, 2, "back to what it was is a change too");
}

#[test]
fn what_is_not_delivered_is_reported_again() {
    let session = Session::new();
    session.write_and_read("a.txt", "one\n");
    session.write("a.txt", "two\n");
    assert_eq!(session.look(), session.look());
    assert_eq!(session.look().changes.len(), 1);
}

#[test]
fn a_touched_file_with_the_same_bytes_is_no_change_and_gets_its_new_time() {
    let session = Session::new();
    let path = session.write_and_read("a.txt", "same\r\nbytes\r\n");
    let before = session.state(&path).unwrap().fingerprint;
    session.touch(&path);
    let report = session.turn();
    assert_eq!((report.changes.len(), report.refreshed.len(), report.decisions.len()), (0, 1, 0));
    let now = session.state(&path).unwrap();
    assert!(now.fingerprint.mtime_ns > before.mtime_ns && now.is_whole());
    assert_eq!(session.turn(), ChangeReport::default());
}

#[test]
fn another_encoding_of_the_same_text_is_no_change() {
    let session = Session::new();
    session.write_and_read("a.txt", "text\n");
    session.write("a.txt", b"\xEF\xBB\xBFtext\n");
    assert_eq!(session.turn().changes, []);
}

#[test]
fn an_edit_that_the_model_made_itself_is_silent_and_what_a_formatter_adds_is_not() {
    let session = Session::new();
    let path = session.write_and_read("a.txt", "old\n");
    session.write("a.txt", "MARK_NEW\n");
    session.read(&path);
    assert_eq!(session.turn(), ChangeReport::default());
    session.write("a.txt", "MARK_NEW\nformatted\n");
    let report = session.turn();
    assert_eq!((only(&report).added, only(&report).removed), (1, 0));
}

#[test]
fn a_deleted_file_leaves_without_a_word_and_once() {
    let session = Session::new();
    let path = session.write_and_read("a.txt", "x\n");
    fs::remove_file(&path).unwrap();
    let report = session.turn();
    assert_eq!(report, ChangeReport::default().removed(vec![path.clone()]));
    assert_eq!(session.turn(), ChangeReport::default());
    assert_eq!(session.state(&path), None);
}

/// The disk, where a path is missing for the first so many looks.
struct Flickering {
    path: &'static str,
    looks: std::sync::atomic::AtomicU32,
}

impl FileSystem for Flickering {
    fn metadata(&self, path: &Path, follow: context_api::Follow) -> io::Result<context_api::FileMeta> {
        let less = |left: u32| left.checked_sub(1);
        if path.ends_with(self.path)
            && self.looks.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok()
        {
            return Err(io::ErrorKind::NotFound.into());
        }
        LocalFs.metadata(path, follow)
    }
    fn open(&self, path: &Path) -> io::Result<context_api::OpenFile> {
        LocalFs.open(path)
    }
    fn read_dir(&self, path: &Path) -> io::Result<context_api::DirEntries> {
        LocalFs.read_dir(path)
    }
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        LocalFs.canonicalize(path)
    }
}

#[test]
fn a_file_that_is_back_at_the_second_look_was_never_gone() {
    let flickering = Flickering { path: "a.txt", looks: 0.into() };
    let fs = Arc::new(flickering);
    let session =
        Session::with(fs.clone(), context_api::AllowAll, FixedClock::default(), ChangeLimits::default());
    session.write_and_read("a.txt", "one\n");
    session.write("a.txt", "two\n");
    fs.looks.store(1, Ordering::SeqCst);
    let report = session.turn();
    assert_eq!((only(&report).added, report.removed.len()), (1, 0));
}

#[test]
fn only_not_found_removes_a_state() {
    for kind in [io::ErrorKind::PermissionDenied, io::ErrorKind::Other, io::ErrorKind::TimedOut] {
        let faulty = FaultyFs::new();
        let session = Session::with(
            faulty.clone(),
            context_api::AllowAll,
            FixedClock::default(),
            ChangeLimits::default(),
        );
        let path = session.write_and_read("a.txt", "x\n");
        faulty.fail(path.clone(), Fault::Error(kind));
        let report = session.turn();
        assert_eq!(
            (report.changes.len(), report.removed.len(), report.decisions.len()),
            (0, 0, 1),
            "{kind:?}"
        );
        assert!(session.state(&path).is_some());
        assert!(!report.decisions[0].detail.contains("os error"));
    }
}

/// A policy that changes its mind.
struct LaterDenied(AtomicBool);

impl ReadPolicy for LaterDenied {
    fn check(&self, path: &Path) -> Access {
        if self.0.load(Ordering::SeqCst) && path.ends_with(".env") {
            return Access::Denied { rule: "Read(./.env)".into() };
        }
        Access::Allowed
    }
}

#[test]
fn a_denied_file_is_named_at_most_and_only_when_it_changed() {
    let policy = Arc::new(LaterDenied(false.into()));
    let session = Session::with(LocalFs, policy.clone(), FixedClock::default(), ChangeLimits::default());
    let path = session.write_and_read(".env", "K=old\n");
    policy.0.store(true, Ordering::SeqCst);
    assert_eq!(session.turn(), ChangeReport::default());
    session.write(".env", "K=MARK_SECRET\n");
    let report = session.turn();
    let change = only(&report);
    assert_eq!((change.kind, &change.path), (ChangeKind::Withheld, &path));
    assert!(!format!("{report:?}").contains("MARK_SECRET"));
    assert_eq!(change.states, [StateChange::Remove(path)]);
    assert_eq!(report.decisions[0].reason, "denied_by_policy");
    assert_eq!(session.turn(), ChangeReport::default(), "told once");
}

#[test]
fn a_file_that_became_a_link_to_a_denied_one_shows_nothing() {
    let policy = Arc::new(LaterDenied(true.into()));
    let session = Session::with(LocalFs, policy, FixedClock::default(), ChangeLimits::default());
    let path = session.write_and_read("a.txt", "x\n");
    session.write(".env", "MARK_SECRET\n");
    fs::remove_file(&path).unwrap();
    session.place.link("a.txt", ".env");
    let report = session.turn();
    assert_eq!(only(&report).kind, ChangeKind::Withheld);
    assert!(!format!("{report:?}").contains("MARK_SECRET"));
}

#[test]
fn files_read_in_part_are_not_looked_at() {
    let session = Session::new();
    let path = session.write("a.txt", rows(9));
    for part in [lines(&path, 2, 3), whole(&path)] {
        let mut state = session.reader.read(&part).unwrap().state.unwrap();
        state.is_partial_view = part.lines.is_none();
        session.apply(&StateChange::Put(state));
        session.write("a.txt", "other\n");
        assert_eq!(session.turn(), ChangeReport::default());
        session.write("a.txt", rows(9));
    }
}

#[test]
fn files_that_match_a_pattern_are_left_out_with_a_decision() {
    let session = Session::new();
    let (check, problems) = session.check.ignoring(&["*.lock".into(), "target/".into()]);
    assert_eq!(problems, []);
    let session = Session { check, ..session };
    for name in ["Cargo.lock", "target/x.txt", "a.txt"] {
        session.write_and_read(name, "one\n");
        session.write(name, "two\n");
    }
    let report = session.turn();
    assert!(only(&report).path.ends_with("a.txt"));
    assert_eq!(decided(&report), ["ignored_by_pattern", "ignored_by_pattern"]);
}

#[test]
fn a_file_that_turned_into_something_else_is_a_decision() {
    for (bytes, reason) in
        [(&b"\x7FELF\x02\x01\x01\0\0\0\0\0\0"[..], "turned_binary"), (&[b' '; 3_000_000][..], "too_large")]
    {
        let session = Session::new();
        let path = session.write_and_read("a.txt", "text\n");
        session.write("a.txt", bytes);
        let report = session.turn();
        assert_eq!((report.changes.len(), decided(&report)), (0, vec![reason]));
        assert!(session.state(&path).is_some());
    }
    let session = Session::new();
    let path = session.write_and_read("a.txt", "text\n");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(decided(&session.turn()), ["not_a_regular_file"]);
}

#[test]
fn emptied_and_filled_files_are_changes() {
    let session = Session::new();
    session.write_and_read("a.txt", rows(3));
    session.write("a.txt", "");
    insta::assert_snapshot!(only(&session.turn()).snippet, @"Lines 1 to 3 before, now nothing.");
    session.write("a.txt", "a\nb");
    insta::assert_snapshot!(only(&session.turn()).snippet, @"
    After line 0, now:
    1	a
    2	b
    ");
}

#[test]
fn line_ends_are_told_where_lines_do_not_show_them() {
    let session = Session::new();
    session.write_and_read("a.txt", "a\nb\n");
    for (content, snippet) in [
        ("a\r\nb\r\n", "The lines end in CRLF now, before in LF."),
        ("a\r\nb", "The last line has no line end now."),
        ("a\nb\n", "The lines end in LF now, before in CRLF.\nThe last line has a line end now."),
    ] {
        session.write("a.txt", content);
        let report = session.turn();
        assert_eq!((&*only(&report).snippet, only(&report).added), (snippet, 0));
    }
}

#[test]
fn the_order_is_that_of_the_bytes_of_the_paths() {
    let session = Session::new();
    for name in ["b/a", "b-c", "Z", "ä", "a"] {
        session.write_and_read(name, "1\n");
        session.write(name, "2\n");
    }
    let names: Vec<_> = session.turn().changes.into_iter().map(|change| change.path).collect();
    let expected = ["Z", "a", "b-c", "b/a", "ä"].map(|name| session.place.path(name));
    assert_eq!(names, expected);
}

#[test]
fn content_that_was_too_large_to_keep_is_told_by_name() {
    let session = Session::new();
    let path = session.write_and_read("a.txt", "one\n");
    let mut state = session.state(&path).unwrap().as_ref().clone();
    state.content = None;
    session.apply(&StateChange::Put(state));
    assert_eq!(session.turn(), ChangeReport::default(), "the hash tells that it is the same");
    session.write("a.txt", "two\n");
    let report = session.turn();
    assert_eq!((only(&report).kind, decided(&report)), (ChangeKind::Other, vec!["change_not_shown"]));
}

#[cfg(feature = "image")]
#[test]
fn a_changed_picture_comes_as_it_is_now() {
    let picture = |red| {
        let mut bytes = io::Cursor::new(Vec::new());
        image::RgbImage::from_pixel(9, 9, image::Rgb([red, 0, 0]))
            .write_to(&mut bytes, image::ImageFormat::Png)
            .unwrap();
        bytes.into_inner()
    };
    let session = Session::new();
    let path = session.write_and_read("a.png", picture(1));
    session.touch(&path);
    assert_eq!(session.turn().changes, [], "touched, not changed");
    session.write("a.png", picture(2));
    let report = session.turn();
    assert!(matches!(only(&report).content, Some(context_api::FileContent::Image(_))), "{report:?}");
    assert_eq!(session.turn(), ChangeReport::default());
    session.write("a.png", b"\x89PNG\r\n\x1a\n\0\0broken\0");
    assert_eq!(decided(&session.turn()), ["unusable"]);
}

#[test]
fn a_changed_notebook_or_document_is_told_by_name_and_once() {
    let session = Session::new();
    let notebook =
        |source: &str| format!("{{\"cells\": [{{\"cell_type\": \"code\", \"source\": \"{source}\"}}]}}");
    session.write_and_read("a.ipynb", notebook("x = 1"));
    session.write("a.ipynb", notebook("x = 2"));
    let report = session.turn();
    assert_eq!((only(&report).kind, decided(&report)), (ChangeKind::Other, vec!["change_not_shown"]));
    assert_eq!(session.turn(), ChangeReport::default());
}
