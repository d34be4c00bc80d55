//! The reference command line.
fn main() {}
