//! Blobs.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use context_api::{BlobKey, BlobKind, BlobStore, StoreErrorKind};
use transcript::{BlobLimits, FileBlobs, MemoryBlobs};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn image(name: &str) -> BlobKey {
    BlobKey::default().kind(BlobKind::Image).name(name).extension("png")
}

fn contract(blobs: &dyn BlobStore) {
    let key = image("one");
    assert_eq!(blobs.get("s", &key, 10).unwrap_err().kind, StoreErrorKind::NotFound);
    blobs.put("s", &key, b"abc").unwrap();
    blobs.put("s", &key, b"other").unwrap();
    assert_eq!(blobs.get("s", &key, 3).unwrap(), b"abc", "what lies under a key never changes");
    assert_eq!(blobs.get("s", &key, 2).unwrap_err().kind, StoreErrorKind::TooLarge);
    assert_eq!(blobs.get("t", &key, 10).unwrap_err().kind, StoreErrorKind::NotFound, "sessions do not mix");
    let text = BlobKey::default().kind(BlobKind::BaseText).name("one").extension("png");
    assert_eq!(blobs.get("s", &text, 10).unwrap_err().kind, StoreErrorKind::NotFound, "kinds do not mix");
    assert_eq!(blobs.put("../s", &key, b"").unwrap_err().kind, StoreErrorKind::BadName);
}

#[test]
fn both_stores_of_blobs_do_what_the_contract_says() {
    let place = tempfile::tempdir().unwrap();
    contract(&FileBlobs::new(place.path(), BlobLimits::default()));
    contract(&FileBlobs::new(place.path().join("another"), BlobLimits::default().recent(0)));
    contract(&MemoryBlobs::default());
}

#[test]
fn a_name_never_leaves_the_directory_of_its_session() {
    let place = tempfile::tempdir().unwrap();
    let blobs = FileBlobs::new(place.path(), BlobLimits::default());
    for (name, extension) in
        [("../x", "png"), ("x", "/png"), ("x", "./y"), ("", "png"), (".x", ""), ("x", ".")]
    {
        let key = BlobKey::default().name(name).extension(extension);
        assert_eq!(blobs.path("s", &key), None, "{name}.{extension}");
        assert_eq!(blobs.put("s", &key, b"x").unwrap_err().kind, StoreErrorKind::BadName);
    }
    assert_eq!(blobs.path("s", &image("i1")).unwrap(), place.path().join("image-cache/s/i1.png"));
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_a_blob() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = tempfile::tempdir().unwrap();
    let blobs = FileBlobs::new(place.path().join("new"), BlobLimits::default());
    blobs.put("s", &image("i"), b"x").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let path = blobs.path("s", &image("i")).unwrap();
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    let names: Vec<_> =
        fs::read_dir(path.parent().unwrap()).unwrap().map(|one| one.unwrap().file_name()).collect();
    assert_eq!(names, ["i.png"], "no part of a file stays behind");
}

#[test]
fn a_sweep_removes_what_is_old_or_too_much_and_never_what_is_at_work() {
    let place = tempfile::tempdir().unwrap();
    let make = |limits: BlobLimits| FileBlobs::new(place.path(), limits);
    let limits = BlobLimits::default().max_age(10 * DAY).max_total(250);
    let now = SystemTime::now();
    for (session, age) in [("old", 11), ("older", 8), ("newer", 2)] {
        let blobs = make(limits.clone());
        blobs.put(session, &image("i"), &[7; 100]).unwrap();
        let file = fs::File::options().append(true).open(blobs.path(session, &image("i")).unwrap()).unwrap();
        file.set_modified(now - age * DAY).unwrap();
    }
    let live = make(limits.clone());
    live.put("live", &image("i"), &[7; 100]).unwrap();
    fs::File::options()
        .append(true)
        .open(live.path("live", &image("i")).unwrap())
        .unwrap()
        .set_modified(now - 100 * DAY)
        .unwrap();
    let swept: Vec<_> =
        make(limits.clone()).sweep(now).into_iter().map(|one| (one.subject, one.reason)).collect();
    let expected = [("old", "older_than_the_limit"), ("older", "more_than_the_limit")];
    assert_eq!(swept, expected.map(|(session, reason)| (session.to_owned(), reason.to_owned())));
    assert!(live.get("live", &image("i"), 100).is_ok() && live.get("newer", &image("i"), 100).is_ok());
    live.release("live");
    let swept = make(limits).sweep(now);
    assert_eq!(swept[0].subject, "live", "its process let go of it");
}
