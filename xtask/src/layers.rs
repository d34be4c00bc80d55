//! Who may depend on whom: rule 1 of the architecture.

use crate::{Dependency, Kind, Package, Workspace};

/// Parts: they know the vocabulary and the text functions, never each other.
const PARTS: &[&str] = &[
    "attachments",
    "claudemd",
    "context-budget",
    "dialects",
    "file-reader",
    "file-state-cache",
    "git-snapshot",
    "projector",
    "prompt-assembly",
    "transcript",
];

/// Packages that no other may depend on, and that may depend on all.
const WORKSHOP: &[&str] = &["context-benches", "context-tests", "xtask"];

/// Outside libraries that only some may use, and why.
const KEPT_IN: &[(&str, &[&str], &str)] = &[
    ("anyhow", &["ctx", "xtask", "context-benches"], "a library's errors are enums that a caller can match"),
    ("clap", &["ctx"], "a library knows no command line"),
];

/// The workspace's packages that a package may depend on.
struct Allowed {
    normal: Vec<&'static str>,
    dev: Vec<&'static str>,
}

/// Every breach of the layers in one sentence each; empty when all is well.
pub fn layers(workspace: &Workspace) -> Vec<String> {
    let own: Vec<&str> = workspace.packages.iter().map(|package| package.name.as_str()).collect();
    workspace.packages.iter().flat_map(|package| of_package(package, &own)).collect()
}

fn of_package(package: &Package, own: &[&str]) -> Vec<String> {
    if WORKSHOP.contains(&package.name.as_str()) {
        return Vec::new();
    }
    let Some(allowed) = allowed(&package.name) else {
        return vec![format!(
            "{} has no place in the layers: give it one in xtask/src/layers.rs",
            package.name
        )];
    };
    let inside = package.dependencies.iter().filter(|dependency| own.contains(&dependency.name.as_str()));
    let mut breaches: Vec<String> =
        inside.filter_map(|dependency| breach(package, dependency, &allowed)).collect();
    breaches.extend(package.dependencies.iter().filter_map(|dependency| misplaced(package, dependency)));
    breaches
}

fn breach(package: &Package, dependency: &Dependency, allowed: &Allowed) -> Option<String> {
    let name = dependency.name.as_str();
    let dev = dependency.kind == Kind::Dev && allowed.dev.contains(&name);
    if dev || allowed.normal.contains(&name) {
        return None;
    }
    let kind = if dependency.kind == Kind::Dev { "its tests depend" } else { "depends" };
    Some(format!("{}: {kind} on {name}, which the layers forbid", package.name))
}

fn misplaced(package: &Package, dependency: &Dependency) -> Option<String> {
    let (name, homes, reason) = KEPT_IN.iter().find(|(name, ..)| *name == dependency.name)?;
    if dependency.kind == Kind::Dev || homes.contains(&package.name.as_str()) {
        return None;
    }
    Some(format!("{}: depends on {name}, but {reason}", package.name))
}

fn allowed(name: &str) -> Option<Allowed> {
    let vocabulary = vec!["context-api", "context-text"];
    let test_support = vec!["context-testkit", "local-fs"];
    let (normal, dev) = match name {
        "context-api" => (vec![], vec!["context-testkit"]),
        "context-text" | "local-fs" => (vec!["context-api"], vec!["context-testkit"]),
        "context-testkit" => (vec!["context-api", "local-fs"], vec![]),
        "agent-core" => ([&vocabulary, PARTS, &["local-fs"]].concat(), test_support),
        "ctx" => ([&vocabulary[..], &["agent-core"]].concat(), test_support),
        part if PARTS.contains(&part) => (vocabulary, test_support),
        _ => return None,
    };
    Some(Allowed { normal, dev })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(name: &str, dependency: &str, kind: &str) -> Workspace {
        let all = PARTS.iter().chain(WORKSHOP).chain(&[
            "context-api",
            "context-text",
            "context-testkit",
            "local-fs",
            "agent-core",
            "ctx",
        ]);
        let packages = all.map(|package| {
            let dependencies = if *package == name {
                serde_json::json!([{"name": dependency, "kind": if kind == "normal" { None } else { Some(kind) }}])
            } else {
                serde_json::json!([])
            };
            serde_json::json!({"name": package, "version": "0.1.0", "dependencies": dependencies})
        });
        let packages: Vec<_> = packages.collect();
        serde_json::from_value(serde_json::json!({ "packages": packages })).expect("made-up metadata")
    }

    fn check(name: &str, dependency: &str, kind: &str, breach: Option<&str>) {
        let breaches = layers(&workspace(name, dependency, kind));
        assert_eq!(breaches, breach.into_iter().collect::<Vec<_>>(), "{name} -> {dependency} ({kind})");
    }

    #[test]
    fn a_part_that_depends_on_a_part_is_caught() {
        let text = "attachments: depends on claudemd, which the layers forbid";
        check("attachments", "claudemd", "normal", Some(text));
        check("attachments", "claudemd", "build", Some(text));
        check(
            "attachments",
            "claudemd",
            "dev",
            Some("attachments: its tests depend on claudemd, which the layers forbid"),
        );
    }

    #[test]
    fn a_part_may_use_vocabulary_text_and_outside_libraries() {
        for dependency in ["context-api", "context-text", "serde"] {
            check("attachments", dependency, "normal", None);
        }
    }

    #[test]
    fn the_disk_is_for_tests_of_parts_and_for_the_core() {
        check("claudemd", "local-fs", "dev", None);
        check(
            "claudemd",
            "local-fs",
            "normal",
            Some("claudemd: depends on local-fs, which the layers forbid"),
        );
        check("agent-core", "local-fs", "normal", None);
    }

    #[test]
    fn the_leaves_know_nobody_above_them() {
        check(
            "context-api",
            "context-text",
            "normal",
            Some("context-api: depends on context-text, which the layers forbid"),
        );
        check(
            "local-fs",
            "context-text",
            "normal",
            Some("local-fs: depends on context-text, which the layers forbid"),
        );
    }

    #[test]
    fn the_command_line_reaches_parts_through_the_core_only() {
        check("ctx", "agent-core", "normal", None);
        check("ctx", "claudemd", "normal", Some("ctx: depends on claudemd, which the layers forbid"));
    }

    #[test]
    fn nobody_depends_on_the_workshop() {
        check("ctx", "xtask", "dev", Some("ctx: its tests depend on xtask, which the layers forbid"));
    }

    #[test]
    fn outside_libraries_stay_in_their_places() {
        let text = "claudemd: depends on anyhow, but a library's errors are enums that a caller can match";
        check("claudemd", "anyhow", "normal", Some(text));
        check("claudemd", "anyhow", "dev", None);
        check("ctx", "anyhow", "normal", None);
    }

    #[test]
    fn a_crate_without_a_place_is_caught() {
        let json = serde_json::json!({"packages": [{"name": "helpers", "version": "0.1.0"}]});
        let stray: Workspace = serde_json::from_value(json).expect("made-up metadata");
        assert_eq!(
            layers(&stray),
            ["helpers has no place in the layers: give it one in xtask/src/layers.rs"]
        );
    }
}
