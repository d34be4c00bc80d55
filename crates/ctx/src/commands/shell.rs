//! `ctx completions` and `ctx man`.

use crate::cli::CompletionsArgs;
use crate::process::Process;

/// Prints completions for a shell.
pub(crate) fn completions(args: &CompletionsArgs, process: &mut Process) -> anyhow::Result<()> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut crate::command(), "ctx", &mut out);
    process.print_bytes(&out);
    Ok(())
}

/// Prints the man page.
pub(crate) fn man(process: &mut Process) -> anyhow::Result<()> {
    let mut out = Vec::new();
    clap_mangen::Man::new(crate::command()).render(&mut out)?;
    process.print_bytes(&out);
    Ok(())
}
