//! Every scenario of `tests/scenarios`, run in this process.

mod appearances;
pub(crate) mod promises;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

use ctx::Process;
use serde_json::Value;

pub(crate) use appearances::Appearance;
use appearances::appearances;

/// Names of workspaces: what the program prints may depend on neither.
const WORKSPACES: [&str; 2] = ["one", "the second wörkspace 二"];
/// First words of a scenario that has to fail, followed by what the message has to say.
const EXPECT_ERROR: &str = "# expect-error: ";
/// First words of a scenario that needs a right which tests do not always have.
const NEEDS: &str = "# needs: ";

struct Run {
    code: u8,
    out: String,
    err: String,
}

#[test]
fn every_scenario_holds_and_prints_the_same_in_every_workspace() {
    let failures: Vec<&str> = all_runs().iter().filter_map(|ran| ran.failure.as_deref()).collect();
    assert!(
        failures.is_empty(),
        "{} of {} scenarios:\n\n{}",
        failures.len(),
        all_runs().len(),
        failures.join("\n\n")
    );
}

/// A scenario, and what came of running it.
pub(crate) struct Ran {
    /// Its file below `tests/scenarios`.
    pub(crate) name: String,
    /// A failure that is not known, or a known one that is mended.
    failure: Option<String>,
    /// Where types of attachments first appear in it, by their real triggers.
    pub(crate) seen: Vec<Appearance>,
}

/// All scenarios, in the order of their names, run once for all tests.
pub(crate) fn all_runs() -> &'static [Ran] {
    static RUNS: LazyLock<Vec<Ran>> = LazyLock::new(run_all);
    &RUNS
}

fn run_all() -> Vec<Ran> {
    let files = scenarios();
    let (ran, next) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let one = judged(file);
                    ran.lock().expect("no panic").push(one);
                }
            });
        }
    });
    let mut ran = ran.into_inner().expect("no panic");
    ran.sort_by(|one, two| one.name.cmp(&two.name));
    ran
}

fn judged(file: &Path) -> Ran {
    let name = name(file);
    let known = known().into_iter().find(|known| known.file == name);
    let (seen, failure) = match (outcome(file), known) {
        (Ok(seen), Some(known)) if !known.by_chance => {
            (seen, Some(format!("{name}: holds now; take it out of KNOWN.txt")))
        }
        (Ok(seen), _) => (seen, None),
        (Err(failure), None) => (Vec::new(), Some(format!("{name}: {failure}"))),
        (Err(failure), Some(known)) if known.explains(&failure) => (Vec::new(), None),
        (Err(failure), Some(known)) => {
            (Vec::new(), Some(format!("{name}: known to fail by {:?}, but: {failure}", known.failure)))
        }
    };
    Ran { name, failure, seen }
}

/// A scenario that fails, and a part of how it fails. A fix is noticed: the test fails until the row is gone.
struct Known {
    file: String,
    failure: String,
    by_chance: bool,
}

impl Known {
    fn explains(&self, failure: &str) -> bool {
        failure.contains(&self.failure) || self.by_chance && failure.contains("two workspaces differ")
    }
}

/// The rows of `KNOWN.txt`: `file | failure`, with a `~` in front where it fails now and then.
fn known() -> Vec<Known> {
    let text = fs::read_to_string(root().join("KNOWN.txt")).expect("the known failures");
    let rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| {
        let (file, failure) = row.split_once(" | ").expect("`file | failure`");
        let sure = file.trim_start_matches('~');
        Known { file: sure.to_owned(), failure: failure.to_owned(), by_chance: sure != file }
    })
    .collect()
}

fn outcome(file: &Path) -> Result<Vec<Appearance>, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let first = text.lines().next().unwrap_or_default();
    if first.strip_prefix(NEEDS).is_some_and(|right| !has_right(right)) {
        return Ok(Vec::new());
    }
    let [run, again] = WORKSPACES.map(|workspace| run(file, workspace));
    if (run.code, &run.out) != (again.code, &again.out) {
        return Err(format!("two workspaces differ:\n{}", difference(&run.out, &again.out)));
    }
    match first.strip_prefix(EXPECT_ERROR) {
        Some(wanted) => refused(&run, wanted).map(|()| Vec::new()),
        None => {
            held(&run, ["\"fault\"", "_ms\"", "\"hang\"", "\"panic\""].iter().any(|word| text.contains(word)))
                .map(|()| appearances(&name(file), &text, &run.out))
        }
    }
}

fn has_right(right: &str) -> bool {
    match right {
        "root" => rights() == 0,
        "no root" => rights() != 0,
        other => panic!("unknown right {other:?}"),
    }
}

/// The user who runs this.
fn rights() -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    let own = tempfile::NamedTempFile::new().expect("a file of one's own");
    own.as_file().metadata().expect("its facts").uid()
}

fn run(file: &Path, workspace: &str) -> Run {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let workspace = dir.path().join(workspace);
    let (process, captured) = Process::captured(dir.path().to_path_buf(), Default::default());
    let arguments = ["ctx", "replay", "--allow-run", "--workspace"].map(Into::into);
    let arguments = arguments.into_iter().chain([workspace.into_os_string(), file.as_os_str().to_owned()]);
    let code = ctx::run(arguments, process);
    Run { code, out: captured.out(), err: captured.err() }
}

fn refused(run: &Run, wanted: &str) -> Result<(), String> {
    if run.code == 0 || run.code > 2 {
        return Err(format!("the exit code is {}", run.code));
    }
    let said = run.err.contains(wanted);
    if said { Ok(()) } else { Err(format!("{:?} does not say {wanted:?}", run.err)) }
}

fn held(run: &Run, faulty: bool) -> Result<(), String> {
    if run.code != 0 || !run.err.is_empty() {
        return Err(format!("exit code {}: {}", run.code, run.err.trim()));
    }
    for line in run.out.lines() {
        let printed: Value = serde_json::from_str(line).map_err(|error| format!("no JSON: {error}"))?;
        promises::hold(&printed)?;
        if !faulty {
            promises::nothing_is_lost_to_time(&printed)?;
        }
    }
    Ok(())
}

fn difference(one: &str, two: &str) -> String {
    let at = one.bytes().zip(two.bytes()).take_while(|(one, two)| one == two).count();
    let around = |text: &str| {
        String::from_utf8_lossy(
            &text.as_bytes()[at.saturating_sub(60).min(text.len())..(at + 60).min(text.len())],
        )
        .into_owned()
    };
    format!("- {}\n+ {}", around(one), around(two))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

/// The files of all scenarios.
fn scenarios() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![root()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).expect("a directory of scenarios") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending != "txt") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn name(file: &Path) -> String {
    file.strip_prefix(root()).expect("a scenario").to_string_lossy().into_owned()
}

#[test]
fn every_scenario_says_what_it_guards_against_and_expects_something() {
    for file in scenarios() {
        let name = name(&file);
        assert!(name.ends_with(".jsonl"), "{name} is no scenario");
        let text = fs::read_to_string(&file).expect("a scenario");
        assert!(text.lines().any(|line| line.starts_with("# Guards against ")), "{name} does not say why");
        let expects = text.contains("{\"expect\":") || text.starts_with(EXPECT_ERROR);
        assert!(expects, "{name} expects nothing");
    }
}

#[test]
fn each_known_failure_is_a_scenario() {
    let names: BTreeSet<String> = scenarios().iter().map(|file| name(file)).collect();
    for known in known() {
        assert!(names.contains(&known.file), "{} is not there", known.file);
    }
}
