//! Accounts for people.

use std::fmt::Write as _;

use agent_core::context_api::{
    ContentBlock, Decision, EntryKind, FileContent, MemoryFile, MemoryLoad, Verdict,
};
use agent_core::prompt_assembly::CacheReport;
use agent_core::{PreparedTurn, Settings};
use context_text::{display_path, safe_line};

use crate::json;

/// Headings and figures of a turn.
pub(crate) fn turn(prepared: &PreparedTurn, colours: bool) -> String {
    let mut out = String::new();
    let paint = Paint(colours);
    match (&prepared.request, &prepared.blocked) {
        (Some(request), _) => {
            let usage = prepared.usage();
            let _ = writeln!(
                out,
                "{} for {}: about {} tokens",
                paint.head("Request"),
                request.model,
                usage.total
            );
            sections(&mut out, prepared, &paint);
            messages(&mut out, prepared, &paint);
        }
        (None, reason) => {
            let _ = writeln!(out, "Blocked: {}", reason.as_deref().unwrap_or("no reason given"));
        }
    }
    attachments(&mut out, prepared, &paint);
    if !prepared.decisions.is_empty() {
        let _ = write!(out, "\n{}\n{}", paint.head("Decisions"), decisions(&prepared.decisions, colours));
    }
    out
}

fn sections(out: &mut String, prepared: &PreparedTurn, paint: &Paint) {
    let Some(request) = &prepared.request else { return };
    let _ = writeln!(out, "\n{}", paint.head("System prompt"));
    for part in request.system.iter().flat_map(|block| block.parts.iter().map(move |part| (block, part))) {
        let (block, part) = part;
        let text = block.text.get(part.range.clone()).unwrap_or_default();
        let tokens = context_text::estimate_tokens(text);
        let _ = writeln!(out, "  {:<28} {tokens:>6} tokens", safe_line(&part.label));
    }
    for entry in prepared.history().iter() {
        let EntryKind::Context(context) = &entry.kind else { continue };
        if let Some(git) = context.system.iter().find(|piece| piece.key == "gitStatus") {
            let _ = writeln!(out, "\n{}", paint.head("Git"));
            git.text.lines().filter(|line| !line.is_empty()).take(12).for_each(|line| {
                let _ = writeln!(out, "  {}", safe_line(line));
            });
        }
        let _ = writeln!(out, "\n{}", paint.head("Memory files"));
        if context.memory.is_empty() {
            let _ = writeln!(out, "  none");
        }
        for file in &context.memory {
            let _ = writeln!(out, "  {:<9} {}", word(&file.kind), display_path(&file.path));
        }
    }
}

fn messages(out: &mut String, prepared: &PreparedTurn, paint: &Paint) {
    let Some(request) = &prepared.request else { return };
    let blocks: usize = request.messages.iter().map(|message| message.blocks.len()).sum();
    let _ = writeln!(
        out,
        "\n{}\n  {} messages, {blocks} blocks, {} tools",
        paint.head("Conversation"),
        request.messages.len(),
        request.tools.len()
    );
}

fn attachments(out: &mut String, prepared: &PreparedTurn, paint: &Paint) {
    let envelopes: Vec<_> = prepared.entries.iter().filter_map(|entry| entry.attachment()).collect();
    if envelopes.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", paint.head("Attachments"));
    for envelope in envelopes {
        let attachment = &envelope.attachment;
        let _ = writeln!(out, "  {:<18} {}", attachment.type_name(), subject(attachment));
    }
}

fn subject(attachment: &agent_core::context_api::Attachment) -> String {
    use agent_core::context_api::Attachment;
    match attachment {
        Attachment::File(file) => match &file.content {
            FileContent::Text(text) => {
                let lines = context_text::line_count(&text.text);
                format!("{} ({lines} lines from {})", file.display_path, text.first_line)
            }
            _ => file.display_path.clone(),
        },
        Attachment::AlreadyReadFile(file) => file.display_path.clone(),
        Attachment::PdfReference(file) => file.display_path.clone(),
        Attachment::Directory(listing) => {
            format!("{} ({} entries)", listing.display_path, listing.entries.len())
        }
        Attachment::NestedMemory(memory) => memory.display_path.clone(),
        Attachment::EditedTextFile(file) => file.display_path.clone(),
        Attachment::QueuedCommand(command) => safe_line(&command.text).into_owned(),
        Attachment::DateChange(change) => change.date.to_string(),
        Attachment::AgentMention(mention) => safe_line(&mention.agent).into_owned(),
        _ => String::new(),
    }
}

/// The words of some blocks; what has none is named.
pub(crate) fn words(blocks: &[ContentBlock]) -> String {
    let of = |block: &ContentBlock| match block {
        ContentBlock::Text(text) => text.text.to_string(),
        ContentBlock::ToolUse(call) => format!("[calls {}]", call.name),
        ContentBlock::Image(_) => "[picture]".to_owned(),
        _ => "[…]".to_owned(),
    };
    blocks.iter().map(of).collect::<Vec<_>>().join(" ")
}

