//! How all texts together are made to fit.

use std::sync::Arc;

use context_api::{Decision, MemoryFile, MemoryKind, Verdict};
use context_text::{display_path, line_count};

use crate::item::about;
use crate::parsed::Parsed;
use crate::{MemoryBudget, MemoryOptions, wording};

/// Cuts the largest files to a common length until all fit. Managed files are never cut, the most specific one only where it
/// does not fit into what they leave; they leave a share of the budget however long they are. `sources` are what the files'
/// texts come from.
pub(crate) fn fit(
    mut files: Vec<MemoryFile>,
    sources: &[Arc<Parsed>],
    options: &MemoryOptions,
    decisions: &mut Vec<Decision>,
) -> Vec<MemoryFile> {
    // A text has no more characters than bytes.
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    let least = match options.budget {
        MemoryBudget::Chars(budget) => budget,
        MemoryBudget::Unlimited => options.limits.warn_chars,
    };
    if bytes <= least {
        return files;
    }
    let lengths: Vec<usize> = files.iter().map(|file| chars(&file.text)).collect();
    let total: usize = lengths.iter().sum();
    let budget = match options.budget {
        MemoryBudget::Chars(budget) if total > budget => budget,
        MemoryBudget::Unlimited if total > options.limits.warn_chars => {
            decisions.push(over(
                total,
                options.limits.warn_chars,
                "Nothing is cut: the budget has no limit.",
            ));
            return files;
        }
        _ => return files,
    };
    let room = room_beside_managed(&files, &lengths, budget, options.limits.least_percent);
    let cuttable = cuttable(&files, &lengths, room);
    let common = common_length(&files, &lengths, &cuttable, room);
    for (index, file) in files.iter_mut().enumerate().filter(|(index, _)| cuttable[*index]) {
        if lengths[index] > common {
            decisions.push(cut_file(file, &sources[index], common, budget, options.limits.tail_percent));
        }
    }
    let left: usize = files.iter().map(|file| chars(&file.text)).sum();
    if left > budget {
        decisions.push(over(left, budget, "What is left may not be cut."));
    }
    files
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn over(total: usize, budget: usize, why: &str) -> Decision {
    let detail = format!("The memory files together hold {total} characters, more than {budget}. {why}");
    Decision::new("memory", Verdict::Included, "over_budget", detail)
}

/// What managed files leave to the others: a long policy must not silence everything else.
fn room_beside_managed(
    files: &[MemoryFile],
    lengths: &[usize],
    budget: usize,
    least_percent: usize,
) -> usize {
    let managed = files.iter().zip(lengths).filter(|(file, _)| file.kind == MemoryKind::Managed);
    let managed: usize = managed.map(|(_, length)| length).sum();
    budget.saturating_sub(managed).max(budget / 100 * least_percent.min(100))
}

/// Which files may be cut: all but managed ones, and but the most specific one where it fits into the room.
fn cuttable(files: &[MemoryFile], lengths: &[usize], room: usize) -> Vec<bool> {
    let mut cuttable: Vec<bool> = files.iter().map(|file| file.kind != MemoryKind::Managed).collect();
    let most_specific = files.iter().rposition(|file| {
        file.parent.is_none() && matches!(file.kind, MemoryKind::Project | MemoryKind::Local)
    });
    if let Some(index) = most_specific
        && lengths[index] <= room
    {
        cuttable[index] = false;
    }
    cuttable
}

/// The greatest length such that all files but managed ones fit into the room when the longer ones are cut to it.
fn common_length(files: &[MemoryFile], lengths: &[usize], cuttable: &[bool], room: usize) -> usize {
    let fixed = files.iter().zip(lengths).zip(cuttable);
    let fixed = fixed.filter(|((file, _), cuttable)| !**cuttable && file.kind != MemoryKind::Managed);
    let mut left = room.saturating_sub(fixed.map(|((_, length), _)| length).sum());
    let mut sorted: Vec<usize> =
        lengths.iter().zip(cuttable).filter(|(_, cut)| **cut).map(|(n, _)| *n).collect();
    sorted.sort_unstable();
    for (index, &length) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - index);
        if length > share {
            return share;
        }
        left -= length;
    }
    usize::MAX
}

/// Cuts a file to at most `limit` characters with its note: whole lines from the beginning and the end are kept.
fn cut_file(
    file: &mut MemoryFile,
    source: &Parsed,
    limit: usize,
    budget: usize,
    tail_percent: usize,
) -> Decision {
    let path = display_path(&file.path);
    let lines = line_count(&file.text);
    // The note's own length depends on the number in it, which has no more digits than the number of lines.
    let note_chars = chars(&wording::budget_note(&path, lines, lines, budget)) + NOTE_BLANKS;
    let room = limit.saturating_sub(note_chars);
    let (head, tail) = ends(&file.text, room, tail_percent);
    let left_out = lines - line_count(head) - line_count(tail);
    let note = wording::budget_note(&path, left_out, lines, budget);
    let bytes = (file.text.len() - head.len() - tail.len()) as u64;
    let note = if chars(&note) > limit { String::new() } else { note };
    file.text = joined(head, &note, tail).into();
    file.content_differs_from_disk = true;
    file.raw = Some(source.on_disk());
    let detail = format!(
        "{left_out} of {lines} lines are left out: all memory files together may hold {budget} characters."
    );
    about(&file.path, Verdict::Cut, "over_budget", detail).bytes(bytes)
}

/// Line ends around the note.
const NOTE_BLANKS: usize = 4;

fn joined(head: &str, note: &str, tail: &str) -> String {
    let parts = [head.trim_end_matches(['\n', '\r']), note, tail];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

/// Whole lines from the beginning and from the end that hold `room` characters at most.
fn ends(text: &str, room: usize, tail_percent: usize) -> (&str, &str) {
    let tail = last_lines(text, room * tail_percent / 100);
    let rest = &text[..text.len() - tail.len()];
    (first_lines(rest, room - chars(tail)), tail)
}

fn first_lines(text: &str, room: usize) -> &str {
    let mut used = 0;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        used += chars(line);
        if used > room {
            break;
        }
        end += line.len();
    }
    &text[..end]
}

fn last_lines(text: &str, room: usize) -> &str {
    let mut used = 0;
    let mut start = text.len();
    for line in text.split_inclusive('\n').rev() {
        used += chars(line);
        if used > room {
            break;
        }
        start -= line.len();
    }
    &text[start..]
}
