use super::*;
use proptest::prelude::*;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn owned(patterns: &[&str]) -> Vec<String> {
    patterns.iter().map(|&p| p.to_owned()).collect()
}

fn matches(patterns: &[&str], path: &str) -> bool {
    RuleGlobs::compile(&owned(patterns)).0.matches(path)
}

#[test]
fn patterns_mean_what_they_mean_in_a_gitignore() {
    for (pattern, inside, outside) in [
        ("*.ts", &["a.ts", "x/y/a.ts", ".a.ts", "a.ts/b"][..], &["a.tsx", "a.ts.md"][..]),
        ("**/*.ts", &["a.ts", "x/y/a.ts"], &["a.js"]),
        ("/*.ts", &["a.ts"], &["x/a.ts"]),
        ("./*.ts", &["a.ts", "x/a.ts"], &[]),
        ("/src/**", &["src/a", "src/x/y"], &["lib/src/a", "src"]),
        ("./src/**", &["src/a"], &["lib/src/a"]),
        ("src/x", &["src/x", "src/x/y"], &["lib/src/x", "src/xy"]),
        ("src", &["src", "src/a", "lib/src/x/y"], &["srcs/a"]),
        ("src/", &["src/a", "lib/src/x/y", "src/"], &["src", "x/src"]),
        ("billing/**/*", &["billing/x.cs", "billing/a/b"], &["x.cs", "billing"]),
        ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "x/a/b"]),
        ("src/*.rs", &["src/a.rs"], &["src/x/a.rs"]),
        ("a?c", &["abc"], &["a/c", "ac"]),
        ("[ab].rs", &["a.rs", "x/b.rs"], &["c.rs", "ab.rs"]),
        ("[!ab].rs", &["c.rs"], &["a.rs"]),
        ("[^a-c]", &["d"], &["a", "b"]),
        ("x[a/]y", &["xay"], &["x/y"]),
        ("[]-]x", &["]x", "-x"], &["ax"]),
        (r"[\]\-x]", &["]", "-", "x"], &["\\", "a"]),
        (r"[\^]", &["^"], &["a"]),
        ("[[:digit:]]x", &["1x"], &["ax", "dx"]),
        (r"pics \[old/**", &["pics [old/p.txt"], &["pics old/p.txt"]),
        (r"\!a", &["!a"], &["a"]),
        (r"\#a", &["#a"], &["a"]),
        (r"a\*", &["a*"], &["ab"]),
        ("{a,b}/**", &["a/x", "b/y/z"], &["c/x", "{a,b}/x"]),
        ("*.{ts,tsx}", &["a.ts", "x/a.tsx"], &["a.js"]),
        ("{a,b/c}.rs", &["a.rs", "x/a.rs", "b/c.rs"], &["x/b/c.rs", "c.rs"]),
        (r"\{a\}", &["{a}"], &["a"]),
        ("{}", &["{}"], &["a"]),
        ("**", &["a", "a/b", ".x"], &[]),
        (".env", &[".env", "x/.env"], &["env"]),
        ("日本/*.md", &["日本/é.md"], &["日/é.md"]),
        ("  a  ", &["a"], &["b"]),
        ("a\\ ", &["a "], &["a"]),
    ] {
        for path in inside {
            assert!(matches(&[pattern], path), "{pattern} must match {path}");
        }
        for path in outside {
            assert!(!matches(&[pattern], path), "{pattern} must not match {path}");
        }
    }
}

#[test]
fn the_last_pattern_that_holds_decides() {
    for (patterns, path, expected) in [
        (&["*.ts", "!*.test.ts"][..], "a.ts", true),
        (&["*.ts", "!*.test.ts"], "a.test.ts", false),
        (&["!*.test.ts", "*.ts"], "a.test.ts", true),
        (&["src/**", "!src/gen/**"], "src/gen/x.rs", false),
        (&["src/", "!src/gen/", "src/gen/keep.rs"], "src/gen/keep.rs", true),
        (&["*.ts", "!vendor"], "vendor/a.ts", false),
        (&["!*.ts"], "a.rs", false),
        (&["**", "!*.md"], "a.md", false),
        (&["**", "!*.md"], "a.rs", true),
    ] {
        assert_eq!(matches(patterns, path), expected, "{patterns:?} {path}");
    }
}

#[test]
fn a_bad_pattern_is_a_problem_and_the_others_hold() {
    let bomb = "{a,b}".repeat(20);
    for bad in ["pics [old/**", "", "  ", "/", "!", "#x", "a\\", &bomb, &"x".repeat(5_000), "[a"] {
        let (globs, problems) = RuleGlobs::compile(&owned(&[bad, "src/**"]));
        assert_eq!(problems.len(), 1, "{bad}");
        assert_eq!(problems[0].pattern, bad);
        assert!(globs.matches("src/a") && !globs.matches("pics [old/p.txt"));
        assert!(!globs.is_unconditional());
    }
    let (globs, _) = RuleGlobs::compile(&owned(&["pics [old/**"]));
    assert!(!globs.matches("a") && !globs.matches("pics [old/p.txt"));
}

