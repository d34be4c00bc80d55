//! The head of a skill's file.

use std::io::{self, Read};
use std::path::Path;

use context_api::{Decision, FileMeta, FileSystem};
use context_text::{
    Field, Frontmatter, decode, display_path, is_binary, parse_frontmatter, split_frontmatter,
};

/// Keys of a frontmatter under which a skill says when it is to be used.
const WHEN: [&str; 2] = ["when_to_use", "when-to-use"];
/// Key under which a skill says that models are not told of it.
const NOT_FOR_MODELS: &str = "disable-model-invocation";

/// What the head of a skill's file says.
#[derive(Debug, Default)]
pub(super) struct Head {
    name: String,
    pub(super) description: String,
    pub(super) when_to_use: String,
    pub(super) is_listed: bool,
    pub(super) is_binary: bool,
    problem: Option<(&'static str, String)>,
}

/// Why a skill's own name is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameProblem {
    /// It has none.
    None,
    /// It could not be called by it.
    Unusable,
}

/// The first bytes of a regular file, and the facts of the open file.
pub(super) fn read(files: &dyn FileSystem, canonical: &Path, most: u64) -> io::Result<(Vec<u8>, FileMeta)> {
    let open = files.open(canonical)?;
    let mut bytes = Vec::new();
    open.reader.take(most).read_to_end(&mut bytes)?;
    Ok((bytes, open.meta))
}

impl Head {
    /// The head of a file of which `bytes` are all or only the first.
    pub(super) fn of(bytes: &[u8], is_whole: bool) -> Self {
        if is_binary(bytes) {
            return Self { is_binary: true, ..Self::default() };
        }
        let text = decode(bytes).text;
        let (yaml, body) = split_frontmatter(&text);
        let frontmatter = yaml.map(parse_frontmatter).unwrap_or_default();
        let open = yaml.is_none() && !is_whole && text.starts_with("---");
        let problem = if open {
            Some((
                "frontmatter_too_long",
                "Its frontmatter does not end in the part that is read.".to_owned(),
            ))
        } else {
            let problem = frontmatter.problem.as_deref().map(context_text::safe_line);
            problem.map(|why| {
                ("frontmatter_not_read", format!("Not all of its frontmatter could be read: {why}."))
            })
        };
        let described = text_of(&frontmatter, &["description"]);
        let from_body = || if open { String::new() } else { first_paragraph(body) };
        Self {
            name: text_of(&frontmatter, &["name"]),
            description: if described.is_empty() { from_body() } else { described },
            when_to_use: text_of(&frontmatter, &WHEN),
            is_listed: text_of(&frontmatter, &[NOT_FOR_MODELS]) != "true",
            is_binary: false,
            problem,
        }
    }

    pub(super) fn problem(&self, path: &Path) -> Option<Decision> {
        let (reason, detail) = self.problem.as_ref()?;
        Some(Decision::cut(display_path(path), *reason, detail.clone()))
    }

    /// Its own name, where it can be called by it.
    pub(super) fn usable_name(&self, most: usize) -> Result<&str, NameProblem> {
        let is_usable = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        match self.name.as_str() {
            "" => Err(NameProblem::None),
            name if name.chars().all(is_usable) && name.chars().count() <= most => Ok(name),
            _ => Err(NameProblem::Unusable),
        }
    }
}

fn text_of(frontmatter: &Frontmatter, keys: &[&str]) -> String {
    let field = keys.iter().find_map(|key| frontmatter.fields.get(*key));
    match field {
        Some(Field::Text(text)) => text.trim().to_owned(),
        Some(Field::List(items)) => items.join(", "),
        _ => String::new(),
    }
}

/// The first paragraph that is no heading.
fn first_paragraph(body: &str) -> String {
    let lines = body.lines().map(str::trim).skip_while(|line| line.is_empty() || line.starts_with('#'));
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
