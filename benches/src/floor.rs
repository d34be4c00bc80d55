//! Bare system calls over every file of a tree.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Every regular file below `root`, sorted by bytes; `.git` is passed over, links are not followed.
///
/// # Errors
/// As the system's `opendir` and `lstat`.
pub fn files(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() && entry.file_name() != ".git" {
                open.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Looks at each file; the sum of their lengths in bytes.
///
/// # Errors
/// As the system's `lstat`.
pub fn stat_all(files: &[PathBuf]) -> io::Result<u64> {
    files.iter().map(|path| Ok(path.symlink_metadata()?.len())).sum()
}

/// Reads each file whole; the sum of their lengths in bytes.
///
/// # Errors
/// As the system's `open` and `read`.
pub fn read_all(files: &[PathBuf]) -> io::Result<u64> {
    files.iter().map(|path| Ok(std::fs::read(path)?.len() as u64)).sum()
}

/// The median time of `rounds` runs of `act` (at least one), after one that does not count.
///
/// # Errors
/// Those of `act`.
pub fn median<T>(rounds: usize, mut act: impl FnMut() -> io::Result<T>) -> io::Result<Duration> {
    act()?;
    let mut times = Vec::with_capacity(rounds.max(1));
    for _ in 0..rounds.max(1) {
        let start = Instant::now();
        std::hint::black_box(act()?);
        times.push(start.elapsed());
    }
    times.sort();
    Ok(times[(times.len() - 1) / 2])
}
