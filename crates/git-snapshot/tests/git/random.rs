//! Random trees and random edits: whatever comes out, both say the same of it.

use std::fmt::Write;
use std::path::Path;

use crate::lab::{Lab, assert_same};
use crate::memory::{keeping, seen, settle};

/// A small generator, so that a seed is all that a failure needs (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }

    fn path(&mut self) -> String {
        let mut path = String::new();
        for _ in 0..self.below(3) {
            path.push_str(self.of(&["d", "e", "d-x", "lib", "x y"]));
            path.push('/');
        }
        path + self.of(&["a", "b", "c.txt", "d", "e.o", "ä", "f g", "lib", "z"])
    }

    /// Few lines from a small stock, so that files are alike.
    fn content(&mut self) -> String {
        let mut text = String::new();
        let first = self.below(6);
        for line in first..first + self.below(14) {
            if self.below(8) > 0 {
                let _ = writeln!(text, "line {line}");
            } else {
                let _ = writeln!(text, "odd {}", self.below(40));
            }
        }
        text
    }

    /// One command of a script; it may fail.
    fn edit(&mut self) -> String {
        let (path, other) = (self.path(), self.path());
        let dir = Path::new(&path).parent().map(|dir| dir.display().to_string()).unwrap_or_default();
        let content = self.content();
        match self.below(26) {
            0..=4 => format!("mkdir -p \"./{dir}\"; printf '{content}' > \"{path}\""),
            5 | 6 => format!("echo more >> \"{path}\""),
            7 => format!("rm -rf \"{path}\""),
            8 | 9 => format!("mkdir -p \"$(dirname \"{other}\")\"; mv \"{path}\" \"{other}\""),
            10 => format!("mkdir -p \"$(dirname \"{other}\")\"; git mv \"{path}\" \"{other}\""),
            11 => format!("cp \"{path}\" \"{other}\""),
            12 | 13 => format!("git add \"{path}\""),
            14 => "git add -A".into(),
            15 => format!("git rm -rq --cached \"{path}\""),
            16 => format!("chmod +x \"{path}\""),
            17 => format!("rm -rf \"{path}\"; ln -s \"{other}\" \"{path}\""),
            18 => format!("git add -N \"{path}\""),
            19 => format!(
                "mkdir -p \"./{dir}\"; printf '{}\\n' >> \"./{dir}/.gitignore\"",
                self.of(&["*.o", "d/", "!a", "/b", "lib"])
            ),
            20 => format!("mkdir -p \"{path}\""),
            21 => "git checkout -q -b side || git checkout -q side".into(),
            22 => "git checkout -q main".into(),
            23 => "git merge -q side -m merged || git merge -q main -m merged".into(),
            24 => self.of(&["git stash -q", "git stash pop -q", "git update-index --index-version 4"]).into(),
            _ => "git commit -q -m more".into(),
        }
    }

    /// One command behind which something that was kept no longer holds.
    fn upset(&mut self) -> String {
        let (path, attribute) =
            (self.path(), self.of(&["* text=auto", "*.txt -text", "* text", "a eol=crlf"]));
        let dir = Path::new(&path).parent().map(|dir| dir.display().to_string()).unwrap_or_default();
        match self.below(12) {
            0 | 1 => format!("touch \"{path}\""),
            2 => format!("mkdir -p \"./{dir}\"; printf 'line 1\\r\\nline 2\\r\\n' > \"{path}\""),
            3 => format!("mkdir -p \"./{dir}\"; echo '{attribute}' >> \"./{dir}/.gitattributes\""),
            4 => format!("echo '{attribute}' > .git/info/attributes"),
            5 => format!("git config core.autocrlf {}", self.of(&["true", "input", "false"])),
            6 => {
                "find . -name '.gitattributes' -not -path './.git/*' | head -1 | xargs -d '\\n' rm -f".into()
            }
            7 => "git ls-files -z | xargs -0 touch".into(),
            _ => self.edit(),
        }
    }

    fn script(&mut self) -> String {
        let mut script = String::from("set +e; git init -q -b main . ; exec 2>/dev/null\n");
        for _ in 0..self.below(14) {
            let path = self.path();
            let dir = Path::new(&path).parent().map(|dir| dir.display().to_string()).unwrap_or_default();
            let content = self.content();
            let _ = writeln!(script, "mkdir -p \"./{dir}\"; printf '{content}' > \"{path}\"");
        }
        let _ = writeln!(script, "git add -A; git commit -q -m one");
        if self.below(6) == 0 {
            let _ = writeln!(
                script,
                "git config {}",
                self.of(&[
                    "status.showUntrackedFiles all",
                    "status.renames false",
                    "core.quotePath false",
                    "status.renames copies",
                    "core.fileMode false",
                ])
            );
        }
        for _ in 0..self.below(16) {
            let edit = self.edit();
            let _ = writeln!(script, "{edit}");
        }
        script + "true\n"
    }
}

