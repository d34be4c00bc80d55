//! What a process has: streams, variables, a directory.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use agent_core::context_api::Variables;

/// What a process has, so that nothing else in this crate asks the system for it.
pub struct Process {
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
    /// Environment variables that are text.
    pub variables: Variables,
    /// The working directory; empty where there is none any more.
    pub cwd: PathBuf,
    /// Whether the output is a terminal.
    pub is_terminal: bool,
    broken: Option<std::io::Error>,
}

impl Process {
    /// What this process has.
    pub fn of_this() -> Self {
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Self {
            out: Box::new(std::io::stdout()),
            err: Box::new(std::io::stderr()),
            variables,
            // `PWD` keeps the spelling in which the user came here, links included; it counts only where it is the same place.
            cwd: logical_cwd().unwrap_or_else(|| std::env::current_dir().unwrap_or_default()),
            is_terminal: std::io::stdout().is_terminal(),
            broken: None,
        }
    }

    /// A made-up process in `cwd` whose streams are kept.
    pub fn captured(cwd: PathBuf, variables: Variables) -> (Self, Captured) {
        let captured = Captured::default();
        let process = Self {
            out: Box::new(Pipe(Arc::clone(&captured.out))),
            err: Box::new(Pipe(Arc::clone(&captured.err))),
            variables,
            cwd,
            is_terminal: false,
            broken: None,
        };
        (process, captured)
    }

    /// Writes a result. A reader that has gone away ends the output without a complaint.
    pub fn print(&mut self, text: &str) {
        self.print_bytes(text.as_bytes());
        if !text.ends_with('\n') {
            self.print_bytes(b"\n");
        }
    }

    /// Writes a result of bytes.
    pub fn print_bytes(&mut self, bytes: &[u8]) {
        if self.broken.is_none() {
            self.broken = self.out.write_all(bytes).and_then(|()| self.out.flush()).err();
        }
    }

    /// What kept a result from being written, if anything did besides a reader that has gone away.
    pub(crate) fn unwritten(&mut self) -> Option<std::io::Error> {
        self.broken.take().filter(|error| error.kind() != std::io::ErrorKind::BrokenPipe)
    }

    /// Writes a message. What it repeats of names and texts reaches the terminal without control characters.
    pub fn say(&mut self, text: &str) {
        for line in text.lines() {
            let _nobody_listens = writeln!(self.err, "{}", context_text::safe_line(line));
        }
    }
}

impl std::fmt::Debug for Process {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Process").field("cwd", &self.cwd).finish_non_exhaustive()
    }
}

fn logical_cwd() -> Option<PathBuf> {
    let logical = PathBuf::from(std::env::var_os("PWD")?);
    let same = std::fs::canonicalize(&logical).ok()? == std::env::current_dir().ok()?.canonicalize().ok()?;
    (logical.is_absolute() && same).then_some(logical)
}

/// What a made-up process wrote. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Captured {
    out: Arc<Mutex<Vec<u8>>>,
    err: Arc<Mutex<Vec<u8>>>,
}

impl Captured {
    /// Its output.
    pub fn out(&self) -> String {
        text(&self.out)
    }

    /// Its messages.
    pub fn err(&self) -> String {
        text(&self.err)
    }
}

fn text(bytes: &Mutex<Vec<u8>>) -> String {
    String::from_utf8_lossy(&bytes.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
}

struct Pipe(Arc<Mutex<Vec<u8>>>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
