//! All that CI does, in order.

use std::fs::File;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::built::Built;
use crate::features::{SLOW, features};
use crate::shell::{name_of, run};
use crate::{Shell, steps};

/// Where the tests' output is kept, from the root.
const TEST_LOG: &str = "target/ci/test.log";

/// What was done, and how long each step took.
#[derive(Debug, Default)]
struct Report {
    steps: Vec<(String, Duration)>,
}

/// What every build of this run asks for: one selection of packages and features, since cargo builds the outside libraries
/// anew for each other one. `tables` holds what `gen-docs` reads.
const WHOLE: &[&str] = &["--workspace", "--features", "xtask/tables"];

/// Runs everything. The steps' output is shown as it comes; that of the tests is kept back, so that it stands behind the
/// table of timings, at the very end.
///
/// # Errors
/// A step fails: nothing after it runs.
pub(crate) fn ci(shell: &Shell) -> Result<()> {
    let mut report = Report::default();
    looks(shell, &mut report)?;
    report.command(whole(shell, &["clippy", "--all-targets"], &["--", "-D", "warnings"]))?;
    // With the same selection, so that what clippy looked at of outside libraries is not looked at again.
    let mut doc = whole(shell, &["doc", "--no-deps"], &[]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    report.command(doc)?;
    report.command(whole(shell, &["build", "--all-targets"], &[]))?;
    let built = Built::of(shell)?;
    let mut tables = shell.program(built.program("xtask"), &["gen-docs", "--check"]);
    tables.env("CARGO_MANIFEST_DIR", shell.root().join("xtask"));
    report.step("xtask gen-docs --check", || run(tables))?;
    report.step("examples of agent-core", || built.examples(shell, "agent-core"))?;
    // Each bench runs once, so that none rots; nothing is measured.
    report.command(whole(shell, &["test", "-q", "--bench", "*"], &[]))?;
    report.step("xtask targets", || crate::targets::targets(shell))?;
    report.step("xtask same-bytes", || crate::same_bytes::same_bytes(shell, &built))?;
    report.step("xtask features", || features(shell, "test", &[], SLOW))?;
    let tests = report.step("cargo test --workspace", || test(shell));
    report.print();
    print!("{}", tests?);
    Ok(())
}

/// What is looked at without building anything.
fn looks(shell: &Shell, report: &mut Report) -> Result<()> {
    report.command(shell.cargo(&["fmt", "--all", "--check"]))?;
    report.step("xtask layers", || steps::layers(shell))?;
    report.step("xtask licences", || steps::licences(shell))?;
    report.step("xtask book", || steps::book(shell))?;
    report.step("cargo deny", || deny(shell))
}

/// A cargo command over the whole workspace.
fn whole(shell: &Shell, before: &[&str], after: &[&str]) -> Command {
    shell.cargo(&[&before[..1], WHOLE, &before[1..], after].concat())
}

/// The second look at `deny.toml`; advisories would need the network and are left out.
fn deny(shell: &Shell) -> Result<()> {
    let version = shell.cargo(&["deny", "--version"]).stderr(Stdio::null()).output()?;
    if !version.status.success() {
        println!("cargo-deny is not installed: `cargo xtask licences` has looked at the same file");
        return Ok(());
    }
    run(shell.cargo(&["deny", "--offline", "check", "bans", "licenses", "sources"]))
}

/// The tests' output. What cargo says meanwhile is shown, so that one sees which tests run.
fn test(shell: &Shell) -> Result<String> {
    let log = shell.root().join(TEST_LOG);
    std::fs::create_dir_all(log.parent().context("no folder for the log")?)?;
    let mut command = whole(shell, &["test"], &[]);
    let status = command.stdin(Stdio::null()).stdout(File::create(&log)?).status()?;
    let output = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
    if !status.success() {
        print!("{output}");
        bail!("cargo test --workspace: {status}");
    }
    Ok(output)
}

impl Report {
    fn command(&mut self, command: Command) -> Result<()> {
        self.step(&name_of(&command), || run(command))
    }

    fn step<T>(&mut self, name: &str, act: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = act().with_context(|| name.to_owned());
        self.steps.push((name.to_owned(), start.elapsed()));
        outcome
    }

    fn print(&self) {
        println!("\n| step | seconds |\n|---|---|");
        for (name, took) in &self.steps {
            println!("| {name} | {:.1} |", took.as_secs_f64());
        }
        let all: Duration = self.steps.iter().map(|(_, took)| *took).sum();
        println!("| all | {:.1} |\n", all.as_secs_f64());
    }
}
