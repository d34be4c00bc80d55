//! The official SDKs of Anthropic and OpenAI judge the bodies: their request types, and their clients on the way to a
//! local server. Installed here from the package registry; without Python or a registry the test says so and judges
//! nothing.
#![expect(clippy::print_stderr, reason = "a test that judges nothing has to say so")]

use std::path::{Path, PathBuf};
use std::process::Command;

use context_api::Dialect;
use dialects::{Anthropic, OpenAiChat, OpenAiResponses};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::random::any_request;
use crate::support::everything;

/// The versions that the bodies were last judged with.
const SDKS: [&str; 2] = ["anthropic==2.14.0", "openai==3.57.0"];
const RANDOM_REQUESTS: usize = 300;

#[test]
fn official_sdks_take_the_bodies_and_their_clients_send_them_unchanged() {
    let Some(python) = python() else { return };
    let bodies = tempfile::tempdir().unwrap();
    let written = write_bodies(bodies.path());
    assert!(written > 100, "{written} bodies show little");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/judge.py");
    let output = Command::new(python).arg(script).arg(bodies.path()).output().unwrap();
    let (said, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{failed}");
    assert!(said.contains(&format!("{written} judged, 0 refused")), "{said}{failed}");
}

fn write_bodies(directory: &Path) -> usize {
    let dialects: [&dyn Dialect; 3] =
        [&Anthropic::default(), &OpenAiResponses::default(), &OpenAiChat::default()];
    let mut runner = TestRunner::deterministic();
    let random = (0..RANDOM_REQUESTS).map(|_| any_request().new_tree(&mut runner).unwrap().current());
    let requests: Vec<_> = std::iter::once(everything()).chain(random).collect();
    let mut written = 0;
    for (index, request) in requests.iter().enumerate() {
        for dialect in dialects {
            if let Ok(encoded) = dialect.encode(request) {
                std::fs::write(directory.join(format!("{}.{index}.json", dialect.name())), encoded.body)
                    .unwrap();
                written += 1;
            }
        }
    }
    written
}

/// A Python with the SDKs, kept beside the build.
fn python() -> Option<PathBuf> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("judges-{}", SDKS.join("-")));
    let python = home.join("bin/python");
    let ready = home.join("ready");
    if ready.exists() {
        return Some(python);
    }
    let ran = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    if !ran(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home)) {
        eprintln!("SKIPPED: there is no python3 with venv, so the official SDKs judge nothing here");
        return None;
    }
    if !ran(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(SDKS)) {
        eprintln!("SKIPPED: {SDKS:?} can not be installed, so the official SDKs judge nothing here");
        return None;
    }
    std::fs::write(ready, "").unwrap();
    Some(python)
}
