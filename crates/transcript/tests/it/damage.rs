//! Transcripts that something went wrong with: the rest is read, and each finding is said.

use std::fs;

use context_api::{Boundary, ContentBlock, EntryKind, Reach, ToolResultBlock, TranscriptStore as _};
use proptest::prelude::*;
use transcript::{JsonlStore, StoreLimits, SyncPolicy};
use uuid::Uuid;

use crate::support::{batch, entry, ids, line_of, of, store, wait};

const UUID: &str = "00000000-0000-0000-0000-0000000000";

/// What is read of a file of these lines: ids, and the reasons of what was found.
fn read(lines: &[String], end: &str) -> (Vec<u128>, Vec<String>) {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    fs::write(store.file("s").unwrap(), lines.join("\n") + end).unwrap();
    let loaded = store.read("s", None, Reach::All).unwrap();
    (
        ids(&loaded.entries),
        loaded.decisions.into_iter().map(|one| format!("{} {}", one.subject, one.reason)).collect(),
    )
}

fn line(id: u32, parent: Option<u32>, more: &str) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{UUID}{parent:02}\""));
    format!(
        r#"{{"uuid":"{UUID}{id:02}","parent_uuid":{parent},"timestamp":"2026-04-25T12:00:00Z","turn":1,{more}}}"#
    )
}

