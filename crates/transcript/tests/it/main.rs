//! What this crate promises, seen from outside.
#![expect(clippy::unwrap_used, reason = "a test that can not go on has failed")]

mod blobs;
mod damage;
mod disk;
mod kill;
mod memory;
mod objects;
mod support;
