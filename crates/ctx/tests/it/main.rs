//! The program itself: real streams, a reader that goes away, the directory that the user came by.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that can not go on fails")]

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(place.path("proj")).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn ctx(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ctx"));
        command
            .args(arguments)
            .env("HOME", self.path("home"))
            .env("CTX_MANAGED_DIR", self.path("managed"))
            .env_remove("PWD")
            .current_dir(self.path("proj"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = Place::new();
    // Far more than a pipe holds.
    write(&place.path("proj/big.txt"), &"a line of some length\n".repeat(4000));
    let mut child = place.ctx(&["build", "@big.txt", "--format", "anthropic"]).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 16]).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(0), ""));
}

#[test]
fn a_scenario_may_stand_on_the_standard_input() {
    let place = Place::new();
    let mut child = place.ctx(&["replay", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"{\"turn\": \"from a pipe\"}\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(out.starts_with("{\"turn\":1") && out.contains("from a pipe"), "{out}");
}

#[test]
fn the_directory_is_the_one_that_the_user_came_by() {
    let place = Place::new();
    std::fs::create_dir(place.path("out")).unwrap();
    write(&place.path("out/CLAUDE.md"), "LINK-PARENT\n");
    std::os::unix::fs::symlink(place.path("proj"), place.path("out/link")).unwrap();
    let mut command = place.ctx(&["build", "Hi", "--format", "anthropic"]);
    let output = command.env("PWD", place.path("out/link")).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("LINK-PARENT"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_can_not_be_written_is_a_failure() {
    let place = Place::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = place.ctx(&["memory", "--json"]).stdout(full).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the result could not be written"), "{said}");
}

#[test]
fn a_directory_that_is_gone_is_no_place_to_work_in() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_ctx");
    let script = format!("mkdir gone; cd gone; rmdir ../gone; exec '{program}' memory");
    let output = Command::new("sh").args(["-c", &script]).current_dir(place.path("proj")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the working directory is gone"), "{said}");
}

#[test]
fn settings_that_are_not_understood_are_told_with_the_memory_that_they_might_exclude() {
    let place = Place::new();
    std::fs::create_dir(place.path("proj/.claude")).unwrap();
    write(&place.path("proj/CLAUDE.md"), "MARK\n");
    for (settings, reason) in [
        ("// c\n{}", "settings_not_read"),
        ("{\"claudeMdExcludes\": \"**/CLAUDE.md\"}", "setting_not_understood"),
    ] {
        write(&place.path("proj/.claude/settings.json"), settings);
        let output = place.ctx(&["memory", "--json"]).output().unwrap();
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(out.contains(reason), "{out}");
    }
}

#[test]
fn a_pipe_in_the_place_of_a_transcript_is_an_error() {
    let place = Place::new();
    let pipe = place.path("proj/f.jsonl");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for arguments in [&["transcript", "show", "f.jsonl"][..], &["build", "hi", "--session", "f.jsonl"]] {
        let output = place.ctx(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn of_two_that_go_on_with_a_session_at_once_no_turn_is_lost() {
    let place = Place::new();
    let build = |text: &str| place.ctx(&["build", text, "--session", "../s.jsonl"]);
    assert!(build("first").output().unwrap().status.success());
    let mut said = vec!["first".to_owned()];
    for round in 0..8 {
        let words: Vec<String> = (0..2).map(|n| format!("word-{round}-{n}")).collect();
        let children: Vec<_> = words.iter().map(|word| build(word).spawn().unwrap()).collect();
        for (word, child) in words.into_iter().zip(children) {
            if child.wait_with_output().unwrap().status.success() {
                said.push(word);
            }
        }
    }
    let output = place.ctx(&["transcript", "show", "../s.jsonl"]).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    for word in &said {
        assert!(shown.contains(word.as_str()), "{word} was accepted and is not in\n{shown}");
    }
}
