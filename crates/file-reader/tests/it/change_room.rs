//! How much of a change is shown.

use context_api::ChangeReport;
use context_text::{lines as lines_of, parse_numbered};
use file_reader::ChangeLimits;
use proptest::prelude::*;

use crate::session::*;

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
