//! The blocks of the system prompt.

use context_api::{
    CacheMark, ContextPiece, Decision, Section, SectionScope, SystemBlock, SystemPart, ToolSpec, Verdict,
};

use crate::{RequestParts, wording};

/// What the key of a system context piece begins with in [`SystemPart::key`], so that it never equals a section's.
pub const CONTEXT_KEY: &str = "context.";
/// Key of the header in [`SystemPart::key`].
pub const HEADER_KEY: &str = "header";

/// Header, global block, session block with the system context, volatile block; each only where it has text.
pub(crate) fn blocks(parts: &RequestParts, decisions: &mut Vec<Decision>) -> Vec<SystemBlock> {
    let of = |scope| parts.sections.iter().filter(move |section| section.scope == scope);
    let mut header = Block::default();
    header.push(HEADER_KEY, "Header", parts.header.as_deref().unwrap_or_default(), "");
    let mut global = Block::default();
    global.sections(of(SectionScope::Global));
    let mut session = Block::default();
    session.sections(parts.sections.iter().filter(|section| !placed_apart(section.scope)));
    session.context(&parts.system_context);
    let mut volatile = Block::default();
    volatile.sections(of(SectionScope::Volatile).inspect(|section| decisions.push(costs_cache(section))));
    let shared = (!global.0.text.is_empty()).then(|| global_scope(&parts.tools, decisions));
    [(header, None), (global, shared), (session, Some(CacheMark::Session)), (volatile, None)]
        .into_iter()
        .filter(|(block, _)| !block.0.text.is_empty())
        .map(|(block, cache)| SystemBlock { cache, ..block.0 })
        .collect()
}

/// Whether sections of `scope` have a block of their own; those of a scope that this version does not know go with the
/// session's, which is always right.
fn placed_apart(scope: SectionScope) -> bool {
    matches!(scope, SectionScope::Global | SectionScope::Volatile)
}

/// Tools stand before the system prompt in a provider's prefix: a session's own end what is the same for everybody.
fn global_scope(tools: &[ToolSpec], decisions: &mut Vec<Decision>) -> CacheMark {
    let in_front = tools.iter().find(|tool| tool.server.is_some() && !tool.deferred);
    let Some(tool) = in_front else { return CacheMark::Global };
    decisions.push(Decision::new(
        "system prompt, global block",
        Verdict::Included,
        "global_cache_scope_lost",
        format!(
            "Tools of this session, such as {}, stand before it, so it is shared in this session only.",
            tool.name
        ),
    ));
    CacheMark::Session
}

fn costs_cache(section: &Section) -> Decision {
    Decision::new(
        format!("section {}", section.key),
        Verdict::Included,
        "volatile_section",
        "The section is computed for each request; when it changes, everything behind it is sent anew.",
    )
    .bytes(section.text.len() as u64)
}

/// A block under construction. The ranges of its parts follow each other without gaps: a separator belongs to the part
/// behind it.
#[derive(Default)]
struct Block(SystemBlock);

impl Block {
    fn sections<'a>(&mut self, sections: impl Iterator<Item = &'a Section>) {
        for section in sections {
            self.push(&section.key, &section.label, &section.text, "\n\n");
        }
    }

    fn context(&mut self, pieces: &[ContextPiece]) {
        let mut separator = "\n\n";
        for piece in pieces.iter().filter(|piece| !piece.text.trim().is_empty()) {
            let key = format!("{CONTEXT_KEY}{}", piece.key);
            self.push(&key, &piece.key, &wording::context_line(&piece.key, &piece.text), separator);
            separator = "\n";
        }
    }

    fn push(&mut self, key: &str, label: &str, text: &str, separator: &str) {
        if text.trim().is_empty() {
            return;
        }
        let start = self.0.text.len();
        if start > 0 {
            self.0.text.push_str(separator);
        }
        self.0.text.push_str(text);
        let range = start..self.0.text.len();
        self.0.parts.push(SystemPart { key: key.to_owned(), label: label.to_owned(), range });
    }
}
