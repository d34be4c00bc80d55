//! What this crate promises, seen from outside.

mod base;
mod breaks;
mod guard;
mod marks;
mod report;
mod sections;
mod support;
mod system;
