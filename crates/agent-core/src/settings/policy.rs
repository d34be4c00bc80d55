//! The default read policy: what settings deny.

use std::path::{Component, Path, PathBuf};

use context_api::{Access, Decision, FileSystem, ReadPolicy};
use context_text::{PathGlobs, display_path};

use super::DenyRule;

/// Denies what the rules of the settings deny; allows everything else.
///
/// A pattern means what it means in a .gitignore: `./x` and `/x` below the directory that the rule hangs on, `~/x` below
/// the home directory, `//x` from the root, anything else at any depth below that directory. A directory covers what is
/// below it.
#[derive(Debug, Clone, Default)]
pub struct DenyRules {
    globs: PathGlobs,
    names: Vec<String>,
    denies_all: bool,
}

impl DenyRules {
    /// Compiles rules. One that can not be compiled denies everything below the directory it hangs on, since nobody can say
    /// what it was meant to protect, and is a decision.
    pub fn compile(files: &dyn FileSystem, rules: &[DenyRule], home: Option<&Path>) -> (Self, Vec<Decision>) {
        let mut patterns = Vec::new();
        let mut names = Vec::new();
        let mut decisions = Vec::new();
        for rule in rules {
            for pattern in absolute(files, rule, home) {
                let (_, problems) = PathGlobs::compile(std::slice::from_ref(&pattern));
                let usable = problems.is_empty();
                patterns.push(if usable { pattern } else { format!("{}/**", escaped(&rule.base)) });
                names.push(rule.pattern.clone());
                if !usable {
                    decisions.push(not_understood(rule));
                }
            }
        }
        let denies_all = rules.iter().any(|rule| rule.pattern == "**");
        let (globs, _) = PathGlobs::compile(&patterns);
        (Self { globs, names, denies_all }, decisions)
    }
}

impl ReadPolicy for DenyRules {
    fn check(&self, path: &Path) -> Access {
        if self.denies_all {
            return Access::Denied { rule: "**".to_owned() };
        }
        let clean = lexically_clean(path);
        match self.globs.deciding(&clean.to_string_lossy()) {
            Some(at) => Access::Denied { rule: self.names.get(at).cloned().unwrap_or_default() },
            None => Access::Allowed,
        }
    }
}

fn not_understood(rule: &DenyRule) -> Decision {
    let detail =
        format!("The rule can not be understood; everything below {} is denied.", display_path(&rule.base));
    Decision::failed(rule.pattern.clone(), "deny_rule_not_understood", detail)
}

/// The pattern on absolute paths: of the base as given and as it really lies.
fn absolute(files: &dyn FileSystem, rule: &DenyRule, home: Option<&Path>) -> Vec<String> {
    let pattern = rule.pattern.as_str();
    if let Some(rest) = pattern.strip_prefix("//") {
        return vec![format!("/{rest}")];
    }
    if let (Some(rest), Some(home)) = (pattern.strip_prefix("~/"), home) {
        return bases(files, home).iter().map(|home| format!("{}/{rest}", escaped(home))).collect();
    }
    let anchored = pattern.strip_prefix("./").or_else(|| pattern.strip_prefix('/'));
    let inner = anchored.unwrap_or(pattern);
    let deep = anchored.is_none() && !inner.trim_end_matches('/').contains('/');
    let prefix = if deep { "**/" } else { "" };
    bases(files, &rule.base).iter().map(|base| format!("{}/{prefix}{inner}", escaped(base))).collect()
}

fn bases(files: &dyn FileSystem, base: &Path) -> Vec<PathBuf> {
    let mut bases = vec![base.to_path_buf()];
    // The same directory under its real name, since the policy is asked with canonical paths too.
    if let Ok(real) = files.canonicalize(base)
        && real != base
    {
        bases.push(real);
    }
    bases
}

/// A directory's name as a pattern that matches just it.
fn escaped(path: &Path) -> String {
    let text = path.to_string_lossy();
    let mut out = String::with_capacity(text.len());
    for c in text.trim_end_matches('/').chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | '!' | ',') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The path without `.` and `..`, without a look at the disk.
fn lexically_clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denied(pattern: &str, path: &str) -> bool {
        let rule = DenyRule { pattern: pattern.into(), base: "/w/proj".into() };
        let (rules, problems) = DenyRules::compile(&local_fs::LocalFs, &[rule], Some(Path::new("/h")));
        assert!(problems.is_empty(), "{problems:?}");
        rules.check(Path::new(path)) != Access::Allowed
    }

    #[test]
    fn patterns_hang_on_the_directory_that_they_name() {
        let table = [
            ("./.env", "/w/proj/.env", true),
            ("./.env", "/w/proj/sub/.env", false),
            ("./.env", "/w/proj/./sub/../.env", true),
            (".env", "/w/proj/sub/.env", true),
            ("**/.env", "/w/proj/a/b/.env", true),
            (".env", "/elsewhere/.env", false),
            ("./secrets/**", "/w/proj/secrets/a/b", true),
            ("secrets/", "/w/proj/secrets/a", true),
            ("./secrets", "/w/proj/secrets/a", true),
            ("~/.ssh/**", "/h/.ssh/id", true),
            ("//etc/passwd", "/etc/passwd", true),
            ("/config/*.key", "/w/proj/config/a.key", true),
            ("*.pem", "/w/proj/x/y.pem", true),
            ("**", "/anything", true),
        ];
        for (pattern, path, expected) in table {
            assert_eq!(denied(pattern, path), expected, "{pattern} on {path}");
        }
    }

    #[test]
    fn a_base_with_pattern_characters_is_taken_literally() {
        let rule = DenyRule { pattern: "./.env".into(), base: "/w/[a] {b}".into() };
        let (rules, _) = DenyRules::compile(&local_fs::LocalFs, &[rule], None);
        assert_ne!(rules.check(Path::new("/w/[a] {b}/.env")), Access::Allowed);
        assert_eq!(rules.check(Path::new("/w/a b/.env")), Access::Allowed);
    }

    #[test]
    fn a_rule_that_can_not_be_understood_denies_what_it_might_have_meant() {
        let rule = DenyRule { pattern: "./[broken".into(), base: "/w/proj".into() };
        let (rules, problems) = DenyRules::compile(&local_fs::LocalFs, &[rule], None);
        assert_eq!(problems.len(), 1);
        assert_ne!(rules.check(Path::new("/w/proj/a")), Access::Allowed);
        assert_eq!(rules.check(Path::new("/w/other")), Access::Allowed);
    }
}
