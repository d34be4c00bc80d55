//! `@` names in the text of one block: what is code, a tag, an autolink or the destination of a link is passed over.

use std::collections::HashMap;
use std::ops::Range;

use context_text::{at_tokens, candidates, floor_char, split_fragment};

use crate::markdown::{Mention, comment_end};

/// Marks of emphasis, which may stand directly before and behind a name.
const EMPHASIS: [char; 2] = ['*', '_'];
/// What may stand behind a name besides punctuation: closing emphasis, and a backtick that closes nothing.
const CLOSING: [char; 3] = ['*', '_', '`'];
/// Quotes: the token grammar of prompts allows an `@` behind them, an include does not stand there.
const QUOTES: &str = "\"'`“‘«„＂＇‹";

/// Longest label of a link definition (CommonMark 0.31, section 4.7), tag and name that are looked at, in bytes: without
/// such bounds the same text would be searched again from each mark in it.
const LONGEST_LABEL: usize = 1_000;
const LONGEST_TAG: usize = 1_024;
const LONGEST_NAME: usize = 1_024;
/// Names that are tried for one `@`.
const MOST_NAMES: usize = 32;

/// The `@` names of a text, and how many more may be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mentions {
    pub(crate) list: Vec<Mention>,
    left: usize,
    /// Whether there were more.
    pub(crate) cut: bool,
}

impl Mentions {
    pub(crate) fn up_to(limit: usize) -> Self {
        Self { list: Vec::new(), left: limit, cut: false }
    }
}

/// Adds the `@` names of a block, or of one cell of a table.
pub(crate) fn inline_tokens(text: &str, block: Range<usize>, mentions: &mut Mentions) {
    if !text[block.clone()].contains('@') {
        return;
    }
    let mut start = block.start;
    for masked in masks(text, block.clone()) {
        segment_tokens(text, start..masked.start, &block, mentions);
        start = masked.end.max(start);
    }
    segment_tokens(text, start..block.end, &block, mentions);
}

/// The names in a piece of text that holds no code.
fn segment_tokens(text: &str, segment: Range<usize>, block: &Range<usize>, mentions: &mut Mentions) {
    if segment.start >= segment.end || !text[segment.clone()].contains('@') {
        return;
    }
    let mut from = segment.start;
    while let Some(start) = next_start(text, from..segment.end, block) {
        if mentions.left == 0 {
            mentions.cut = true;
            return;
        }
        mentions.left -= 1;
        let piece = &text[start..name_end(text, start..segment.end)];
        let Some(token) = at_tokens(piece).into_iter().next().filter(|t| t.span.start == 0) else {
            from = start + 1;
            continue;
        };
        let opener = emphasis_before(text, block.start..start);
        let names = names(&token.target, opener, token.quoted);
        mentions.list.push(Mention { names, at: start });
        from = start + token.span.end.max(1);
    }
}

/// Where the piece ends that a name at the start of `range` lies in for certain.
fn name_end(text: &str, range: Range<usize>) -> usize {
    let limit = floor_char(text, range.end.min(range.start + LONGEST_NAME));
    let piece = &text.as_bytes()[range.start..limit];
    let quoted = matches!(piece.get(1), Some(b'"' | b'\''));
    let ends = |at: usize| match piece[at] {
        b'\n' => true,
        b' ' | b'\t' => !quoted && piece[at - 1] != b'\\',
        _ => false,
    };
    (1..piece.len()).find(|&at| ends(at)).map_or(limit, |at| range.start + at)
}

/// The next `@` that stands where a name may begin.
fn next_start(text: &str, range: Range<usize>, block: &Range<usize>) -> Option<usize> {
    let found = text[range.clone()].match_indices('@').map(|(at, _)| range.start + at);
    let mut starts = found.filter(|&at| may_begin(text, block.start, at));
    starts.next()
}

