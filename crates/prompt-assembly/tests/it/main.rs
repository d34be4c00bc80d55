//! What this crate promises, seen from outside.
#![expect(clippy::unwrap_used, reason = "a test that can not go on has failed")]

mod base;
mod breaks;
mod guard;
mod marks;
mod report;
mod sections;
mod support;
mod system;
