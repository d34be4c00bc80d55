//! One file's bytes as memory: decoded, without frontmatter, comments and trailing blanks.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use context_api::FileMeta;
use context_text::{
    Field, Frontmatter, Patterns, content_hash, decode, is_binary, parse_frontmatter, path_patterns,
    split_frontmatter,
};

use crate::markdown::{Mention, read_markdown};

/// What a file holds. Kept for all sessions while the file's facts stay the same.
#[derive(Debug, Clone)]
pub(crate) struct Parsed {
    pub(crate) meta: FileMeta,
    /// The decoded text, where it differs from the one shown by more than trailing blanks.
    raw: Option<Arc<str>>,
    /// The trailing blanks that are off.
    blanks: Box<str>,
    /// The text shown.
    pub(crate) text: Arc<str>,
    /// Whether more than trailing blanks is off.
    pub(crate) differs: bool,
    pub(crate) lossy: bool,
    pub(crate) binary: bool,
    pub(crate) hash: String,
    /// Which paths the frontmatter names.
    pub(crate) patterns: Patterns,
    /// What `alwaysApply` says.
    pub(crate) always: Option<bool>,
    /// What is wrong with the frontmatter.
    pub(crate) problem: Option<String>,
    /// A key that looks as if it should name paths and does not.
    pub(crate) stray_key: Option<String>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) mentions_cut: bool,
}

impl Parsed {
    /// What the bytes hold; `mentions` names at most are looked for.
    pub(crate) fn new(bytes: &[u8], meta: FileMeta, mentions: usize) -> Self {
        let decoded = decode(bytes);
        let (frontmatter, body) = split_frontmatter(&decoded.text);
        let mut frontmatter = frontmatter.map(parse_frontmatter).unwrap_or_default();
        if frontmatter.problem.is_some() {
            // What was made out of a frontmatter that can not be read puts no condition.
            frontmatter.fields.clear();
        }
        let markdown = read_markdown(body, mentions);
        let shown = match &markdown.comments[..] {
            [] => Cow::Borrowed(body),
            comments => Cow::Owned(without(body, comments)),
        };
        let text: Arc<str> = shown.trim_end().into();
        let trimmed = decoded.text.trim_end();
        let differs = decoded.lossy || *text != *trimmed;
        Self {
            meta,
            differs,
            lossy: decoded.lossy,
            binary: has_controls(bytes) && is_binary(bytes),
            hash: content_hash(decoded.text.as_bytes()),
            patterns: path_patterns(&frontmatter),
            always: always_apply(&frontmatter),
            stray_key: stray_key(&frontmatter),
            problem: frontmatter.problem,
            mentions: markdown.mentions,
            mentions_cut: markdown.mentions_cut,
            blanks: decoded.text[trimmed.len()..].into(),
            raw: differs.then(|| decoded.text.as_str().into()),
            text,
        }
    }

    /// The text on the disk.
    pub(crate) fn on_disk(&self) -> Arc<str> {
        self.raw.clone().unwrap_or_else(|| [&*self.text, &*self.blanks].concat().into())
    }

    /// The file with another text, because only a part of it is shown.
    pub(crate) fn cut_to(&self, text: String) -> Self {
        Self { raw: Some(self.on_disk()), text: text.into(), differs: true, ..self.clone() }
    }

    /// What it weighs in a cache, in bytes.
    pub(crate) fn weight(&self) -> u64 {
        /// Facts, hash and names, about.
        const REST: usize = 512;
        (self.raw.as_ref().map_or(0, |raw| raw.len()) + self.text.len() + REST) as u64
    }
}

/// Whether there is any byte that text seldom has: without one there is nothing to count. Asked for many bytes at once,
/// which the processor does in one step.
fn has_controls(bytes: &[u8]) -> bool {
    let is_control =
        |byte: u8| (byte < b' ') & (byte != b'\t') & (byte != b'\n') & (byte != b'\r') | (byte == 0x7F);
    bytes.chunks(64).any(|chunk| chunk.iter().fold(false, |any, byte| any | is_control(*byte)))
}

/// Keys that people write where `paths` is meant, in lower case.
const STRAY_KEYS: [&str; 9] =
    ["path", "paths", "glob", "globs", "applyto", "apply_to", "apply-to", "files", "filematch"];

fn stray_key(frontmatter: &Frontmatter) -> Option<String> {
    let stray = |key: &&String| STRAY_KEYS.contains(&key.to_ascii_lowercase().as_str());
    let is_condition = path_patterns(frontmatter) != Patterns::None;
    frontmatter.fields.keys().find(stray).filter(|_| !is_condition).cloned()
}

fn always_apply(frontmatter: &Frontmatter) -> Option<bool> {
    match frontmatter.fields.get("alwaysApply")? {
        Field::Text(text) => text.trim().parse().ok(),
        Field::List(_) | Field::Other => None,
    }
}

/// The text without the given ranges, which lie in order and do not overlap.
pub(crate) fn without(text: &str, ranges: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for range in ranges {
        out.push_str(&text[at..range.start]);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}
