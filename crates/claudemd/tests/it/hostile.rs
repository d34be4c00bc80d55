//! Trees that mean no good: bounded, and the other files load.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use context_api::{DirEntries, FileMeta, FileSystem, Follow, MemoryLoad, MemoryLoader, OpenFile};
use context_testkit::{Fault, FaultyFs, Place};
use local_fs::LocalFs;

use crate::support::*;

/// Runs a load elsewhere and waits for it: minutes, because machines that run all tests at once are slow.
fn in_time<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(act()));
    receive.recv_timeout(Duration::from_secs(300)).expect("it takes too long")
}

fn load_in_time(place: &Place) -> MemoryLoad {
    let (options, scope) = (options(place), scope(place.proj()));
    in_time(move || loader(options).load(&scope).unwrap())
}

#[test]
fn a_fifo_and_a_directory_by_the_name_of_a_memory_file_are_named() {
    let place = Place::new();
    assert!(Command::new("mkfifo").arg(place.path("CLAUDE.md")).status().unwrap().success());
    place.dir(".claude/CLAUDE.md");
    place.write("CLAUDE.local.md", "MARK_L @fifo @/dev/zero\n");
    assert!(Command::new("mkfifo").arg(place.path("fifo")).status().unwrap().success());
    let load = load_in_time(&place);
    assert_eq!(marks(&load), ["MARK_L"]);
    assert_eq!(reasons(&load, "proj/CLAUDE.md"), ["not_a_regular_file"]);
    assert_eq!(reasons(&load, ".claude/CLAUDE.md"), ["directory"]);
    assert_eq!(reasons(&load, "/fifo"), ["not_a_regular_file"]);
    assert_eq!(reasons(&load, "/dev/zero"), ["not_a_regular_file"]);
}

#[test]
fn loops_of_links_end() {
    let place = Place::new();
    place.link("CLAUDE.md", "CLAUDE.md");
    place.link(".claude", ".claude");
    place.write("CLAUDE.local.md", "MARK_L\n");
    let load = load_in_time(&place);
    assert_eq!(marks(&load), ["MARK_L"]);
    assert_eq!(reasons(&load, "proj/CLAUDE.md"), ["link_loop"]);
    assert!(load.decisions.iter().any(|d| d.subject.contains(".claude") && d.reason == "link_loop"));
}

#[test]
fn directories_of_links_to_each_other_are_read_once_each() {
    let place = Place::new();
    for n in 0..24 {
        place.write(&format!(".claude/rules/d{n}/r.md"), format!("MARK_{n}\n"));
        for m in 0..24 {
            place.link(&format!(".claude/rules/d{n}/to{m}"), &format!("../d{m}"));
        }
    }
    let load = load_in_time(&place);
    assert_eq!(load.files.len(), 24);
}

#[test]
fn a_sparse_file_of_five_gibibytes_is_named_with_its_size() {
    let place = Place::new();
    let file = std::fs::File::create(place.path("CLAUDE.md")).unwrap();
    file.set_len(5 << 30).unwrap();
    place.write("CLAUDE.local.md", "MARK_L\n");
    let load = load_in_time(&place);
    assert_eq!(marks(&load), ["MARK_L"]);
    assert_eq!(decision(&load, "CLAUDE.md").bytes, Some(5 << 30));
}

#[test]
fn ten_thousand_rules_load_and_one_more_is_left_out() {
    let place = Place::new();
    for n in 0..10_001 {
        place
            .write(&format!(".claude/rules/r{n:05}.md"), format!("---\npaths: src/p{n}/**\n---\nMARK_{n}\n"));
    }
    place.write("CLAUDE.md", "MARK_P\n");
    let (options, scope) = (options(&place), scope(place.proj()));
    let path = place.path("src/p9999/x");
    let (load, nested) = in_time(move || {
        let loader = loader(options);
        (loader.load(&scope).unwrap(), loader.load_for_path(&scope, &path).unwrap())
    });
    assert_eq!(marks(&load), ["MARK_P"]);
    assert_eq!(marks(&nested), ["MARK_9999"]);
    assert_eq!(decision(&load, ".claude/rules").reason, "too_many_rules");
}

#[test]
fn what_the_system_does_not_let_us_read_costs_only_itself() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_P\n");
    place.write(".claude/rules/locked/r.md", "MARK_R\n");
    place.write(".claude/rules/ok.md", "MARK_OK\n");
    place.write("CLAUDE.local.md", "MARK_L\n");
    let fs = FaultyFs::new();
    fs.fail(place.path(".claude/rules/locked"), Fault::Error(io::ErrorKind::PermissionDenied));
    fs.fail(place.path("CLAUDE.local.md"), Fault::Error(io::ErrorKind::PermissionDenied));
    let load = loader_over(fs, options(&place)).load(&scope(place.proj())).unwrap();
    assert_eq!(marks(&load), ["MARK_P", "MARK_OK"]);
    assert_eq!(reasons(&load, "rules/locked"), ["permission_denied"]);
    assert_eq!(reasons(&load, "CLAUDE.local.md"), ["permission_denied"]);
}

