//! A git source of one's own: facts that a server knows, without a repository on this disk.
//!
//! `cargo run -p agent-core --no-default-features --example git_source`

#![expect(clippy::print_stdout, reason = "a program that shows what it does")]

use std::path::Path;

use agent_core::context_api::{Decision, GitError, GitOptions, GitRun, GitSnapshot, GitSource, Head, Status};
use agent_core::{Engine, SessionOptions, Turn};

struct Server;

impl GitSource for Server {
    fn snapshot(&self, _: &Path, _: &GitOptions, _: &GitRun) -> Result<Option<GitSnapshot>, GitError> {
        let branch = Head::Branch { name: "feature/remote".to_owned() };
        let mut snapshot = GitSnapshot::new(branch, Default::default());
        snapshot.status = Status::Finished { lines: vec![" M src/lib.rs".to_owned()] };
        Ok(Some(snapshot))
    }

    fn render(&self, snapshot: &GitSnapshot) -> (String, Vec<Decision>) {
        let lines = match &snapshot.status {
            Status::Finished { lines } => lines.join("\n"),
            _ => String::new(),
        };
        (format!("On {:?}\n{lines}", snapshot.branch), Vec::new())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let engine = Engine::builder(std::env::current_dir()?).git(Server).build()?;
    let turn = runtime.block_on(engine.session(SessionOptions::default()).prepare(Turn::prompt("Hello")))?;
    let request = turn.request.ok_or("the turn was blocked")?;
    let system: String = request.system.iter().map(|block| block.text.as_str()).collect();
    println!("{}", system.lines().rev().take(2).collect::<Vec<_>>().join("\n"));
    assert!(system.contains("feature/remote"));
    Ok(())
}
