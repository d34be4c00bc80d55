//! Which of the files that a model has seen are different now.

mod check;
mod diff;
mod ends;
mod memo;
mod snippet;

pub use check::ChangeCheck;
