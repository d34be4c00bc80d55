//! Compares the time of a snapshot with that of `git status --short`, side by side.
//!
//! Usage: `cargo run --release -p git-snapshot --example compare [-- rounds]`. Repositories are built in a temporary
//! directory. Medians in milliseconds, and their ratio to git's; `floor` is nothing but `lstat` of each file of the index on
//! two threads. With `table DIR...` the repositories are those. For a profiler: `-- build DIR FILES CHANGES` builds one
//! of them, and `-- snapshot DIR TIMES [anew]` takes snapshots.
#![expect(clippy::print_stdout, reason = "it is a program")]
#![allow(clippy::unwrap_used, reason = "it is a program for us")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use context_api::{GitOptions, GitRun, GitSource, Status};
use git_snapshot::GixSource;

const FILES_A_DIRECTORY: usize = 20;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["build", dir, files, changes] => {
            build(Path::new(dir), files.parse().unwrap(), changes.parse().unwrap())
        }
        ["snapshot", dir, times, ..] => snapshots(Path::new(dir), times.parse().unwrap(), args.len() > 3),
        ["table", ref dirs @ ..] => {
            head();
            dirs.iter().for_each(|dir| row(dir, Path::new(dir), 21));
        }
        _ => table(args.first().and_then(|n| n.parse().ok()).unwrap_or(21)),
    }
}

fn snapshots(dir: &Path, times: usize, anew: bool) {
    let later = || jiff::Timestamp::now() + jiff::SignedDuration::from_mins(10);
    let mut kept = source().with_age_clock(Arc::new(later));
    let mut all = Vec::new();
    for _ in 0..times {
        if anew {
            kept = source();
        }
        all.push(timed(|| drop(kept.snapshot(dir, &options(), &GitRun::new()).unwrap())));
    }
    println!("median {:.2} ms, peak {} KiB", median(&all), peak_kib());
}

fn head() {
    println!(
        "{:<18} {:>8} {:>16} {:>16} {:>16} {:>16}",
        "files/changes", "git", "opened anew", "second", "floor", "five commands"
    );
}

fn table(rounds: usize) {
    let dir = tempfile::tempdir().unwrap();
    head();
    for (files, changes) in [(1_000, 30), (10_000, 30), (10_000, 2_000), (100_000, 30)] {
        let root = dir.path().join(format!("{files}-{changes}"));
        build(&root, files, changes);
        check(&root);
        row(&format!("{files}/{changes}"), &root, rounds);
    }
    println!("peak memory of this process: {} MiB", peak_kib() / 1024);
}

fn options() -> GitOptions {
    let mut options = GitOptions::default();
    options.budget = Duration::from_secs(60);
    options
}

fn source() -> GixSource {
    GixSource::new(Arc::new(jiff::Timestamp::now))
}

