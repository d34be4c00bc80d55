//! One pattern as a glob.

use globset::{Glob, GlobBuilder};

/// Longest pattern that is compiled, in bytes: the longest path Linux knows.
pub(super) const MAX_BYTES: usize = 4_096;

/// Where a pattern with a slash in its middle begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    /// At the base directory; a leading slash means the same.
    Directory,
    /// Anywhere; only a leading slash, or a drive, means the root.
    Anywhere,
}

/// A pattern line, before its braces are expanded.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) negated: bool,
    pub(super) body: &'a str,
}

impl<'a> Line<'a> {
    pub(super) fn read(pattern: &'a str) -> Result<Self, String> {
        let text = trim_blanks(pattern);
        if text.len() > MAX_BYTES {
            return Err(format!("longer than {MAX_BYTES} bytes"));
        }
        if text.starts_with('#') {
            return Err("a comment; write `\\#` for a name that begins so".into());
        }
        let body = text.strip_prefix('!').unwrap_or(text);
        let negated = body.len() < text.len();
        let body = without_here(body);
        if body.trim_matches('/').is_empty() {
            return Err("names no path".into());
        }
        Ok(Self { negated, body })
    }

    /// Whether it holds for any path.
    pub(super) fn is_everything(&self) -> bool {
        !self.negated && self.body == "**"
    }
}

/// A glob, and whether it holds for directories only.
pub(super) struct Compiled {
    pub(super) glob: Glob,
    pub(super) dir_only: bool,
}

/// Compiles a pattern whose braces are expanded.
pub(super) fn compile(body: &str, base: Base) -> Result<Compiled, String> {
    let path = body.trim_end_matches('/');
    let dir_only = path.len() < body.len();
    if path.is_empty() {
        return Err("names no path".into());
    }
    let mut text = escape(&placed(path, base))?;
    if text.ends_with("/**") {
        // what is below a directory, not the directory
        text.push_str("/*");
    }
    let glob = GlobBuilder::new(&text).literal_separator(true).backslash_escape(true).build();
    Ok(Compiled { glob: glob.map_err(|error| error.kind().to_string())?, dir_only })
}

/// The path with `**/` before it where it holds at any depth, and otherwise without its leading slash.
fn placed(path: &str, base: Base) -> String {
    let anchored = match base {
        Base::Directory => path.contains('/'),
        Base::Anywhere => path.starts_with('/') || path.get(1..3) == Some(":/"),
    };
    match (anchored, base) {
        (false, _) if path == "**" => path.to_owned(),
        (false, _) => format!("**/{path}"),
        (true, Base::Directory) => path.strip_prefix('/').unwrap_or(path).to_owned(),
        (true, Base::Anywhere) => path.to_owned(),
    }
}

/// Blanks around a pattern go, except one at its end behind a backslash.
fn trim_blanks(pattern: &str) -> &str {
    let text = pattern.trim_start();
    let short = text.trim_end();
    if short.ends_with('\\') && short.len() < text.len() { &text[..=short.len()] } else { short }
}

fn without_here(body: &str) -> &str {
    let mut body = body;
    while let Some(rest) = body.strip_prefix("./") {
        body = rest;
    }
    body
}

/// In a `.gitignore` braces are literal and a backslash escapes inside classes too; for the glob crate neither is so.
fn escape(path: &str) -> Result<String, String> {
    let mut out = String::with_capacity(path.len() + 8);
    let mut rest = path;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = match c {
            '\\' => {
                let escaped = after.chars().next().ok_or("ends with a backslash")?;
                out.extend(['\\', escaped]);
                &after[escaped.len_utf8()..]
            }
            '{' | '}' => {
                out.extend(['\\', c]);
                after
            }
            '[' => {
                let (class, after) = Class::read(after)?;
                class.write(&mut out);
                after
            }
            c => {
                out.push(c);
                after
            }
        };
    }
    Ok(out)
}

/// `[a-z]`: characters and ranges, and names such as `[:alpha:]`.
struct Class<'a> {
    negated: bool,
    ranges: Vec<(char, char)>,
    names: Vec<&'a str>,
}

impl<'a> Class<'a> {
    /// Reads what follows the opening bracket; also gives what follows the closing one.
    fn read(text: &'a str) -> Result<(Self, &'a str), String> {
        let inner = text.strip_prefix(['!', '^']).unwrap_or(text);
        let mut class = Self { negated: inner.len() < text.len(), ranges: Vec::new(), names: Vec::new() };
        let mut rest = inner;
        loop {
            let first = rest.len() == inner.len();
            if let Some(after) = rest.strip_prefix(']').filter(|_| !first) {
                return Ok((class, after));
            }
            if let Some((name, after)) = rest.strip_prefix("[:").and_then(|r| r.split_once(":]")) {
                class.names.push(name);
                rest = after;
                continue;
            }
            let (from, after) = class_char(rest)?;
            rest = after;
            let to = match rest.strip_prefix('-') {
                Some(range) if !range.is_empty() && !range.starts_with(']') => {
                    let (to, after) = class_char(range)?;
                    rest = after;
                    to
                }
                _ => from,
            };
            // a range that is the wrong way round holds its first character, as in git
            class.ranges.push((from, to.max(from)));
        }
    }

    /// Writes it so that no character in it is read as something else: `]` first, `-` last, `^` and `!` in the middle.
    fn write(mut self, out: &mut String) {
        self.ranges.sort_by_key(|&(from, to)| (from == '-', matches!(from, '^' | '!'), from != ']', to));
        if let ([(only @ ('^' | '!'), to)], []) = (&self.ranges[..], &self.names[..])
            && only == to
            && !self.negated
        {
            out.extend(['\\', *only]);
            return;
        }
        out.push_str(if self.negated { "[!" } else { "[" });
        for (from, to) in self.ranges {
            out.push(from);
            if from != to {
                out.extend(['-', to]);
            }
        }
        self.names.iter().for_each(|name| out.extend(["[:", name, ":]"]));
        out.push(']');
    }
}

fn class_char(text: &str) -> Result<(char, &str), String> {
    let text = text.strip_prefix('\\').unwrap_or(text);
    let c = text.chars().next().ok_or("a `[` is not closed")?;
    Ok((c, &text[c.len_utf8()..]))
}
