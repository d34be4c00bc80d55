//! Which file a mention means.

use std::io;
use std::path::{Path, PathBuf};

use context_api::{FileKind, FileSystem, Follow, LineSpan};
use context_text::{LineRange, candidates, split_fragment, split_selection};

use super::Mention;
use crate::paths::meant;

/// The file that a mention means.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResolvedMention {
    /// Absolute path as named.
    pub path: PathBuf,
    /// What it is, links followed.
    pub kind: FileKind,
    /// The lines selected.
    pub lines: Option<LineSpan>,
    /// The part of the mention that names it.
    pub name: String,
}

/// The longest name that exists, tried on `files` from `cwd`; the bare name before its selection of lines, or before a heading
/// (`#install`), which selects nothing. `None` where nothing does.
pub fn resolve_mention(
    files: &dyn FileSystem,
    cwd: &Path,
    home: Option<&Path>,
    mention: &Mention,
) -> Option<ResolvedMention> {
    let names = if mention.quoted { vec![mention.target.as_str()] } else { candidates(&mention.target) };
    let lines_of = |name: &&str| {
        exists(files, cwd, home, name).map(|found| found.of(name, None)).or_else(|| {
            let (bare, range) = split_selection(name);
            let range = range?;
            exists(files, cwd, home, bare).map(|found| found.of(bare, Some(range)))
        })
    };
    // Only where none of them selects lines: `a.rs#L1-2,` has lines and a comma, not a heading.
    let heading_of = |name: &&str| {
        let (bare, heading) = split_fragment(name);
        heading.and_then(|_| exists(files, cwd, home, bare)).map(|found| found.of(bare, None))
    };
    names.iter().find_map(lines_of).or_else(|| names.iter().find_map(heading_of))
}

struct Found {
    path: PathBuf,
    kind: FileKind,
}

impl Found {
    fn of(self, name: &str, range: Option<LineRange>) -> ResolvedMention {
        let lines =
            range.map(|range| LineSpan::default().start(range.start).end(range.end.unwrap_or(range.start)));
        ResolvedMention { path: self.path, kind: self.kind, lines, name: name.to_owned() }
    }
}

fn exists(files: &dyn FileSystem, cwd: &Path, home: Option<&Path>, name: &str) -> Option<Found> {
    if name.is_empty() || name.contains('\0') {
        return None;
    }
    let path = meant(cwd, home, name);
    match files.metadata(&path, Follow::Links) {
        Ok(meta) => Some(Found { path, kind: meta.kind }),
        // It is there, and what stands in the way is told when it is read.
        Err(error) if is_in_the_way(&error) => Some(Found { path, kind: FileKind::File }),
        Err(_) => None,
    }
}

fn is_in_the_way(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
        || context_api::ReadErrorKind::from(error) == context_api::ReadErrorKind::LinkLoop
}
