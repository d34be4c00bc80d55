//! What the parser sees in a text, without a look at the disk.

use std::ops::Range;

use context_api::CatalogState;
use context_text::{AtToken, at_tokens, candidates, code_ranges};

/// One thing that a text names with an `@`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mention {
    /// What it may be.
    pub kind: MentionKind,
    /// The name, escapes and quotes taken off.
    pub target: String,
    /// Whether it stood in quotes: then the name ends where they do.
    pub quoted: bool,
    /// Bytes of the text from the `@` on.
    pub span: Range<usize>,
}

/// What a mention may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MentionKind {
    /// A path, if there is such a file.
    Path,
    /// A known agent.
    Agent,
    /// A resource of a known server, unless there is such a file.
    Resource,
}

/// All mentions of a text in order; those in code are none.
///
/// ```
/// use attachments::{MentionKind, parse_mentions};
/// let mentions = parse_mentions("see @src/a.rs, not `@b`", &Default::default());
/// assert_eq!(mentions.len(), 1);
/// assert_eq!(mentions[0].kind, MentionKind::Path);
/// ```
pub fn parse_mentions(text: &str, catalog: &CatalogState) -> Vec<Mention> {
    let code = code_ranges(text);
    let mut at_code = 0;
    let mut mentions = Vec::new();
    for token in at_tokens(text) {
        while code.get(at_code).is_some_and(|range| range.end <= token.span.start) {
            at_code += 1;
        }
        if !code.get(at_code).is_some_and(|range| range.contains(&token.span.start)) {
            mentions.push(classify(token, catalog));
        }
    }
    mentions
}

fn classify(token: AtToken<'_>, catalog: &CatalogState) -> Mention {
    let target = token.target.into_owned();
    let (kind, target) = match agent(&target, token.quoted, catalog) {
        Some(name) => (MentionKind::Agent, name),
        None if is_resource(&target, catalog) => (MentionKind::Resource, target),
        None => (MentionKind::Path, target),
    };
    Mention { kind, target, quoted: token.quoted, span: token.span }
}

fn agent(target: &str, quoted: bool, catalog: &CatalogState) -> Option<String> {
    let known = |name: &str| catalog.agents.items().iter().any(|agent| agent.name == name);
    if quoted {
        return target.strip_suffix(" (agent)").filter(|name| known(name)).map(str::to_owned);
    }
    let name = target.strip_prefix("agent-")?;
    candidates(name).into_iter().find(|name| known(name)).map(str::to_owned)
}

fn is_resource(target: &str, catalog: &CatalogState) -> bool {
    target.split_once(':').is_some_and(|(server, uri)| {
        !uri.is_empty() && catalog.mcp.items().iter().any(|known| known.name == server)
    })
}
