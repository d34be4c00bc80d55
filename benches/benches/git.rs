//! Repository facts in process, against the one git command that a host would start otherwise, and the bare floor.
#![expect(clippy::unwrap_used, reason = "a bench that can not prepare its tree has nothing to measure")]

use std::process::Command;
use std::sync::Arc;

use context_api::{GitOptions, GitRun, GitSource};
use context_benches::{Tree, floor};
use criterion::{Criterion, criterion_group, criterion_main};
use git_snapshot::GixSource;

fn git(c: &mut Criterion) {
    let source = GixSource::new(Arc::new(|| jiff::Timestamp::UNIX_EPOCH));
    for count in [10, 1_000, 10_000] {
        let tree = Tree::repository(count).unwrap();
        let files = floor::files(tree.path()).unwrap();
        let mut group = c.benchmark_group(format!("git, {count} files"));
        group.sample_size(20);
        group.bench_function("snapshot", |b| {
            b.iter(|| source.snapshot(tree.path(), &GitOptions::default(), &GitRun::new()).unwrap())
        });
        group.bench_function("git status --short", |b| {
            b.iter(|| {
                Command::new("git").args(["status", "--short"]).current_dir(tree.path()).output().unwrap()
            })
        });
        group.bench_function("floor: stat each", |b| b.iter(|| floor::stat_all(&files).unwrap()));
        group.finish();
    }
}

criterion_group!(benches, git);
criterion_main!(benches);
