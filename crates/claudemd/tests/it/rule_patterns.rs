//! What patterns of rules mean: one line a case.

use context_testkit::Place;

use crate::support::*;

/// A pattern, the paths it holds for, and those it does not.
const PATTERNS: &[(&str, &str, &str)] = &[
    // any depth
    ("*.ts", "a.ts src/a.ts .x/a.ts .a.ts", "a.tsx a.ts.bak ats"),
    ("**/*.ts", "a.ts src/deep/a.ts", "a.js"),
    ("a.ts", "a.ts src/a.ts", "ba.ts"),
    ("*", "a src/b .hidden", ""),
    ("*.*", "a.b x/a.b", "Makefile"),
    (".env", ".env x/.env", "x.env"),
    ("Makefile", "Makefile x/Makefile", "makefile"),
    // anchored
    ("/a.ts", "a.ts", "src/a.ts"),
    ("/src/**", "src/a src/b/c", "x/src/a srcs/a"),
    ("src/**", "src/a src/b/c", "x/src/a"),
    ("src/x", "src/x src/x/y", "a/src/x src/xy"),
    ("src/*.ts", "src/a.ts", "src/b/a.ts x/src/a.ts"),
    ("src/**/*.ts", "src/a.ts src/b/c/a.ts", "a.ts x/src/a.ts"),
    ("./src/*.ts", "src/a.ts", "x/src/a.ts"),
    ("./a.ts", "a.ts", "b.ts"),
    ("/", "", "a src/a"),
    // directories
    ("src", "src/a src/b/c x/src/a", "srcs/a"),
    ("src/", "src/a x/src/a", "srcs/a"),
    ("/src", "src/a", "x/src/a"),
    ("/src/", "src/a src/b/c", "x/src/a"),
    ("src/**/", "src/a/b", "x/a"),
    ("**/src", "src/a x/src/a", "srcs/a"),
    ("**/src/**", "src/a x/src/a", "a"),
    ("a/**/b", "a/b a/x/b a/x/y/b a/b/c", "a/bc xa/b"),
    // stars and marks
    ("src/*", "src/a src/a/b", "x/src/a"),
    ("src/*/b", "src/a/b", "src/a/x/b src/b"),
    ("?.ts", "a.ts x/b.ts", "ab.ts"),
    ("a?b", "axb", "a/b ab"),
    ("[ab].ts", "a.ts b.ts", "c.ts"),
    ("[!ab].ts", "c.ts", "a.ts"),
    ("[a-c].ts", "b.ts", "d.ts"),
    ("a**b", "axxb", "a/b"),
    // braces
    ("*.{ts,tsx}", "a.ts x/a.tsx", "a.js"),
    ("{src,test}/**", "src/a test/b", "x/src/a"),
    ("src/{a,b/c}/*.ts", "src/a/x.ts src/b/c/x.ts", "src/b/x.ts"),
    ("{a,{b,c}}.ts", "a.ts b.ts c.ts", "d.ts"),
    ("*.{ts}", "a.ts", "a.js"),
    ("{1..3}.ts", "", "1.ts"),
    ("a{}.ts", "", "a.ts"),
    // escapes and odd names
    (r"\*.ts", "*.ts", "a.ts"),
    (r"\!a", "!a", "a"),
    (r"\#a", "#a", "a"),
    ("#a", "", "#a x/#a"),
    ("with blank/**", "with%blank/a", "blank/a"),
    ("(group)/**", "(group)/a", "group/a"),
    ("app/[[]id]/**", "app/[id]/a", "app/i/a"),
    ("日本/*.md", "日本/x.md", "日/x.md"),
    ("@scope/**", "@scope/a", "scope/a"),
    // taken out again
    ("*.ts|!*.test.ts", "a.ts", "a.test.ts"),
    ("src/**|!src/gen/**", "src/a", "src/gen/a"),
    ("*|!docs", "a src/b", "docs/x"),
    ("src/**|!src/gen/**|src/gen/keep.ts", "src/gen/keep.ts", "src/gen/x.ts"),
    ("!*.ts", "", "a.ts a.js"),
    // several
    ("*.rb|*.erb", "a.rb a.erb", "a.py"),
    ("a,b", "", "a b"),
    (" *.ts ", "a.ts", "a.js"),
    // any
    ("**", "a src/b", ""),
    ("**/*", "a src/b .x/y", ""),
    ("***", "a x/b", ""),
    ("**/**", "a x/b", ""),
    ("src/**/**", "src/a src/b/c", "a"),
];

#[test]
fn a_pattern_means_what_it_means_in_a_gitignore() {
    let mut rows = 0;
    let mut wrong = Vec::new();
    for (patterns, inside, outside) in PATTERNS {
        let place = Place::new();
        let list: String = patterns.split('|').map(|p| format!("  - '{p}'\n")).collect();
        place.write(".claude/rules/r.md", format!("---\npaths:\n{list}---\nMARK_R\n"));
        let at_start = !load_proj(&place).files.is_empty();
        let cases = inside
            .split_whitespace()
            .map(|p| (p, true))
            .chain(outside.split_whitespace().map(|p| (p, false)));
        for (path, expected) in cases {
            rows += 1;
            let holds = at_start || !touch(&place, &path.replace('%', " ")).files.is_empty();
            if holds != expected {
                wrong.push(format!("{patterns} on {path}: {holds}"));
            }
        }
    }
    assert!(PATTERNS.len() >= 60 && rows >= 120, "{} {rows}", PATTERNS.len());
    assert!(wrong.is_empty(), "{} of {rows}:\n{}", wrong.len(), wrong.join("\n"));
}