#[test]
fn expansions_are_counted_over_the_rule() {
    let half = format!("{{{}}}", (0..600).map(|n| n.to_string()).collect::<Vec<_>>().join(","));
    let (globs, problems) = RuleGlobs::compile(&[format!("{half}.a"), format!("{half}.b"), "x".into()]);
    assert_eq!(problems.len(), 1);
    assert!(globs.matches("7.a") && !globs.matches("7.b") && globs.matches("x"));
    let mut plain: Vec<String> = (0..1_500).map(|n| format!("src/x{n}.rs")).collect();
    plain.push("{a,b}/**".into());
    let (globs, problems) = RuleGlobs::compile(&plain);
    assert!(problems.is_empty() && globs.matches("src/x1499.rs") && globs.matches("b/c"));
}

#[test]
fn no_condition_is_told_from_no_match() {
    for (patterns, expected) in [
        (&[][..], true),
        (&["**"], true),
        (&["./**"], true),
        (&["src", "**"], true),
        (&["**", "!a"], false),
        (&["**/*"], false),
        (&["[a"], false),
    ] {
        assert_eq!(RuleGlobs::compile(&owned(patterns)).0.is_unconditional(), expected, "{patterns:?}");
    }
    assert!(matches(&["**"], "/outside") && matches(&[], "x"));
}

#[test]
fn paths_outside_match_no_condition() {
    for path in ["../a.md", "/home/x/a.md", "x/../../a.md", "..", "", ".", "./"] {
        assert!(!matches(&["*.md", "**/*"], path), "{path}");
    }
    assert!(matches(&["*.md"], "./a.md"));
    assert!(matches(&["*.md"], "..a/b.md"));
}

#[test]
fn a_set_answers_with_the_rules_that_hold() {
    let rules = [owned(&["*.ts"]), owned(&["src/**", "!*.md"]), owned(&[]), owned(&["[a"]), owned(&["**"])];
    let (set, problems) = RuleSet::compile(&rules);
    assert_eq!(set.len(), 5);
    assert_eq!(problems.iter().map(|(rule, _)| *rule).collect::<Vec<_>>(), [3]);
    for (path, expected) in [
        ("src/a.ts", &[0, 1, 2, 4][..]),
        ("src/a.md", &[2, 4]),
        ("a.ts", &[0, 2, 4]),
        ("../a.ts", &[2, 4]),
        ("x", &[2, 4]),
    ] {
        assert_eq!(set.matching(path), expected, "{path}");
    }
}

#[test]
fn a_thousand_rules_are_asked_at_once() {
    let rules: Vec<_> = (0..1_000)
        .map(|n| {
            owned(&[
                &format!("packages/p{n}/**/*.{{ts,tsx}}"),
                &format!("**/gen{n}-*.rs"),
                &format!("*.x{n}"),
            ])
        })
        .collect();
    let started = Instant::now();
    let (set, problems) = RuleSet::compile(&rules);
    assert!(problems.is_empty());
    for n in (0..1_000).step_by(50) {
        assert_eq!(set.matching(&format!("packages/p{n}/src/deep/er/a.tsx")), [n]);
        assert_eq!(set.matching(&format!("a/b/gen{n}-z.rs")), [n]);
    }
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

#[test]
fn absolute_paths_match_from_the_root_or_anywhere() {
    for (pattern, path, expected) in [
        ("**/CLAUDE.md", "/home/x/CLAUDE.md", true),
        ("**/CLAUDE.md", "/CLAUDE.md", true),
        ("CLAUDE.md", "/home/x/CLAUDE.md", true),
        ("/home/x", "/home/x", true),
        ("/home/x", "/home/x/a/b", true),
        ("/home/x", "/home/xy/a", false),
        ("/home/x/", "/home/x/a/b", true),
        ("/home/x/**", "/home/x/a", true),
        ("/home/*/a", "/home/x/a", true),
        ("/home/*/a", "/home/x/y/a", false),
        ("/x", "/home/x", false),
        ("**/shared/**", "/out/shared/deep/ts.md", true),
        ("**/.claude/rules/sec.md", "/p/.claude/rules/sec.md", true),
        ("rules/sec.md", "/p/.claude/rules/sec.md", true),
        ("*.pem", "/a/b/key.pem", true),
        ("/p/.env", "/p/.env", true),
        ("/p/.env", "/p/x/.env", false),
        ("C:/x", "C:/x/y", true),
        ("**", "/a", true),
    ] {
        let (globs, problems) = PathGlobs::compile(&owned(&[pattern]));
        assert!(problems.is_empty());
        assert_eq!(globs.matches(path), expected, "{pattern} {path}");
    }
    let (globs, _) = PathGlobs::compile(&owned(&["/a", "/b", "!/b/keep"]));
    assert_eq!(
        (globs.deciding("/b/x"), globs.deciding("/b/keep/x"), globs.deciding("/c")),
        (Some(1), None, None)
    );
    assert!(!PathGlobs::compile(&[]).0.matches("/a"));
}

/// Which of `paths` git ignores by one pattern.
fn ignored_by_git(repository: &std::path::Path, pattern: &str, paths: &[&str]) -> Option<Vec<String>> {
    std::fs::write(repository.join(".git/info/exclude"), format!("{pattern}\n")).ok()?;
    let mut git = Command::new("git")
        .args(["check-ignore", "--no-index", "-z", "--stdin"])
        .current_dir(repository)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    git.stdin.take()?.write_all(paths.join("\0").as_bytes()).ok()?;
    let output = git.wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.split_terminator('\0').map(str::to_owned).collect())
}

