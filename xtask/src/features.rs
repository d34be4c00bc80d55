//! Each feature alone, none and all: does it compile, and pass its tests?

use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::shell::{name_of, run};
use crate::{Package, Shell, Workspace};

/// Packages whose features are the workshop's own business.
const SKIPPED: &[&str] = &["xtask", "context-benches"];

/// Features that CI leaves out, by package: their libraries take minutes to build, and nothing that is
/// shipped depends on them. `cargo xtask features` tries them.
pub(crate) const SLOW: &[(&str, &str)] = &[("context-budget", "o200k")];

/// Cases of each property here: the step of all tests tries as many as the property asks for.
const CASES: &str = "32";

/// Runs cargo's `verb` (`check` or `test`) over every combination, all packages or those named in `only`;
/// features in `skipped` are left out.
///
/// # Errors
/// A combination fails; all others are tried all the same.
pub(crate) fn features(shell: &Shell, verb: &str, only: &[&str], skipped: &[(&str, &str)]) -> Result<()> {
    let workspace = Workspace::own(shell)?;
    let wanted = |package: &&Package| {
        let named = only.is_empty() || only.contains(&package.name.as_str());
        named && !package.features.is_empty() && !SKIPPED.contains(&package.name.as_str())
    };
    let mut failed = Vec::new();
    for package in workspace.packages.iter().filter(wanted) {
        for features in combinations(package, skipped) {
            let command = command(shell, verb, package, &features);
            let name = name_of(&command);
            println!("-- {name}");
            let start = Instant::now();
            failed.extend(run(command).is_err().then_some(name));
            println!("   {:.1} s", start.elapsed().as_secs_f64());
        }
    }
    match failed.as_slice() {
        [] => Ok(()),
        _ => bail!("failed:\n{}", failed.join("\n")),
    }
}

fn command(shell: &Shell, verb: &str, package: &Package, features: &str) -> Command {
    let mut args = vec![verb, "-q", "-p", &package.name, "--no-default-features"];
    // Examples are built with what is on by default, and run by another step.
    args.extend(if verb == "check" { vec!["--all-targets"] } else { vec!["--lib", "--tests"] });
    if !features.is_empty() {
        args.extend(["--features", features]);
    }
    let mut command = shell.cargo(&args);
    command.env("PROPTEST_CASES", CASES);
    command
}

/// None, each alone, all; the set that is on by default is what every other step builds and tests, so that it is none of these
/// where it is all.
fn combinations(package: &Package, skipped: &[(&str, &str)]) -> Vec<String> {
    let tried = |name: &&str| *name != "default" && !skipped.contains(&(&package.name, *name));
    let each: Vec<&str> = package.features.keys().map(String::as_str).filter(tried).collect();
    let mut sets = vec![String::new()];
    sets.extend(each.iter().map(|name| (*name).to_owned()));
    let default = package.features.get("default").map(Vec::as_slice).unwrap_or_default();
    let is_default = each.iter().all(|name| default.iter().any(|one| one == name));
    if each.len() > 1 && !is_default {
        sets.push(each.join(","));
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(features: serde_json::Value, expected: &[&str]) {
        let json = serde_json::json!({"name": "a", "version": "0.1.0", "features": features});
        let package: Package = serde_json::from_value(json).expect("a package");
        assert_eq!(combinations(&package, &[("a", "slow"), ("b", "x")]), expected);
    }

    #[test]
    fn none_each_alone_and_all_are_tried() {
        check(serde_json::json!({"default": ["x"], "x": [], "y": ["dep:z"]}), &["", "x", "y", "x,y"]);
        check(serde_json::json!({"default": ["y", "x"], "x": [], "y": ["dep:z"]}), &["", "x", "y"]);
        check(serde_json::json!({"x": []}), &["", "x"]);
        check(serde_json::json!({"slow": [], "x": []}), &["", "x"]);
    }
}
