//! The checks as commands: each looks, says what it saw, and fails when something is wrong.

use anyhow::{Context as _, Result, bail};

use crate::counts::{BOUNDS, behind};
use crate::licences::by_licence;
use crate::{DenyFile, Shell, Workspace};

/// Who may depend on whom, and how many crates stand behind `agent-core`.
pub(crate) fn layers(shell: &Shell) -> Result<()> {
    let workspace = Workspace::own(shell)?;
    let mut breaches = crate::layers(&workspace);
    println!("layers: {} packages", workspace.packages.len());
    for bound in BOUNDS {
        let count = behind(shell, bound.args)?.len();
        println!("crates behind agent-core, {}: {count} of {} at most", bound.name, bound.most);
        if count > bound.most {
            breaches.push(format!("agent-core, {}: {count} crates, {} at most", bound.name, bound.most));
        }
    }
    verdict(&breaches)
}

/// Licences, bans and sources of every crate.
pub(crate) fn licences(shell: &Shell) -> Result<()> {
    let path = shell.root().join("deny.toml");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let workspace = Workspace::all(shell)?;
    for (licence, count) in by_licence(&workspace) {
        println!("{count:4} {licence}");
    }
    verdict(&crate::licences(&workspace, &DenyFile::parse(&text)?))
}

/// The book's table of contents, every link, and a reason for each library.
pub(crate) fn book(shell: &Shell) -> Result<()> {
    let mut problems = crate::book::problems(shell.root())?;
    let path = shell.root().join("docs/dependencies.md");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    problems.extend(crate::reasons::reasons(&Workspace::own(shell)?, &text));
    verdict(&problems)
}

fn verdict(breaches: &[String]) -> Result<()> {
    for breach in breaches {
        println!("- {breach}");
    }
    match breaches.len() {
        0 => Ok(()),
        1 => bail!("one thing is wrong"),
        many => bail!("{many} things are wrong"),
    }
}
