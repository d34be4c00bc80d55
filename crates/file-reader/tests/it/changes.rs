//! The check for changed files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use context_api::{
    Access, ChangeKind, ChangeReport, Clock, FileChange, FileChanges, FileContent, FileReader, FileState,
    FileSystem, ReadPolicy, StateChange, StatesView,
};
use context_testkit::{Fault, FaultyFs, FixedClock, Place};
use context_text::{lines as lines_of, parse_numbered};
use file_reader::{ChangeCheck, ChangeLimits, ReadLimits, StandardReader};
use local_fs::LocalFs;
use proptest::prelude::*;

use crate::support::*;

/// A session's states, as a session applies what it is told.
struct Session {
    place: Place,
    reader: Arc<StandardReader>,
    check: ChangeCheck,
    states: Mutex<BTreeMap<PathBuf, Arc<FileState>>>,
}

impl Session {
    fn new() -> Self {
        Self::with(LocalFs, context_api::AllowAll, FixedClock::default(), ChangeLimits::default())
    }

    fn limited(limits: ChangeLimits) -> Self {
        Self::with(LocalFs, context_api::AllowAll, FixedClock::default(), limits)
    }

    fn with(fs: impl FileSystem, policy: impl ReadPolicy, clock: impl Clock, limits: ChangeLimits) -> Self {
        let (fs, clock): (Arc<dyn FileSystem>, Arc<dyn Clock>) = (Arc::new(fs), Arc::new(clock));
        let policy = Arc::new(policy);
        let read_limits = ReadLimits::default().image(file_reader::ImageLimits::default().side(64));
        let reader = Arc::new(StandardReader::new(fs.clone(), policy, clock.clone(), read_limits));
        let check = ChangeCheck::new(fs, reader.clone(), clock, limits.second_look_ms(5));
        Self { place: Place::new(), reader, check, states: Mutex::default() }
    }

    /// Writes a file with a time of its own, so that no two versions share one.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.place.write(name, content);
        self.touch(&path);
        path
    }

    fn touch(&self, path: &Path) {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let time =
            SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + NEXT.fetch_add(1, Ordering::SeqCst));
        fs::File::options().write(true).open(path).and_then(|file| file.set_modified(time)).expect("a time");
    }

    fn read(&self, path: &Path) {
        let state = self.reader.read(&whole(path)).expect("a read").state.expect("a state");
        self.apply(&StateChange::Put(state));
    }

    fn write_and_read(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.write(name, content);
        self.read(&path);
        path
    }

    fn apply(&self, change: &StateChange) {
        let mut states = self.states.lock().expect("the states");
        match change {
            StateChange::Put(state) => drop(states.insert(state.path.clone(), Arc::new(state.clone()))),
            StateChange::Remove(path) => drop(states.remove(path)),
            StateChange::Refresh { path, fingerprint } => {
                let state = states[path].as_ref().clone().fingerprint(*fingerprint);
                states.insert(path.clone(), Arc::new(state));
            }
            other => panic!("{other:?}"),
        }
    }

    fn state(&self, path: &Path) -> Option<Arc<FileState>> {
        self.states.lock().expect("the states").get(path).cloned()
    }

    fn look(&self) -> ChangeReport {
        let view = StatesView::new(self.states.lock().expect("the states").values().cloned());
        self.check.check(&view)
    }

    /// A turn: a look, and everything it says is delivered.
    fn turn(&self) -> ChangeReport {
        let report = self.look();
        report.changes.iter().flat_map(|change| &change.states).for_each(|change| self.apply(change));
        report.refreshed.iter().for_each(|change| self.apply(change));
        report.removed.iter().for_each(|path| self.apply(&StateChange::Remove(path.clone())));
        report
    }
}

fn only(report: &ChangeReport) -> &FileChange {
    assert_eq!(report.changes.len(), 1, "{report:?}");
    &report.changes[0]
}

fn decided(report: &ChangeReport) -> Vec<&str> {
    report.decisions.iter().map(|decision| decision.reason.as_str()).collect()
}

fn rows(count: usize) -> String {
    (1..=count).map(|n| format!("line{n}\n")).collect()
}

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
fn distant_changes_are_regions_of_their_own_and_near_ones_are_one() {
    let session = Session::new();
    session.write_and_read("a.txt", rows(60));
    session.write(
        "a.txt",
        rows(60).replace("line10\n", "A\n").replace("line16\n", "B\n").replace("line40\n", ""),
    );
    let report = session.turn();
    let heads: Vec<_> = only(&report).snippet.lines().filter(|line| line.contains("before")).collect();
    assert_eq!(heads, ["Lines 7 to 19 before, now:", "Lines 37 to 43 before, now:"]);
}

#[test]
fn a_file_shows_at_most_its_characters_and_counts_the_regions_left_out() {
    let session = Session::new();
    let old = rows(5_000);
    session.write_and_read("a.txt", &old);
    let new: String =
        (1..=5_000).map(|n| if n % 20 == 0 { format!("MARK{n}\n") } else { format!("line{n}\n") }).collect();
    session.write("a.txt", &new);
    let report = session.turn();
    let change = only(&report);
    let shown = change.snippet.matches("before, now:").count() as u64;
    assert!(change.snippet.chars().count() <= 8_000 && shown > 20, "{shown}");
    assert_eq!((shown + change.regions_left_out, change.added, change.removed), (250, 250, 250));
    assert_eq!(decided(&report), ["change_cut"]);
    assert_eq!(session.turn(), ChangeReport::default());
}

