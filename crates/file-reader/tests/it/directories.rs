//! Directories.

use context_api::{DirectoryListing, FileContent, ReadOutcome};
use context_testkit::Place;

use crate::support::*;

fn listing(outcome: &ReadOutcome) -> &DirectoryListing {
    match &outcome.content {
        FileContent::Directory(listing) => listing,
        other => panic!("no directory: {other:?}"),
    }
}

#[test]
fn one_level_in_byte_order_with_hidden_ones_and_links() {
    let place = Place::new();
    for name in ["src/b.rs", "src/.hidden", "src/sub/deep.rs", "src/Z", "src/a", "src/ä", "src/sub.txt"] {
        place.write(name, "BODY");
    }
    place.link("src/way", "sub");
    place.link("src/dangling", "nowhere");
    for spelling in ["src", "src/", "./src/../src"] {
        let outcome = read(place.path(spelling));
        let expected = [".hidden", "Z", "a", "b.rs", "dangling", "sub/", "sub.txt", "way/", "ä"];
        assert_eq!(listing(&outcome).entries, expected);
        assert_eq!((listing(&outcome).left_out, outcome.state), (0, None));
        assert_eq!(outcome.path, place.path("src"));
    }
}

#[test]
fn a_huge_directory_shows_the_first_thousand_and_counts_the_rest() {
    let place = Place::new();
    (1..=5_000).for_each(|n| drop(place.write(&format!("m/pkg{n:04}"), "")));
    let outcome = read(place.path("m"));
    let listing = listing(&outcome);
    assert_eq!((listing.entries.len(), listing.left_out), (1_000, 4_000));
    assert_eq!((&*listing.entries[0], &*listing.entries[999]), ("pkg0001", "pkg1000"));
    assert_eq!(reasons(&outcome), ["too_many_entries"]);
}

#[test]
fn an_empty_directory_has_no_entries() {
    let place = Place::new();
    assert_eq!(listing(&read(place.dir("d"))), &DirectoryListing::default());
}

#[test]
fn odd_names_stay_on_their_line_and_apart() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    place.write("two\nlines.md", "");
    std::fs::write(place.proj().join(std::ffi::OsStr::from_bytes(b"bad\xE9name.txt")), "").unwrap();
    std::fs::write(place.proj().join(std::ffi::OsStr::from_bytes(b"bad\xE8name.txt")), "").unwrap();
    let outcome = read(place.proj());
    assert_eq!(listing(&outcome).entries, ["bad\\xE8name.txt", "bad\\xE9name.txt", "two\\nlines.md"]);
    assert!(serde_json::to_string(&outcome.content).unwrap().is_ascii());
}
