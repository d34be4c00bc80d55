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