fn check(seed: u64) -> Result<(), String> {
    let script = Random(seed).script();
    let outcome = std::panic::catch_unwind(|| {
        let lab = Lab::built(&script);
        assert_same(&lab, &lab.root);
        let below = lab.root.join("d");
        if below.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            assert_eq!(lab.ours(&below).0, lab.oracle(&below));
        }
    });
    outcome.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        format!("seed {seed}:\n{text}\n{script}")
    })
}

/// Whether a source that has seen a repository, and keeps what it may, still says after each edit what git says.
fn check_kept(seed: u64) -> Result<(), String> {
    let mut random = Random(seed);
    let script = random.script();
    let edits: Vec<String> = (0..6).map(|_| random.upset()).collect();
    let outcome = std::panic::catch_unwind(|| {
        let lab = Lab::built(&script);
        let source = keeping();
        assert_eq!(seen(&source, &lab), lab.oracle(&lab.root), "at first");
        for edit in &edits {
            settle();
            lab.sh(&format!("set +e; exec 2>/dev/null; {edit}; true"));
            (0..2).for_each(|_| assert_eq!(seen(&source, &lab), lab.oracle(&lab.root), "after {edit}"));
        }
    });
    outcome.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        format!("seed {seed}:\n{text}\n{script}{}", edits.join("\n"))
    })
}

fn check_on_two_threads(seeds: std::ops::Range<u64>, check: impl Fn(u64) -> Result<(), String> + Sync) {
    let check_all = |seeds: std::iter::StepBy<std::iter::Skip<std::ops::Range<u64>>>| -> Vec<String> {
        seeds.filter_map(|seed| check(seed).err()).collect()
    };
    std::thread::scope(|scope| {
        let halves = [0, 1].map(|half| seeds.clone().skip(half).step_by(2));
        let threads = halves.map(|half| scope.spawn(|| check_all(half)));
        let failures: Vec<String> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert!(failures.is_empty(), "{} differ\n{}", failures.len(), failures.join("\n"));
    });
}

#[test]
fn three_hundred_random_repositories_are_the_same_to_both() {
    check_on_two_threads(0..300, check);
}

#[test]
fn a_hundred_random_repositories_are_the_same_to_a_source_that_has_seen_them() {
    check_on_two_threads(0..100, check_kept);
}

#[test]
fn seeds_that_once_differed_are_the_same_to_both() {
    for seed in [271, 13_751, 14_407] {
        check(seed).unwrap();
    }
}

/// `RANDOM_SEEDS=from..to` chooses others.
#[test]
#[ignore = "takes minutes; run after changes of the scan"]
fn five_thousand_random_repositories_are_the_same_to_both() {
    let named = std::env::var("RANDOM_SEEDS").unwrap_or_default();
    let ends = named.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    check_on_two_threads(ends.clone().unwrap_or(10_000..15_000), check);
    check_on_two_threads(ends.unwrap_or(10_000..11_000), check_kept);
}
