//! Real streams: a reader that goes away, a scenario on the standard input.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use context_testkit::Place;

/// Arguments for the child, one a line.
const ARGUMENTS: &str = "CTX_TEST_ARGUMENTS";

/// Not a test by itself: the others start this program again with it, so that `ctx` has streams of its own.
#[test]
#[ignore = "started by other tests"]
fn child() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else { return };
    let code = ctx::run(std::iter::once("ctx").chain(arguments.lines()), ctx::Process::of_this());
    std::process::exit(code.into());
}

fn ctx(place: &Place, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(["--exact", "cli::streams::child", "--ignored", "--nocapture", "--test-threads=1"])
        .env(ARGUMENTS, arguments.join("\n"))
        .env("HOME", place.home())
        .env("CTX_MANAGED_DIR", place.managed())
        .env_remove("PWD")
        .current_dir(place.proj())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = Place::new();
    place.write("big.txt", "a line of some length\n".repeat(4000));
    let mut child = ctx(&place, &["build", "@big.txt", "--format", "anthropic"]).spawn().expect("a child");
    let mut out = child.stdout.take().expect("its output");
    let mut some = [0; 16];
    out.read_exact(&mut some).expect("the test runner's first words");
    drop(out);
    let output = child.wait_with_output().expect("its end");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), said.as_str()), (Some(0), ""));
}

#[test]
fn a_scenario_may_stand_on_the_standard_input() {
    let place = Place::new();
    let mut child = ctx(&place, &["replay", "-"]).stdin(Stdio::piped()).spawn().expect("a child");
    let mut input = child.stdin.take().expect("its input");
    input.write_all(b"{\"turn\": \"from a pipe\"}\n").expect("a scenario");
    drop(input);
    let output = child.wait_with_output().expect("its end");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(out.lines().any(|line| line.contains("{\"turn\":1") && line.contains("from a pipe")), "{out}");
}

#[test]
fn the_directory_is_the_one_that_the_user_came_by() {
    let place = Place::new();
    place.write("{out}/CLAUDE.md", "LINK-PARENT\n");
    place.link("{out}/link", "{proj}");
    let link = place.path("{out}/link");
    let output =
        ctx(&place, &["build", "Hi", "--format", "anthropic"]).env("PWD", &link).output().expect("its end");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(out.contains("LINK-PARENT"), "{out}");
}
