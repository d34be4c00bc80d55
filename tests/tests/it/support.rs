//! Running the program in this process.

use std::path::PathBuf;

use context_testkit::Place;
use ctx::{Captured, Process};
use serde_json::Value;

/// The time of every run that sets none.
pub(crate) const NOW: &str = "2026-04-25T12:00:00Z";

/// What a run left behind.
pub(crate) struct Outcome {
    pub(crate) code: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Outcome {
    /// The output as one JSON value.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.err);
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }

    /// The output of a run that went well, with nothing to complain about.
    pub(crate) fn text(&self) -> &str {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        &self.out
    }
}

/// Runs `ctx` in a directory with variables.
pub(crate) fn run_in(cwd: PathBuf, variables: &[(&str, &str)], arguments: &[&str]) -> Outcome {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let (process, captured) = Process::captured(cwd, variables);
    let code = ctx::run(std::iter::once("ctx").chain(arguments.iter().copied()), process);
    outcome(code, &captured)
}

fn outcome(code: u8, captured: &Captured) -> Outcome {
    Outcome { code, out: captured.out(), err: captured.err() }
}

/// Runs `ctx` in the project of a place, at home there, at a fixed time.
pub(crate) fn ctx(place: &Place, arguments: &[&str]) -> Outcome {
    let home = place.home().to_string_lossy().into_owned();
    let managed = place.managed().to_string_lossy().into_owned();
    let variables = [("HOME", home.as_str()), ("CTX_MANAGED_DIR", managed.as_str()), ("CTX_NOW", NOW)];
    run_in(place.proj(), &variables, arguments)
}
