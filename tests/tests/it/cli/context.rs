//! `ctx context`: the grid, the figures, the page.

use std::path::PathBuf;
use std::process::Command;

use context_testkit::Place;
use serde_json::Value;

use super::project;
use crate::support::ctx;

/// Tokens of the rows below a row add up to its own.
fn adds_up(row: &Value) {
    let children = row["children"].as_array().expect("children");
    if children.is_empty() {
        return;
    }
    let sum: u64 = children.iter().map(|child| child["tokens"].as_u64().expect("tokens")).sum();
    assert_eq!(row["tokens"].as_u64(), Some(sum), "{}", row["label"]);
    children.iter().for_each(adds_up);
}

#[test]
fn the_figures_add_up_and_count_only_what_is_sent() {
    let place = Place::new();
    place.write("CLAUDE.md", format!("<!-- {} -->\n\nSHORT rule\n", "c".repeat(3_000)));
    place.write(".claude/rules/a.md", format!("---\npaths: x/**\n---\n{}\n", "r ".repeat(2_000)));
    place.write(".claude/rules/b.md", "b\n");
    let usage = ctx(&place, &["context", "--json"]).json();
    let rows = usage["rows"].as_array().expect("rows");
    rows.iter().for_each(adds_up);
    let sum: u64 = rows.iter().map(|row| row["tokens"].as_u64().expect("tokens")).sum();
    assert_eq!(usage["total"].as_u64(), Some(sum));
    assert_eq!(usage["window"].as_u64(), Some(sum + usage["free"].as_u64().expect("free")));
    let memory = rows.iter().find(|row| row["label"] == "Memory").expect("memory");
    let files = memory["children"].as_array().expect("files");
    let tokens = |name: &str| {
        let mut found =
            files.iter().filter(|file| file["source"].as_str().is_some_and(|source| source.ends_with(name)));
        let tokens = found.next().map(|file| file["tokens"].as_u64().expect("tokens"));
        assert!(found.next().is_none(), "{name} twice");
        tokens
    };
    assert!(tokens("/CLAUDE.md").is_some_and(|tokens| tokens < 20));
    assert!(tokens("/b.md").is_some_and(|tokens| tokens < 20));
    assert_eq!(tokens("/a.md"), None, "it is not loaded");
}

#[test]
fn the_grid_says_what_is_taken_without_colour() {
    let outcome = ctx(&project(), &["context", "Hello"]);
    let text = outcome.text();
    for wanted in ["of 200000 tokens", "System prompt", "Memory", "Free", "Would free"] {
        assert!(text.contains(wanted), "no {wanted:?} in\n{text}");
    }
    assert!(!text.contains('\u{1b}'));
}

/// A browser without a window, where one is there.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name))).find(|file| file.is_file())
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn the_page_shows_the_figures_in_a_narrow_window_from_the_disk() {
    let place = project();
    place.write("evil</script><b>.md", "x\n");
    let page = place.path("usage.html");
    let outcome =
        ctx(&place, &["context", "Hello @evil</script><b>.md", "--html", &page.to_string_lossy(), "--json"]);
    let usage = outcome.json();
    let Some(browser) = browser() else {
        eprintln!("skipped: no chromium here, so that nobody looked at the page");
        return;
    };
    let run = |size: &str| {
        let profile = tempfile::tempdir().expect("a profile");
        let output = Command::new(&browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--virtual-time-budget=3000"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("--window-size={size}"))
            .arg(format!("file://{}", page.display()))
            .output()
            .expect("the browser runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for size in ["360,800", "1200,900"] {
        let dom = run(size);
        let map = dom.split("id=\"map\"").nth(1).and_then(|rest| rest.split("</div>").next()).expect("a map");
        assert!(map.matches("<button").count() >= 3, "fields of the treemap at {size}");
        let rows = usage["rows"].as_array().expect("rows");
        for row in rows {
            let label = row["label"].as_str().expect("a label");
            assert!(dom.contains(&format!("aria-label=\"{label}, ")), "no field for {label}");
        }
    }
}
