//! What this crate promises, seen from outside.
#![expect(clippy::unwrap_used, reason = "a test that can not go on has failed")]

mod corpus;
mod counting;
mod make;
mod properties;
mod stages;
mod usage;
