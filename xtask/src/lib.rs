//! The workshop: what CI does, and what prose would forget.
//!
//! A [`Shell`] runs programs in the workspace. [`Workspace`] is what `cargo metadata` says of it; [`layers`],
//! [`licences`] and [`counts`] judge it. [`ci`] runs everything in order and says how long each step took.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line says what it does")]

mod book;
mod ci;
mod counts;
mod layers;
mod licences;
mod shell;
mod spdx;
mod steps;
mod workspace;

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
  book                   the book's table of contents and every link in it
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
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => bail!("no such command: {}\n\n{USAGE}", words.join(" ")),
    }
}
