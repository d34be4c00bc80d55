//! The workshop: what CI does, and what prose would forget.
//!
//! A [`Shell`] runs programs in the workspace. [`Workspace`] is what `cargo metadata` says of it; [`layers`],
//! [`licences`] and `counts` judge it. `ci` runs everything in order and says how long each step took.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line says what it does")]

mod book;
mod built;
mod ci;
mod compare;
mod counts;
mod features;
mod layers;
mod licences;
mod reasons;
mod same_bytes;
#[cfg(feature = "tables")]
mod schemas;
mod shell;
mod spdx;
mod steps;
#[cfg(feature = "tables")]
mod tables;
mod targets;
mod workspace;

/// The examples of the book, compiled and run by `cargo test -p xtask --features tables --doc`.
#[cfg(all(doctest, feature = "tables"))]
mod examples {
    #[doc = include_str!("../../docs/book/src/embedding.md")]
    struct Embedding;
    #[doc = include_str!("../../docs/book/src/swapping.md")]
    struct Swapping;
    #[doc = include_str!("../../CONTRIBUTING.md")]
    struct Contributing;
}

use std::process::ExitCode;

use anyhow::{Result, bail};

pub use layers::layers;
pub use licences::{DenyFile, licences};
pub use shell::Shell;
pub use workspace::{Dependency, Kind, Package, Workspace};

const USAGE: &str = "\
cargo xtask COMMAND

  ci                     all that CI does, in order, with timings; ends with the tests
  layers                 who may depend on whom, and how many crates stand behind agent-core
  licences               licences, bans and sources of every crate, by deny.toml, without network
  book                   the book's table of contents, every link, and a reason for each library
  gen-docs [--check]     the book's tables and the JSON schemas made from the code, or a look whether they are stale
  features [PACKAGE…]    the tests with no feature, each feature alone, and all, package by package
  check-features [PACKAGE…]   the same, only compiled
  targets                agent-core compiled for other systems, as far as the toolchain has their standard libraries
  same-bytes             every scenario by two builds of ctx, one with serde_json's features that a host may turn on
  bench-compare [--rounds N] [--warm-up N] [--cwd DIR] PROGRAM PROGRAM…
                         programs side by side, in turn: medians, and ratios to the first
";

/// Runs the command that `args` name.
pub fn main(args: Vec<String>) -> ExitCode {
    match command(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn command(args: &[String]) -> Result<()> {
    let shell = Shell::new()?;
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["ci"] => ci::ci(&shell),
        ["layers"] => steps::layers(&shell),
        ["licences"] => steps::licences(&shell),
        ["book"] => steps::book(&shell),
        ["gen-docs"] => gen_docs(&shell, false),
        ["gen-docs", "--check"] => gen_docs(&shell, true),
        ["features", only @ ..] => features::features(&shell, "test", only, &[]),
        ["check-features", only @ ..] => features::features(&shell, "check", only, &[]),
        ["targets"] => targets::targets(&shell),
        ["same-bytes"] => {
            shell::run(shell.cargo(&["build", "-q", "-p", "ctx"]))?;
            same_bytes::same_bytes(&shell, &built::Built::of(&shell)?)
        }
        ["bench-compare", more @ ..] => compare::compare(&shell, &compare::parse(more)?),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => bail!("no such command: {}\n\n{USAGE}", words.join(" ")),
    }
}

#[cfg(feature = "tables")]
fn gen_docs(shell: &Shell, check: bool) -> Result<()> {
    tables::gen_docs(shell, check)?;
    schemas::gen_schemas(shell, check)
}

/// The tables need every part, and this program must run while a part does not compile: so it starts itself again.
#[cfg(not(feature = "tables"))]
fn gen_docs(shell: &Shell, check: bool) -> Result<()> {
    let mut args = vec!["run", "-q", "-p", "xtask", "--features", "tables", "--", "gen-docs"];
    args.extend(check.then_some("--check"));
    shell::run(shell.cargo(&args))
}
