//! Settings keys and environment variables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::source::{field_docs, sources};
use super::{head, row};

/// What each variable means. The names are found in the sources; one without a line here, or a line without a name there,
/// makes [`tables`] fail.
const VARIABLES: &[(&str, &str)] = &[
    ("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "set: no memory file loads"),
    ("CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS", "set: no git facts"),
    ("CLAUDE_CODE_REMOTE", "set: no git facts"),
    ("CTX_CWD", "`--cwd`"),
    ("CTX_HOME", "`--home`"),
    ("CTX_MANAGED_DIR", "`--managed-dir`"),
    ("CTX_NOW", "`--now`"),
    ("CTX_SETTINGS", "`--settings`"),
];

/// Beginnings of the names that the sources are searched for.
const BEGINNINGS: &[&str] = &["CLAUDE_", "CTX_", "ANTHROPIC_"];

/// Packages that may name variables: libraries get theirs handed in.
const READERS: &[&str] = &["agent-core", "ctx"];

/// Both tables.
///
/// # Errors
/// The sources and the list above differ.
pub(super) fn tables(root: &Path) -> Result<String> {
    Ok(format!("## Settings\n\n{}\n## Environment variables\n\n{}", settings(root)?, variables(root)?))
}

fn settings(root: &Path) -> Result<String> {
    let sources = sources(root, "agent-core")?;
    let docs = sources.iter().find_map(|(_, text)| field_docs(text, "Settings"));
    let docs = docs.context("agent_core::Settings is declared nowhere")?;
    let mut rows: Vec<String> = docs.iter().filter_map(|(field, doc)| setting(field, doc)).collect();
    rows.sort();
    Ok(head(&["setting", "`Settings` field", "what it says"]) + &rows.concat())
}

/// The row of a field whose comment begins with the key in back-quotes, behind a few words at most.
fn setting(field: &str, doc: &str) -> Option<String> {
    let key = doc.split('`').nth(1).filter(|key| !key.starts_with("CLAUDE_"))?;
    Some(row(&[&format!("`{key}`"), &format!("`{field}`"), doc]))
}

fn variables(root: &Path) -> Result<String> {
    let mut readers: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for package in READERS {
        for (_, text) in sources(root, package)? {
            for name in names(&text) {
                readers.entry(name).or_default().insert(package);
            }
        }
    }
    let known: BTreeSet<&str> = VARIABLES.iter().map(|(name, _)| *name).collect();
    let found: BTreeSet<&str> = readers.keys().map(String::as_str).collect();
    let differ: Vec<&str> = known.symmetric_difference(&found).copied().collect();
    if !differ.is_empty() {
        bail!("xtask/src/tables/settings.rs and the sources differ in {}", differ.join(", "));
    }
    let rows = VARIABLES.iter().map(|(name, meaning)| {
        let packages: Vec<&str> = readers[*name].iter().copied().collect();
        row(&[&format!("`{name}`"), meaning, &packages.join(", ")])
    });
    Ok(head(&["variable", "meaning", "read by"]) + &rows.collect::<String>())
}

/// String literals of a source that are names of variables.
fn names(text: &str) -> BTreeSet<String> {
    let is_name = |word: &&str| {
        let shape = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        BEGINNINGS.iter().any(|beginning| word.starts_with(beginning)) && word.bytes().all(shape)
    };
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split('"').skip(1).step_by(2)).filter(is_name).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_found_in_literals_only() {
        let text = "/// \"CTX_DOC\"\nlet a = get(\"CTX_A\") || on(\"CLAUDE_B\"); // \"ctx_c\"\n";
        assert_eq!(names(text).into_iter().collect::<Vec<_>>(), ["CLAUDE_B", "CTX_A"]);
    }

    #[test]
    fn a_setting_is_named_by_the_first_quoted_word() {
        let line = setting("deny_read", "Rules: `permissions.deny` of all layers.").expect("a key");
        assert_eq!(line, "| `permissions.deny` | `deny_read` | Rules: `permissions.deny` of all layers. |\n");
        assert!(setting("decisions", "What could not be read.").is_none());
        assert!(setting("x", "`CLAUDE_CODE_REMOTE`: off").is_none());
    }
}
