//! The changed regions as a model reads them.

use context_text::{cut_chars, numbered};

use super::diff::{Changes, Region};
use super::ends;
use crate::{ChangeLimits, wording};

/// Regions as text, and how many of them are not, or not wholly, in it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Snippet {
    pub(super) text: String,
    pub(super) left_out: u64,
}

/// As many regions as fit into the characters of one file, in order; of a first one that is too large by itself its beginning.
pub(super) fn of(old: &str, new: &str, changes: &Changes<'_>, limits: &ChangeLimits) -> Snippet {
    let mut snippet = Snippet { text: ends::note(old, new), left_out: 0 };
    let mut room = limits.file_chars.saturating_sub(snippet.text.chars().count());
    for (index, region) in changes.regions.iter().enumerate() {
        let (text, is_whole) = render(changes, region, limits);
        let size = text.chars().count() + 1;
        if size > room {
            if index == 0 {
                append(&mut snippet.text, &beginning(&text, room));
            }
            snippet.left_out += (changes.regions.len() - index) as u64;
            return snippet;
        }
        room -= size;
        snippet.left_out += u64::from(!is_whole);
        append(&mut snippet.text, &text);
    }
    snippet
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}

/// A region with its head, and whether all of its changed lines are there in full.
fn render(changes: &Changes<'_>, region: &Region, limits: &ChangeLimits) -> (String, bool) {
    let head = wording::region_head(&region.old, &region.new);
    if region.new.is_empty() {
        return (head, true);
    }
    let mut is_whole = true;
    let mut shown = String::new();
    for line in region.new.clone() {
        let excerpt = excerpt(changes, region, line, limits);
        is_whole &= excerpt.is_none();
        shown.push_str(excerpt.as_deref().unwrap_or(changes.new[line]));
        shown.push('\n');
    }
    (format!("{head}\n{}", numbered(&shown, region.new.start as u64 + 1)), is_whole)
}

/// The part of a long line where it is different; of a line that did not change its beginning. `None` where it is short.
fn excerpt(changes: &Changes<'_>, region: &Region, line: usize, limits: &ChangeLimits) -> Option<String> {
    let text = changes.new[line];
    if text.len() <= limits.line_chars || text.chars().count() <= limits.line_chars {
        return None;
    }
    let old = region.changed.iter().find(|(changed, _)| *changed == line).and_then(|(_, old)| *old);
    let same = old.map_or(0, |old| same_chars(text, changes.old[old]));
    let skipped = same.saturating_sub(limits.lead_chars);
    let start = text.char_indices().nth(skipped).map_or(0, |(at, _)| at);
    Some(wording::line_excerpt(cut_chars(&text[start..], limits.line_chars), skipped))
}

fn same_chars(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// The whole lines that fit, with a word that there is more; nothing where not even one does.
fn beginning(text: &str, room: usize) -> String {
    let room = room.saturating_sub(wording::REGION_CUT.len() + 1);
    let mut used = 0;
    let fitting = text.split_inclusive('\n').take_while(|line| {
        used += line.chars().count();
        used <= room
    });
    let kept: String = fitting.collect();
    // The head alone says nothing.
    if kept.lines().count() < 2 { String::new() } else { format!("{kept}{}", wording::REGION_CUT) }
}
