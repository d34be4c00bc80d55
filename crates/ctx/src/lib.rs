//! The reference command line of the context engine, as a library.
//!
//! [`run`] takes arguments and a [`Process`] (streams, variables, directories) and returns an exit code: 0 done, 1 failed,
//! 2 usage. Results go to the output, messages to the error stream.
//!
//! ```
//! let (process, output) = ctx::Process::captured("/".into(), Default::default());
//! let code = ctx::run(["ctx", "mentions", "see @a.rs"], process);
//! assert_eq!(code, 0);
//! assert!(output.out().contains("@a.rs"));
//! ```

mod cli;
mod process;

mod account;
mod form;
mod host;
mod json;
mod session_file;
mod setup;
mod usage;

mod commands;
mod replay;
#[cfg(feature = "schema")]
mod schema;

pub use process::{Captured, Process};
#[cfg(feature = "schema")]
pub use schema::schemas;

use clap::Parser;
use cli::{Cli, Command};

/// Runs one command. The result is an exit code: 0 done, 1 failed, 2 usage.
pub fn run<I, A>(arguments: I, mut process: Process) -> u8
where
    I: IntoIterator<Item = A>,
    A: Into<std::ffi::OsString> + Clone,
{
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, &mut process),
    };
    let outcome = dispatch(cli, &mut process);
    if let (Ok(()), Some(error)) = (&outcome, process.unwritten()) {
        process.say(&format!("ctx: the result could not be written: {error}"));
        return 1;
    }
    match outcome {
        Ok(()) => 0,
        Err(error) if error.is::<commands::Refused>() => {
            process.say(&format!("ctx: {error:#}"));
            2
        }
        Err(error) => {
            process.say(&format!("ctx: {error:#}"));
            1
        }
    }
}

/// The command line itself, for who writes completions, pages or tables of it.
///
/// ```
/// let command = ctx::command();
/// assert!(command.get_subcommands().any(|each| each.get_name() == "build"));
/// ```
pub fn command() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}

fn usage(error: &clap::Error, process: &mut Process) -> u8 {
    let text = error.render().to_string();
    if error.use_stderr() {
        process.say(text.trim_end());
        return 2;
    }
    process.print(&text);
    0
}

fn dispatch(cli: Cli, process: &mut Process) -> anyhow::Result<()> {
    let globals = cli.globals.filled_from(process)?;
    match cli.command {
        Command::Build(options) => commands::build(&globals, &options, process),
        Command::Context(options) => commands::context(&globals, &options, process),
        Command::Memory(options) => commands::memory(&globals, &options, process),
        Command::Git(options) => commands::git(&globals, &options, process),
        Command::Mentions(options) => commands::mentions(&globals, &options, process),
        Command::Explain(options) => commands::explain(&globals, &options, process),
        Command::Transcript { command } => commands::transcript(&globals, &command, process),
        Command::Replay(options) => commands::replay(&globals, &options, process),
        Command::Completions(options) => commands::completions(&options, process),
        Command::Man => commands::man(process),
    }
}
