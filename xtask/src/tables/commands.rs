//! The commands of `ctx`: their own help.

/// Columns of the help: it must not depend on the terminal of who asks.
const WIDTH: usize = 100;

/// The help of `ctx` and of each of its commands, in fenced blocks.
pub(super) fn help() -> String {
    let mut command = ctx::command().term_width(WIDTH);
    command.build();
    let mut out = format!("## ctx\n\n```text\n{}\n```\n", plain(&command.render_help().to_string()));
    for each in command.get_subcommands_mut().filter(|each| each.get_name() != "help") {
        let (name, text) = (each.get_name().to_owned(), each.render_help().to_string());
        out.push_str(&format!("\n## ctx {name}\n\n```text\n{}\n```\n", plain(&text)));
    }
    out
}

fn plain(help: &str) -> String {
    help.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::help;

    #[test]
    fn every_command_has_its_help() {
        let help = help();
        for part in ["## ctx\n", "## ctx build\n", "Usage: ctx build", "--cwd <DIR>"] {
            assert!(help.contains(part), "{part} in {help}");
        }
    }
}