#[test]
fn single_patterns_agree_with_git() {
    let directory = tempfile::tempdir().unwrap();
    let init = Command::new("git").args(["init", "-q"]).current_dir(directory.path()).status();
    if !init.is_ok_and(|status| status.success()) {
        // no git, nothing to compare with
        return;
    }
    let paths = [
        "a", "b", "ab", "a.ts", "a/b", "a/a.ts", "b/a", "b/a.ts", "a/b/a.ts", "b/a/b", "a/b/c/d", "c/a/b/x",
        ".a", "b/.a", "a]", "a b", "a*", "a?", "-", "]", "[", "\\", "!a", "#a", "a\\b", "ab/c", "x/ab/c/d",
        "é", "aéb", "1", "A",
    ];
    let ends = ["", "a", "*", "**", "*.ts", "a*", "?", "[ab]", "[!a]", "b/"];
    let mut patterns: Vec<String> = Vec::new();
    for first in ["", "/", "**/", "a/", "*/", "a/**/", "**/b/", "[a-b]/", "/a/*/"] {
        patterns.extend(ends.iter().map(|end| format!("{first}{end}")));
    }
    // not here: `./a`, which we read as `a`, and `a**/b`, which git also lets match `ab`
    for extra in [
        "[]]",
        "[!]]",
        "[]-]",
        "[a-]",
        r"[\]]",
        r"[\\]",
        r"[\-]",
        r"[a\]]",
        "[^a]",
        "[b-a]",
        "[[:alpha:]]",
        "[[:digit:]a]",
        r"\[",
        r"\]",
        r"\!a",
        r"\#a",
        r"a\*",
        r"a\?",
        r"a\ b",
        "a b",
        "a**",
        "**a",
        "a**b",
        "a/**b",
        "**/**/a",
        "a/**/**/b",
        "***",
        "a/***",
        "a//b",
        "//a",
        "a/b/",
        "a/b/**",
        "/**",
        "/**/",
        "**/",
        "*/",
        "?/?",
        "a[/]b",
        "a?b",
        "a[!x]b",
        "*b",
        "*/b/*",
        "[a",
        "é",
        "[é]",
        "[A-Z]",
        "[a-zé]",
        "a\\",
        "[!a-zA-Z]",
        "[.-9]",
        "a.*",
        "[^]a]",
        "[!",
        "[]",
        "[!]",
        "[^-a]",
        "[a-c-e]",
        "?",
    ] {
        patterns.push(extra.to_owned());
    }
    let mut different = Vec::new();
    for pattern in &patterns {
        let git = ignored_by_git(directory.path(), pattern, &paths).unwrap();
        let (globs, _) = RuleGlobs::compile(std::slice::from_ref(pattern));
        for path in paths {
            let ours = globs.matches(path);
            let theirs = git.iter().any(|p| p == path);
            if ours != theirs {
                different.push(format!("{pattern}   {path}   ours {ours}, git {theirs}"));
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

proptest! {
    #[test]
    fn a_set_answers_as_each_rule_alone(
        rules in prop::collection::vec(prop::collection::vec("[ab*/!?.\\[\\]{},\\\\]{0,8}", 0..4), 0..5),
        path in "[ab./]{0,10}",
    ) {
        let (set, _) = RuleSet::compile(&rules);
        let alone: Vec<_> =
            (0..rules.len()).filter(|&rule| RuleGlobs::compile(&rules[rule]).0.matches(&path)).collect();
        prop_assert_eq!(set.matching(&path), alone);
    }
}
