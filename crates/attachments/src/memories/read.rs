//! The texts of memories that were chosen.

use std::io::Read;
use std::sync::Arc;

use context_api::{Decision, FileSystem, ReadPolicy};
use context_text::{
    content_hash, cut_bytes, cut_lines, decode, display_path, head_lines, is_binary, line_count,
};

use super::scan::{allowed, binary, not_read};
use super::{FoundMemory, MemoryHeader, RelevantLimits, wording};

/// A memory as it will be shown, with a decision where it is cut.
///
/// # Errors
/// The decision about one that can not be shown.
pub(super) fn read(
    files: &dyn FileSystem,
    policy: &dyn ReadPolicy,
    header: &MemoryHeader,
    limits: &RelevantLimits,
) -> Result<(FoundMemory, Option<Decision>), Decision> {
    let path = &header.path;
    allowed(policy, path)?;
    let open = files.open(path).map_err(|error| not_read(path, &error))?;
    let mut bytes = Vec::new();
    let all = open.reader.take(limits.file_bytes.saturating_add(1)).read_to_end(&mut bytes);
    all.map_err(|error| not_read(path, &error))?;
    if bytes.len() as u64 > limits.file_bytes {
        let detail = format!("The memory has more than {} bytes.", limits.file_bytes);
        return Err(Decision::left_out(display_path(path), "too_large", detail));
    }
    if is_binary(&bytes) {
        return Err(binary(path));
    }
    let content: Arc<str> = decode(&bytes).text.into();
    if content.trim().is_empty() {
        return Err(Decision::left_out(display_path(path), "empty", "The memory has no text."));
    }
    let shown = head(&content, limits);
    let is_cut = shown.len() < content.len();
    let found = FoundMemory {
        path: path.clone(),
        header: wording::header(path, header.days),
        text: if is_cut { noted(header, shown, &content) } else { Arc::clone(&content) },
        bytes: shown.len() as u64,
        is_cut,
        hash: content_hash(content.as_bytes()),
        content,
        fingerprint: open.meta.fingerprint,
    };
    let decision = is_cut.then(|| cut(&found));
    Ok((found, decision))
}

/// The lines within the limits; of a first line that is too long by itself, its characters.
fn head<'a>(content: &'a str, limits: &RelevantLimits) -> &'a str {
    let lines = head_lines(content, limits.lines);
    match cut_lines(lines, limits.bytes) {
        "" => cut_bytes(lines, limits.bytes),
        whole => whole,
    }
}

fn noted(header: &MemoryHeader, shown: &str, content: &str) -> Arc<str> {
    let note = wording::cut(&header.path, line_count(shown), line_count(content));
    format!("{}\n\n{note}", shown.trim_end()).into()
}

fn cut(found: &FoundMemory) -> Decision {
    let all = found.content.len() as u64;
    let detail = format!("{} of {all} bytes of the memory are shown.", found.bytes);
    Decision::cut(display_path(&found.path), "memory_too_long", detail).bytes(all - found.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_head_has_whole_lines_where_it_can() {
        let limits = RelevantLimits { lines: 3, bytes: 10, ..RelevantLimits::default() };
        assert_eq!(head("a\nb\nc\nd\n", &limits), "a\nb\nc\n");
        assert_eq!(head("aaaaaa\nbbbbbb\n", &limits), "aaaaaa\n");
        assert_eq!(head("日本語日本語", &limits), "日本語");
        assert_eq!(head("short", &limits), "short");
    }

    proptest! {
        #[test]
        fn a_head_is_a_prefix_within_both_limits(text in "[a-c語\n]{0,60}", lines in 1usize..6, bytes in 4usize..40) {
            let limits = RelevantLimits { lines, bytes, ..RelevantLimits::default() };
            let shown = head(&text, &limits);
            prop_assert!(text.starts_with(shown) && shown.len() <= bytes);
            prop_assert!(line_count(shown) <= lines as u64);
            prop_assert!(text.is_empty() || !shown.is_empty());
        }
    }
}