fn row(name: &str, root: &Path, rounds: usize) {
    // As if the last change were ten minutes ago: what is younger is looked at again.
    let later = || jiff::Timestamp::now() + jiff::SignedDuration::from_mins(10);
    let warm = source().with_age_clock(Arc::new(later));
    let files: Vec<PathBuf> =
        git(root, &["ls-files", "-z"]).split_terminator('\0').map(|name| root.join(name)).collect();
    let mut times: [Vec<Duration>; 5] = Default::default();
    for _ in 0..rounds + 2 {
        times[0].push(timed(|| drop(git(root, &["status", "--short"]))));
        times[1].push(timed(|| drop(source().snapshot(root, &options(), &GitRun::new()).unwrap())));
        times[2].push(timed(|| drop(warm.snapshot(root, &options(), &GitRun::new()).unwrap())));
        times[3].push(timed(|| look_at(&files)));
        times[4].push(timed(|| five(root)));
    }
    let [git, anew, second, floor, five] = times.map(|times| median(&times[2..]));
    println!(
        "{name:<18} {git:>8.2} {anew:>8.2} ({:>4.2}) {second:>8.2} ({:>4.2}) {floor:>8.2} ({:>4.2}) {five:>8.2} ({:>4.2})",
        anew / git,
        second / git,
        floor / git,
        anew / five
    );
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(times: &[Duration]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted[sorted.len() / 2].as_secs_f64() * 1_000.0
}

fn look_at(files: &[PathBuf]) {
    let (one, other) = files.split_at(files.len() / 2);
    let look = |files: &[PathBuf]| files.iter().for_each(|file| drop(file.symlink_metadata()));
    std::thread::scope(|scope| {
        scope.spawn(|| look(one));
        look(other);
    });
}

/// The commands that other tools start side by side.
fn five(root: &Path) {
    let commands: [&[&str]; 5] = [
        &["rev-parse", "--abbrev-ref", "HEAD"],
        &["symbolic-ref", "--short", "refs/remotes/origin/HEAD"],
        &["config", "user.name"],
        &["status", "--short"],
        &["log", "--oneline", "-n", "5"],
    ];
    let children: Vec<_> = commands.iter().map(|args| command(root, args).spawn().unwrap()).collect();
    children.into_iter().for_each(|child| drop(child.wait_with_output()));
}

fn command(root: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.current_dir(root).args(args).stdout(Stdio::piped()).stderr(Stdio::null());
    command
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "A").env(format!("GIT_{who}_EMAIL"), "a@example.org");
    }
    command
}

fn git(root: &Path, args: &[&str]) -> String {
    String::from_utf8(command(root, args).output().unwrap().stdout).unwrap()
}

fn path(root: &Path, n: usize) -> PathBuf {
    let directory = n / FILES_A_DIRECTORY;
    root.join(format!("p{}/m{}/f{n}.rs", directory / 25, directory % 25))
}

fn build(root: &Path, files: usize, changes: usize) {
    std::fs::create_dir_all(root).unwrap();
    git(root, &["init", "-q", "-b", "main", "."]);
    for n in 0..files {
        let path = path(root, n);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("fn f{n}() {{}}\n").repeat(10 + n % 40)).unwrap();
    }
    std::fs::write(root.join(".gitignore"), "*.o\n/target/\n").unwrap();
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "one"]);
    git(root, &["gc", "-q"]);
    // Not racy any more: the index is younger than every file.
    std::thread::sleep(Duration::from_millis(1_100));
    git(root, &["update-index", "--refresh"]);
    std::fs::write(root.join("touch"), "").unwrap();
    git(root, &["add", "touch"]);
    change(root, files, changes);
}

/// A mixture of changed, touched, staged, deleted and new files, spread over the tree.
fn change(root: &Path, files: usize, changes: usize) {
    let step = files / changes;
    for n in 0..changes {
        let path = path(root, n * step);
        match n % 6 {
            0 | 1 => std::fs::write(&path, format!("changed {n}\n")).unwrap(),
            2 => std::fs::write(&path, std::fs::read(&path).unwrap()).unwrap(),
            3 => std::fs::write(path.with_extension("new"), "new\n").unwrap(),
            4 => std::fs::remove_file(&path).unwrap(),
            _ => std::fs::write(path.with_extension("o"), "ignored\n").unwrap(),
        }
    }
    let staged = path(root, files / 2 + 1);
    std::fs::write(&staged, "staged\n").unwrap();
    git(root, &["add", staged.to_str().unwrap()]);
}

fn check(root: &Path) {
    let snapshot = source().snapshot(root, &options(), &GitRun::new()).unwrap().unwrap();
    let Status::Finished { lines } = snapshot.status else { panic!("{:?}", snapshot.status) };
    assert_eq!(lines.join("\n"), git(root, &["status", "--short"]).trim_end_matches('\n'));
}

fn peak_kib() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.trim().trim_end_matches(" kB").trim().parse().unwrap_or(0)
}
