//! Loads against the bare system calls for the same files, measured side by side in one run.
//!
//! `cargo run --release -p claudemd --example bench_load`; with `walk` behind `--` only the first part, and with `cold` only
//! first loads of its files, for a profiler.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement that fails has nothing to say")]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use claudemd::{FsMemoryLoader, MemoryOptions};
use context_api::{AllowAll, MemoryLoader, MemoryScope};
use local_fs::LocalFs;

const ROUNDS: usize = 201;

fn main() {
    if std::env::args().any(|argument| argument == "cold") {
        return cold(10_000);
    }
    walk("walk, plain text", false);
    if std::env::args().any(|argument| argument == "walk") {
        return;
    }
    walk("walk, a third of the files with @ and comments", true);
    rules();
    many_rules_at_start();
    includes();
}

/// Medians of several measurements, taken in turn in each round.
fn medians<const N: usize>(mut measured: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut times = [(); N].map(|()| Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        for (act, times) in measured.iter_mut().zip(&mut times) {
            let start = Instant::now();
            act();
            times.push(start.elapsed());
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    })
}

fn row(label: &str, time: Duration, base: Duration) {
    println!(
        "  {label:<44} {:>9.1} µs  {:>5.2} x",
        time.as_secs_f64() * 1e6,
        time.as_secs_f64() / base.as_secs_f64()
    );
}

fn loader(home: &Path) -> FsMemoryLoader {
    FsMemoryLoader::new(
        Arc::new(LocalFs::new()),
        Arc::new(AllowAll),
        MemoryOptions::default().home(home.to_owned()),
    )
}

fn text(n: usize, rich: bool) -> String {
    let line = "- Keep functions short, name things for what they are, and write a test for each fault that was found.\n";
    let extra = if rich && n.is_multiple_of(3) {
        "See @docs/missing.md and `@code`.\n\n<!-- a note -->\n"
    } else {
        ""
    };
    format!("# Part {n}\n\n{extra}{}", line.repeat(5))
}

fn read_all(files: &[PathBuf]) {
    for file in files {
        black_box(fs::metadata(file).unwrap());
        black_box(fs::read(file).unwrap());
    }
}

/// What a load asks, by bare calls: what is there of each name, what the directories of rules hold, and the files.
fn answer_all(dir: &Path, files: &[PathBuf]) {
    for dir in dir.ancestors() {
        for name in [".git", "CLAUDE.md", "CLAUDE.local.md", ".claude"] {
            let _ = black_box(fs::symlink_metadata(dir.join(name)));
        }
        if black_box(fs::symlink_metadata(dir.join(".claude/rules"))).is_ok() {
            let _ = black_box(fs::symlink_metadata(dir.join(".claude/CLAUDE.md")));
            for entry in fs::read_dir(dir.join(".claude/rules")).unwrap() {
                let _ = black_box(fs::symlink_metadata(entry.unwrap().path()));
            }
        }
    }
    for file in files {
        black_box(fs::read(file).unwrap());
    }
}

fn stat_all(paths: &[PathBuf]) {
    for path in paths {
        black_box(fs::metadata(path).unwrap());
    }
}

/// Three files in each of twenty directories below `root`; the innermost directory, the files, and all directories.
fn twenty_levels(root: &Path, rich: bool) -> (PathBuf, Vec<PathBuf>, Vec<PathBuf>) {
    let (mut dir, mut files, mut dirs) = (root.join("top"), Vec::new(), Vec::new());
    for level in 0..20 {
        dir = dir.join(format!("level{level:02}"));
        let rules = dir.join(".claude/rules");
        fs::create_dir_all(&rules).unwrap();
        for (n, file) in [dir.join("CLAUDE.md"), rules.join("rule.md"), dir.join("CLAUDE.local.md")]
            .into_iter()
            .enumerate()
        {
            fs::write(&file, text(level * 3 + n, rich)).unwrap();
            files.push(file);
        }
        dirs.extend([dir.clone(), dir.join(".claude"), rules]);
    }
    (dir, files, dirs)
}

fn cold(times: usize) {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let (dir, ..) = twenty_levels(&root, false);
    let scope = MemoryScope::default().cwd(dir);
    let start = Instant::now();
    (0..times).for_each(|_| drop(black_box(loader(&root).load(&scope))));
    println!("{:.1} µs a load", start.elapsed().as_secs_f64() * 1e6 / times as f64);
}

