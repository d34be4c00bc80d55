//! A file that may come to be shown.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use context_api::{Decision, FileMeta, MemoryFile, MemoryKind, Verdict};
use context_text::display_path;

use crate::parsed::Parsed;

/// A file found at a place where memory may lie.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) path: PathBuf,
    pub(crate) kind: MemoryKind,
    pub(crate) role: Role,
}

/// Why it may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Role {
    /// It bears one of the profile's names.
    Plain,
    /// It is an index, of which the beginning is shown.
    Index,
    /// It is a rule of the group with this number.
    Rule { group: usize, by_name: bool },
    /// It is a rule whose patterns match the touched path.
    Matched(Vec<String>),
}

/// An item whose file may be read.
#[derive(Debug, Clone)]
pub(crate) struct Vetted {
    pub(crate) path: PathBuf,
    pub(crate) kind: MemoryKind,
    pub(crate) canonical: PathBuf,
    pub(crate) meta: FileMeta,
    /// Whether the file's own name is a link.
    pub(crate) is_link: bool,
    /// Whether it lies in a directory of rules, or is included from there.
    pub(crate) is_rule: bool,
}

impl Vetted {
    /// The file as it is shown.
    pub(crate) fn shown(&self, parsed: &Parsed) -> MemoryFile {
        let raw = parsed.differs.then(|| parsed.on_disk());
        MemoryFile::default()
            .path(self.path.clone())
            .is_rule(self.is_rule)
            .kind(self.kind)
            .text(parsed.text.clone())
            .content_differs_from_disk(parsed.differs)
            .raw(raw)
            .canonical(self.canonical.clone())
            .fingerprint(parsed.meta.fingerprint)
            .hash(parsed.hash.clone())
    }
}

/// Rules whose patterns are relative to one directory.
#[derive(Debug, Clone)]
pub(crate) struct RuleDraft {
    pub(crate) base: PathBuf,
    pub(crate) rules: Vec<Rule>,
}

/// A rule that holds for some paths only.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) path: PathBuf,
    pub(crate) kind: MemoryKind,
    pub(crate) patterns: Arc<[String]>,
}

/// A decision about a path.
pub(crate) fn about(path: &Path, verdict: Verdict, reason: &str, detail: impl Into<String>) -> Decision {
    Decision::new(display_path(path), verdict, reason, detail)
}

/// A decision that leaves a path out.
pub(crate) fn left_out(path: &Path, reason: &str, detail: impl Into<String>) -> Decision {
    about(path, Verdict::LeftOut, reason, detail)
}

/// What the stable word for a failed look or read says in a sentence.
pub(crate) fn explain(reason: &str) -> &'static str {
    match reason {
        "not_found" => "Nothing is there.",
        "broken_link" => "The link leads to nothing.",
        "link_loop" => "The link leads back to itself.",
        "permission_denied" => "The system does not allow to read it.",
        "not_a_regular_file" => "It is a FIFO, a socket or a device.",
        "directory" => "It is a directory; memory lies in files.",
        "changed_while_read" => "It kept changing while it was read.",
        "already_loaded" => "The same file is shown already, under this name or another.",
        "binary" => "It holds no text.",
        _ => "The system could not read it.",
    }
}
