//! Which memories there are: names first, then the heads of the newest.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use context_api::{
    Access, Cancel, Decision, FileKind, FileSystem, Fingerprint, Follow, ReadErrorKind, ReadPolicy,
};
use context_text::{display_path, safe_line};
use jiff::Timestamp;

use super::header::days_since;
use super::{KIND, MemoryHeader, RelevantLimits};

/// The index of the notes, which stands in front of every history as it is.
const INDEX: &str = "MEMORY.md";
const EXTENSION: &str = "md";

/// What looks, with all that it needs.
pub(super) struct Scan<'a> {
    pub(super) files: &'a dyn FileSystem,
    pub(super) policy: &'a dyn ReadPolicy,
    pub(super) limits: &'a RelevantLimits,
    /// Paths that the model has.
    pub(super) known: &'a BTreeSet<PathBuf>,
    pub(super) now: Timestamp,
    pub(super) cancel: &'a Cancel,
}

/// A file that may be a memory.
struct Listed {
    path: PathBuf,
    /// The same by the name that the directory was given by.
    given: PathBuf,
    /// The directory of notes that it lies in.
    directory: PathBuf,
    fingerprint: Fingerprint,
}

impl Scan<'_> {
    /// The headers of all memories in `directories`, the newest first.
    pub(super) fn headers(
        &self,
        directories: &[PathBuf],
        decisions: &mut Vec<Decision>,
    ) -> Vec<MemoryHeader> {
        let mut listed = self.listed(directories, decisions);
        let newest = |one: &Listed| std::cmp::Reverse(one.fingerprint.mtime_ns);
        listed.sort_by(|one, other| (newest(one), &one.path).cmp(&(newest(other), &other.path)));
        let beyond = listed.len().saturating_sub(self.limits.candidates);
        if beyond > 0 {
            let detail = format!("{beyond} memories, the oldest, are not looked at.");
            decisions.push(Decision::left_out(KIND, "too_many_memories", detail));
        }
        listed.truncate(self.limits.candidates);
        let going_on = listed.iter().take_while(|_| !self.cancel.is_cancelled());
        going_on.filter_map(|one| self.header(one).map_err(|why| decisions.push(why)).ok()).collect()
    }

    fn listed(&self, directories: &[PathBuf], decisions: &mut Vec<Decision>) -> Vec<Listed> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let (mut left, mut is_cut) = (self.limits.listed, false);
        for directory in directories {
            // What is not there holds nothing; the other errors come up again where it is read.
            let canonical = self.files.canonicalize(directory).unwrap_or_else(|_| directory.clone());
            if seen.insert(canonical.clone()) {
                let roots = (canonical.as_path(), directory.as_path());
                let (found, left, is_cut) = (&mut found, &mut left, &mut is_cut);
                let mut walk = Walk { scan: self, roots, found, left, is_cut, decisions };
                walk.directory(&canonical, self.limits.depth);
            }
        }
        if is_cut {
            let detail = format!("Only {} names are looked at; there are more.", self.limits.listed);
            decisions.push(Decision::cut(KIND, "too_many_entries", detail));
        }
        found
    }

    fn header(&self, listed: &Listed) -> Result<MemoryHeader, Decision> {
        let path = &listed.path;
        allowed(self.policy, &listed.given)?;
        allowed(self.policy, path)?;
        let open = self.files.open(path).map_err(|error| not_read(path, &error))?;
        let mut bytes = Vec::new();
        let head = open.reader.take(self.limits.head_bytes).read_to_end(&mut bytes);
        head.map_err(|error| not_read(path, &error))?;
        let days = days_since(listed.fingerprint.mtime_ns, self.now);
        MemoryHeader::of(path, &listed.directory, &bytes, days, self.limits).ok_or_else(|| binary(path))
    }
}

/// The walk through one directory of notes.
struct Walk<'a, 'b> {
    scan: &'a Scan<'a>,
    /// The directory, by its canonical name and as it was given.
    roots: (&'a Path, &'a Path),
    found: &'b mut Vec<Listed>,
    left: &'b mut usize,
    /// Whether there are more names than may be looked at.
    is_cut: &'b mut bool,
    decisions: &'b mut Vec<Decision>,
}

impl Walk<'_, '_> {
    fn directory(&mut self, directory: &Path, depth: usize) {
        let entries = match self.scan.files.read_dir(directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(error) => return self.decisions.push(not_read(directory, &error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            match entry {
                Err(error) => {
                    self.decisions.push(not_read(directory, &error));
                    break;
                }
                Ok(_) if *self.left == 0 => {
                    *self.is_cut = true;
                    break;
                }
                Ok(entry) => {
                    *self.left -= 1;
                    names.push(entry);
                }
            }
        }
        names.sort_by(|one, other| one.name.cmp(&other.name));
        for entry in names {
            if self.scan.cancel.is_cancelled() {
                return;
            }
            let path = directory.join(&entry.name);
            match entry.kind {
                _ if entry.name.to_string_lossy().starts_with('.') => {}
                FileKind::Directory if depth > 0 => self.directory(&path, depth - 1),
                FileKind::Directory => self.decisions.push(too_deep(&path)),
                FileKind::File if self.is_memory(&path) => self.file(path),
                FileKind::Link => self.decisions.push(link(&path)),
                FileKind::Special if is_note(&path) => self.decisions.push(special(&path)),
                _ => {}
            }
        }
    }

    /// Whether a file is a note that the model does not have.
    fn is_memory(&self, path: &Path) -> bool {
        is_note(path) && path != self.roots.0.join(INDEX) && !self.scan.known.contains(path)
    }

    fn file(&mut self, path: PathBuf) {
        match self.scan.files.metadata(&path, Follow::Nothing) {
            Ok(meta) => self.found.push(Listed {
                given: self.roots.1.join(path.strip_prefix(self.roots.0).unwrap_or(&path)),
                path,
                directory: self.roots.0.to_path_buf(),
                fingerprint: meta.fingerprint,
            }),
            Err(error) => self.decisions.push(not_read(&path, &error)),
        }
    }
}

fn is_note(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(EXTENSION))
}

/// # Errors
/// The decision about a path that may not be read.
pub(super) fn allowed(policy: &dyn ReadPolicy, path: &Path) -> Result<(), Decision> {
    match policy.check(path) {
        Access::Allowed => Ok(()),
        Access::Denied { rule } => {
            let detail = format!("The rule `{}` denies reading it.", safe_line(&rule));
            Err(Decision::left_out(display_path(path), "denied_by_policy", detail))
        }
    }
}

pub(super) fn not_read(path: &Path, error: &std::io::Error) -> Decision {
    let kind = ReadErrorKind::from(error);
    Decision::failed(display_path(path), kind.reason(), format!("The memory can not be read: {kind}."))
}

pub(super) fn binary(path: &Path) -> Decision {
    Decision::left_out(display_path(path), "binary", "What lies among the memories there is no text.")
}

fn special(path: &Path) -> Decision {
    let kind = ReadErrorKind::Special;
    Decision::left_out(
        display_path(path),
        kind.reason(),
        format!("What lies among the memories there is {kind}."),
    )
}

fn too_deep(path: &Path) -> Decision {
    Decision::left_out(display_path(path), "too_deep", "Memories this deep are not looked for.")
}

fn link(path: &Path) -> Decision {
    let detail = "Links among the memories are not followed.";
    Decision::left_out(display_path(path), "symbolic_link", detail)
}
