//! Repositories and directories of other kinds.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::PermissionsExt as _;

use context_testkit::Place;
use context_tests::anthropic_rules;
use serde_json::Value;

use crate::support::{NOW, ctx, run_in};

/// The body for a prompt, which obeys the rules.
fn body(place: &Place, prompt: &str) -> Value {
    let body = ctx(place, &["build", prompt, "--format", "anthropic"]).json();
    anthropic_rules::check(&body).expect("a body that a provider takes");
    body
}

fn commands_work(place: &Place) {
    for arguments in [
        &["build", "Explain @README.md"][..],
        &["build", "Explain @README.md", "--json"],
        &["memory"],
        &["memory", "--json"],
        &["memory", "--rendered"],
        &["git"],
        &["git", "--json"],
        &["mentions", "@README.md"],
        &["explain", "@README.md"],
    ] {
        let outcome = ctx(place, arguments);
        assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn without_a_repository() {
    let place = Place::new();
    place.write("README.md", "READ-ME\n");
    commands_work(&place);
    let body = body(&place, "Explain @README.md").to_string();
    assert!(body.contains("READ-ME") && !body.contains("gitStatus"));
    assert!(ctx(&place, &["git"]).text().contains("No repository here."));
    let git = ctx(&place, &["git", "--json"]).json();
    assert_eq!((&git["text"], &git["decisions"]), (&Value::from(""), &Value::Array(Vec::new())));
}

#[test]
fn with_ten_thousand_files() {
    let place = Place::new();
    for dir in 0..100 {
        place.dir(&format!("d{dir:02}"));
        for file in 0..100 {
            fs::write(place.path(&format!("d{dir:02}/f{file:02}.txt")), format!("{dir} {file}\n"))
                .expect("a file");
        }
    }
    place.write("README.md", "READ-ME\n");
    place.run("git", &["init", "-q", "-b", "main"]);
    place.run("git", &["add", "-A"]);
    place.run("git", &["commit", "-qm", "Many"]);
    place.write("d42/f42.txt", "changed\n");
    place.write("d43/new.txt", "new\n");
    commands_work(&place);
    let body = body(&place, "Explain @README.md and @d42").to_string();
    for wanted in ["READ-ME", "Current branch: main", "d42/f42.txt", "?? d43/new.txt", "f99.txt"] {
        assert!(body.contains(wanted), "no {wanted:?}");
    }
    assert!(!body.contains("d41/f"), "files that nobody named");
}

#[test]
fn in_a_path_with_spaces_and_other_scripts() {
    let place = Place::new();
    let proj = place.dir("mein Projekt ü 二");
    place.write("mein Projekt ü 二/CLAUDE.md", "RULE-TEXT\n");
    place.write("mein Projekt ü 二/ein Teil/CLAUDE.md", "PART-TEXT\n");
    place.write("mein Projekt ü 二/ein Teil/a b.txt", "A-B-TEXT\n");
    let git = |arguments: &[&str]| {
        place.run("git", &[&["-C", "mein Projekt ü 二"], arguments].concat());
    };
    git(&["init", "-q", "-b", "große-sache"]);
    git(&["add", "CLAUDE.md"]);
    git(&["commit", "-qm", "Erste Sätze"]);
    let home = place.home().to_string_lossy().into_owned();
    let outcome = run_in(
        proj,
        &[("HOME", &home), ("CTX_NOW", NOW)],
        &["build", "see @\"ein Teil/a b.txt\"", "--format", "anthropic"],
    );
    let body = outcome.json();
    anthropic_rules::check(&body).expect("a body that a provider takes");
    let text = body.to_string();
    for wanted in ["RULE-TEXT", "PART-TEXT", "A-B-TEXT", "große-sache", "Erste Sätze", "mein Projekt ü 二"]
    {
        assert!(text.contains(wanted), "no {wanted:?}");
    }
}

#[test]
fn in_a_path_that_is_no_text() {
    let place = Place::new();
    let proj = place.proj().join(OsString::from_vec(b"bad\xe9dir".to_vec()));
    fs::create_dir(&proj).expect("a directory");
    fs::write(proj.join("a.txt"), "TEXT-A\n").expect("a file");
    fs::write(proj.join("CLAUDE.md"), "RULE-TEXT\n").expect("a file");
    let run = |arguments: &[&str]| run_in(proj.clone(), &[("CTX_NOW", NOW)], arguments);
    let body = run(&["build", "see @a.txt", "--format", "anthropic"]).json();
    anthropic_rules::check(&body).expect("a body that a provider takes");
    let text = body.to_string();
    assert!(text.contains("TEXT-A") && text.contains("RULE-TEXT"), "{text}");
    run(&["git", "--json"]).json();
    let memory = run(&["memory", "--json"]).json();
    let path = memory["files"][0]["path"].as_str().expect("a path");
    assert!(path.ends_with(r"bad\xE9dir/CLAUDE.md"), "{path}");
}

#[test]
fn a_path_that_is_no_text_can_be_written_as_json() {
    let place = Place::new();
    let proj = place.proj().join(OsString::from_vec(b"bad\xe9dir".to_vec()));
    fs::create_dir(&proj).expect("a directory");
    fs::write(proj.join("a.txt"), "TEXT-A\n").expect("a file");
    let turn = run_in(proj, &[("CTX_NOW", NOW)], &["build", "@a.txt", "--json"]).json();
    assert_eq!(turn["attachments"][0]["type"], "file");
}

#[test]
fn without_a_home_directory() {
    let place = Place::new();
    place.write("CLAUDE.md", "RULE-TEXT @~/x.md\n");
    place.write("README.md", "READ-ME\n");
    for arguments in [
        &["build", "@README.md and @~/x.md"][..],
        &["memory"],
        &["git"],
        &["mentions", "@~/x"],
        &["explain", "x"],
    ] {
        let outcome = run_in(place.proj(), &[], arguments);
        assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "{arguments:?}");
    }
    let body = run_in(place.proj(), &[], &["build", "@README.md", "--format", "anthropic"]).json();
    anthropic_rules::check(&body).expect("a body that a provider takes");
    assert!(body.to_string().contains("RULE-TEXT"));
}

#[test]
fn with_a_home_that_is_not_there() {
    let place = Place::new();
    place.write("README.md", "READ-ME\n");
    let gone = place.root().join("gone").to_string_lossy().into_owned();
    let outcome = run_in(place.proj(), &[("HOME", &gone)], &["build", "@README.md"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (0, ""));
    assert!(!place.root().join("gone").exists());
}

#[test]
fn in_a_directory_that_can_not_be_written_to() {
    let place = Place::new();
    place.write("README.md", "READ-ME\n");
    place.write("CLAUDE.md", "RULE-TEXT\n");
    place.run("git", &["init", "-q", "-b", "main"]);
    place.run("git", &["add", "-A"]);
    place.run("git", &["commit", "-qm", "First"]);
    let mode = |path: &str, mode: u32| {
        fs::set_permissions(place.path(path), fs::Permissions::from_mode(mode)).expect("a mode");
    };
    let locked = ["", ".git", "{home}"];
    locked.iter().for_each(|path| mode(path, 0o555));
    let body = body(&place, "Explain @README.md").to_string();
    commands_work(&place);
    locked.iter().for_each(|path| mode(path, 0o755));
    assert!(body.contains("READ-ME") && body.contains("RULE-TEXT") && body.contains("(clean)"), "{body}");
}

#[test]
fn at_the_root_of_everything() {
    let place = Place::new();
    let outcome = ctx(&place, &["build", "Hi", "--cwd", "/", "--format", "anthropic"]);
    anthropic_rules::check(&outcome.json()).expect("a body that a provider takes");
}

#[test]
fn in_a_bare_repository() {
    let place = Place::new();
    place.run("git", &["init", "-q", "--bare", "."]);
    place.write("README.md", "READ-ME\n");
    commands_work(&place);
}

#[test]
fn in_a_deep_directory() {
    let place = Place::new();
    let deep = vec!["d"; 60].join("/");
    place.write(&format!("{deep}/README.md"), "READ-ME\n");
    place.write("CLAUDE.md", "RULE-TEXT\n");
    let cwd = place.path(&deep).to_string_lossy().into_owned();
    let outcome = ctx(&place, &["build", "@README.md", "--cwd", &cwd, "--format", "anthropic"]);
    let text = outcome.json().to_string();
    assert!(text.contains("RULE-TEXT") && text.contains("READ-ME"));
}

#[test]
fn outside_of_any_session_of_git_variables() {
    let place = Place::new();
    place.write("f", "1\n");
    place.run("git", &["init", "-q", "-b", "main"]);
    place.write("{out}/other/f", "1\n");
    place.run("git", &["init", "-q", "-b", "elsewhere", "../out/other"]);
    let other = place.path("{out}/other/.git").to_string_lossy().into_owned();
    let home = place.home().to_string_lossy().into_owned();
    let outcome = run_in(place.proj(), &[("HOME", &home), ("GIT_DIR", &other)], &["git"]);
    assert!(outcome.text().contains("Current branch: main"), "{}", outcome.out);
}
