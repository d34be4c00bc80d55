//! The book's table of contents, and every link between the documents.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result};

/// Folder of the book's pages, from the root.
const PAGES: &str = "docs/book/src";

/// Documents outside of `docs` whose links are checked too.
const OTHERS: &[&str] = &["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];

/// Every broken link, page that the table of contents lacks, and entry without a page, in one sentence each.
///
/// # Errors
/// A document can not be read.
pub(crate) fn problems(root: &Path) -> Result<Vec<String>> {
    let mut documents = Vec::new();
    markdown_below(&root.join("docs"), &mut documents)?;
    documents.extend(OTHERS.iter().map(|name| root.join(name)).filter(|path| path.is_file()));
    documents.sort();
    let mut problems = Vec::new();
    for document in &documents {
        let text = read(document)?;
        let mut wrong: Vec<String> =
            links(&text).iter().filter_map(|link| broken(document, &text, link)).collect();
        wrong.extend(includes(&text).filter_map(|file| missing(document, file)));
        problems
            .extend(wrong.iter().map(|problem| format!("{}: {problem}", relative(root, document).display())));
    }
    problems.extend(unlisted(root, &documents)?);
    problems.extend(left_out(root, &documents)?);
    Ok(problems)
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

fn relative<'a>(root: &Path, path: &'a Path) -> &'a Path {
    path.strip_prefix(root).unwrap_or(path)
}

fn markdown_below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            // What mdBook writes is no source.
            if path.file_name() != Some("book".as_ref()) || path.join("book.toml").is_file() {
                markdown_below(&path, found)?;
            }
        } else if path.extension() == Some("md".as_ref()) {
            found.push(path);
        }
    }
    Ok(())
}

fn unlisted(root: &Path, documents: &[PathBuf]) -> Result<Vec<String>> {
    let pages = root.join(PAGES);
    let summary = pages.join("SUMMARY.md");
    let listed: BTreeSet<PathBuf> =
        links(&read(&summary)?).iter().map(|link| normal(&pages.join(file_of(link)))).collect();
    let missing = documents.iter().filter(|path| path.starts_with(&pages) && **path != summary);
    let missing = missing.filter(|path| !listed.contains(*path));
    Ok(missing.map(|path| format!("{}: not in SUMMARY.md", relative(root, path).display())).collect())
}

/// Decisions that the book does not take in.
fn left_out(root: &Path, documents: &[PathBuf]) -> Result<Vec<String>> {
    let decisions: Vec<&PathBuf> =
        documents.iter().filter(|path| path.starts_with(root.join("docs/decisions"))).collect();
    if decisions.is_empty() {
        return Ok(Vec::new());
    }
    let page = root.join(PAGES).join("decisions.md");
    let text = read(&page)?;
    let taken: BTreeSet<PathBuf> = includes(&text).map(|file| normal(&root.join(PAGES).join(file))).collect();
    let missing = decisions.into_iter().filter(|path| !taken.contains(*path));
    Ok(missing
        .map(|path| format!("{}: not in the book's decisions.md", relative(root, path).display()))
        .collect())
}

fn file_of(link: &str) -> &str {
    link.split_once('#').map_or(link, |(file, _)| file)
}

/// What is wrong with a link of `document`, where something is. Addresses of the web are not looked at.
fn broken(document: &Path, text: &str, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let target = if file.is_empty() { document.to_owned() } else { normal(&document.parent()?.join(file)) };
    if !target.exists() {
        return Some(format!("{link} does not exist"));
    }
    let anchor = anchor?;
    let there = if file.is_empty() { text.to_owned() } else { std::fs::read_to_string(&target).ok()? };
    (!anchors(&there).contains(anchor)).then(|| format!("{link} names no heading"))
}

/// What a page takes in from elsewhere.
fn includes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.trim().strip_prefix("{{#include ")?.strip_suffix("}}"))
}

fn missing(document: &Path, file: &str) -> Option<String> {
    let target = normal(&document.parent()?.join(file));
    (!target.is_file()).then(|| format!("{file} does not exist"))
}

/// A path without `.` and `..`; links of the disk play no part.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// The text outside fenced blocks, line by line, with what stands in back-quotes taken out.
fn prose(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut fenced = false;
    text.lines().filter_map(move |line| {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            return None;
        }
        (!fenced).then(|| line.split('`').step_by(2).collect())
    })
}

/// The targets of a text's inline links, in order.
fn links(text: &str) -> Vec<String> {
    let of_line = |line: String| {
        let ends = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        ends.map(|(target, _)| target.to_owned()).collect::<Vec<_>>()
    };
    prose(text).flat_map(of_line).collect()
}

/// The anchors that mdBook and GitHub give a text's headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let headings = text.lines().filter(|line| {
        fenced ^= line.trim_start().starts_with("```");
        !fenced && line.starts_with('#')
    });
    headings.map(|heading| slug(heading.trim_start_matches('#').trim())).collect()
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lay(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            std::fs::write(path, text).expect("a file");
        }
        root
    }

    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let root = lay(files);
        assert_eq!(problems(root.path()).expect("readable documents"), expected);
    }

    #[test]
    fn a_whole_book_has_no_problems() {
        let summary = "# Summary\n\n- [One](one.md)\n- [Two](two.md#the-end)\n";
        let one =
            "# One\n[two](two.md), [web](https://x.org/a), `[code](none.md)`\n```\n[fenced](none.md)\n```\n";
        check(
            &[
                ("docs/book/src/SUMMARY.md", &format!("{summary}- [Decisions](decisions.md)\n")),
                ("docs/book/src/decisions.md", "{{#include ../../decisions/0001.md}}\n"),
                ("docs/book/src/one.md", one),
                ("docs/book/src/two.md", "## The end\n[up](../../decisions/0001.md)\n[here](#the-end)"),
                ("docs/decisions/0001.md", "x"),
                ("docs/book/book/made.md", "[none](none.md)"),
                ("docs/book/book.toml", ""),
            ],
            &[],
        );
    }

    #[test]
    fn a_page_that_the_summary_lacks_and_broken_links_are_caught() {
        check(
            &[
                ("docs/book/book.toml", ""),
                ("docs/book/src/SUMMARY.md", "- [Gone](gone.md)\n- [D](decisions.md)\n"),
                ("docs/book/src/decisions.md", "{{#include none.md}}\n"),
                ("docs/decisions/0002.md", ""),
                ("docs/book/src/lost.md", "[there](SUMMARY.md#nowhere)"),
                ("README.md", "[docs](docs/none.md)"),
            ],
            &[
                "README.md: docs/none.md does not exist",
                "docs/book/src/SUMMARY.md: gone.md does not exist",
                "docs/book/src/decisions.md: none.md does not exist",
                "docs/book/src/lost.md: SUMMARY.md#nowhere names no heading",
                "docs/book/src/lost.md: not in SUMMARY.md",
                "docs/decisions/0002.md: not in the book's decisions.md",
            ],
        );
    }
}
