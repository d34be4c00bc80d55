//! A place to build repositories in, cut off from the machine's own configuration.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use context_api::{Decision, GitOptions, GitRun, GitSnapshot, GitSource, Head, Status};
use git_snapshot::GixSource;

/// Shell functions for the scripts of the states.
const PRELUDE: &str = r#"
set -e
old() { touch -d 2020-01-01T00:00:00 "$@"; }
commit() { git add -A; git commit -q -m "${1:-more}"; }
base() {
  git init -q -b main .
  mkdir -p d/e
  seq 1 20 > a; seq 101 130 > b; seq 205 230 > d/x; seq 307 340 > d/e/y
  old a b d/x d/e/y
  commit one
}
"#;

pub(crate) struct Lab {
    _dir: tempfile::TempDir,
    pub(crate) root: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) out: PathBuf,
}

impl Lab {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let [root, home, out] = ["r", "home", "out"].map(|name| top.join(name));
        [&root, &home, &out].into_iter().for_each(|dir| std::fs::create_dir(dir).unwrap());
        std::fs::write(home.join(".gitconfig"), "[user]\nname = Ada\nemail = ada@example.org\n").unwrap();
        Self { _dir: dir, root, home, out }
    }

    /// A lab whose repository `script` built.
    pub(crate) fn built(script: &str) -> Self {
        let lab = Self::new();
        lab.sh(script);
        lab
    }

    fn command(&self, program: &str, cwd: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(cwd).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", &self.home).env("OUT", &self.out).env("LC_ALL", "C");
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_OPTIONAL_LOCKS", "0");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_DATE"), "2024-01-01T00:00:00Z");
        }
        command
    }

    pub(crate) fn sh(&self, script: &str) {
        let script = format!("{PRELUDE}\n{script}");
        let output = self.command("sh", &self.root).args(["-c", &script]).output().unwrap();
        assert!(output.status.success(), "script failed: {}", String::from_utf8_lossy(&output.stderr));
    }

    pub(crate) fn git(&self, cwd: &Path, args: &[&str]) -> Vec<u8> {
        self.command("git", cwd).args(args).output().unwrap().stdout
    }

    /// What `git status --short` prints, whatever the settings say about its looks.
    pub(crate) fn oracle(&self, cwd: &Path) -> String {
        let looks = ["-c", "color.status=false", "-c", "status.branch=false", "-c", "column.status=never"];
        let args: Vec<&str> = looks.into_iter().chain(["status", "--short"]).collect();
        String::from_utf8(self.git(cwd, &args)).unwrap()
    }

    pub(crate) fn options(&self) -> GitOptions {
        let mut options = GitOptions::default();
        options.home = Some(self.home.clone());
        options.budget = std::time::Duration::from_secs(60);
        options
    }

    pub(crate) fn snapshot_with(
        &self,
        cwd: &Path,
        options: &GitOptions,
    ) -> (Option<GitSnapshot>, Vec<Decision>) {
        let run = GitRun::new();
        let snapshot = source().snapshot(cwd, options, &run).unwrap();
        (snapshot, run.take_decisions())
    }

    pub(crate) fn snapshot(&self) -> (GitSnapshot, Vec<Decision>) {
        let (snapshot, decisions) = self.snapshot_with(&self.root, &self.options());
        (snapshot.expect("a repository"), decisions)
    }

    /// Our status, as text.
    pub(crate) fn ours(&self, cwd: &Path) -> (String, Vec<Decision>) {
        let (snapshot, decisions) = self.snapshot_with(cwd, &self.options());
        (status_text(&snapshot.expect("a repository")), decisions)
    }
}

pub(crate) fn source() -> GixSource {
    GixSource::new(Arc::new(|| jiff::Timestamp::UNIX_EPOCH))
}

pub(crate) fn status_text(snapshot: &GitSnapshot) -> String {
    match &snapshot.status {
        Status::Finished { lines } => lines.iter().map(|line| format!("{line}\n")).collect(),
        other => format!("{other:?}"),
    }
}

/// Status, log and branch of the repository that `script` builds are those of git, seen from `cwd`.
#[track_caller]
pub(crate) fn same_in(cwd: &str, script: &str) -> Lab {
    let lab = Lab::built(script);
    let cwd = lab.root.join(cwd);
    assert_same(&lab, &cwd);
    lab
}

#[track_caller]
pub(crate) fn assert_same(lab: &Lab, cwd: &Path) {
    let (snapshot, decisions) = lab.snapshot_with(cwd, &lab.options());
    let snapshot = snapshot.unwrap_or_else(|| panic!("no snapshot: {decisions:?}"));
    assert_eq!(status_text(&snapshot), lab.oracle(cwd), "ours is left, git's is right; {decisions:?}");
    let log: String =
        snapshot.log.iter().map(|commit| format!("{} {}\n", commit.id, commit.subject)).collect();
    let theirs =
        lab.git(cwd, &["log", "--oneline", "--no-decorate", "--no-color", "--no-show-signature", "-5"]);
    assert_eq!(log, String::from_utf8_lossy(&theirs), "the log");
    let theirs = String::from_utf8(lab.git(cwd, &["branch", "--show-current"])).unwrap();
    let ours = match &snapshot.branch {
        Head::Branch { name } | Head::Unborn { name } => format!("{name}\n"),
        Head::Detached { id } => {
            let theirs = String::from_utf8(lab.git(cwd, &["rev-parse", "--short", "HEAD"])).unwrap();
            assert_eq!(format!("{id}\n"), theirs);
            String::new()
        }
    };
    assert_eq!(ours, theirs, "the branch");
}

/// Makes a test of each name and script.
macro_rules! states {
    ($($(#[$meta:meta])* $name:ident $(in $cwd:literal)?: $script:expr;)*) => { $(
        #[test]
        $(#[$meta])*
        fn $name() {
            let cwd = concat!($($cwd)?);
            crate::lab::same_in(cwd, $script);
        }
    )* };
}
pub(crate) use states;
