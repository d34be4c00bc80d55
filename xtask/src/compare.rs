//! Programs side by side: run in turn, so that a busy machine is as busy for each of them.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::Shell;
use crate::shell::capture;

/// What is compared, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// Rounds that count; in each, every program runs once.
    pub(crate) rounds: usize,
    /// Rounds before them that fill the system's caches.
    pub(crate) warm_up: usize,
    /// Where the programs run.
    pub(crate) cwd: Option<PathBuf>,
    /// Each program with its arguments, words parted by blanks; the first is what the others are held against.
    pub(crate) programs: Vec<String>,
}

impl Default for Comparison {
    fn default() -> Self {
        Self { rounds: 20, warm_up: 3, cwd: None, programs: Vec::new() }
    }
}

/// What came of one program.
#[derive(Debug, PartialEq)]
struct Summary {
    median: Duration,
    quarter: Duration,
    three_quarters: Duration,
    /// Median of the ratios to the first program's time in the same round.
    ratio: f64,
}

/// Reads `[--rounds N] [--warm-up N] [--cwd DIR] PROGRAM PROGRAM…`.
///
/// # Errors
/// An unknown flag, a flag without its value, fewer than one program.
pub(crate) fn parse(args: &[&str]) -> Result<Comparison> {
    let mut comparison = Comparison::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().with_context(|| format!("{arg} needs a value"));
        match *arg {
            "--rounds" => comparison.rounds = value()?.parse()?,
            "--warm-up" => comparison.warm_up = value()?.parse()?,
            "--cwd" => comparison.cwd = Some(value()?.into()),
            flag if flag.starts_with("--") => bail!("no such flag: {flag}"),
            program => comparison.programs.push(program.to_owned()),
        }
    }
    if comparison.programs.is_empty() || comparison.rounds == 0 {
        bail!("at least one program and one round");
    }
    Ok(comparison)
}

/// Runs them and prints medians and ratios.
///
/// # Errors
/// A program can not be started or says that it failed.
pub(crate) fn compare(shell: &Shell, comparison: &Comparison) -> Result<()> {
    println!("{}\n", machine(shell));
    let mut times = vec![Vec::with_capacity(comparison.rounds); comparison.programs.len()];
    for round in 0..comparison.warm_up + comparison.rounds {
        for (program, times) in comparison.programs.iter().zip(&mut times) {
            let took = once(shell, comparison, program)?;
            if round >= comparison.warm_up {
                times.push(took);
            }
        }
    }
    print!("{}", table(comparison, &times));
    Ok(())
}

fn once(shell: &Shell, comparison: &Comparison, program: &str) -> Result<Duration> {
    let mut words = program.split_whitespace();
    let mut command = Command::new(words.next().context("an empty program")?);
    command.args(words).current_dir(comparison.cwd.as_deref().unwrap_or(shell.root()));
    let start = Instant::now();
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output();
    let took = start.elapsed();
    let output = output.with_context(|| format!("{program} could not be started"))?;
    if !output.status.success() {
        bail!("{program}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(took)
}

fn table(comparison: &Comparison, times: &[Vec<Duration>]) -> String {
    let mut out = String::from("| median ms | middle half ms | ratio | program |\n|---|---|---|---|\n");
    for (program, own) in comparison.programs.iter().zip(times) {
        let Summary { median, quarter, three_quarters, ratio } = summary(own, &times[0]);
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let (median, from, to) = (ms(median), ms(quarter), ms(three_quarters));
        out.push_str(&format!("| {median:.2} | {from:.2} to {to:.2} | {ratio:.2} | `{program}` |\n"));
    }
    out.push_str(&format!(
        "\n{} rounds in turn; the ratio is the median of the rounds' ratios\n",
        times[0].len()
    ));
    out
}

fn summary(own: &[Duration], first: &[Duration]) -> Summary {
    let mut sorted = own.to_vec();
    sorted.sort();
    let mut ratios: Vec<f64> =
        own.iter().zip(first).map(|(own, first)| own.as_secs_f64() / first.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |quarters: usize| sorted[(sorted.len() - 1) * quarters / 4];
    Summary { median: at(2), quarter: at(1), three_quarters: at(3), ratio: ratios[(ratios.len() - 1) / 2] }
}

/// What the figures depend on, in one line each.
fn machine(shell: &Shell) -> String {
    let file = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let cpu = file("/proc/cpuinfo");
    let cpu = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map(|line| line.trim_start_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = file("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned();
    let said =
        |name: &str| capture(shell.program(name, &["--version"])).unwrap_or_default().trim().to_owned();
    format!(
        "{} {}, {cores} cores, {}, load {load} before the run\n{}, {}",
        std::env::consts::OS,
        file("/proc/sys/kernel/osrelease").trim(),
        cpu.unwrap_or("unknown processor"),
        said("rustc"),
        said("git"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(times: &[u64]) -> Vec<Duration> {
        times.iter().map(|time| Duration::from_millis(*time)).collect()
    }

    #[test]
    fn median_quarters_and_ratio_come_from_the_rounds() {
        let summary = summary(&ms(&[20, 2, 40, 6, 8]), &ms(&[10, 2, 10, 2, 4]));
        assert_eq!(summary.median, Duration::from_millis(8));
        assert_eq!(summary.quarter, Duration::from_millis(6));
        assert_eq!(summary.three_quarters, Duration::from_millis(20));
        assert!((summary.ratio - 2.0).abs() < 1e-9, "{}", summary.ratio);
    }

    #[test]
    fn flags_and_programs_are_told_apart() {
        let parsed = parse(&["--rounds", "5", "a b", "--cwd", "/x", "c"]).expect("well formed");
        assert_eq!((parsed.rounds, parsed.warm_up), (5, 3));
        assert_eq!(parsed.programs, ["a b", "c"]);
        assert_eq!(parsed.cwd, Some("/x".into()));
        for wrong in [&["--rounds"][..], &["--fast", "a"], &[], &["--rounds", "0", "a"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
