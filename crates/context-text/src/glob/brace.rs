//! `{a,b}`.

use std::error::Error;
use std::fmt;

/// A pattern has more expansions than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany {
    /// How many are allowed.
    pub limit: usize,
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} expansions", self.limit)
    }
}

impl Error for TooMany {}

/// The patterns that a pattern with `{a,b}` stands for, in order, at most `limit`. Braces nest, a group of one stands for
/// itself, and what is empty, not closed or behind a backslash is literal. Time and memory are bounded by `limit` times the length.
pub fn brace_expand(pattern: &str, limit: usize) -> Result<Vec<String>, TooMany> {
    let mut done = Vec::new();
    // the next one to look at is last
    let mut open = vec![pattern.to_owned()];
    while let Some(text) = open.pop() {
        match first_group(&text) {
            None => done.push(text),
            Some(group) => {
                let (before, after) = (&text[..group.start], &text[group.end + 1..]);
                let inner = &text[group.start + 1..group.end];
                let options = split_top_level(inner);
                if done.len() + open.len() + options.len() > limit {
                    return Err(TooMany { limit });
                }
                open.extend(options.into_iter().rev().map(|option| [before, option, after].concat()));
            }
        }
        if done.len() + open.len() > limit {
            return Err(TooMany { limit });
        }
    }
    Ok(done)
}

/// The parts of a text between commas that no braces hold and no backslash escapes.
pub(crate) fn split_top_level(text: &str) -> Vec<&str> {
    let groups = groups(text);
    let mut parts = Vec::new();
    let mut start = 0;
    let mut covered = 0;
    let mut groups = groups.into_iter().peekable();
    for at in unescaped(text, b',') {
        while let Some(group) = groups.next_if(|g| g.start < at) {
            covered = covered.max(group.end);
        }
        if at >= covered {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A pair of braces, by the bytes they stand at.
struct Group {
    start: usize,
    end: usize,
}

fn first_group(text: &str) -> Option<Group> {
    groups(text).into_iter().find(|group| group.end > group.start + 1)
}

/// All pairs of braces, by their start.
fn groups(text: &str) -> Vec<Group> {
    let mut open = Vec::new();
    let mut groups = Vec::new();
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => open.push(at),
            b'}' => groups.extend(open.pop().map(|start| Group { start, end: at })),
            _ => {}
        }
    }
    groups.sort_unstable_by_key(|group| group.start);
    groups
}

fn unescaped(text: &str, wanted: u8) -> impl Iterator<Item = usize> {
    let mut escaped = false;
    text.bytes().enumerate().filter_map(move |(at, byte)| {
        let counts = byte == wanted && !escaped;
        escaped = byte == b'\\' && !escaped;
        counts.then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn braces_are_expanded() {
        for (pattern, expected) in [
            ("", &[""][..]),
            ("a", &["a"]),
            ("{a,b}/**", &["a/**", "b/**"]),
            ("*.{ts,tsx}", &["*.ts", "*.tsx"]),
            ("{a,b}{c,d}", &["ac", "ad", "bc", "bd"]),
            ("{a,{b,c}d}e", &["ae", "bde", "cde"]),
            ("{a,}b", &["ab", "b"]),
            ("*.{ts}", &["*.ts"]),
            ("{}", &["{}"]),
            ("{}{a,b}", &["{}a", "{}b"]),
            ("{a", &["{a"]),
            ("a}", &["a}"]),
            ("{{a,b}", &["{a", "{b"]),
            ("\\{a,b}", &["\\{a,b}"]),
            ("{a\\,b,c}", &["a\\,b", "c"]),
            ("{日,本}é", &["日é", "本é"]),
        ] {
            assert_eq!(brace_expand(pattern, 10).unwrap(), expected, "{pattern}");
        }
    }

    #[test]
    fn bombs_are_refused() {
        assert_eq!(brace_expand(&"{a,b}".repeat(400), 1_000), Err(TooMany { limit: 1_000 }));
        assert_eq!(
            brace_expand(&format!("{{{}}}", "a,".repeat(9_999)), 1_000),
            Err(TooMany { limit: 1_000 })
        );
        assert!(brace_expand(&format!("{{{}}}", ["a"; 1_000].join(",")), 1_000).is_ok());
        assert!(brace_expand(&"{".repeat(2_000), 1_000).is_ok());
        assert!(brace_expand(&format!("{}a,b{}", "{".repeat(2_000), "}".repeat(2_000)), 1_000).is_ok());
        assert_eq!(brace_expand("a", 0), Err(TooMany { limit: 0 }));
    }

    #[test]
    fn commas_in_braces_do_not_split() {
        for (text, expected) in [
            ("", &[""][..]),
            ("a", &["a"]),
            ("a,b", &["a", "b"]),
            ("{a,b}/**,c", &["{a,b}/**", "c"]),
            ("{a,{b,c}},d", &["{a,{b,c}}", "d"]),
            ("{a,b", &["{a", "b"]),
            ("a\\,b,c", &["a\\,b", "c"]),
            (",", &["", ""]),
        ] {
            assert_eq!(split_top_level(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn expansions_stay_within_the_limit(pattern in "[{},a\\\\é]{0,40}", limit in 1usize..50) {
            if let Ok(all) = brace_expand(&pattern, limit) {
                prop_assert!(!all.is_empty() && all.len() <= limit);
            }
            prop_assert_eq!(split_top_level(&pattern).join(","), pattern);
        }
    }
}
