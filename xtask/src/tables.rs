//! The book's tables, made from the code so that they can not drift from it.
//!
//! Each page holds text by hand and one table between two markers. The values come from `Default`, the meanings from the
//! doc comments of the same fields.

mod attachments;
mod commands;
mod limits;
mod settings;
mod source;

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::Shell;

const BEGIN: &str = "<!-- made by `cargo xtask gen-docs`: do not edit -->";
const END: &str = "<!-- end -->";

/// Makes the text between the markers of a page.
type Make = fn(&Shell) -> Result<String>;

/// The pages, from the root, and what makes them.
const PAGES: &[(&str, Make)] = &[
    ("docs/book/src/attachments-table.md", |_| Ok(attachments::table())),
    ("docs/book/src/limits.md", |shell| limits::tables(shell.root())),
    ("docs/book/src/settings.md", |shell| settings::tables(shell.root())),
    ("docs/book/src/commands.md", |_| Ok(commands::help())),
];

/// Writes each page anew, or, with `check`, fails when one is not what it would become.
///
/// # Errors
/// A page lacks its markers or can not be read, the code says something the tables have no place for, or a page is stale.
pub(crate) fn gen_docs(shell: &Shell, check: bool) -> Result<()> {
    let mut stale = Vec::new();
    for (name, make) in PAGES {
        let path = shell.root().join(name);
        let before = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let table = make(shell).with_context(|| (*name).to_owned())?;
        let after = filled(&before, &table).with_context(|| (*name).to_owned())?;
        if before == after {
            continue;
        }
        stale.push(*name);
        if !check {
            write(&path, &after)?;
        }
    }
    match stale.as_slice() {
        [] => println!("{} pages are up to date", PAGES.len()),
        _ if check => bail!("stale: {}; run `cargo xtask gen-docs`", stale.join(", ")),
        _ => println!("written: {}", stale.join(", ")),
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

/// A page with `table` between its markers.
fn filled(page: &str, table: &str) -> Result<String> {
    let (head, rest) = page.split_once(BEGIN).context("no marker where the table begins")?;
    let (_, tail) = rest.split_once(END).context("no marker where the table ends")?;
    Ok(format!("{head}{BEGIN}\n\n{}\n\n{END}{tail}", table.trim_end()))
}

/// One row of a Markdown table; a bar in a cell is escaped.
fn row(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// The head of a Markdown table.
fn head(cells: &[&str]) -> String {
    format!("{}|{}\n", row(cells), "---|".repeat(cells.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_markers_changes() {
        let page = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        let once = filled(&page, "| new |\n").expect("markers");
        assert_eq!(once, format!("before\n{BEGIN}\n\n| new |\n\n{END}\nafter\n"));
        assert_eq!(filled(&once, "| new |\n").expect("markers"), once);
        assert!(filled("no markers", "").is_err());
    }
}
