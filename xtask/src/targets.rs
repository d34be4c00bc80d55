//! Other systems: does the library compile for them?

use std::path::Path;

use anyhow::Result;

use crate::Shell;
use crate::shell::{capture, run};

/// One system of each other family.
const TARGETS: &[&str] = &["x86_64-pc-windows-gnu", "x86_64-apple-darwin", "x86_64-unknown-freebsd"];

/// Compiles `agent-core`, with all its features, for each target that the toolchain has a standard library of, and names
/// the others.
///
/// # Errors
/// It does not compile for one of them.
pub(crate) fn targets(shell: &Shell) -> Result<()> {
    for target in TARGETS {
        if is_installed(shell, target) {
            println!("-- {target}");
            run(shell.cargo(&["check", "-q", "-p", "agent-core", "--all-features", "--target", target]))?;
        } else {
            println!("-- {target}: not checked, the toolchain has no standard library of it");
        }
    }
    Ok(())
}

fn is_installed(shell: &Shell, target: &str) -> bool {
    let libraries = capture(shell.program("rustc", &["--print", "target-libdir", "--target", target]));
    libraries.is_ok_and(|folder| holds_core(Path::new(folder.trim())))
}

/// Whether a folder holds a compiled `core`.
fn holds_core(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_core_has_no_standard_library() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!holds_core(folder.path()) && !holds_core(&folder.path().join("missing")));
        std::fs::write(folder.path().join("libcore-1.rlib"), "").expect("written");
        assert!(holds_core(folder.path()));
    }
}
