//! `cargo xtask`: see [`xtask`].

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::main(std::env::args().skip(1).collect())
}
