//! What the sources say of a struct's fields.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// Every Rust source of a crate's own code (tests left out), sorted by path, with its text.
///
/// # Errors
/// A file can not be read.
pub(super) fn sources(root: &Path, package: &str) -> Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    below(&root.join("crates").join(package).join("src"), &mut found)?;
    found.sort();
    Ok(found)
}

fn below(folder: &Path, found: &mut Vec<(PathBuf, String)>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            below(&path, found)?;
        } else if name.ends_with(".rs") && !name.contains("test") {
            let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            found.push((path, text));
        }
    }
    Ok(())
}

/// Doc comments of the fields of `name` by field; `None` where `text` does not declare it.
pub(super) fn field_docs(text: &str, name: &str) -> Option<BTreeMap<String, String>> {
    let opening = format!("pub struct {name} {{");
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != opening).skip(1).peekable();
    lines.peek()?;
    let mut docs = BTreeMap::new();
    let mut doc: Vec<&str> = Vec::new();
    for line in lines.take_while(|line| *line != "}") {
        if let Some(text) = line.strip_prefix("///") {
            doc.push(text.trim());
        } else if let Some((field, _)) = line.strip_prefix("pub ").and_then(|line| line.split_once(':')) {
            docs.insert(field.to_owned(), plain(&doc.join(" ")));
            doc.clear();
        }
    }
    Some(docs)
}

/// A doc comment without links into the code.
fn plain(doc: &str) -> String {
    let mut out = String::new();
    let mut rest = doc;
    while let Some((before, after)) = rest.split_once("](") {
        out.push_str(before);
        out.push(']');
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out.replace("[`", "`").replace("`]", "`")
}

#[cfg(test)]
mod tests {
    use super::field_docs;

    #[test]
    fn docs_of_fields_are_found_in_plain_structs_and_in_macros() {
        let text = "limits! {\n    /// X.\n    pub struct L {\n        /// One [`T`](crate::T).\n        /// Two.\n        pub a: u64 = 5,\n        #[x]\n        /// B.\n        pub b: u8,\n    }\n}";
        let docs = field_docs(text, "L").expect("a struct");
        assert_eq!(docs["a"], "One `T`. Two.");
        assert_eq!(docs["b"], "B.");
        assert_eq!(docs.len(), 2);
        assert!(field_docs(text, "M").is_none());
    }
}
