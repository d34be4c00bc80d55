//! Which sessions there are.

use std::fs;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use context_api::{ContentBlock, EntryKind, LineFacts};

use crate::limits::StoreLimits;
use crate::line;
use crate::lines::{Lines, Next};
use crate::{name, private};

/// What is known of a session from a look at its file's beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionSummary {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: PathBuf,
    /// What stood beside its first line: where it began, above all.
    pub first: LineFacts,
    /// The first words of the user, where they are near the beginning.
    pub prompt: Option<String>,
    /// Bytes of its file.
    pub bytes: u64,
    /// When it was last written.
    pub modified: SystemTime,
}

/// Sessions that began in `cwd`, or all; the newest first.
pub(crate) fn list(root: &Path, cwd: Option<&Path>, limits: &StoreLimits) -> Vec<SessionSummary> {
    let files = fs::read_dir(root).into_iter().flatten().flatten().map(|found| found.path());
    let mut found: Vec<SessionSummary> = files
        .filter_map(|file| summary(file, limits))
        .filter(|session| cwd.is_none_or(|cwd| session.first.cwd == cwd))
        .collect();
    found.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.id.cmp(&b.id)));
    found
}

fn summary(file: PathBuf, limits: &StoreLimits) -> Option<SessionSummary> {
    if file.extension()? != "jsonl" {
        return None;
    }
    let id = file.file_stem()?.to_str().filter(|id| name::is_allowed(id))?.to_owned();
    let meta = fs::metadata(&file).ok().filter(fs::Metadata::is_file)?;
    let (first, prompt) = head(&file, limits);
    let modified = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    Some(SessionSummary { id, file, first, prompt, bytes: meta.len(), modified })
}

fn head(file: &Path, limits: &StoreLimits) -> (LineFacts, Option<String>) {
    let (mut first, mut line) = (None, Vec::new());
    let Ok(file) = private::open(file) else { return Default::default() };
    let mut lines = Lines::new(BufReader::new(file.take(limits.list_head)), limits.list_head);
    while let Ok(Next::Line(..) | Next::TooLong(_)) = lines.next(&mut line) {
        let Ok(read) = line::read(&line) else { continue };
        first.get_or_insert_with(|| line::facts(&line));
        if let Some(words) = words(&read.entry.kind) {
            return (first.unwrap_or_default(), Some(words));
        }
    }
    (first.unwrap_or_default(), None)
}

fn words(kind: &EntryKind) -> Option<String> {
    let EntryKind::User(input) = kind else { return None };
    input.content.iter().find_map(|block| match block {
        ContentBlock::Text(text) if !input.is_meta => Some(text.text.to_string()),
        _ => None,
    })
}
