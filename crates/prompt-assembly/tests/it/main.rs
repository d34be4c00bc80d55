//! What this crate promises, seen from outside.

mod base;
mod marks;
mod report;
mod sections;
mod support;
mod system;
