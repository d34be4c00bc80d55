//! `floor DIR [ROUNDS]`: what the system needs to list, look at and read every file of a tree.
#![expect(clippy::print_stdout, reason = "a command line says what it saw")]

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result};
use context_benches::floor::{files, median, read_all, stat_all};

fn main() -> Result<()> {
    let mut args = std::env::args_os().skip(1);
    let root = PathBuf::from(args.next().context("floor DIR [ROUNDS]")?);
    let rounds = match args.next() {
        None => 20,
        Some(count) => count.to_string_lossy().parse().context("ROUNDS is no number")?,
    };
    let all = files(&root).with_context(|| root.display().to_string())?;
    let bytes = stat_all(&all)?;
    println!("{} files, {bytes} bytes, medians of {rounds} rounds, warm cache, one thread", all.len());
    let line = |name: &str, took: Duration| println!("{name}\t{:.3} ms", took.as_secs_f64() * 1e3);
    line("list", median(rounds, || files(&root))?);
    line("stat", median(rounds, || stat_all(&all))?);
    line("read", median(rounds, || read_all(&all))?);
    Ok(())
}
