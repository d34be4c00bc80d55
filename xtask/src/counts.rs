//! How many crates stand behind `agent-core`.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::Shell;
use crate::shell::capture;

/// A way to build `agent-core`, and the crates that may stand behind it at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound {
    /// For people.
    pub(crate) name: &'static str,
    /// Arguments of cargo.
    pub(crate) args: &'static [&'static str],
    /// Crates at most, `agent-core` not counted. The numbers are the workshop's goals.
    pub(crate) most: usize,
}

/// The bounds.
pub(crate) const BOUNDS: &[Bound] = &[
    Bound { name: "--no-default-features", args: &["--no-default-features"], most: 45 },
    Bound { name: "default features", args: &[], most: 260 },
];

/// The crates behind `agent-core` in one build of it, as `name version`, on this machine's target.
///
/// # Errors
/// Cargo fails.
pub(crate) fn behind(shell: &Shell, args: &[&str]) -> Result<BTreeSet<String>> {
    let base = ["tree", "-p", "agent-core", "-e", "normal,build", "--prefix", "none", "-f", "{p}"];
    let args: Vec<&str> = base.iter().chain(args).copied().collect();
    let mut crates = names(&capture(shell.cargo(&args))?);
    crates.retain(|name| !name.starts_with("agent-core "));
    Ok(crates)
}

fn names(tree: &str) -> BTreeSet<String> {
    let name = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    tree.lines().filter(|line| !line.is_empty()).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn one_crate_counts_once_however_often_it_stands_there() {
        let tree =
            "agent-core v0.1.0 (/w)\nserde v1.0.0\nserde_derive v1.0.0 (proc-macro)\nserde v1.0.0 (*)\n\n";
        let all: Vec<String> = names(tree).into_iter().collect();
        assert_eq!(all, ["agent-core v0.1.0", "serde v1.0.0", "serde_derive v1.0.0"]);
    }
}