#[test]
fn a_region_larger_than_the_room_is_shown_by_its_beginning() {
    let session = Session::new();
    session.write_and_read("a.txt", "one\n");
    session.write("a.txt", rows(3_000));
    let report = session.turn();
    let change = only(&report);
    assert!(change.snippet.ends_with("\n(The rest of this region is not shown.)"));
    assert!(change.snippet.chars().count() <= 8_000 && change.snippet.chars().count() > 7_000);
    assert_eq!(change.regions_left_out, 1);
}

#[test]
fn a_long_line_is_shown_where_it_changed() {
    let session = Session::new();
    let before = format!("{}old{}", "ab ".repeat(10_000), "cd ".repeat(3_000));
    session.write_and_read("a.txt", &before);
    session.write("a.txt", before.replace("old", "MARK_NEW"));
    let report = session.turn();
    let change = only(&report);
    assert!(change.snippet.contains("MARK_NEW") && change.snippet.len() < 2_300, "{}", change.snippet);
    assert_eq!(change.regions_left_out, 1, "not wholly shown");
}

#[test]
fn all_files_of_a_turn_share_their_room_and_the_last_are_only_counted() {
    let session = Session::new();
    let fresh: String = (1..=700).map(|n| format!("fresh{n}\n")).collect();
    for n in 0..9 {
        let name = format!("f{n}.txt");
        session.write_and_read(&name, rows(3));
        session.write(&name, rows(3) + &fresh);
    }
    let report = session.turn();
    let sizes: Vec<_> = report.changes.iter().map(|change| change.snippet.chars().count()).collect();
    assert_eq!(sizes.iter().filter(|&&size| size > 0).count(), 4, "{sizes:?}");
    assert!(sizes.iter().sum::<usize>() <= 32_000 && sizes[8] == 0);
    let last = &report.changes[8];
    assert_eq!((last.added, last.removed, last.regions_left_out), (700, 0, 1));
    assert_eq!(decided(&report).iter().filter(|&&reason| reason == "change_counted_only").count(), 5);
    assert_eq!(session.turn(), ChangeReport::default());
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
    assert!(matches!(only(&report).content, Some(FileContent::Image(_))), "{report:?}");
    assert_eq!(session.turn(), ChangeReport::default());
    session.write("a.png", b"\x89PNG\r\n\x1a\n\0\0broken\0");
    assert_eq!(decided(&session.turn()), ["unusable"]);
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

/// What a snippet says, applied to the text before.
fn applied(old: &str, snippet: &str) -> String {
    let before: Vec<&str> = lines_of(old).collect();
    let (mut out, mut next, mut final_end) = (Vec::new(), 0, old.is_empty() || old.ends_with('\n'));
    for line in snippet.lines() {
        if let Some((_, text)) = line.split_once('\t').filter(|(number, _)| number.parse::<u64>().is_ok()) {
            out.push(text);
            assert_eq!(
                parse_numbered(line).expect("a number")[0].0,
                out.len() as u64,
                "the number it has now"
            );
        } else if let Some((start, end)) = replaced(line) {
            out.extend(&before[next..start]);
            next = end;
        } else {
            final_end = line == "The last line has a line end now.";
        }
    }
    out.extend(&before[next..]);
    let end = if final_end && !out.is_empty() { "\n" } else { "" };
    out.join("\n") + end
}

fn replaced(head: &str) -> Option<(usize, usize)> {
    let number = |text: &str| text.parse::<usize>().ok();
    let head =
        head.strip_suffix(" before, now:").or(head.strip_suffix(" before, now nothing.")).unwrap_or(head);
    if let Some(line) = head.strip_prefix("After line ").and_then(|rest| number(rest.strip_suffix(", now:")?))
    {
        return Some((line, line));
    }
    if let Some(line) = head.strip_prefix("Line ").and_then(number) {
        return Some((line - 1, line));
    }
    let (start, end) = head.strip_prefix("Lines ")?.split_once(" to ")?;
    Some((number(start)? - 1, number(end)?))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_snippet_applied_to_what_the_model_had_gives_what_is_on_the_disk(
        old in "([abc]\n){0,40}[ab]{0,1}", new in "([abc]\n){0,40}[ab]{0,1}", context in 0u32..5,
    ) {
        let session = Session::limited(ChangeLimits::default().context(context));
        session.write_and_read("a.txt", &old);
        session.write("a.txt", &new);
        let report = session.turn();
        match report.changes.first() {
            None => prop_assert_eq!(old, new),
            Some(change) => {
                prop_assert_eq!(change.regions_left_out, 0);
                // A text that was empty has no last line whose end could be told.
                let applied = applied(&old, &change.snippet);
                let new = if old.is_empty() { format!("{}\n", new.trim_end_matches('\n')) } else { new };
                let applied = if old.is_empty() { format!("{}\n", applied.trim_end_matches('\n')) } else { applied };
                prop_assert_eq!(applied, new, "{}", change.snippet);
            }
        }
    }

    #[test]
    fn no_snippet_is_over_its_room_however_small(
        old in "([a-c]{0,30}\n){0,30}", new in "([a-d🔥]{0,30}\n){0,30}", file in 0usize..300, turn in 0usize..300,
    ) {
        let limits = ChangeLimits::default().file_chars(file).turn_chars(turn).line_chars(9).lead_chars(2);
        let session = Session::limited(limits);
        session.write_and_read("a.txt", &old);
        session.write("a.txt", &new);
        for change in session.turn().changes {
            prop_assert!(change.snippet.chars().count() <= file.min(turn).max(60), "{}", change.snippet);
            prop_assert!(!change.snippet.is_empty() || change.regions_left_out > 0);
        }
        prop_assert_eq!(session.turn(), ChangeReport::default());
    }
}

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