fn walk(label: &str, rich: bool) {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let (dir, files, dirs) = twenty_levels(&root, rich);
    let scope = MemoryScope::default().cwd(dir.clone());
    let with_dirs: Vec<PathBuf> = files.iter().chain(&dirs).cloned().collect();
    let warm = loader(&root);
    let count = (0..3).map(|_| warm.load(&scope).unwrap().files.len()).max().unwrap();
    assert_eq!(count, 60);
    let [reads, questions, cold, stats, dir_stats, cached, nested] = medians([
        &mut || read_all(&files),
        &mut || answer_all(&dir, &files),
        &mut || drop(black_box(loader(&root).load(&scope))),
        &mut || stat_all(&files),
        &mut || stat_all(&with_dirs),
        &mut || drop(black_box(warm.load(&scope))),
        &mut || drop(black_box(warm.load_for_path(&scope, &dir.join("src/x.rs")))),
    ]);
    println!("{label}: 60 files over 20 levels");
    row("stat + read of the files", reads, reads);
    row("all that a load asks, by bare calls", questions, reads);
    row("load", cold, reads);
    row("load, against all that it asks", cold, questions);
    row("stat of the files", stats, dir_stats);
    row("stat of the files and directories", dir_stats, dir_stats);
    row("load again", cached, dir_stats);
    row("load for a known path", nested, dir_stats);
}

fn rules() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let dir = root.join("proj/.claude/rules");
    fs::create_dir_all(&dir).unwrap();
    let mut files = Vec::new();
    for n in 0..1_000 {
        let file = dir.join(format!("r{n:04}.md"));
        fs::write(
            &file,
            format!("---\npaths:\n  - src/part{n}/**/*.ts\n  - '*.x{n}'\n---\n{}", text(n, false)),
        )
        .unwrap();
        files.push(file);
    }
    let scope = MemoryScope::default().cwd(root.join("proj"));
    let warm = loader(&root);
    (0..3).for_each(|_| drop(warm.load(&scope).unwrap()));
    let mut n = 0;
    let known = root.join("proj/src/part500/a.ts");
    let [reads, cold, stats, cached, known, fresh] = medians([
        &mut || read_all(&files),
        &mut || drop(black_box(loader(&root).load(&scope))),
        &mut || stat_all(&files),
        &mut || drop(black_box(warm.load(&scope))),
        &mut || drop(black_box(warm.load_for_path(&scope, &known))),
        &mut || {
            n += 1;
            drop(black_box(
                warm.load_for_path(&scope, &root.join(format!("proj/src/part{}/n{n}.ts", n % 1_000))),
            ));
        },
    ]);
    println!("1,000 rules that wait for a path");
    row("stat + read of the rules", reads, reads);
    row("load", cold, reads);
    row("stat of the rules", stats, stats);
    row("load again", cached, stats);
    row("load for a known path", known, stats);
    row("load for a new path", fresh, stats);
}

fn many_rules_at_start() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let dir = root.join("proj/.claude/rules");
    fs::create_dir_all(&dir).unwrap();
    let files: Vec<PathBuf> = (0..500).map(|n| dir.join(format!("r{n:04}.md"))).collect();
    files.iter().enumerate().for_each(|(n, file)| fs::write(file, text(n, false)).unwrap());
    let scope = MemoryScope::default().cwd(root.join("proj"));
    let [reads, cold] =
        medians([&mut || read_all(&files), &mut || drop(black_box(loader(&root).load(&scope)))]);
    println!("500 rules without a condition");
    row("stat + read of the rules", reads, reads);
    row("load", cold, reads);
}

fn includes() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let proj = root.join("proj");
    fs::create_dir_all(proj.join("docs")).unwrap();
    let files: Vec<PathBuf> = (0..200).map(|n| proj.join(format!("docs/n{n:03}.md"))).collect();
    files.iter().enumerate().for_each(|(n, file)| fs::write(file, text(n, false)).unwrap());
    let names: String = (0..200).map(|n| format!("- @docs/n{n:03}.md\n")).collect();
    fs::write(proj.join("CLAUDE.md"), names).unwrap();
    let scope = MemoryScope::default().cwd(proj);
    let [reads, cold] =
        medians([&mut || read_all(&files), &mut || drop(black_box(loader(&root).load(&scope)))]);
    println!("200 includes");
    row("stat + read of the files", reads, reads);
    row("load", cold, reads);
}
