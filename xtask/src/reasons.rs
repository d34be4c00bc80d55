//! Each library from outside has its reason in `docs/dependencies.md`.

use std::collections::BTreeSet;

use crate::Workspace;

/// Libraries without a line, and lines without a library, in one sentence each.
pub(crate) fn reasons(workspace: &Workspace, text: &str) -> Vec<String> {
    let own: BTreeSet<&str> = workspace.packages.iter().map(|package| package.name.as_str()).collect();
    let asked = workspace.packages.iter().flat_map(|package| &package.dependencies);
    let asked: BTreeSet<&str> = asked.map(|dependency| dependency.name.as_str()).collect();
    let outside: BTreeSet<&str> = asked.difference(&own).copied().collect();
    let listed: BTreeSet<&str> = text.lines().filter_map(name).collect();
    let unlisted =
        outside.difference(&listed).map(|name| format!("docs/dependencies.md: no line for {name}"));
    let idle =
        listed.difference(&outside).map(|name| format!("docs/dependencies.md: nobody asks for {name}"));
    unlisted.chain(idle).collect()
}

/// The library that a row of the table is about, where it has a reason beside it.
fn name(line: &str) -> Option<&str> {
    let (name, reason) = line.strip_prefix("| `")?.split_once("` |")?;
    (!reason.trim_matches([' ', '|']).is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_without_a_reason_and_a_reason_without_a_library_are_caught() {
        let json = serde_json::json!({"packages": [
            {"name": "a", "version": "0.1.0", "dependencies": [{"name": "b"}, {"name": "serde"}, {"name": "new"}, {"name": "bare"}]},
            {"name": "b", "version": "0.1.0"},
        ]});
        let workspace: Workspace = serde_json::from_value(json).expect("made-up metadata");
        let text = "| library | for |\n|---|---|\n| `serde` | x |\n| `bare` | |\n| `old` | y |\n";
        assert_eq!(
            reasons(&workspace, text),
            [
                "docs/dependencies.md: no line for bare",
                "docs/dependencies.md: no line for new",
                "docs/dependencies.md: nobody asks for old",
            ]
        );
    }
}
