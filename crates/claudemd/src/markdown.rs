//! What the Markdown of a memory file says about where comments and includes may stand.
//!
//! Blocks come from comrak, whose positions of blocks are exact. Its positions of code spans are not, in table cells with
//! escaped bars: inside a block [`crate::inline`] looks for itself.

use std::ops::Range;

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options};

use crate::inline::{Mentions, inline_tokens};

/// One `@name` that may be an include.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The names to try, the longest first.
    pub(crate) names: Vec<String>,
    /// Where the `@` stands in the text that was looked at, in bytes.
    pub(crate) at: usize,
}

/// What a text holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Markdown {
    /// Block-level HTML comments, in order, without overlap.
    pub(crate) comments: Vec<Range<usize>>,
    /// What may be an include, in order.
    pub(crate) mentions: Vec<Mention>,
    /// Whether there were more than the limit.
    pub(crate) mentions_cut: bool,
}

/// HTML blocks of these kinds (CommonMark 0.31, section 4.6) hold no prose: 1 is `pre`, `script`, `style` and `textarea`, 3 to 5 are
/// instructions, declarations and CDATA.
const HTML_WITHOUT_PROSE: [u8; 4] = [1, 3, 4, 5];
const HTML_COMMENT: u8 = 2;

/// Looks through a text, for `limit` names at most. Linear, but for what comrak does.
pub(crate) fn read_markdown(text: &str, limit: usize) -> Markdown {
    if !text.contains("<!--") && !text.contains('@') {
        return Markdown::default();
    }
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.tasklist = true;
    let root = comrak::parse_document(&arena, text, &options);
    let starts = line_starts(text);
    let (mut comments, mut mentions) = (Vec::new(), Mentions::up_to(limit));
    for node in root.descendants() {
        read_block(text, &starts, node, &mut comments, &mut mentions);
    }
    mentions.list.sort_by_key(|mention| mention.at);
    Markdown { comments, mentions: mentions.list, mentions_cut: mentions.cut }
}

fn read_block<'a>(
    text: &str,
    starts: &[usize],
    node: &'a AstNode<'a>,
    comments: &mut Vec<Range<usize>>,
    mentions: &mut Mentions,
) {
    let data = node.data();
    let range = || byte_range(text, starts, data.sourcepos);
    match &data.value {
        NodeValue::Paragraph | NodeValue::Heading(_) => {
            let range = range();
            inline_tokens(text, range, mentions);
        }
        NodeValue::TableRow(_) => {
            for cell in cells(text, range()) {
                inline_tokens(text, cell, mentions);
            }
        }
        NodeValue::HtmlBlock(html) if html.block_type == HTML_COMMENT => {
            let rest = read_comments(text, range(), comments);
            inline_tokens(text, rest, mentions);
        }
        NodeValue::HtmlBlock(html) if !HTML_WITHOUT_PROSE.contains(&html.block_type) => {
            inline_tokens(text, range(), mentions);
        }
        _ => {}
    }
}

/// The comments at the start of a block; returns what stands behind them. An unclosed one is text, and holds no include.
fn read_comments(text: &str, block: Range<usize>, comments: &mut Vec<Range<usize>>) -> Range<usize> {
    let mut at = block.start;
    loop {
        let rest = &text[at..block.end];
        let start = at + (rest.len() - rest.trim_start().len());
        if !text[start..block.end].starts_with("<!--") {
            return at..block.end;
        }
        match comment_end(&text[start..block.end]) {
            Some(length) => {
                comments.push(start..start + length);
                at = start + length;
            }
            None => return block.end..block.end,
        }
    }
}

/// The length of the comment at the start of `text`, if it is closed. `<!-->` and `<!--->` are whole ones.
pub(crate) fn comment_end(text: &str) -> Option<usize> {
    let short = ["<!-->", "<!--->"].into_iter().find(|short| text.starts_with(short));
    short.map(str::len).or_else(|| text.get(4..)?.find("-->").map(|end| 4 + end + 3))
}

/// The cells of a table row: a bar splits unless a backslash stands before it, in code too (GFM, section 4.10).
fn cells(text: &str, row: Range<usize>) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let mut start = row.start;
    let bytes = text.as_bytes();
    for at in row.clone() {
        if bytes[at] == b'|' && (at == row.start || bytes[at - 1] != b'\\') {
            cells.push(start..at);
            start = at + 1;
        }
    }
    cells.push(start..row.end);
    cells
}

/// Where the lines of a text begin: behind `\n`, `\r\n` and a lone `\r`, as comrak counts them.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends_line =
        |at: usize| bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    std::iter::once(0).chain((0..bytes.len()).filter(|&at| ends_line(at)).map(|at| at + 1)).collect()
}

/// The bytes of a block. Positions that would fall outside the text or inside a character are moved, never trusted.
fn byte_range(text: &str, starts: &[usize], at: comrak::nodes::Sourcepos) -> Range<usize> {
    let start_of = |line: usize| starts.get(line.saturating_sub(1)).copied().unwrap_or(text.len());
    let start = context_text::floor_char(text, start_of(at.start.line) + at.start.column.saturating_sub(1));
    let end = context_text::floor_char(text, start_of(at.end.line) + at.end.column);
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::parsed::without;

    /// Blocks, and what is left of them.
    const BLOCKS: [(&str, &str); 9] = [
        ("text with <!-- inline --> é", "text with <!-- inline --> é"),
        ("<!-- one -->", ""),
        ("<!-- two\n\n@lines é\n-->", ""),
        ("<!-- a --> tail", " tail"),
        ("```\n<!-- fenced -->\n```", "```\n<!-- fenced -->\n```"),
        ("# heading `<!-- code -->`", "# heading `<!-- code -->`"),
        ("> quote", "> quote"),
        ("| a | b |\n|---|---|\n| <!-- cell --> | x |", "| a | b |\n|---|---|\n| <!-- cell --> | x |"),
        ("<div>\n<!-- in a block -->\n</div>", "<div>\n<!-- in a block -->\n</div>"),
    ];

    fn stripped(text: &str) -> String {
        without(text, &read_markdown(text, 100).comments)
    }

    proptest! {
        #[test]
        fn bytes_outside_block_comments_stay(
            picked in prop::collection::vec(0..BLOCKS.len(), 0..9),
            end in prop::sample::select(vec!["\n\n", "\r\n\r\n", "\n\n\n"]),
        ) {
            let join = |part: fn(&(&'static str, &'static str)) -> &'static str| {
                picked.iter().map(|&n| part(&BLOCKS[n])).collect::<Vec<_>>().join(end)
            };
            prop_assert_eq!(stripped(&join(|block| block.0)), join(|block| block.1));
        }

        #[test]
        fn what_is_taken_out_is_nothing_but_comments(text in "(<!--|-->|a|é|\n|\r\n|> |- |`|```\n|    |<!-->|@x ){0,30}") {
            let found = read_markdown(&text, 100);
            let mut last = 0;
            for range in &found.comments {
                prop_assert!(last <= range.start);
                last = range.end;
                let comment = &text[range.clone()];
                prop_assert!(comment.starts_with("<!--") && comment.ends_with("-->") || comment == "<!-->" || comment == "<!--->");
                prop_assert!(comment.len() < 7 || !comment[4..comment.len() - 1].contains("-->"));
            }
            prop_assert!(found.mentions.iter().all(|mention| text[mention.at..].starts_with('@')));
        }
    }
}
