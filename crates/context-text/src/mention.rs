//! `@` tokens: names that a person or a memory file points at.

use crate::script::is_unspaced;
use crate::selection::split_selection;
use memchr::memchr2;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

/// Candidates that [`candidates`] gives at most: as many of the longest, and as many of the shortest.
const LONGEST: usize = 16;
const SHORTEST: usize = 16;
/// Longest selection behind a closing quote, in bytes: two line numbers and their marks.
const MAX_SELECTION: usize = 48;

/// Opening marks an `@` may stand behind, with ASCII brackets and quotes first.
const OPENING: &str = "([{<\"'`“‘«„（「『《〈【〔［｛｢＂＇";
/// Marks of scripts that set no space between words: an `@` may stand behind one, and a name may end before one.
const WIDE_MARKS: &str = "，。、；：！？…（）「」『』《》〈〉【】〔〕［］｛｝｡､｢｣“”‘’";
/// Marks that are given back from the end of a name where no file is called so.
const TRAILING: &str = ".,;:!?)]}>'\"-*_`~|，。；：！？）】」』》、〉〕］｝｡､｢｣…”’»";
/// Brackets that may open a remark behind a name, and marks that may join it to what follows: `@a.rs's`, `@a.rs—now`.
const INNER_ENDS: &str = "([{<';,|—–";
/// Marks that join two names of a list written without spaces: `@a.rs,@b.rs`.
const LIST_MARKS: &str = ",;";

/// One `@name` in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtToken<'a> {
    /// What stands after the `@`, as typed: up to white space, or between the quotes.
    pub raw: &'a str,
    /// Whether it was written in quotes.
    pub quoted: bool,
    /// The bytes of the input it takes, from the `@` to its end, closing quote and line selection included.
    pub span: Range<usize>,
    /// The name meant: `raw` with `\ ` as a space; of a quoted name also the line selection behind the closing quote.
    pub target: Cow<'a, str>,
}

/// The `@` tokens of a text, in order, without overlap, in linear time.
///
/// An `@` counts at the start and behind white space, an opening bracket or quote, a comma or semicolon, a CJK mark, or a
/// character of a script without spaces. A token runs to white space, in which no-break spaces do not count, or to the next
/// `@` behind a mark. `@"a b"` and `@'a b'` are quoted,
/// `\ ` is a space, `\@name` is no token. Whether the place is code is not looked at: see [`crate::code_ranges`].
pub fn at_tokens(text: &str) -> Vec<AtToken<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'@', &text.as_bytes()[at..]) {
        let start = at + found;
        at = start + 1;
        if !may_start(text[..start].chars().next_back()) {
            continue;
        }
        if let Some(token) = token_at(text, start) {
            at = token.span.end;
            tokens.push(token);
        }
    }
    tokens
}

/// The names to try for a target, longest first, at most 32: the target itself; then what is left when trailing marks
/// are given back one by one; then what stands before each inner bracket, joining mark, CJK mark or first character of a
/// script without spaces, from the last to the first, again without its trailing marks. `f.ts(the` gives `f.ts(the`, `f.ts`.
/// What ends in a slash is none of these: the rest of the name was meant too.
pub fn candidates(target: &str) -> Vec<&str> {
    let mut longest = Vec::new();
    let mut shortest = VecDeque::new();
    if !target.is_empty() {
        longest.push(target);
    }
    let mut giving_back = true;
    for (at, c) in target.char_indices().rev() {
        let before = target[..at].chars().next_back();
        let ends_here =
            (giving_back && TRAILING.contains(c)) || is_inner_end(c) || begins_other_script(before, c);
        if ends_here && at > 0 && before != Some('/') {
            if longest.len() < LONGEST {
                longest.push(&target[..at]);
            } else {
                shortest.push_back(&target[..at]);
            }
            if shortest.len() > SHORTEST {
                shortest.pop_front();
            }
        }
        giving_back = ends_here && !is_joined(c);
    }
    longest.extend(shortest);
    longest
}

fn is_inner_end(c: char) -> bool {
    INNER_ENDS.contains(c) || is_wide_mark(c)
}

/// Whether a name in Latin letters may end before a character: `@a.rs里的`.
fn begins_other_script(before: Option<char>, c: char) -> bool {
    is_joined(c) && before.is_some_and(|before| before.is_ascii_alphanumeric())
}

/// Characters of scripts that set no space between words, or, as Hangul, write particles directly behind a word.
fn is_joined(c: char) -> bool {
    is_unspaced(c) || matches!(c, '\u{ac00}'..='\u{d7af}')
}

fn is_wide_mark(c: char) -> bool {
    !c.is_ascii() && WIDE_MARKS.contains(c)
}

fn may_start(before: Option<char>) -> bool {
    let marks = |c| OPENING.contains(c) || LIST_MARKS.contains(c) || is_wide_mark(c);
    before.is_none_or(|c: char| c.is_whitespace() || marks(c) || is_joined(c))
}

