//! How all texts together are made to fit.

use std::sync::Arc;

use context_api::{Decision, MemoryFile, MemoryKind, Verdict};
use context_text::{display_path, line_count};

use crate::item::about;
use crate::parsed::Parsed;
use crate::{MemoryBudget, MemoryOptions, wording};

/// Cuts the largest files to a common length until all fit; where there are so many that the notes about it would take the most
/// of that, the smallest stay whole and the others go. Managed files are never cut, the most specific one only where it
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
    let notes: Vec<usize> = files.iter().map(|file| note_chars(file, budget)).collect();
    let takes_most = |index: usize| cuttable[index] && lengths[index] > common && 2 * notes[index] > common;
    let limits = (0..files.len()).any(takes_most).then(|| {
        let texts = Texts { lengths: &lengths, notes: &notes, cuttable: &cuttable };
        few_whole(&texts, common, room_of_cuttable(&files, &lengths, &cuttable, room))
    });
    for (index, file) in files.iter_mut().enumerate().filter(|(index, _)| cuttable[*index]) {
        let limit = limits.as_ref().map_or(common, |limits| limits[index]);
        if lengths[index] > limit {
            decisions.push(cut_file(file, &sources[index], limit, budget, options.limits.tail_percent));
        }
    }
    let files = without_silent(files, room, budget);
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
    let mut left = room_of_cuttable(files, lengths, cuttable, room);
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

/// What is left for the files that may be cut.
fn room_of_cuttable(files: &[MemoryFile], lengths: &[usize], cuttable: &[bool], room: usize) -> usize {
    let fixed = files.iter().zip(lengths).zip(cuttable);
    let fixed = fixed.filter(|((file, _), cuttable)| !**cuttable && file.kind != MemoryKind::Managed);
    room.saturating_sub(fixed.map(|((_, length), _)| length).sum())
}

/// Characters of the texts, of the notes that would stand for them, and which may be cut.
struct Texts<'a> {
    lengths: &'a [usize],
    notes: &'a [usize],
    cuttable: &'a [bool],
}

/// To how many characters each text is cut, where notes take the most of a common length: the smallest stay whole, of
/// equal ones the most specific, the next one takes what is left, and of the others there is the note. Where not even the
/// notes fit, the others have nothing, and room is left for one note that stands for all. What is within `common` stays whole.
fn few_whole(texts: &Texts<'_>, common: usize, room: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..texts.lengths.len()).filter(|index| texts.cuttable[*index]).collect();
    order.sort_by_key(|&index| (texts.lengths[index], std::cmp::Reverse(index)));
    let longest = order.iter().map(|&index| texts.notes[index]).max().unwrap_or(0);
    // A text that is no longer than the notes are is not worth one.
    let least = |index: usize| {
        if texts.lengths[index] <= longest { texts.lengths[index] } else { texts.notes[index] }
    };
    let notes_fit = room.checked_sub(order.iter().map(|&index| least(index)).sum());
    let kept = |index: usize| texts.lengths[index] <= if notes_fit.is_some() { longest } else { common };
    let mut left = notes_fit.unwrap_or_else(|| {
        let kept: usize = order.iter().filter(|index| kept(**index)).map(|&index| texts.lengths[index]).sum();
        room.saturating_sub(2 * longest + kept)
    });
    let note = |index: usize| if notes_fit.is_some() { least(index) } else { 0 };
    let (mut limits, mut whole) = (texts.lengths.to_vec(), true);
    for &index in order.iter().filter(|index| !kept(**index)) {
        let more = texts.lengths[index] - note(index);
        whole &= more <= left;
        if whole {
            left -= more;
        } else if notes_fit.is_some() {
            limits[index] = note(index) + std::mem::take(&mut left);
        } else {
            limits[index] = 0;
        }
    }
    limits
}

/// The files without those of which nothing is left, not even a note; one note stands for all of them, in the place of the
/// first, where there is room for it.
fn without_silent(mut files: Vec<MemoryFile>, room: usize, budget: usize) -> Vec<MemoryFile> {
    let silent: Vec<usize> = (0..files.len()).filter(|&index| files[index].text.is_empty()).collect();
    if let [first, .., last] = silent[..] {
        let [from, to] = [first, last].map(|index| display_path(&files[index].path));
        let note = wording::files_note(silent.len(), &from, &to, budget);
        let others = files.iter().filter(|file| file.kind != MemoryKind::Managed);
        if others.map(|file| chars(&file.text)).sum::<usize>() + chars(&note) <= room {
            files[first].text = note.into();
        }
    }
    files.retain(|file| !file.text.is_empty());
    files
}

/// Characters of the note that would stand for a file.
fn note_chars(file: &MemoryFile, budget: usize) -> usize {
    let lines = line_count(&file.text);
    // The note's own length depends on the number in it, which has no more digits than the number of lines.
    chars(&wording::budget_note(&display_path(&file.path), lines, lines, budget)) + NOTE_BLANKS
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
    let room = limit.saturating_sub(note_chars(file, budget));
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