/// Whether a name may begin at `at`: at the start of the block or of a line, behind white space, an opening bracket or a
/// mark of a script without spaces, or behind marks of emphasis that stand there.
fn may_begin(text: &str, block_start: usize, at: usize) -> bool {
    let before = text[block_start..at].trim_end_matches(EMPHASIS);
    match before.chars().next_back() {
        None => true,
        Some(c) if c.is_whitespace() => true,
        Some(c) if QUOTES.contains(c) => false,
        Some('>') => ends_in_tag(before) || begins_line(before),
        Some(c) => !at_tokens(&[c.to_string().as_str(), "@x"].concat()).is_empty(),
    }
}

/// The last `bytes` of a text.
fn tail(text: &str, bytes: usize) -> &str {
    &text[floor_char(text, text.len().saturating_sub(bytes))..]
}

/// Whether the text ends in a tag, as in `<br>@a.md`: tags are passed over.
fn ends_in_tag(before: &str) -> bool {
    let before = tail(before, LONGEST_TAG);
    before
        .rfind('<')
        .is_some_and(|open| tag_length(&before[open..]).is_some_and(|length| open + length == before.len()))
}

/// Whether nothing but the mark of a quotation stands before on the line.
fn begins_line(before: &str) -> bool {
    let line = tail(before, LONGEST_LABEL);
    line.rfind('\n').is_some_and(|end| line[end..].trim_matches(['>', ' ', '\t', '\n', '\r']).is_empty())
}

/// The marks of emphasis directly before `range.end`.
fn emphasis_before(text: &str, range: Range<usize>) -> &str {
    let before = &text[range];
    &before[before.trim_end_matches(EMPHASIS).len()..]
}

/// The names to try, longest first: the target, what is left without its fragment, trailing marks and closing emphasis.
fn names(target: &str, opener: &str, quoted: bool) -> Vec<String> {
    if quoted {
        return with_fragment_off(target);
    }
    // Closing emphasis ends the name: `**@a.md**: x`.
    let closing: String = opener.chars().rev().collect();
    let target = match target.rfind(&*closing) {
        Some(end) if !closing.is_empty() && end > 0 => &target[..end],
        _ => target,
    };
    let mut names = Vec::new();
    for name in candidates(target) {
        names.extend(with_fragment_off(name));
    }
    // Marks that Markdown has and a prompt has not: `see **the guide @a.md**`.
    if let Some(bare) = names.iter().find_map(|name| bare(name)) {
        names.extend(candidates(&bare).into_iter().flat_map(with_fragment_off));
    }
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| !name.is_empty() && seen.insert(name.clone()));
    names.truncate(MOST_NAMES);
    names
}

/// The name without what closes emphasis behind it, if anything does.
fn bare(name: &str) -> Option<String> {
    let bare = name.trim_end_matches(CLOSING);
    (bare.len() < name.len() && !bare.is_empty()).then(|| bare.to_owned())
}

fn with_fragment_off(name: &str) -> Vec<String> {
    let (path, fragment) = split_fragment(name);
    let short = fragment.map(|_| path.to_owned());
    std::iter::once(name.to_owned()).chain(short).collect()
}

/// What is passed over in a block, in order, without overlap.
fn masks(text: &str, block: Range<usize>) -> Vec<Range<usize>> {
    let mut reader = Inline {
        text,
        end: block.end,
        runs: BacktickRuns::of(text, block.clone()),
        open: 0,
        unclosed: false,
    };
    let mut masks = Vec::new();
    let mut at = block.start;
    while at < block.end {
        match reader.step(at) {
            Step::Pass(next) => at = next,
            Step::Mask(next) => {
                masks.push(at..next);
                at = next;
            }
        }
    }
    masks
}

enum Step {
    /// Go on behind something that is text.
    Pass(usize),
    /// Go on behind something that is none.
    Mask(usize),
}

struct Inline<'a> {
    text: &'a str,
    end: usize,
    runs: BacktickRuns,
    /// Brackets that are open.
    open: usize,
    /// Whether a comment was found that nothing closes: then nothing closes later ones either.
    unclosed: bool,
}

