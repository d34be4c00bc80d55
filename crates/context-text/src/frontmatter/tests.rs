use super::*;
use proptest::prelude::*;
use std::time::{Duration, Instant};

#[test]
fn frontmatter_is_split_off() {
    for (text, yaml, body) in [
        ("", None, ""),
        ("a\nb", None, "a\nb"),
        ("---\na: 1\n---\nbody\n", Some("a: 1\n"), "body\n"),
        ("---\r\na: 1\r\n---\r\nbody\r\n", Some("a: 1\r\n"), "body\r\n"),
        ("\u{feff}---\na: 1\n---\nbody", Some("a: 1\n"), "body"),
        ("--- \na: 1\n---\t\nbody", Some("a: 1\n"), "body"),
        ("---\n---\nbody", Some(""), "body"),
        ("---\na: 1\n---", Some("a: 1\n"), ""),
        ("---\na: 1\nbody", None, "---\na: 1\nbody"),
        ("\n---\na: 1\n---\n", None, "\n---\na: 1\n---\n"),
        ("----\na\n----\n", None, "----\na\n----\n"),
        (" ---\na\n---\n", None, " ---\na\n---\n"),
        ("---\na\n ---\n---\nb\n---\n", Some("a\n ---\n"), "b\n---\n"),
        ("\u{feff}body", None, "\u{feff}body"),
    ] {
        assert_eq!(split_frontmatter(text), (yaml, body), "{text:?}");
    }
}

fn paths(yaml: &str) -> Vec<String> {
    match path_patterns(&parse_frontmatter(yaml)) {
        Patterns::None => vec!["NONE".into()],
        Patterns::Any => vec!["ANY".into()],
        Patterns::Some(patterns) => patterns,
    }
}

#[test]
fn path_patterns_are_read_in_every_form() {
    for (yaml, expected) in [
        ("", &["NONE"][..]),
        ("title: x", &["NONE"]),
        ("paths:\n  - \"billing/**/*\"\n", &["billing/**/*"]),
        ("paths:\n- \"**/*.rb\"\n- '**/*.erb'\n", &["**/*.rb", "**/*.erb"]),
        ("paths:\n  - **/*.rb\n  - *.erb\n", &["**/*.rb", "*.erb"]),
        ("paths:\r\n  - **/*.rb\r\n", &["**/*.rb"]),
        ("paths: src/**", &["src/**"]),
        ("paths: |\n  src/**\n  lib/**\n", &["src/**", "lib/**"]),
        ("paths: **/*.ts", &["**/*.ts"]),
        ("paths: \"**/*.ts\"", &["**/*.ts"]),
        ("paths: *.ts # all of them", &["*.ts"]),
        ("globs: *.rs,*.ts", &["*.rs", "*.ts"]),
        ("globs: \"**/*.py\"", &["**/*.py"]),
        ("applyTo: 'src/**, lib/**'", &["src/**", "lib/**"]),
        ("paths: {a,b}/**", &["{a,b}/**"]),
        ("paths: {src,lib}", &["{src,lib}"]),
        ("paths: src/*.{ts,tsx}, lib/**", &["src/*.{ts,tsx}", "lib/**"]),
        ("paths:\n  - {src,lib}\n  - {a,b}/**", &["{src,lib}", "{a,b}/**"]),
        ("paths: [**/*.ts, \"a b/**\"]", &["**/*.ts", "a b/**"]),
        ("paths: [a, b]", &["a", "b"]),
        ("paths: [ab]c", &["[ab]c"]),
        ("paths: !x/**", &["!x/**"]),
        ("paths:\n  - *.ts\n  - !x/**", &["*.ts", "!x/**"]),
        ("paths:\n  - src\n  - !x/**", &["src", "!x/**"]),
        ("paths: null", &["ANY"]),
        ("paths: 'pics \\[old/**'", &["pics \\[old/**"]),
        ("paths: \"pics [old/**\"", &["pics [old/**"]),
        ("paths: []", &["ANY"]),
        ("paths:", &["ANY"]),
        ("paths: ''", &["ANY"]),
        ("paths: , ,", &["ANY"]),
        ("paths:\n  a: b", &["NONE"]),
        ("paths: [a, b", &["NONE"]),
        ("**/*.ts", &["**/*.ts"]),
        ("src/**\n", &["src/**"]),
        ("*.ts, *.tsx", &["*.ts", "*.tsx"]),
        ("- src/**\n- *.ts", &["src/**", "*.ts"]),
        ("description: Use this: when it fits\npaths: src/**", &["src/**"]),
        ("globs: a\npaths: b", &["b"]),
        ("paths: a\npaths: b", &["b"]),
        ("paths: 1.10", &["1.10"]),
    ] {
        assert_eq!(paths(yaml), expected, "{yaml:?}");
    }
}

#[test]
fn values_are_what_was_typed() {
    let read = parse_frontmatter("a: no\nb: 1.10\nc: 0x10\nd: true\ne: x: y: z\nf: \"q: r\"\ng:\n  h: 1\n");
    let text = |t: &str| Field::Text(t.into());
    let expected =
        [("a", "no"), ("b", "1.10"), ("c", "0x10"), ("d", "true"), ("e", "x: y: z"), ("f", "q: r")];
    for (key, value) in expected {
        assert_eq!(read.fields[key], text(value), "{key}");
    }
    assert_eq!(read.fields["g"], Field::Other);
    assert_eq!(read.problem, None);
    assert_eq!(parse_frontmatter("a: |\n  one\n  two\n").fields["a"], text("one\ntwo\n"));
}

#[test]
fn what_can_not_be_read_is_a_problem_and_the_rest_holds() {
    let read = parse_frontmatter("paths: *.ts\njust words here\nmore");
    assert_eq!(path_patterns(&read), Patterns::Some(vec!["*.ts".into()]));
    assert_eq!(read.problem.as_deref(), Some("line 2 has no key"));
    assert!(parse_frontmatter("paths: [a, b").problem.is_some());
    assert!(parse_frontmatter(&"x".repeat(MAX_BYTES + 1)).problem.is_some());
}

#[test]
fn hostile_yaml_costs_bounded_time() {
    let bomb: String =
        (1..40).map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(","))).collect();
    let started = Instant::now();
    for yaml in [
        format!("a0: &a0 [x]\n{bomb}"),
        format!("a: {}", "[".repeat(200_000)),
        format!("a: {}", "{a: ".repeat(50_000)),
        "- ".repeat(100_000),
        "a: &x [*x]\n".into(),
        "? ".repeat(100_000),
        "a: \"".repeat(50_000),
    ] {
        parse_frontmatter(&yaml);
    }
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

proptest! {
    #[test]
    fn no_byte_of_the_body_is_lost(
        lines in prop::collection::vec(prop::sample::select(vec!["---", "a: 1", "", "text", "--- ", "\u{feff}", "\u{feff}---"]), 0..8),
        end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let text = lines.join(end);
        let (yaml, body) = split_frontmatter(&text);
        prop_assert!(text.ends_with(body));
        let before = &text[..text.len() - body.len()];
        match yaml {
            None => prop_assert_eq!(before, ""),
            Some(yaml) => {
                let fences = before.replacen(yaml, "", 1);
                let rest: Vec<_> = fences.trim_start_matches('\u{feff}').lines().map(str::trim_end).collect();
                prop_assert_eq!(rest, vec!["---", "---"]);
            }
        }
    }

    #[test]
    fn parsing_never_panics(yaml in "[a-c:\\- \n\\[\\]{}*&!#'\"|>,?%@`\t]{0,60}") {
        path_patterns(&parse_frontmatter(&yaml));
    }
}
