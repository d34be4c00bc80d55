//! The ledger is a fold: however it is computed, it says the same.

use context_api::{
    Attachment, Boundary, ContextRecord, DateChange, DeliveryKey, Draft, Entry, EntryKind, Ledger,
    MemoryKind, ShownMemory,
};
use proptest::prelude::*;
use uuid::Uuid;

fn entry(number: u128, turn: u64, kind: EntryKind) -> Entry {
    Entry::new(Uuid::from_u128(number), "2026-04-25T12:00:00Z".parse().unwrap(), turn, kind)
}

fn delivered(number: u128, turn: u64, attachment: impl Into<Attachment>, key: DeliveryKey) -> Entry {
    let uuid = Uuid::from_u128(number);
    let draft = Draft::new(attachment).key(key).delivers(format!("id{number}"));
    entry(number, turn, EntryKind::Attachment(draft.commit(uuid, "2026-04-25T12:00:00Z".parse().unwrap())))
}

fn note() -> Attachment {
    context_api::CustomAttachment::default().kind("note").into()
}

#[test]
fn a_boundary_puts_what_was_delivered_out_of_view() {
    let mut ledger = Ledger::default();
    ledger.apply(&delivered(1, 1, note(), DeliveryKey::new("skill", "a", "h1")));
    assert_eq!(ledger.in_view("skill", "a").map(|one| one.hash.as_str()), Some("h1"));
    assert!(ledger.acknowledged("id1"));
    ledger.apply(&entry(2, 2, EntryKind::Boundary(Boundary::default())));
    assert!(ledger.in_view("skill", "a").is_none());
    assert!(ledger.delivered("skill", "a").is_some(), "that it was delivered once is still known");
    ledger.apply(&delivered(3, 2, note(), DeliveryKey::new("skill", "a", "h2")));
    assert_eq!(ledger.in_view("skill", "a").map(|one| one.hash.as_str()), Some("h2"));
    ledger.apply(&delivered(4, 3, note(), DeliveryKey::retract("skill", "a")));
    assert!(ledger.delivered("skill", "a").is_none());
}

#[test]
fn what_is_only_remembered_counts_like_what_was_delivered() {
    let note = |number, key| {
        let note = context_api::StatesNote::default().keys(vec![key]);
        entry(number, 1, EntryKind::States(note))
    };
    let mut ledger = Ledger::default();
    ledger.apply(&note(1, DeliveryKey::new("plan", "done", "3")));
    assert_eq!(ledger.in_view("plan", "done").map(|one| one.hash.as_str()), Some("3"));
    assert_eq!(ledger.kind_in_view("plan").map(|(key, _)| key).collect::<Vec<_>>(), ["done"]);
    ledger.apply(&note(2, DeliveryKey::retract("plan", "done")));
    assert_eq!(ledger.kind_in_view("plan").count(), 0);
    ledger.apply(&note(3, DeliveryKey::new("plan", "done", "4")));
    ledger.apply(&entry(4, 2, EntryKind::Boundary(Boundary::default())));
    assert_eq!(ledger.kind_in_view("plan").count(), 0);
    assert_eq!(ledger.of_kind("plan").count(), 1);
}

#[test]
fn the_context_is_the_baseline_of_date_and_memory() {
    let mut ledger = Ledger::default();
    let shown = ShownMemory::default().canonical("/p/CLAUDE.md").kind(MemoryKind::Project).hash("h");
    let record = ContextRecord::default().date(Some("2026-04-25".parse().unwrap())).memory(vec![shown]);
    ledger.apply(&entry(1, 1, EntryKind::Context(record)));
    assert_eq!(ledger.last_date(), Some("2026-04-25".parse().unwrap()));
    assert!(ledger.in_view(Ledger::MEMORY, "/p/CLAUDE.md").is_some());
    let change = DateChange::default().date("2026-04-26".parse::<jiff::civil::Date>().unwrap());
    ledger.apply(&delivered(2, 2, change, DeliveryKey::new("date", "today", "")));
    assert_eq!(ledger.last_date(), Some("2026-04-26".parse().unwrap()));
    assert_eq!(ledger.occurrences("date_change").count, 1);
}

proptest! {
    #[test]
    fn one_by_one_or_all_at_once_or_read_back_it_is_the_same(
        kinds in prop::collection::vec((0_u8..4, "[ab]", 0_u8..3), 0..30),
    ) {
        let entries: Vec<Entry> = kinds.into_iter().enumerate().map(|(at, (kind, key, hash))| {
            let (number, turn) = (at as u128 + 1, at as u64 / 3 + 1);
            match kind {
                0 => entry(number, turn, EntryKind::assistant(Vec::new())),
                1 => entry(number, turn, EntryKind::Boundary(Boundary::default())),
                2 => delivered(number, turn, note(), DeliveryKey::new("k", key, hash.to_string())),
                _ => delivered(number, turn, note(), DeliveryKey::retract("k", key)),
            }
        }).collect();
        let whole = Ledger::of(&entries);
        let mut grown = Ledger::default();
        entries.iter().for_each(|entry| grown.apply(entry));
        prop_assert_eq!(&whole, &grown);
        let read: Vec<Entry> = entries.iter()
            .map(|entry| serde_json::from_str(&serde_json::to_string(entry).unwrap()).unwrap())
            .collect();
        prop_assert_eq!(whole, Ledger::of(&read));
    }
}