impl Inline<'_> {
    fn step(&mut self, at: usize) -> Step {
        let rest = &self.text[at..self.end];
        match rest.as_bytes()[0] {
            b'\\' if rest[1..].starts_with(|c: char| c.is_ascii_punctuation() && c != '@') => {
                Step::Pass(at + 2)
            }
            b'`' => self.code(at, rest),
            b'<' => self.tag(at, rest),
            b'[' => {
                self.open += 1;
                Step::Pass(at + 1)
            }
            b']' => self.link_end(at, rest),
            _ => Step::Pass(at + rest.chars().next().map_or(1, char::len_utf8)),
        }
    }

    fn tag(&mut self, at: usize, rest: &str) -> Step {
        let is_comment = rest.starts_with("<!--");
        if is_comment && self.unclosed {
            return Step::Pass(at + 1);
        }
        let length = tag_length(rest);
        self.unclosed |= is_comment && length.is_none();
        length.map_or(Step::Pass(at + 1), |length| Step::Mask(at + length))
    }

    fn code(&mut self, at: usize, rest: &str) -> Step {
        let length = rest.len() - rest.trim_start_matches('`').len();
        match self.runs.next(length, at + length) {
            Some(close) => Step::Mask(close + length),
            None => Step::Pass(at + length),
        }
    }

    /// A closing bracket, with the destination behind it.
    fn link_end(&mut self, at: usize, rest: &str) -> Step {
        if self.open == 0 {
            return Step::Pass(at + 1);
        }
        self.open -= 1;
        let behind = &rest[1..];
        let destination = match behind.as_bytes().first() {
            Some(b'(') => destination_length(behind),
            Some(b':') => definition_length(self.text, at, behind),
            _ => None,
        };
        destination.map_or(Step::Pass(at + 1), |length| Step::Mask(at + 1 + length))
    }
}

/// Where the runs of backticks of each length stand, the last first.
struct BacktickRuns(HashMap<usize, Vec<usize>>);

impl BacktickRuns {
    fn of(text: &str, block: Range<usize>) -> Self {
        let bytes = text.as_bytes();
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for at in block {
            match runs.last_mut() {
                _ if bytes[at] != b'`' => {}
                Some((start, length)) if *start + *length == at => *length += 1,
                _ => runs.push((at, 1)),
            }
        }
        let mut by_length: HashMap<usize, Vec<usize>> = HashMap::new();
        for (start, length) in runs.into_iter().rev() {
            by_length.entry(length).or_default().push(start);
        }
        Self(by_length)
    }

    /// The next run of exactly this length that starts at or behind `from`. Asked with growing `from`.
    fn next(&mut self, length: usize, from: usize) -> Option<usize> {
        let starts = self.0.get_mut(&length)?;
        while starts.last().is_some_and(|&start| start < from) {
            starts.pop();
        }
        starts.last().copied()
    }
}

/// The length of a tag, comment, declaration or autolink at the start of `rest`.
fn tag_length(rest: &str) -> Option<usize> {
    if rest.starts_with("<!--") {
        return comment_end(rest);
    }
    let next = rest[1..].chars().next()?;
    let is_tag = next.is_ascii_alphabetic() || matches!(next, '/' | '?' | '!');
    let end = tag_end(rest)?;
    let inner = &rest[1..end];
    let is_mail = inner.contains('@') && !inner.contains(char::is_whitespace) && !inner.starts_with('@');
    (is_tag || is_mail).then_some(end + 1)
}

/// Where the `>` of a tag stands, quoted values passed over.
fn tag_end(rest: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate().take(LONGEST_TAG).skip(1) {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'<') => return None,
            (None, b'"' | b'\'') if rest.as_bytes()[at - 1] == b'=' => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// The length of `(destination "title")`.
fn destination_length(rest: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().take(LONGEST_NAME) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The length of `: destination "title"` behind a label that begins a line.
fn definition_length(text: &str, close: usize, behind: &str) -> Option<usize> {
    let before = tail(&text[..close], LONGEST_LABEL);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let label = before[line..].trim_start_matches([' ', '>', '\t']);
    let begins = label.starts_with('[') && !label[1..].contains('[');
    begins.then(|| behind.find('\n').unwrap_or(behind.len()))
}

#[cfg(test)]
mod tests;
