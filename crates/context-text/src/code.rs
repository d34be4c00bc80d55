//! Where a prompt holds code.

use std::collections::HashMap;
use std::ops::Range;

/// Fewest marks that open a fenced block, and most blanks before them (CommonMark 0.31, section 4.5).
const FENCE_MARKS: usize = 3;
const FENCE_INDENT: usize = 3;

/// The byte ranges of a prompt that are fenced code blocks (fences included; one that is never closed runs to the
/// end) or inline code spans (backticks included), in order, without overlap. Rules as in CommonMark, with the
/// blocks that a prompt has: paragraphs end at a blank line, a fence, a heading, a list item or a quotation.
pub fn code_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Option<(Fence, usize)> = None;
    let mut paragraph = 0..0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let fence = Fence::read(line);
        if let Some((opening, start)) = &open {
            if fence.as_ref().is_some_and(|f| f.closes(opening)) {
                ranges.push(*start..end);
                open = None;
            }
            paragraph = end..end;
        } else if let Some(fence) = fence.filter(Fence::opens) {
            code_spans(text, paragraph, &mut ranges);
            open = Some((fence, at));
            paragraph = end..end;
        } else if starts_block(line) {
            code_spans(text, paragraph, &mut ranges);
            paragraph = at..end;
        } else {
            paragraph.end = end;
        }
        at = end;
    }
    match open {
        Some((_, start)) => ranges.push(start..text.len()),
        None => code_spans(text, paragraph, &mut ranges),
    }
    ranges
}

/// A line that begins with a run of fence marks.
struct Fence<'a> {
    mark: char,
    length: usize,
    info: &'a str,
}

impl<'a> Fence<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let rest = line.trim_start_matches(' ');
        let mark = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = rest.trim_start_matches(mark);
        let length = rest.len() - info.len();
        let is_fence = line.len() - rest.len() <= FENCE_INDENT && length >= FENCE_MARKS;
        is_fence.then_some(Self { mark, length, info: info.trim() })
    }

    fn opens(&self) -> bool {
        self.mark == '~' || !self.info.contains('`')
    }

    fn closes(&self, opening: &Fence<'_>) -> bool {
        self.mark == opening.mark && self.length >= opening.length && self.info.is_empty()
    }
}

/// Whether a line ends the paragraph before it: blank, or the start of another block.
fn starts_block(line: &str) -> bool {
    let line = line.trim();
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = after_number.len() < line.len() && after_number.starts_with(['.', ')']);
    let after_marks = line.trim_start_matches('#');
    let heading = after_marks.len() < line.len() && after_marks.starts_with([' ', '\t']);
    line.is_empty()
        || heading
        || line.starts_with('>')
        || ["- ", "* ", "+ "].iter().any(|bullet| line.starts_with(bullet))
        || (numbered && after_number[1..].starts_with([' ', '\t']))
}

/// The inline code spans of one paragraph: each run of backticks with the next run of the same length.
fn code_spans(text: &str, paragraph: Range<usize>, ranges: &mut Vec<Range<usize>>) {
    let runs = backtick_runs(text.as_bytes(), paragraph);
    let mut by_length: HashMap<usize, Vec<usize>> = HashMap::new();
    // last first, so that the next one is at the end and can be popped
    for (index, run) in runs.iter().enumerate().rev() {
        by_length.entry(run.len()).or_default().push(index);
    }
    let mut index = 0;
    while let Some(run) = runs.get(index) {
        let start = run.start + usize::from(is_escaped(text.as_bytes(), run.start));
        let close = by_length.get_mut(&(run.end - start)).and_then(|same| {
            while same.last().is_some_and(|&other| other <= index) {
                same.pop();
            }
            same.last().copied()
        });
        if let Some(close) = close {
            ranges.push(start..runs[close].end);
            index = close;
        }
        index += 1;
    }
}

fn backtick_runs(bytes: &[u8], within: Range<usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in memchr::memchr_iter(b'`', &bytes[within.clone()]) {
        let at = within.start + at;
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// Whether an odd number of backslashes stands before byte `at`.
fn is_escaped(bytes: &[u8], at: usize) -> bool {
    bytes[..at].iter().rev().take_while(|&&b| b == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn code_is_found() {
        for (text, expected) in [
            ("plain @a", vec![]),
            ("a `@b` c", vec!["`@b`"]),
            ("a `@b c", vec![]),
            ("`` a`b `` c", vec!["`` a`b ``"]),
            ("``a` b", vec![]),
            ("`a``b` c", vec!["`a``b`"]),
            ("`a` `b`", vec!["`a`", "`b`"]),
            ("\\`a` b", vec![]),
            ("\\\\`a` b", vec!["`a`"]),
            ("\\``a` b", vec!["`a`"]),
            ("`a\\` b", vec!["`a\\`"]),
            ("`a\nb`", vec!["`a\nb`"]),
            ("`a\n\nb`", vec![]),
            ("- `a\n- b`", vec![]),
            ("it`s\n1. `x`", vec!["`x`"]),
            ("```ts\n@x\n```\n@y", vec!["```ts\n@x\n```\n"]),
            ("a\n~~~\n@x\n~~~~  \nb", vec!["~~~\n@x\n~~~~  \n"]),
            ("```\n@x\n~~~\n", vec!["```\n@x\n~~~\n"]),
            ("````\n```\n@x\n````", vec!["````\n```\n@x\n````"]),
            ("```\n@x", vec!["```\n@x"]),
            ("```\n@x\n``` no end\n", vec!["```\n@x\n``` no end\n"]),
            ("   ```\nx\n  ```\ny", vec!["   ```\nx\n  ```\n"]),
            ("    ```\nx @y", vec![]),
            ("``` a`b\n@x", vec![]),
            ("```@x``` y", vec!["```@x```"]),
            ("`a\n```\nb`\n```\nc", vec!["```\nb`\n```\n"]),
            ("```\r\n@x\r\n```\r\n@y", vec!["```\r\n@x\r\n```\r\n"]),
            ("日本 `@a.md` と @b", vec!["`@a.md`"]),
        ] {
            let found: Vec<_> = code_ranges(text).into_iter().map(|r| &text[r]).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn hostile_backticks_take_linear_time() {
        let rising: String = (1..1_400).map(|n| format!("{} ", "`".repeat(n))).collect();
        for text in [
            "`".repeat(1_000_000),
            "` `` ".repeat(200_000),
            "\\`".repeat(500_000),
            "```\n".repeat(250_000),
            rising,
        ] {
            code_ranges(&text);
        }
        let slashes = "\\".repeat(1_000_000);
        assert_eq!(code_ranges(&format!("{slashes}`a`")).len(), 1);
    }

    proptest! {
        #[test]
        fn ranges_are_in_order_and_on_boundaries(text in "[`~\\\\ \né@a-]{0,60}") {
            let mut last = 0;
            for range in code_ranges(&text) {
                prop_assert!(last <= range.start && range.start < range.end);
                prop_assert!(text.get(range.clone()).is_some());
                last = range.end;
            }
        }
    }
}