/// White space that ends a name. No-break spaces do not: names of screenshots have them.
fn ends_name(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}')
}

/// The token whose `@` is at byte `start`.
fn token_at(text: &str, start: usize) -> Option<AtToken<'_>> {
    let after = &text[start + 1..];
    match after.bytes().next()? {
        b'"' | b'\'' => quoted_at(text, start),
        _ => plain_at(text, start),
    }
}

fn quoted_at(text: &str, start: usize) -> Option<AtToken<'_>> {
    let quote = text.as_bytes()[start + 1];
    let name = start + 2;
    let close = name + memchr2(quote, b'\n', &text.as_bytes()[name..])?;
    if text.as_bytes()[close] == b'\n' || close == name {
        return None;
    }
    let raw = &text[name..close];
    let selection = selection_behind(&text[close + 1..]);
    let target = match selection {
        "" => Cow::Borrowed(raw),
        selection => Cow::Owned([raw, selection].concat()),
    };
    Some(AtToken { raw, quoted: true, span: start..close + 1 + selection.len(), target })
}

/// The line selection that stands directly behind a closing quote, or nothing.
fn selection_behind(after: &str) -> &str {
    let is_part = |b: u8| b.is_ascii_digit() || matches!(b, b'#' | b'L' | b':' | b'-');
    let length = after.bytes().take(MAX_SELECTION).take_while(|&b| is_part(b)).count();
    let selection = after[..length].trim_end_matches([':', '-', '#']);
    // a selection needs a path before it: one that holds no mark of a selection will do
    match split_selection(&["x", selection].concat()) {
        ("x", Some(_)) => selection,
        _ => "",
    }
}