/// The disk, on which somebody changes a file at each opening.
struct Restless {
    path: PathBuf,
    opens: AtomicU64,
    /// Openings after which it is left alone.
    until: u64,
    replace: bool,
}

impl FileSystem for Restless {
    fn metadata(&self, path: &Path, follow: Follow) -> io::Result<FileMeta> {
        LocalFs.metadata(path, follow)
    }
    fn open(&self, path: &Path) -> io::Result<OpenFile> {
        if path != self.path {
            return LocalFs.open(path);
        }
        let count = self.opens.fetch_add(1, Ordering::SeqCst);
        let before = LocalFs.open(path)?;
        if count >= self.until {
            return Ok(before);
        }
        if self.replace {
            let new = path.with_extension("new");
            std::fs::write(&new, format!("MARK_NEW{count}\n"))?;
            std::fs::rename(&new, path)?;
            return Err(io::ErrorKind::Interrupted.into());
        }
        std::fs::write(path, format!("MARK_GROWN{}\n", "x".repeat(count as usize)))?;
        Ok(before)
    }
    fn read_dir(&self, path: &Path) -> io::Result<DirEntries> {
        LocalFs.read_dir(path)
    }
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        LocalFs.canonicalize(path)
    }
}

#[test]
fn a_file_that_is_replaced_between_the_look_and_the_reading_is_read_again() {
    for replace in [true, false] {
        let place = Place::new();
        let path = place.write("CLAUDE.md", "MARK_OLD\n");
        place.write("CLAUDE.local.md", "MARK_L\n");
        let fs = |until| Restless { path: path.clone(), opens: AtomicU64::new(0), until, replace };
        let load =
            |until| loader_over(Arc::new(fs(until)), options(&place)).load(&scope(place.proj())).unwrap();
        let settled = load(1);
        assert_eq!(marks(&settled).len(), 2);
        assert!(!marks(&settled).contains(&"MARK_OLD".to_owned()));
        let never = load(99);
        assert_eq!(marks(&never), ["MARK_L"]);
        assert_eq!(decision(&never, "CLAUDE.md").reason, "changed_while_read");
    }
}

#[test]
fn names_that_are_no_utf_8_load_and_are_shown_escaped() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    place.write(".claude/rules/ok.md", "MARK_OK\n");
    place.write(".claude/rules/two\nlines.md", "MARK_LINES\n");
    let bad = place.path(".claude/rules").join(std::ffi::OsStr::from_bytes(b"bad\xE9.md"));
    std::fs::write(bad, "MARK_BAD\n").unwrap();
    let loader = loader(options(&place));
    let load = loader.load(&scope(place.proj())).unwrap();
    assert_eq!(marks(&load), ["MARK_BAD", "MARK_OK", "MARK_LINES"]);
    assert!(loader.render(&load.files).contains(r"rules/bad\xE9.md (project"));
    assert!(loader.render(&load.files).contains(r"rules/two\nlines.md (project"));
    assert!(serde_json::to_string(&load.decisions).is_ok());
}

#[test]
fn bombs_in_a_frontmatter_go_off_harmlessly() {
    let place = Place::new();
    let braces = "{a,b,c,d}".repeat(40);
    place.write(".claude/rules/braces.md", format!("---\npaths: ['{braces}', 'src/**']\n---\nMARK_BRACES\n"));
    let mut yaml = String::from("a0: &a0 [x, x]\n");
    for n in 1..40 {
        yaml += &format!("a{n}: &a{n} [{}]\n", format!("*a{}, ", n - 1).repeat(9));
    }
    place.write(".claude/rules/alias.md", format!("---\n{yaml}paths: *a39\n---\nMARK_ALIAS\n"));
    let deep = "[".repeat(20_000);
    place.write(".claude/rules/deep.md", format!("---\npaths: {deep}\n---\nMARK_DEEP\n"));
    place.write("CLAUDE.md", "MARK_P\n");
    let (options, scope) = (options(&place), scope(place.proj()));
    let path = place.path("src/x");
    let (load, nested) = in_time(move || {
        let loader = loader(options);
        (loader.load(&scope).unwrap(), loader.load_for_path(&scope, &path).unwrap())
    });
    assert!(marks(&load).contains(&"MARK_P".to_owned()));
    assert!(reasons(&load, "braces.md").contains(&"bad_pattern"));
    assert_eq!(marks(&nested)[0], "MARK_BRACES");
}

#[test]
fn markdown_that_is_made_to_take_long_does_not() {
    for part in [
        "@",
        "<@",
        "`@",
        "[@a](",
        "<!-- @",
        "[x]: @a\n",
        "> @a\n",
        "* @a\n",
        "|@a",
        "**@a",
        "@\"",
        "\\@",
        "，@a",
    ] {
        let place = Place::new();
        place.write("CLAUDE.md", part.repeat(60_000 / part.len()));
        place.write("CLAUDE.local.md", "MARK_L\n");
        assert_eq!(marks(&load_in_time(&place)).last().map(String::as_str), Some("MARK_L"), "{part}");
    }
}
