//! The reference command line. Everything is in the library; here it meets the process.

use std::process::ExitCode;

fn main() -> ExitCode {
    let process = ctx::Process::of_this();
    ExitCode::from(ctx::run(std::env::args_os(), process))
}
