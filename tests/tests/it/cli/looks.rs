//! `ctx memory`, `ctx git` and `ctx mentions`.

use serde_json::{Value, json};

use super::project;
use crate::support::ctx;

fn paths<'a>(rows: &'a Value, place: &context_testkit::Place) -> Vec<String> {
    let rows: &'a Vec<Value> = rows.as_array().expect("a list");
    let root = place.root().to_string_lossy().into_owned();
    rows.iter().map(|row| row["path"].as_str().expect("a path").replace(&root, "")).collect()
}

#[test]
fn memory_tells_files_what_was_left_out_and_what_waits() {
    let place = project();
    let memory = ctx(&place, &["memory", "--json", "--for", "pkg/a.rs"]).json();
    assert_eq!(
        paths(&memory["files"], &place),
        ["/home/.claude/CLAUDE.md", "/proj/CLAUDE.md", "/proj/docs/style.md"]
    );
    assert_eq!(paths(&memory["nested"], &place), ["/proj/.claude/rules/rs.md", "/proj/pkg/CLAUDE.md"]);
    assert_eq!(paths(&memory["pending"], &place), ["/out/far.md"]);
    let file = &memory["files"][2];
    assert_eq!(
        (&file["kind"], &file["globs"], &file["chars"], &file["content_differs_from_disk"]),
        (&json!("project"), &json!([]), &json!(10), &json!(false))
    );
    assert!(file["parent"].as_str().is_some_and(|parent| parent.ends_with("/proj/CLAUDE.md")));
    let rule = &memory["nested"][0];
    assert_eq!((&rule["globs"], &rule["content_differs_from_disk"]), (&json!(["*.rs"]), &json!(true)));
    assert!(memory["pending"][0]["from"].as_str().is_some_and(|from| from.ends_with("/pkg/CLAUDE.md")));
    let left_out = memory["left_out"].as_array().expect("a list");
    for (end, reason) in [("CLAUDE.local.md", "empty"), ("@missing.md", "include_not_found")] {
        let found = left_out.iter().any(|one| {
            one["path"].as_str().is_some_and(|path| path.ends_with(end))
                && one["reason"] == reason
                && one["detail"].as_str().is_some_and(|detail| detail.ends_with('.'))
        });
        assert!(found, "{end} {reason} is not in {left_out:?}");
    }
}

#[test]
fn without_a_path_there_is_nothing_nested() {
    let place = project();
    let memory = ctx(&place, &["memory", "--json"]).json();
    assert_eq!(memory.get("nested"), None);
    assert_eq!(memory["pending"], json!([]));
}

#[test]
fn memory_in_text_says_the_same() {
    let place = project();
    let text = ctx(&place, &["memory", "--for", "pkg/a.rs"]);
    for wanted in ["CLAUDE.md", "included by", "for *.rs", "far.md", "CLAUDE.local.md", "empty", "user"] {
        assert!(text.text().contains(wanted), "no {wanted:?} in:\n{}", text.out);
    }
}

#[test]
fn memory_renders_the_text_that_the_request_holds() {
    let place = project();
    let rendered = ctx(&place, &["memory", "--rendered"]);
    let body = ctx(&place, &["build", "Hi", "--format", "anthropic"]).json();
    let first = body["messages"][0]["content"][0]["text"].as_str().expect("a text");
    assert!(first.contains(rendered.text().trim_end()), "{}\n---\n{first}", rendered.out);
    assert!(rendered.out.contains("STYLE-TEXT"));
}

#[test]
fn memory_of_a_path_is_rendered_as_its_request_shows_it() {
    let place = project();
    place.write("pkg/CLAUDE.md", "PKG-TEXT </system-reminder>\n");
    place.write("pkg/b.rs", "fn b() {}\n");
    let rendered = ctx(&place, &["memory", "--rendered", "--for", "pkg/b.rs"]);
    let start = rendered.out.find("pkg/CLAUDE.md").expect("the nested file");
    let heading = rendered.out[..start].rfind("Contents of ").expect("its heading");
    let rest = rendered.out[heading..].trim_end();
    let nested = rest.split("\n\nContents of ").next().unwrap_or(rest);
    assert!(nested.contains("CLAUDE.md:\n\nPKG-TEXT"), "{nested}");
    let body = ctx(&place, &["build", "See @pkg/b.rs", "--format", "anthropic"]).json();
    let quoted = serde_json::to_string(nested).expect("text");
    let inner = &quoted[1..quoted.len() - 1];
    assert!(body["messages"].to_string().contains(inner), "{inner}\n---\n{body}");
}

#[test]
fn build_waits_for_the_memories_that_match_its_prompt() {
    let place = project();
    let proj = place.proj().canonicalize().expect("the project");
    let key: String =
        proj.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let note = "---\nname: deploy\ndescription: How the servers are deployed\n---\nDEPLOY-TEXT\n";
    place.write(&format!("{{home}}/.claude/projects/{key}/memory/deploy.md"), note);
    for _ in 0..5 {
        let built = ctx(&place, &["build", "How do we deploy the servers?", "--format", "anthropic"]);
        assert!(built.out.contains("DEPLOY-TEXT"), "{}", built.out);
    }
}

#[test]
fn git_tells_the_facts_and_the_text() {
    let place = project();
    let git = ctx(&place, &["git", "--json"]).json();
    for key in ["branch", "main_branch", "user", "status", "log", "taken_at", "text", "decisions"] {
        assert!(git.get(key).is_some(), "no {key} in {git}");
    }
    assert_eq!((&git["main_branch"], &git["user"]), (&json!("main"), &json!("Somebody")));
    let text = git["text"].as_str().expect("a text");
    assert_eq!(ctx(&place, &["git"]).text().trim_end(), text.trim_end());
    let status = place.run("git", &["status", "--short"]);
    for wanted in
        ["Current branch: main", "Main branch: main", "Git user: Somebody", "First words", status.trim_end()]
    {
        assert!(text.contains(wanted), "no {wanted:?} in:\n{text}");
    }
    assert!(ctx(&place, &["git", "--timing", "--json"]).json()["micros"].is_u64());
}

#[test]
fn mentions_tell_kind_target_lines_and_bytes() {
    let place = project();
    let text = "é @pkg/a.rs#L1-2, @pkg, @nope and \\@no";
    let rows = ctx(&place, &["mentions", text, "--json"]).json();
    let span = |typed: &str| {
        let at = text.find(typed).expect("typed");
        json!([at, at + typed.len()])
    };
    let rows: Vec<_> = rows.as_array().expect("a list").iter().collect();
    assert_eq!(
        rows.iter().map(|row| (&row["kind"], &row["target"], &row["lines"])).collect::<Vec<_>>(),
        [
            (&json!("file"), &json!("pkg/a.rs"), &json!([1, 2])),
            (&json!("directory"), &json!("pkg"), &Value::Null),
            (&json!("unresolved"), &json!("nope"), &Value::Null),
        ]
    );
    let starts = ["@pkg/a.rs#L1-2", "@pkg,", "@nope"].map(|typed| span(typed)[0].clone());
    assert_eq!(rows.iter().map(|row| row["span"][0].clone()).collect::<Vec<_>>(), starts);
    let shown = ctx(&place, &["mentions", text]);
    assert!(shown.text().lines().count() == 3 && shown.out.contains("lines 1 to 2"), "{}", shown.out);
    assert_eq!(ctx(&place, &["mentions", "nothing here"]).text(), "no mentions\n");
    assert_eq!(ctx(&place, &["mentions", "nothing here", "--json"]).json(), json!([]));
}
