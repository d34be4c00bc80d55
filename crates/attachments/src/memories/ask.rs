//! Whether there is something to look for, and what.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use context_api::{
    AttachmentMode, ContentBlock, ContextProfile, Decision, Entry, EntryKind, HostEvent, Ledger, MemoryScope,
    Thread, TurnParts, is_words, path_of_key, queue_mode,
};
use context_text::is_unspaced;
use jiff::Timestamp;

use super::{KIND, RelevantLimits, shown_bytes};
use crate::handed::is_blocked;
use crate::mention::{MentionKind, parse_mentions};

/// What is to be looked for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MemoryAsk {
    /// What the user asks.
    pub text: Arc<str>,
    /// Where the session stands: its notes hang on it.
    pub scope: MemoryScope,
    /// Directories of notes of agents that the text names.
    pub stores: Vec<PathBuf>,
    /// Canonical paths of files that the model has.
    pub known: BTreeSet<PathBuf>,
    /// Tools that succeeded since what the user asked before, each once.
    pub tools: Vec<String>,
    /// The time of the turn.
    pub now: Timestamp,
}

impl MemoryAsk {
    /// What a turn asks for: in the main conversation, newest words of the user that are more than one word.
    ///
    /// # Errors
    /// The decision where the session has been shown as much as it may.
    pub(super) fn of(parts: &TurnParts, limits: &RelevantLimits) -> Result<Option<Self>, Decision> {
        let wanted = parts.thread == Thread::Main && parts.attachments != AttachmentMode::Off;
        let text = words_of(parts).filter(|text| wanted && is_worth(text, limits.word_chars));
        // What a hook keeps from being sent is shown to nobody, a selector included.
        let Some(text) = text.filter(|_| !is_blocked(parts)) else { return Ok(None) };
        if shown_bytes(&parts.ledger) >= limits.session_bytes {
            let detail =
                format!("{} bytes of memories are in view: no more are looked for.", limits.session_bytes);
            return Err(Decision::left_out(KIND, "memories_over_budget", detail));
        }
        Self::about(parts, text).map(Some)
    }

    /// What there is to look for about a text.
    ///
    /// # Errors
    /// The decision where the session's profile leaves notes out.
    pub(super) fn about(parts: &TurnParts, text: Arc<str>) -> Result<Self, Decision> {
        if !parts.profile.shows_notes() {
            return Err(ContextProfile::leaves_out(KIND));
        }
        Ok(Self {
            stores: stores(parts, &text),
            text,
            scope: parts.memory.clone(),
            known: known(parts),
            tools: tools(&parts.history),
            now: parts.now,
        })
    }
}

/// What a person said last: now, or while the model worked.
fn words_of(parts: &TurnParts) -> Option<Arc<str>> {
    let typed = parts.input.as_ref().filter(|input| !input.is_meta).map(|input| Arc::clone(&input.text));
    typed.or_else(|| {
        let waiting = parts.events.iter().filter(|event| !parts.ledger.acknowledged(event.id()));
        let mut words = waiting.filter_map(|event| match event {
            HostEvent::Queued(it) if it.mode == queue_mode::PROMPT && !it.is_meta => Some(&it.text),
            _ => None,
        });
        words.next_back().map(|text| text.as_str().into())
    })
}

/// Whether a text is more than one word.
fn is_worth(text: &str, word_chars: usize) -> bool {
    let text = text.trim();
    text.contains(char::is_whitespace) || text.chars().filter(|c| is_unspaced(*c)).count() > word_chars
}

/// Where the notes of agents lie that a text names.
fn stores(parts: &TurnParts, text: &str) -> Vec<PathBuf> {
    let catalog = &parts.host.catalog;
    let mentions = parse_mentions(text, catalog).into_iter();
    let named = mentions.filter(|one| one.kind == MentionKind::Agent).map(|one| one.target);
    named
        .filter_map(|name| catalog.agents.items().iter().find(|agent| agent.name == name)?.memory.as_ref())
        .map(|memory| parts.memory.cwd.join(memory))
        .collect()
}