fn user(id: u32, parent: Option<u32>) -> String {
    line(id, parent, &format!(r#""type":"user","payload":{{"content":"MARK-{id}"}}"#))
}

/// Ids in these lines are written in decimal and read in hexadecimal digits: up to nine both are the same.
fn good(count: u32) -> Vec<String> {
    (1..=count).map(|id| user(id, id.checked_sub(1).filter(|id| *id > 0))).collect()
}

/// A name, lines and what stands behind them; the ids that are read, and what is said.
type Case = (&'static str, Vec<String>, &'static str, Vec<u128>, Vec<&'static str>);

#[test]
fn each_sort_of_damage_costs_itself_only_and_is_said() {
    let with = |place: usize, line: String| {
        let mut lines = good(4);
        lines[place] = line;
        lines
    };
    let cases: Vec<Case> = vec![
        ("whole", good(4), "\n", vec![1, 2, 3, 4], vec![]),
        ("no end", good(4), "", vec![1, 2, 3, 4], vec![]),
        ("mark in front", with(0, format!("\u{feff}{}", user(1, None))), "\n", vec![1, 2, 3, 4], vec![]),
        ("blank lines", with(1, format!("\n  \n{}", user(2, Some(1)))), "\n\n", vec![1, 2, 3, 4], vec![]),
        (
            "torn end",
            with(3, user(4, Some(3))[..60].to_owned()),
            "",
            vec![1, 2, 3],
            vec!["s:4 torn_last_line"],
        ),
        (
            "corrupt middle",
            with(1, "{\"uuid\": no".into()),
            "\n",
            vec![1, 3, 4],
            vec!["s:2 corrupt_line", "s:3 parent_missing"],
        ),
        ("two branches", with(2, user(3, Some(1))), "\n", vec![1, 3, 4], vec!["s other_branch"]),
        ("self parent", with(1, user(2, Some(2))), "\n", vec![1, 2, 3, 4], vec!["s:2 self_parent"]),
        ("cycle", with(1, user(2, Some(4))), "\n", vec![1, 2, 3, 4], vec!["s:2 parent_missing"]),
        (
            "duplicate",
            with(2, user(2, Some(1))),
            "\n",
            vec![1, 2, 4],
            vec!["s:3 duplicate_uuid", "s:4 parent_missing"],
        ),
        (
            "half a pair",
            with(1, user(2, Some(1)).replace("MARK", r"\ud83d")),
            "\n",
            vec![1, 2, 3, 4],
            vec!["s:2 half_surrogate"],
        ),
        (
            "zero bytes",
            with(1, format!("\0\0\0{}", user(2, Some(1)))),
            "\n",
            vec![1, 2, 3, 4],
            vec!["s:2 nul_bytes"],
        ),
        (
            "unknown type",
            with(1, line(2, Some(1), r#""type":"from_tomorrow","payload":{"x":1}"#)),
            "\n",
            vec![1, 2, 3, 4],
            vec!["s:2 unknown_type"],
        ),
        (
            "unread payload",
            with(1, line(2, Some(1), r#""type":"user","payload":[1]"#)),
            "\n",
            vec![1, 2, 3, 4],
            vec!["s:2 unread_payload"],
        ),
        ("nothing", vec![], "", vec![], vec![]),
    ];
    for (name, lines, end, expected, said) in cases {
        let (found, decisions) = read(&lines, end);
        assert_eq!(found, expected, "{name}");
        assert_eq!(decisions, said, "{name}");
    }
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_their_line_stays() {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    let mut bytes = good(3).join("\n").into_bytes();
    let at = bytes.windows(6).position(|window| window == b"MARK-2").unwrap();
    bytes[at] = 0xff;
    fs::write(store.file("s").unwrap(), bytes).unwrap();
    let loaded = store.read("s", None, Reach::All).unwrap();
    assert_eq!(ids(&loaded.entries), [1, 2, 3]);
    assert_eq!(loaded.decisions[0].reason, "not_utf8");
    assert!(serde_json::to_string(&*loaded.entries[1]).unwrap().contains("\u{fffd}ARK-2"));
}

#[test]
fn a_line_above_the_limit_is_passed_over_without_being_held() {
    let place = tempfile::tempdir().unwrap();
    let threads = std::sync::Arc::new(context_testkit::ThreadPerJob);
    let limits = StoreLimits::default().line(1000);
    let store = JsonlStore::with_limits(place.path(), threads, SyncPolicy::Never, limits);
    let mut lines = good(3);
    lines[1] = user(2, Some(1)).replace("MARK", &"x".repeat(2000));
    fs::write(store.file("s").unwrap(), lines.join("\n")).unwrap();
    let loaded = store.read("s", None, Reach::All).unwrap();
    assert_eq!(ids(&loaded.entries), [1, 3]);
    assert_eq!(
        (&*loaded.decisions[0].reason, loaded.decisions[0].bytes.unwrap() > 2000),
        ("line_too_long", true)
    );
}

#[test]
fn a_hundred_megabytes_in_one_line_cost_that_line_only() {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    let mut lines = good(3);
    lines[1] = "x".repeat(100 << 20);
    fs::write(store.file("s").unwrap(), lines.join("\n")).unwrap();
    let loaded = store.read("s", None, Reach::All).unwrap();
    assert_eq!(ids(&loaded.entries), [1, 3]);
    assert_eq!((&*loaded.decisions[0].reason, loaded.decisions[0].bytes), ("corrupt_line", Some(100 << 20)));
}

#[test]
fn a_long_entry_comes_back_as_it_was() {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    let mut all = line_of(3);
    all[1] = entry(2, Some(1), &"x\n\u{1f525}".repeat(100_000));
    wait(store.append(batch("s", &all))).unwrap();
    let loaded = store.read("s", None, Reach::All).unwrap();
    assert!(loaded.entries == all && loaded.decisions.is_empty());
}

#[test]
fn many_findings_of_one_sort_are_counted_and_not_listed() {
    let lines: Vec<String> = (0..500).map(|_| "broken".to_owned()).collect();
    let (found, said) = read(&lines, "\n");
    assert_eq!((found.len(), said.len()), (0, 21));
    assert_eq!(said[20], "s corrupt_line");
}

#[test]
fn results_that_were_written_side_by_side_under_one_answer_are_all_there() {
    let call = |id: &str| ContentBlock::tool_use(id, "Read", context_api::RawJson::empty_object());
    let result = |id: u128, call: &str, parent: u128| {
        let block = ToolResultBlock { tool_use_id: call.into(), content: Vec::new(), is_error: false };
        of(id, Some(parent), EntryKind::tool_result(block))
    };
    let all = [
        entry(1, None, "go"),
        of(2, Some(1), EntryKind::assistant(vec![call("A"), call("B"), call("C")])),
        result(3, "A", 2),
        result(4, "B", 2),
        result(5, "C", 2),
        entry(6, Some(5), "on"),
    ];
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    wait(store.append(batch("s", &all))).unwrap();
    assert_eq!(ids(&store.read("s", None, Reach::All).unwrap().entries), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn the_newest_end_is_the_conversation_and_what_was_left_behind_is_not_in_it() {
    let all =
        [entry(1, None, "a"), entry(2, Some(1), "left"), entry(3, Some(2), "left"), entry(4, Some(1), "b")];
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    wait(store.append(batch("s", &all))).unwrap();
    assert_eq!(ids(&store.read("s", None, Reach::All).unwrap().entries), [1, 4]);
    let at = store.read("s", Some(Uuid::from_u128(3)), Reach::All).unwrap();
    assert_eq!(ids(&at.entries), [1, 2, 3]);
}

#[test]
fn a_boundary_that_names_its_ends_keeps_what_is_between_them() {
    let boundary = Boundary::default().head(Some(Uuid::from_u128(2))).tail(Some(Uuid::from_u128(4)));
    let mut all = line_of(5);
    all.push(of(6, None, EntryKind::Boundary(boundary)));
    all.push(entry(7, Some(6), "on"));
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    wait(store.append(batch("s", &all))).unwrap();
    let loaded = store.read("s", None, Reach::SinceBoundary).unwrap();
    assert_eq!((ids(&loaded.entries), loaded.left_out), (vec![3, 4, 6, 7], 3));
    let EntryKind::Boundary(boundary) = &loaded.entries[2].kind else { panic!("no boundary") };
    assert_eq!(boundary.kept, [3, 4].map(Uuid::from_u128));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// Whatever is done to the bytes of a file, what is read of it is a part of what was written, in order; what comes
    /// after is appended and read.
    #[test]
    fn damage_never_hides_what_it_did_not_touch(
        cuts in prop::collection::vec((0_usize..2_000, 0_usize..40, any::<u8>()), 0..6),
        end in 0_usize..2_000,
    ) {
        let place = tempfile::tempdir().unwrap();
        let store = store(place.path());
        let all = line_of(8);
        wait(store.append(batch("s", &all))).unwrap();
        let path = store.file("s").unwrap();
        let mut bytes = fs::read(&path).unwrap();
        let mut touched: Vec<usize> = Vec::new();
        let line_at = |bytes: &[u8], at: usize| bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        let whole = bytes.clone();
        for (at, length, byte) in cuts {
            let at = at % bytes.len();
            let to = (at + length).min(bytes.len());
            touched.extend(line_at(&whole, at)..=line_at(&whole, to.saturating_sub(1).max(at)) + 1);
            bytes[at..to].fill(byte);
        }
        let end = bytes.len() - end % bytes.len() / 4;
        touched.extend(line_at(&whole, end)..8);
        bytes.truncate(end);
        fs::write(&path, &bytes).unwrap();
        drop(store);
        let store = self::store(place.path());
        let added = entry(20, Some(8), "added");
        wait(store.append(batch("s", std::slice::from_ref(&added)))).unwrap();
        let now = fs::read(&path).unwrap();
        prop_assert!(now.starts_with(&bytes));
        let loaded = store.read("s", None, Reach::All).unwrap();
        let found = ids(&loaded.entries);
        prop_assert_eq!(found.last(), Some(&20));
        // a parent that damage made another entry's may leave entries out of the line; those before any damage are there
        let first = touched.iter().min().copied().unwrap_or(8);
        let intact: Vec<u128> = (1..=first as u128).collect();
        prop_assert!(found.starts_with(&intact) || touched.iter().any(|line| *line <= first), "{:?} {:?}", found, touched);
    }
}
