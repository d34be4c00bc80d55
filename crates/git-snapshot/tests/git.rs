//! Differential tests: each builds a repository with the real git and compares what both say of it.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

#[path = "git/facts.rs"]
mod facts;
#[path = "git/lab.rs"]
mod lab;
#[path = "git/memory.rs"]
mod memory;
#[path = "git/more.rs"]
mod more;
#[path = "git/random.rs"]
mod random;
#[path = "git/states.rs"]
mod states;
#[path = "git/time.rs"]
mod time;
#[path = "git/trust.rs"]
mod trust;
