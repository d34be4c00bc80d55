//! No type of attachment without its row, its fixture, its golden projections and a scenario in which it really happens.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use context_api::{Attachment, Destination, ModelShape};
use context_testkit::fixtures;

use crate::scenarios::{Appearance, all_runs};

fn types() -> impl Iterator<Item = &'static str> {
    Attachment::TABLE.iter().map(|row| row.name)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn each_type_has_its_row_in_the_book() {
    let table = read("docs/book/src/attachments-table.md");
    let rows: Vec<&str> =
        table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(rows, types().collect::<Vec<_>>(), "the generated table; run `cargo xtask gen-docs`");
}

#[test]
fn each_type_has_one_fixture() {
    let made = fixtures();
    let made: BTreeSet<&str> = made.iter().map(Attachment::type_name).collect();
    assert_eq!(made, types().collect());
}

#[test]
fn each_type_has_a_golden_projection_for_every_destination() {
    for row in Attachment::TABLE {
        let golden = read(&format!("crates/projector/tests/it/snapshots/it__golden__{}.snap", row.name));
        let heads = |head: &str| golden.lines().filter(|line| line.starts_with(head)).count();
        let shapes = if row.shape == ModelShape::Tool { 2 } else { 1 };
        for head in ["model:", "transcript:", "ui:", "runtime:", "host:"] {
            assert_eq!(heads(head), shapes, "{}: {head}", row.name);
        }
        assert_eq!(heads("as blocks:"), shapes - 1, "{}: the shape of calls", row.name);
        let says = |head: &str, nothing: &str| !golden.contains(&format!("{head}: {nothing}\n"));
        let model = !golden.contains("model:\ntranscript:");
        for (destination, has) in [
            (Destination::Model, model),
            (Destination::Transcript, says("transcript", "null")),
            (Destination::Ui, says("ui", "null")),
            (Destination::Runtime, says("runtime", "[]")),
            (Destination::HostControl, says("host", "[]")),
        ] {
            let wanted = row.destinations.contains(destination);
            assert_eq!(has, wanted, "{}: the golden projection for {destination:?}", row.name);
        }
    }
}

/// The shortest golden output of each type, or that of the scenario which the golden file names.
fn golden_of(kind: &str) -> Option<&'static Appearance> {
    let all = all_runs().iter().flat_map(|ran| ran.seen.iter().map(move |seen| (&ran.name, seen)));
    let all: Vec<_> = all.filter(|(_, seen)| seen.kind == kind).collect();
    let named = pinned(kind);
    let kept = all.iter().find(|(name, _)| named.as_ref() == Some(*name));
    // A request that is blocked shows nothing of what its types come to.
    let shortest = || all.iter().min_by_key(|(name, seen)| (!seen.is_sent(), seen.golden.len(), *name));
    kept.or_else(shortest).map(|(_, seen)| *seen)
}

/// The scenario that a golden file names.
fn pinned(kind: &str) -> Option<String> {
    let golden = fs::read_to_string(snapshots().join(format!("it__completeness__{kind}.snap"))).ok()?;
    golden.lines().find_map(|line| line.strip_prefix("scenario: ").map(str::to_owned))
}

fn snapshots() -> PathBuf {
    root().join("tests/tests/it/snapshots")
}

#[test]
fn each_type_happens_in_a_scenario_by_its_real_trigger() {
    let missing: Vec<&str> = types().filter(|kind| golden_of(kind).is_none()).collect();
    assert!(missing.is_empty(), "no scenario shows {}", missing.join(", "));
}

#[test]
fn what_each_type_comes_to_in_its_scenario_is_as_it_was() {
    for row in Attachment::TABLE {
        let Some(appearance) = golden_of(row.name) else { continue };
        if row.destinations.contains(Destination::Model) {
            assert!(appearance.is_sent(), "{} is sent to no model", row.name);
        }
        insta::assert_snapshot!(row.name, appearance.golden);
    }
}

#[test]
fn there_is_no_golden_output_of_a_type_that_is_gone() {
    for entry in fs::read_dir(snapshots()).expect("the golden outputs") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let Some(kind) = name.strip_prefix("it__completeness__").and_then(|name| name.strip_suffix(".snap"))
        else {
            continue;
        };
        assert!(types().any(|known| known == kind), "{name}");
    }
}