/// Decisions, a line each.
pub(crate) fn decisions(decisions: &[Decision], colours: bool) -> String {
    let paint = Paint(colours);
    if decisions.is_empty() {
        return "  none\n".to_owned();
    }
    let mut out = String::new();
    for decision in decisions {
        let verdict = paint.verdict(decision.verdict);
        let _ = writeln!(
            out,
            "  {verdict} {} ({}): {}",
            safe_line(&decision.subject),
            decision.reason,
            safe_line(&decision.detail)
        );
    }
    out
}

/// What a request repeats of the one before, and who is to blame for the rest.
pub(crate) fn cache(report: &CacheReport) -> String {
    let verdict =
        if report.extends() { "The request extends the one before." } else { "The prefix is broken." };
    let share = report.common_bytes * 100 / report.total_bytes.max(1);
    let mut out = format!(
        "{verdict}\n  repeated  {} of {} bytes ({share} %), about {} of {} tokens\n  kept      {} bytes, about {} tokens up to the last cache mark\n",
        report.common_bytes,
        report.total_bytes,
        report.common_tokens,
        report.total_tokens,
        report.reusable_bytes,
        report.reusable_tokens,
    );
    let _ = writeln!(out, "  reason    {}", safe_line(&report.reason));
    if let Some(difference) = &report.difference {
        let _ = writeln!(out, "  was       {}", safe_line(&difference.was));
        let _ = writeln!(out, "  is        {}", safe_line(&difference.is));
    }
    out
}

/// Where each value of the settings came from.
pub(crate) fn settings(settings: &Settings) -> String {
    if settings.origins.is_empty() {
        return "No settings file and no variable says anything.\n".to_owned();
    }
    let mut out = String::new();
    for origin in &settings.origins {
        let value = safe_line(&origin.value);
        let place =
            origin.path.as_deref().map_or_else(String::new, |path| format!(" {}", display_path(path)));
        let (layer, outcome) = (origin.layer.name(), origin.outcome.name());
        let _ = writeln!(out, "  {outcome:<14} {}: {value}  [{layer}{place}]", safe_line(&origin.key));
    }
    out
}

/// Memory files and what was left out.
pub(crate) fn memory(load: &MemoryLoad, nested: Option<&MemoryLoad>, colours: bool) -> String {
    let paint = Paint(colours);
    let mut out = String::new();
    let _ = writeln!(out, "{}", paint.head("Memory files, the last weighs most"));
    files(&mut out, &load.files);
    if let Some(nested) = nested {
        let _ = writeln!(out, "\n{}", paint.head("For the path, the nearest last"));
        files(&mut out, &nested.files);
    }
    let all = json::Memory::of(load, nested);
    if !all.pending.is_empty() {
        let _ = writeln!(out, "\n{}", paint.head("Waiting for approval"));
        for pending in &all.pending {
            let _ = writeln!(out, "  {} (included by {})", pending.path, pending.from);
        }
    }
    let _ = writeln!(out, "\n{}", paint.head("Left out"));
    if all.left_out.is_empty() {
        let _ = writeln!(out, "  nothing");
    }
    for left in &all.left_out {
        let _ = writeln!(out, "  {} ({}): {}", safe_line(&left.path), left.reason, safe_line(&left.detail));
    }
    out
}

fn files(out: &mut String, files: &[MemoryFile]) {
    if files.is_empty() {
        let _ = writeln!(out, "  none");
    }
    for file in files {
        let chars = file.text.chars().count();
        let _ = write!(out, "  {:<9} {chars:>6} chars  {}", word(&file.kind), display_path(&file.path));
        if let Some(parent) = &file.parent {
            let _ = write!(out, "  included by {}", display_path(parent));
        }
        if !file.globs.is_empty() {
            let _ = write!(out, "  for {}", safe_line(&file.globs.join(", ")));
        }
        let _ = writeln!(out);
    }
}

/// The word that a value has in JSON.
fn word<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default().trim_matches('"').to_owned()
}

/// Mentions, a line each.
pub(crate) fn mentions(rows: &[json::Mention], text: &str) -> String {
    if rows.is_empty() {
        return "no mentions\n".to_owned();
    }
    let mut out = String::new();
    for row in rows {
        let typed = text.get(row.span[0]..row.span[1]).unwrap_or_default();
        let _ = write!(out, "{:<10} {}  as {}", row.kind, safe_line(&row.target), safe_line(typed));
        if let Some([from, to]) = row.lines {
            let _ = write!(out, "  lines {from} to {to}");
        }
        let _ = writeln!(out);
    }
    out
}

/// Colours, or none.
struct Paint(bool);

impl Paint {
    fn head(&self, text: &str) -> String {
        if self.0 { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn verdict(&self, verdict: Verdict) -> String {
        let text = format!("{:<9}", word(&verdict));
        let colour = match verdict {
            Verdict::Failed | Verdict::TimedOut => 31,
            Verdict::LeftOut | Verdict::Cut => 33,
            _ => 32,
        };
        if self.0 { format!("\u{1b}[{colour}m{text}\u{1b}[0m") } else { text }
    }
}
