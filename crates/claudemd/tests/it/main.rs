//! The loader on real directories.

mod include;
mod levels;
mod rules;
mod support;