fn plain_at(text: &str, start: usize) -> Option<AtToken<'_>> {
    let name = start + 1;
    let mut escapes = false;
    let mut end = text.len();
    let mut before = '@';
    for (at, c) in text[name..].char_indices() {
        let escaped = c == ' ' && before == '\\';
        let next_token = c == '@' && (is_wide_mark(before) || LIST_MARKS.contains(before));
        if next_token || (ends_name(c) && !escaped) {
            end = name + at;
            break;
        }
        escapes |= escaped;
        before = c;
    }
    let raw = &text[name..end];
    if raw.is_empty() {
        return None;
    }
    let target = if escapes { Cow::Owned(raw.replace("\\ ", " ")) } else { Cow::Borrowed(raw) };
    Some(AtToken { raw, quoted: false, span: start..end, target })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    fn targets(text: &str) -> Vec<String> {
        at_tokens(text).into_iter().map(|t| t.target.into_owned()).collect()
    }

    #[test]
    fn tokens_are_found() {
        for (text, expected) in [
            ("", &[][..]),
            ("@", &[]),
            ("@ a", &[]),
            ("@a", &["a"]),
            ("see @src/a.rs and\t@b\n@c", &["src/a.rs", "b", "c"]),
            ("dev@example.com node@22 x\\@escaped \\@name", &[]),
            ("(@a) [@b] {@c} <@d> \"@e\" '@f'", &["a)", "b]", "c}", "d>", "e\"", "f'"]),
            ("(outside @example.org).", &["example.org)."]),
            ("@acme/widgets, @types/node", &["acme/widgets,", "types/node"]),
            ("@@a", &["@a"]),
            ("@a@b", &["a@b"]),
            ("@app/@modal/page.tsx", &["app/@modal/page.tsx"]),
            (r"@my\ file.txt x", &["my file.txt"]),
            (r"@dir\file x", &[r"dir\file"]),
            (r"@a\ ", &["a "]),
            ("@\"a b.txt\" x", &["a b.txt"]),
            ("@'a b.txt', x", &["a b.txt"]),
            ("@\"NAME (agent)\"", &["NAME (agent)"]),
            ("@\"a b\"#L10-20 x", &["a b#L10-20"]),
            ("@\"a b\":7: x", &["a b:7"]),
            ("@\"a b\": x", &["a b"]),
            ("@\"a b\"-7", &["a b"]),
            ("@\"\" x", &[]),
            ("@\"open @b\n", &["b"]),
            ("@\"open\n@b", &["b"]),
            ("@Screenshot\u{202f}1\u{a0}2.png x", &["Screenshot\u{202f}1\u{a0}2.png"]),
            ("@a\u{3000}b \u{2003}@c", &["a", "c"]),
            ("~@a `@b`", &["b`"]),
            ("@~/n1.md and @~/n2.md now", &["~/n1.md", "~/n2.md"]),
            ("@docs:file://guide @agent-x", &["docs:file://guide", "agent-x"]),
            ("好的，@src/a.rs。另见（@docs/说明.md）、谢谢", &["src/a.rs。另见（", "docs/说明.md）、谢谢"]),
            ("看：@a.md，@b.md", &["a.md，", "b.md"]),
            ("看@a.md", &["a.md"]),
            ("看@src/a.rs里的，ดู@b.rs", &["src/a.rs里的，ดู@b.rs"]),
            ("ดู@b.rs 보기@c.rs", &["b.rs", "c.rs"]),
            ("@a.rs,@b.rs;@c.rs", &["a.rs,", "b.rs;", "c.rs"]),
            ("@Input(),@b", &["Input(),", "b"]),
            ("「@a.md」", &["a.md」"]),
        ] {
            assert_eq!(targets(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_unclosed_quote_is_no_token_but_hides_none() {
        assert_eq!(targets("@\"open @b.rs"), ["b.rs"]);
    }

    #[test]
    fn spans_run_from_the_at_to_the_end() {
        let text = "é @\"a b\"#L3 (@c)";
        let spans: Vec<_> = at_tokens(text).into_iter().map(|t| (&text[t.span], t.raw, t.quoted)).collect();
        assert_eq!(spans, [("@\"a b\"#L3", "a b", true), ("@c)", "c)", false)]);
    }

    #[test]
    fn candidates_give_back_marks_then_remarks() {
        for (target, expected) in [
            ("", &[][..]),
            ("a.rs", &["a.rs"]),
            ("a.rs.", &["a.rs.", "a.rs"]),
            ("a.rs).", &["a.rs).", "a.rs)", "a.rs"]),
            ("a.rs?!", &["a.rs?!", "a.rs?", "a.rs"]),
            ("f.ts(the", &["f.ts(the", "f.ts"]),
            ("f.ts(x)", &["f.ts(x)", "f.ts(x", "f.ts"]),
            ("f.ts:[x", &["f.ts:[x", "f.ts:", "f.ts"]),
            ("(group)/a.ts(x", &["(group)/a.ts(x", "(group)/a.ts"]),
            ("a(b)/c.ts", &["a(b)/c.ts", "a"]),
            ("src/(group)/c.ts", &["src/(group)/c.ts"]),
            ("a.rs's", &["a.rs's", "a.rs"]),
            ("a.rs—now", &["a.rs—now", "a.rs"]),
            ("a.rs**:", &["a.rs**:", "a.rs**", "a.rs*", "a.rs"]),
            ("a.rs:10-", &["a.rs:10-", "a.rs:10"]),
            ("a,b.md", &["a,b.md", "a"]),
            ("src/a.rs里的", &["src/a.rs里的", "src/a.rs"]),
            ("报告v2.md的内容", &["报告v2.md的内容", "报告v2.md"]),
            ("src/项目.md", &["src/项目.md"]),
            ("a.rs를", &["a.rs를", "a.rs"]),
            ("src/a.rs。另见（", &["src/a.rs。另见（", "src/a.rs。另见", "src/a.rs"]),
            ("docs/说明.md）、谢谢", &["docs/说明.md）、谢谢", "docs/说明.md）", "docs/说明.md"]),
            ("a.md」", &["a.md」", "a.md"]),
            ("...", &["...", "..", "."]),
            ("a'b", &["a'b", "a"]),
            (".env", &[".env"]),
            ("Injectable().", &["Injectable().", "Injectable()", "Injectable(", "Injectable"]),
        ] {
            assert_eq!(candidates(target), expected, "{target:?}");
        }
    }

    #[test]
    fn many_marks_keep_the_longest_and_the_shortest() {
        let target = format!("a.rs{}", "，好".repeat(500));
        let names = candidates(&target);
        assert_eq!(names.len(), LONGEST + SHORTEST);
        assert_eq!((names[0], names[names.len() - 1]), (&*target, "a.rs"));
    }

    #[test]
    fn hostile_text_takes_linear_time() {
        let started = Instant::now();
        for part in
            ["@", " @", "@\"", "@'", "@\"@'", "(@", "@a ", "\\ @", "，@", "@\\ ", "@\"\"#L1", "@\"a\"-"]
        {
            let text = part.repeat(1_000_000 / part.len());
            for token in at_tokens(&text) {
                assert!(candidates(&token.target).len() <= LONGEST + SHORTEST);
            }
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    }

    proptest! {
        #[test]
        fn spans_lie_on_boundaries_in_order(text in "[@\"'\\\\ \n\u{a0}(，。a-c#L:1é]{0,60}") {
            let mut last = 0;
            for token in at_tokens(&text) {
                prop_assert!(last <= token.span.start);
                last = token.span.end;
                let typed = text.get(token.span.clone());
                prop_assert!(typed.is_some_and(|t| t.starts_with('@') && t.contains(token.raw)));
                prop_assert!(!token.target.is_empty());
            }
        }

        #[test]
        fn candidates_are_prefixes_longest_first(target in "[a.,)(，。é]{0,60}") {
            let names = candidates(&target);
            prop_assert!(names.len() <= LONGEST + SHORTEST);
            prop_assert!(names.iter().all(|n| !n.is_empty() && target.starts_with(n)));
            prop_assert!(names.windows(2).all(|w| w[0].len() > w[1].len()));
        }
    }
}
