//! A host that turns on features of `serde_json` changes no byte: every scenario, printed by two builds.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::Shell;
use crate::built::Built;
use crate::shell::run;

/// What a host may turn on for the whole program: the order of maps, and how numbers are kept.
const FEATURES: &str = "serde_json/preserve_order,serde_json/arbitrary_precision";
/// Where the scenarios lie, from the root.
const SCENARIOS: &str = "tests/scenarios";

/// Runs every scenario with the `ctx` that is built, and with one built with [`FEATURES`], and compares what they print.
///
/// # Errors
/// A build fails, there is no scenario, or one prints other bytes.
pub(crate) fn same_bytes(shell: &Shell, built: &Built) -> Result<()> {
    let plain = built.keep("ctx", "ctx-plain")?;
    run(shell.cargo(&["build", "-q", "-p", "ctx", "--features", FEATURES]))?;
    let other = built.keep("ctx", "ctx-other")?;
    let mut differ = Vec::new();
    let scenarios = scenarios(&shell.root().join(SCENARIOS))?;
    for scenario in &scenarios {
        let (one, two) = (printed(shell, &plain, scenario)?, printed(shell, &other, scenario)?);
        differ.extend((one != two).then(|| scenario.display().to_string()));
    }
    match (scenarios.len(), differ.as_slice()) {
        (0, _) => bail!("no scenario in {SCENARIOS}"),
        (count, []) => println!("{count} scenarios print the same bytes with {FEATURES}"),
        (_, differ) => bail!("other bytes with {FEATURES}: {}", differ.join(", ")),
    }
    Ok(())
}

/// What a scenario prints; one that has to fail prints what it did until then.
fn printed(shell: &Shell, program: &Path, scenario: &Path) -> Result<Vec<u8>> {
    let mut command = shell.program(program, &["replay", "--allow-run"]);
    let output = command.arg(scenario).output().with_context(|| program.display().to_string())?;
    Ok(output.stdout)
}

/// The scenarios below a folder, in byte order.
fn scenarios(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(scenarios(&path)?);
        } else if path.extension().is_some_and(|end| end == "jsonl") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_of_all_folders_are_found_in_byte_order() {
        let folder = tempfile::tempdir().expect("a folder");
        for file in ["b/two.jsonl", "a/one.jsonl", "a/notes.md"] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "").expect("written");
        }
        let expected = ["a/one.jsonl", "b/two.jsonl"].map(|name| folder.path().join(name));
        assert_eq!(scenarios(folder.path()).expect("read"), expected);
    }
}
