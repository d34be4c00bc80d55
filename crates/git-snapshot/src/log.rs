//! The newest commits.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use context_api::{Commit, Decision, GitRun};
use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::prelude::ObjectIdExt;

use crate::facts;

/// A commit that waits to be listed: newest first, and among equals the one found first.
type Waiting = (i64, Reverse<usize>, ObjectId);

/// The newest `count` commits reachable from `HEAD`, in the order of `git log`. An unreadable commit ends the list with
/// a decision.
pub(crate) fn newest(repo: &gix::Repository, count: usize, run: &GitRun) -> Vec<Commit> {
    let Some(head) = facts::tip(repo).ok().and_then(|(_, id)| id) else { return Vec::new() };
    let mut walk = Walk::new(repo);
    let mut commits = Vec::new();
    walk.found(head, run);
    while commits.len() < count && !run.is_over() {
        let Some((id, commit)) = walk.next(run) else { break };
        let subject = subject(&commit);
        commits.push(Commit { id: id.attach(repo).shorten_or_id().to_string(), subject });
    }
    commits
}

struct Walk<'repo> {
    repo: &'repo gix::Repository,
    shallow: Option<gix::shallow::Commits>,
    waiting: BinaryHeap<Waiting>,
    seen: HashSet<ObjectId>,
}

impl<'repo> Walk<'repo> {
    fn new(repo: &'repo gix::Repository) -> Self {
        let shallow = repo.shallow_commits().ok().flatten();
        Self { repo, shallow, waiting: BinaryHeap::new(), seen: HashSet::new() }
    }

    fn found(&mut self, id: ObjectId, run: &GitRun) {
        if !self.seen.insert(id) {
            return;
        }
        match self.repo.find_commit(id).and_then(|commit| commit.time()) {
            Ok(time) => self.waiting.push((time.seconds, Reverse(self.seen.len()), id)),
            Err(error) => run.decide(Decision::failed(
                id.to_string(),
                "git_commit_unreadable",
                format!("The log ends before this commit: {error}"),
            )),
        }
    }

    fn next(&mut self, run: &GitRun) -> Option<(ObjectId, gix::Commit<'repo>)> {
        let (_, _, id) = self.waiting.pop()?;
        let commit = self.repo.find_commit(id).ok()?;
        let cut = self.shallow.as_ref().is_some_and(|ids| ids.contains(&id));
        if !cut {
            let parents: Vec<ObjectId> = commit.parent_ids().map(gix::Id::detach).collect();
            parents.into_iter().for_each(|parent| self.found(parent, run));
        }
        Some((id, commit))
    }
}

/// The lines before the first blank one, joined by spaces, as text.
fn subject(commit: &gix::Commit<'_>) -> String {
    let message = commit.message_raw_sloppy();
    let encoding = commit.decode().ok().and_then(|commit| commit.encoding);
    let lines = message.lines().map(|line| line.trim_end().as_bstr());
    let title: Vec<&BStr> =
        lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
    decode(&gix::bstr::join(b" ", title), encoding)
}

fn decode(bytes: &[u8], encoding: Option<&BStr>) -> String {
    match encoding.and_then(|label| encoding_rs::Encoding::for_label(label)) {
        Some(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
        None => bytes.to_str_lossy().into_owned(),
    }
}
