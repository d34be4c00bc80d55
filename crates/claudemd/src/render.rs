//! Memory files as one text.

use context_api::{MemoryFile, MemoryKind};
use context_text::{display_path, neutralise};

use crate::wording;

/// The files as one text for the first message, in their order; empty when there are none. The same files give the same
/// bytes on every machine. Text that would pose as the engine's own is made harmless.
///
/// ```
/// use context_api::{MemoryFile, MemoryKind};
/// let file = MemoryFile::default().path("/p/CLAUDE.md").kind(MemoryKind::Project).text("Use tabs.");
/// assert!(claudemd::render(&[file]).contains("Contents of /p/CLAUDE.md (project instructions, "));
/// ```
pub fn render(files: &[MemoryFile]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let mut out = wording::INTRODUCTION.to_owned();
    for file in files {
        out.push_str("\n\n");
        let path = display_path(&file.path);
        out.push_str(&format!("Contents of {path} ({}):\n\n", wording::description(file.kind)));
        let text = neutralise(&file.text);
        match file.kind {
            MemoryKind::TeamMem => push_fenced(&mut out, &text),
            _ => out.push_str(&text),
        }
    }
    out
}

/// Text of others between two lines of marks that it can not end by itself: they are longer than any in it.
fn push_fenced(out: &mut String, text: &str) {
    const SHORTEST: usize = 3;
    let longest = text.split(|c| c != '~').map(str::len).max().unwrap_or(0);
    let fence = "~".repeat(SHORTEST.max(longest + 1));
    out.push_str(wording::SHARED);
    out.push_str(&format!("\n\n{fence}\n{text}\n{fence}"));
}