fn known(parts: &TurnParts) -> BTreeSet<PathBuf> {
    let ledger = &parts.ledger;
    let shown = ledger.kind_in_view(KIND).chain(ledger.kind_in_view(Ledger::MEMORY));
    let shown = shown.map(|(path, _)| path_of_key(path));
    let read = parts.files.iter().filter(|state| !state.inherited).map(|state| state.path.clone());
    shown.chain(read).collect()
}

/// Tools whose calls since the newest words of a person succeeded, in the order of the calls.
fn tools(history: &[Arc<Entry>]) -> Vec<String> {
    let start = history.iter().rposition(|entry| is_words(entry)).unwrap_or_default();
    let since = &history[start..];
    let results = since.iter().filter_map(|entry| match &entry.kind {
        EntryKind::ToolResult(result) if !result.block.is_error => Some(result.block.tool_use_id.as_str()),
        _ => None,
    });
    let succeeded: BTreeSet<&str> = results.collect();
    let mut tools = Vec::new();
    for entry in since {
        let EntryKind::Assistant(reply) = &entry.kind else { continue };
        for block in &reply.content {
            if let ContentBlock::ToolUse(call) = block
                && succeeded.contains(call.id.as_str())
                && !tools.contains(&call.name)
            {
                tools.push(call.name.clone());
            }
        }
    }
    tools
}

#[cfg(test)]
mod tests {
    use super::*;
    use context_api::{QueuedInput, RawJson, ToolResultBlock, TurnInput};

    fn parts(text: &str) -> TurnParts {
        let mut parts = TurnParts::new(
            "/p".into(),
            "2026-04-25T12:00:00Z".parse().unwrap(),
            "2026-04-25".parse().unwrap(),
        );
        parts.input = Some(TurnInput { text: text.into(), ..TurnInput::default() });
        parts
    }

    fn asked(parts: &TurnParts) -> Option<String> {
        MemoryAsk::of(parts, &RelevantLimits::default()).unwrap().map(|ask| ask.text.to_string())
    }

    #[test]
    fn words_of_a_person_are_looked_for_if_they_are_more_than_one() {
        for (text, worth) in
            [("two words", true), (" word ", false), ("", false), ("部署到服务器", true), ("部署到", false)]
        {
            assert_eq!(asked(&parts(text)).is_some(), worth, "{text:?}");
        }
        let mut meta = parts("two words");
        meta.input.as_mut().unwrap().is_meta = true;
        assert_eq!(asked(&meta), None);
        let mut agent = parts("two words");
        agent.thread = Thread::Agent("reviewer".into());
        assert_eq!(asked(&agent), None);
        let mut off = parts("two words");
        off.attachments = AttachmentMode::Off;
        assert_eq!(asked(&off), None);
    }

    #[test]
    fn what_waits_counts_where_nothing_is_typed() {
        let queued = |id: &str, text: &str, mode: &str| {
            HostEvent::Queued(QueuedInput::default().id(id).text(text).mode(mode))
        };
        let mut waiting = parts("");
        waiting.input = None;
        waiting.events = Arc::new(vec![
            queued("1", "first of these", "prompt"),
            queued("2", "second of these", "prompt"),
            queued("3", "a task is done", "task-notification"),
        ]);
        assert_eq!(asked(&waiting).as_deref(), Some("second of these"));
    }

    #[test]
    fn tools_are_those_that_succeeded_since_the_words_before() {
        let entry = |kind| Arc::new(Entry::new(uuid::Uuid::nil(), Timestamp::UNIX_EPOCH, 1, kind));
        let call = |id: &str, tool: &str| ContentBlock::tool_use(id, tool, RawJson::default());
        let result = |id: &str, is_error| {
            let block = ToolResultBlock { tool_use_id: id.to_owned(), content: Vec::new(), is_error };
            entry(EntryKind::tool_result(block))
        };
        let history = [
            entry(EntryKind::user("before")),
            entry(EntryKind::assistant(vec![call("0", "Old")])),
            result("0", false),
            entry(EntryKind::user("now")),
            entry(EntryKind::assistant(vec![call("1", "Read"), call("2", "Bash"), call("3", "Read")])),
            result("1", false),
            result("2", true),
            result("3", false),
        ];
        assert_eq!(tools(&history), ["Read"]);
    }
}
