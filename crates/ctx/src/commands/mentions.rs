//! `ctx mentions`.

use agent_core::attachments::{Mention, MentionKind, ResolvedMention, parse_mentions, resolve_mention};
use agent_core::context_api::FileKind;

use crate::account;
use crate::cli::{Globals, MentionsArgs};
use crate::json;
use crate::process::Process;
use crate::setup::engine;

/// Shows what the parser sees in a text, and which files it means from the working directory.
pub(crate) fn mentions(globals: &Globals, args: &MentionsArgs, process: &mut Process) -> anyhow::Result<()> {
    let engine = engine(globals, process)?.build()?;
    let cwd = &engine.options().cwd;
    let rows: Vec<json::Mention> = parse_mentions(&args.text, &Default::default())
        .iter()
        .map(|mention| {
            row(mention, resolve_mention(&**engine.files(), cwd, globals.home.as_deref(), mention))
        })
        .collect();
    let text =
        if globals.json { serde_json::to_string(&rows)? } else { account::mentions(&rows, &args.text) };
    process.print(&text);
    Ok(())
}

fn row(mention: &Mention, resolved: Option<ResolvedMention>) -> json::Mention {
    let span = [mention.span.start, mention.span.end];
    let Some(resolved) = resolved else {
        let kind = match mention.kind {
            MentionKind::Agent => "agent",
            MentionKind::Resource => "resource",
            _ => "unresolved",
        };
        return json::Mention { kind, target: mention.target.clone(), lines: None, span };
    };
    let kind = match resolved.kind {
        FileKind::File => "file",
        FileKind::Directory => "directory",
        _ => "special",
    };
    let lines = resolved.lines.map(|lines| [lines.start, lines.end.unwrap_or(lines.start)]);
    json::Mention { kind, target: resolved.name, lines, span }
}
