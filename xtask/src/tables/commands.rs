//! The commands of `ctx`: their own help.

use std::process::Stdio;

use anyhow::{Result, bail};

use crate::Shell;
use crate::shell::{name_of, run};

/// The help of `ctx` and of each of its commands, in fenced blocks.
///
/// # Errors
/// `ctx` can not be built or gives no help.
pub(super) fn help(shell: &Shell) -> Result<String> {
    run(shell.cargo(&["build", "-q", "-p", "ctx"]))?;
    let top = of(shell, &["--help"])?;
    let mut out = format!("## ctx\n\n```text\n{top}\n```\n");
    for command in commands(&top) {
        out.push_str(&format!("\n## ctx {command}\n\n```text\n{}\n```\n", of(shell, &[command, "--help"])?));
    }
    Ok(out)
}

fn of(shell: &Shell, args: &[&str]) -> Result<String> {
    let mut command = shell.cargo(&[&["run", "-q", "-p", "ctx", "--"], args].concat());
    // The width and the look of the help must not depend on who asks.
    command.env("COLUMNS", "100").env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CTX_")) {
        command.env_remove(name);
    }
    let name = name_of(&command);
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("{name}: {}", output.status);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned())
}

/// The names in the list of commands, `help` left out.
fn commands(help: &str) -> Vec<&str> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    list.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect()
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn commands_are_read_from_the_help() {
        let help = "Usage: ctx\n\nCommands:\n  build   Makes\n          more\n  git     Git\n  help    Help\n\nOptions:\n  -v\n";
        assert_eq!(commands(help), ["build", "git"]);
    }
}
