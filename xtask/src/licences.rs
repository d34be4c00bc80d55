//! Licences, bans and sources by `deny.toml`, without the network and without cargo-deny.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::spdx::allows;
use crate::workspace::{Dependency, Kind};
use crate::{Package, Workspace};

/// What this program understands of `deny.toml`; cargo-deny reads the same file.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct DenyFile {
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Debug, Clone, Default, Deserialize)]
struct Licenses {
    allow: Vec<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
}

#[derive(Debug, Clone, Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Debug, Clone, Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
    /// Who may ask for it all the same.
    #[serde(default)]
    wrappers: Vec<String>,
}

impl Ban {
    /// Whether nobody but its wrappers asks for it. What only a feature of an outside library asks for is left to cargo-deny,
    /// which knows the features that are on.
    fn is_wrapped(&self, workspace: &Workspace) -> bool {
        let asks = |package: &&Package| {
            // The tests of outside libraries are not run here.
            let own = package.source.is_none();
            let counts = |one: &Dependency| own || (!one.optional && one.kind != Kind::Dev);
            package.dependencies.iter().any(|one| one.name == self.name && counts(one))
        };
        let mut who = workspace.packages.iter().filter(asks);
        !self.wrappers.is_empty() && who.all(|package| self.wrappers.contains(&package.name))
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

impl DenyFile {
    /// The text of a `deny.toml`.
    ///
    /// # Errors
    /// It is no TOML, or lacks a list.
    pub fn parse(text: &str) -> Result<Self> {
        basic_toml::from_str(text).context("deny.toml")
    }

    fn allows(&self, package: &Package, licence: &str) -> bool {
        let listed = |list: &[String]| list.iter().any(|allowed| allowed == licence);
        let mut exceptions = self.licenses.exceptions.iter().filter(|one| one.name == package.name);
        listed(&self.licenses.allow) || exceptions.any(|one| listed(&one.allow))
    }
}

/// Every breach in one sentence each; empty when all is well.
pub fn licences(workspace: &Workspace, file: &DenyFile) -> Vec<String> {
    let mut breaches: Vec<String> =
        workspace.packages.iter().flat_map(|package| of_package(package, workspace, file)).collect();
    breaches.sort();
    breaches
}

fn of_package(package: &Package, workspace: &Workspace, file: &DenyFile) -> Vec<String> {
    let name = format!("{} {}", package.name, package.version);
    let banned = file.bans.deny.iter().filter(|ban| ban.name == package.name && !ban.is_wrapped(workspace));
    let mut breaches: Vec<String> = banned.map(|ban| format!("{name} is banned: {}", ban.reason)).collect();
    let registry = package.source.as_deref().map(|source| source.trim_start_matches("registry+"));
    if let Some(source) =
        registry.filter(|source| !file.sources.allow_registry.iter().any(|one| one == source))
    {
        breaches.push(format!("{name} comes from {source}, which is no allowed source"));
    }
    match &package.license {
        None => breaches.push(format!("{name} states no licence")),
        Some(expression) if allows(expression, &|licence| file.allows(package, licence)) => {}
        Some(expression) => {
            breaches.push(format!("{name} has the licence {expression}, which is not allowed"))
        }
    }
    breaches
}

/// How many packages there are under each licence expression.
pub(crate) fn by_licence(workspace: &Workspace) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for package in &workspace.packages {
        *counts.entry(package.license.as_deref().unwrap_or("none")).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        [licenses]
        allow = ["MIT"]
        exceptions = [{ crate = "odd", allow = ["ISC"] }]
        [bans]
        deny = [{ crate = "bad", reason = "it phones home" }]
        [sources]
        allow-registry = ["https://index"]
    "#;

    fn check(package: serde_json::Value, expected: &[&str]) {
        let workspace = serde_json::json!({ "packages": [package] });
        let workspace: Workspace = serde_json::from_value(workspace).expect("made-up metadata");
        let file = DenyFile::parse(FILE).expect("a deny file");
        assert_eq!(licences(&workspace, &file), expected);
    }

    #[test]
    fn a_banned_crate_may_stand_behind_its_wrappers_alone() {
        let file = FILE.replace("reason", "wrappers = [\"wrapper\"], reason");
        let file = DenyFile::parse(&file).expect("a deny file");
        let package = |name: &str, asks: serde_json::Value| serde_json::json!({"name": name, "version": "1.0.0", "license": "MIT", "source": "registry+https://index", "dependencies": asks});
        let breaches = |packages: Vec<serde_json::Value>| {
            let workspace = serde_json::json!({ "packages": packages });
            licences(&serde_json::from_value(workspace).expect("made-up metadata"), &file)
        };
        let bad = package("bad", serde_json::json!([]));
        let asks = serde_json::json!([{"name": "bad"}]);
        let tests = package("jiff", serde_json::json!([{"name": "bad", "kind": "dev"}]));
        let own = serde_json::json!({"name": "own", "version": "1.0.0", "license": "MIT", "dependencies": [{"name": "bad", "optional": true}]});
        assert_eq!(breaches(vec![bad.clone(), own]).len(), 1, "what only a feature of ours asks for counts");
        let might_ask = package("other", serde_json::json!([{"name": "bad", "optional": true}]));
        assert!(breaches(vec![bad.clone(), package("wrapper", asks.clone()), might_ask, tests]).is_empty());
        let more = breaches(vec![bad, package("wrapper", asks.clone()), package("other", asks)]);
        assert_eq!(more, ["bad 1.0.0 is banned: it phones home"]);
    }

    #[test]
    fn each_kind_of_breach_is_caught() {
        let package = |name: &str, licence: Option<&str>, source: &str| serde_json::json!({"name": name, "version": "1.0.0", "license": licence, "source": source});
        let index = "registry+https://index";
        check(package("good", Some("MIT OR GPL-3.0"), index), &[]);
        check(package("odd", Some("ISC"), index), &[]);
        check(
            package("other", Some("ISC"), index),
            &["other 1.0.0 has the licence ISC, which is not allowed"],
        );
        check(package("none", None, index), &["none 1.0.0 states no licence"]);
        check(package("bad", Some("MIT"), index), &["bad 1.0.0 is banned: it phones home"]);
        let git = "git+https://elsewhere";
        check(
            package("far", Some("MIT"), git),
            &["far 1.0.0 comes from git+https://elsewhere, which is no allowed source"],
        );
    }
}
