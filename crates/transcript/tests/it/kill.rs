//! Processes that end in the middle of a write, and disks that end before it.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use context_api::{Reach, StoreErrorKind, TranscriptStore as _};

use crate::support::{batch, entry, ids, store, wait};

/// Where a child writes; without it a child's test does nothing.
const PLACE: &str = "TRANSCRIPT_CHILD_PLACE";
const KILLS: u32 = 200;
/// So that a session stays short: each child reads all of it.
const KILLS_OF_A_SESSION: u32 = 20;
const WATCHDOG: Duration = Duration::from_secs(300);

fn place_of_child() -> Option<PathBuf> {
    std::env::var_os(PLACE).map(PathBuf::from)
}

/// This program again, running one test that only a child runs.
fn child(test: &str, place: &Path, through: Option<&str>) -> Command {
    let exe = std::env::current_exe().unwrap();
    let arguments = ["--exact", test, "--ignored", "--nocapture", "--test-threads", "1"];
    let mut command = match through {
        None => Command::new(exe),
        Some(script) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("{script}; exec \"$0\" \"$@\"")]).arg(exe);
            shell
        }
    };
    command.args(arguments).env(PLACE, place).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Goes on with the session and writes turns of three entries, saying after each how far it is.
#[test]
#[ignore = "run by the test that kills it"]
fn child_that_writes_turns() {
    let Some(place) = place_of_child() else { return };
    let store = store(&place);
    let mut newest = match wait(store.load("s", Reach::All)) {
        Ok(loaded) => loaded.entries.last().map_or(0, |entry| entry.uuid.as_u128()),
        Err(error) => {
            assert_eq!(error.kind, StoreErrorKind::NotFound);
            0
        }
    };
    loop {
        let turn: Vec<_> = (newest + 1..=newest + 3)
            .map(|id| entry(id, Some(id - 1).filter(|id| *id > 0), &format!("{id} ").repeat(200)))
            .collect();
        wait(store.append(batch("s", &turn))).unwrap();
        newest += 3;
        say(newest);
    }
}

/// Says how far a child is.
fn say(newest: u128) {
    let mut out = std::io::stdout();
    writeln!(out, "written {newest}").and_then(|()| out.flush()).unwrap();
}

/// How far a child says that it is. The first word of a test stands behind its name.
fn said(line: &str) -> Option<u128> {
    line.split_once("written ")?.1.parse().ok()
}

fn kill_after(mut child: Child, acknowledgements: u32, pause: Duration) -> u128 {
    let mut newest = 0;
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok).filter_map(|line| said(&line));
    for _ in 0..acknowledgements {
        newest = lines.next().unwrap_or(newest);
    }
    std::thread::sleep(pause);
    child.kill().unwrap();
    newest = lines.last().unwrap_or(newest);
    child.wait().unwrap();
    newest
}

#[test]
fn whenever_a_process_is_killed_what_was_acknowledged_is_there_and_nothing_earlier_changed() {
    let begin = std::time::Instant::now();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut place = tempfile::tempdir().unwrap();
    let (mut before, mut acknowledged, mut most) = (Vec::new(), 0, 0);
    for round in 0..KILLS {
        if round % KILLS_OF_A_SESSION == 0 {
            (place, before, acknowledged) = (tempfile::tempdir().unwrap(), Vec::new(), 0);
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (acknowledgements, pause) =
            ((random >> 60) as u32 % 4, Duration::from_micros((random >> 33) % 3_000));
        let child = child("kill::child_that_writes_turns", place.path(), None).spawn().unwrap();
        acknowledged = kill_after(child, acknowledgements, pause).max(acknowledged);
        let now = fs::read(place.path().join("s.jsonl")).unwrap_or_default();
        assert!(now.starts_with(&before), "round {round}: something earlier changed");
        before = now;
        if acknowledged == 0 {
            continue;
        }
        let loaded = store(place.path()).read("s", None, Reach::All).unwrap();
        let found = ids(&loaded.entries);
        assert_eq!(
            found,
            (1..=found.len() as u128).collect::<Vec<_>>(),
            "round {round}: in order, without gaps"
        );
        assert!(found.len() as u128 >= acknowledged, "round {round}: {} of {acknowledged}", found.len());
        most = most.max(acknowledged);
        assert!(begin.elapsed() < WATCHDOG, "it takes too long");
    }
    assert!(most > 20, "the children wrote something");
}

/// Writes until the disk takes no more, and says how far it came.
#[test]
#[ignore = "run by the test that bounds its files"]
fn child_on_a_full_disk() {
    let Some(place) = place_of_child() else { return };
    let store = store(&place);
    for id in 1.. {
        let one = entry(id, Some(id - 1).filter(|id| *id > 0), &"x".repeat(3000));
        let path = store.file("s").unwrap();
        let Err(error) = wait(store.append(batch("s", std::slice::from_ref(&one)))) else { continue };
        assert_eq!(error.kind, StoreErrorKind::Failed, "{error}");
        let text = fs::read_to_string(path).unwrap();
        assert!(text.ends_with('\n'), "what a failed write left is taken away");
        // something smaller still fits, and stays in its place
        let small = entry(id, Some(id - 1), "small");
        wait(store.append(batch("s", &[small]))).unwrap();
        say(id);
        return;
    }
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_nothing_written_is_damaged_and_later_lines_follow_in_order() {
    let place = tempfile::tempdir().unwrap();
    let script = "trap '' XFSZ; ulimit -f 40";
    let out = child("kill::child_on_a_full_disk", place.path(), Some(script)).output().unwrap();
    let out = String::from_utf8(out.stdout).unwrap();
    let written = out.lines().find_map(said);
    let written = written.unwrap_or_else(|| panic!("the child failed: {out}"));
    assert!(written > 3, "{written}");
    let store = store(place.path());
    let more = entry(written + 1, Some(written), "later");
    wait(store.append(batch("s", &[more]))).unwrap();
    let loaded = store.read("s", None, Reach::All).unwrap();
    assert_eq!(ids(&loaded.entries), (1..=written + 1).collect::<Vec<_>>());
    assert_eq!(loaded.decisions, []);
}

#[test]
fn two_processes_do_not_write_one_session() {
    let place = tempfile::tempdir().unwrap();
    let mut child = child("kill::child_that_writes_turns", place.path(), None).spawn().unwrap();
    let mut first = BufReader::new(child.stdout.take().unwrap()).lines();
    let reader = std::thread::spawn(move || {
        while let Some(Ok(line)) = first.next() {
            if said(&line).is_some() {
                break;
            }
        }
        first
    });
    let rest = reader.join().unwrap();
    let store = store(place.path());
    let error = wait(store.append(batch("s", &[entry(1_000_000, None, "x")]))).unwrap_err();
    child.kill().unwrap();
    drop(rest);
    assert_eq!(error.kind, StoreErrorKind::InUse);
    assert!(error.reason.contains(&format!("process {}", child.id())), "{error}");
    child.wait().unwrap();
    wait(store.append(batch("s", &[entry(1_000_000, None, "x")]))).unwrap();
}
