//! What the agent noted and what the team shares.

use context_api::{MemoryKind, Verdict};
use context_testkit::Place;

use crate::support::*;

fn notes(text: &str) -> (Place, context_api::MemoryLoad) {
    let place = Place::new();
    let dir = claudemd::auto_memory_dir(&place.home(), &place.proj());
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("MEMORY.md"), text).unwrap();
    let load = load(&place, "", options(&place).auto_memory(true));
    (place, load)
}

#[test]
fn an_index_shows_its_first_two_hundred_lines_and_says_so() {
    let text: String = (1..239).map(|n| format!("- entry {n:03}\n")).collect();
    let (_place, load) = notes(&text);
    let file = &load.files[0];
    assert_eq!(file.kind, MemoryKind::AutoMem);
    assert!(file.text.contains("entry 001") && file.text.contains("entry 200"));
    assert!(!file.text.contains("entry 201"));
    assert!(file.text.contains("200 of 238 lines"));
    assert!(file.content_differs_from_disk);
    assert_eq!(file.raw.as_deref(), Some(&*text));
    let decision = decision(&load, "MEMORY.md");
    assert_eq!((decision.verdict, &*decision.reason), (Verdict::Cut, "index_cut"));
}

#[test]
fn an_index_that_ends_within_its_only_line_says_so() {
    let (_place, load) = notes(&"x".repeat(60_000));
    assert!(load.files[0].text.contains("25000 of 60000 bytes of "), "{}", &load.files[0].text[24_900..]);
    assert_eq!(decision(&load, "MEMORY.md").detail, "25000 of 60000 bytes of the index are shown.");
}

#[test]
fn an_index_of_long_lines_ends_at_a_line_within_its_bytes() {
    let text: String = (1..61).map(|n| format!("- {n:03}{}\n", "語".repeat(300))).collect();
    let (_place, load) = notes(&text);
    let shown = &load.files[0].text;
    assert!(shown.contains("- 001") && !shown.contains("- 060") && !shown.contains('\u{fffd}'));
    let kept = shown.split("\n\n[").next().unwrap();
    assert!(kept.len() <= 25_000 && kept.ends_with('語'));
    assert!(shown.contains("of 60 lines"));
}

#[test]
fn an_index_of_one_endless_line_is_cut_between_characters() {
    let (_place, load) = notes(&"語".repeat(20_000));
    assert!(load.files[0].text.starts_with("語語"));
    assert!(load.files[0].text.len() < 26_000);
}

#[test]
fn notes_are_off_by_default_and_an_empty_index_adds_nothing() {
    let (place, load) = notes("\n");
    assert_eq!(load.files, []);
    assert_eq!(decision(&load, "MEMORY.md").reason, "empty");
    assert_eq!(load_proj(&place).decisions, []);
}
