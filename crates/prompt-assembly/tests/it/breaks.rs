//! Staged cache breaks: the report names the culprit of each.

use std::sync::Arc;

use context_api::{
    Attachment, Boundary, ContentBlock, ContextPiece, ContextRecord, Draft, Entry, EntryKind, FileAttachment,
    Invalidate, InvalidateEvent, NestedMemory, RawJson, Role, Section, SectionScope, ShownMemory,
    SystemPrompt, ViewEdit,
};
use prompt_assembly::{CacheReport, RequestParts, SectionRegistry, assemble};
use uuid::Uuid;

use crate::support::{assistant, facts, from_entry, mcp_tool, message, tool, user};

/// A session of one request, and what comes after it.
struct Stage {
    parts: RequestParts,
    history: Vec<Arc<Entry>>,
}

fn entry(id: u128, turn: u64, kind: EntryKind) -> Arc<Entry> {
    Arc::new(Entry::new(Uuid::from_u128(id), "2026-04-25T12:00:00Z".parse().unwrap(), turn, kind))
}

fn attachment(id: u128, attachment: impl Into<Attachment>) -> Arc<Entry> {
    let time = "2026-04-25T12:00:00Z".parse().unwrap();
    entry(id, 1, EntryKind::Attachment(Draft::new(attachment).commit(Uuid::from_u128(id), time)))
}

fn piece(key: &str, text: &str) -> ContextPiece {
    ContextPiece::default().key(key).text(text)
}

fn context(memory: &[(&str, &str)], date: &str) -> ContextRecord {
    let text: String = memory.iter().map(|(path, hash)| format!("{path}: {hash}\n")).collect();
    let shown = memory.iter().map(|(path, hash)| ShownMemory::default().path(*path).hash(*hash));
    ContextRecord::default()
        .user(vec![piece("claudeMd", &text), piece("currentDate", date)])
        .memory(shown.collect::<Vec<_>>())
}

const MEMORY: [(&str, &str); 2] = [("/p/CLAUDE.md", "h1"), ("/p/CLAUDE.local.md", "h2")];
const DATE: &str = "2026-04-25";

fn picture(name: &str) -> ContentBlock {
    ContentBlock::image("image/png", name)
}

fn stage() -> Stage {
    let parts = RequestParts::default()
        .model("m")
        .header("billing".to_owned())
        .sections(SectionRegistry::standard().sections(&facts()))
        .system_context(vec![piece("gitStatus", "clean")])
        .tools(vec![tool("Read"), tool("Write"), mcp_tool("a", "x")])
        .messages(vec![
            from_entry(1, user(&format!("{:?}", context(&MEMORY, DATE)))),
            from_entry(2, user("nested memory")),
            from_entry(3, user("file")),
            from_entry(4, message(Role::User, vec![picture("AAAA")])),
            from_entry(5, user("words")),
            from_entry(
                6,
                message(Role::Assistant, vec![ContentBlock::tool_use("t", "Read", RawJson::empty_object())]),
            ),
            from_entry(7, message(Role::User, vec![ContentBlock::tool_result("t", "long result")])),
            from_entry(8, assistant("done")),
        ]);
    let history = vec![
        entry(1, 1, EntryKind::Context(context(&MEMORY, DATE))),
        attachment(2, NestedMemory::default().path("/p/sub/CLAUDE.md")),
        attachment(3, FileAttachment::default().path("/p/a.rs")),
        entry(4, 1, EntryKind::user("picture")),
        entry(5, 1, EntryKind::user("words")),
        entry(6, 1, EntryKind::assistant(vec![])),
    ];
    Stage { parts, history }
}

fn reason(change: impl FnOnce(&mut Stage)) -> String {
    let (before, mut after) = (stage(), stage());
    change(&mut after);
    after.parts.messages.push(from_entry(100, user("next")));
    let (before, now) = (assemble(before.parts).0, assemble(after.parts).0);
    let report = CacheReport::compare(&before, &now).explained(&after.history, 1);
    assert!(!report.extends());
    assert_eq!(report.causes.is_empty(), !report.reason.contains("): "), "{}", report.reason);
    report.reason
}

fn section(stage: &mut Stage, key: &str, text: &str) {
    stage.parts.sections.iter_mut().find(|section| section.key == key).unwrap().text = text.to_owned();
}

/// A new context stands in the place of the old one.
fn new_context(stage: &mut Stage, memory: &[(&str, &str)], date: &str) {
    let record = context(memory, date);
    stage.parts.messages[0] = from_entry(50, user(&format!("{record:?}")));
    stage.history.push(entry(50, 2, EntryKind::Context(record)));
}

fn recorded(stage: &mut Stage, kind: EntryKind) {
    stage.history.push(entry(60, 2, kind));
}

#[test]
fn nothing_is_blamed_where_nothing_breaks() {
    let (before, mut after) = (stage(), stage());
    after.parts.messages.push(from_entry(100, user("next")));
    let report = CacheReport::compare(&assemble(before.parts).0, &assemble(after.parts).0);
    assert_eq!(report.explained(&after.history, 1).reason, "The request only adds to the one before.");
}

#[test]
fn what_stands_before_the_messages_is_named() {
    type Break = (&'static str, fn(&mut Stage));
    let breaks: [Break; 14] = [
        ("The model changed", |s| s.parts.model = "n".into()),
        ("The budget for thinking changed", |s| s.parts.thinking = Some(4_000)),
        ("Tool Read changed", |s| s.parts.tools[0].description = "other".into()),
        ("Tool Write changed", |s| s.parts.tools[1].input_schema = RawJson::parse("{\"a\":1}").unwrap()),
        ("Tool Edit is new", |s| s.parts.tools.push(tool("Edit"))),
        ("Tool mcp__a__x is gone", |s| s.parts.tools.truncate(2)),
        ("Section header changed", |s| s.parts.header = Some("billing 2".into())),
        ("Section actions changed", |s| section(s, "actions", "other")),
        ("Section environment changed", |s| section(s, "environment", "other")),
        ("Section mcp_instructions changed", |s| section(s, "mcp_instructions", "other")),
        ("Section memory is gone", |s| s.parts.sections.retain(|section| section.key != "memory")),
        ("Section own is new", |s| {
            s.parts.sections.push(Section::default().key("own").scope(SectionScope::Global).text("o"));
        }),
        ("Section system_rules stands elsewhere", |s| s.parts.sections.swap(0, 1)),
        ("System context gitStatus changed", |s| s.parts.system_context[0].text = "dirty".into()),
    ];
    for (expected, change) in breaks {
        let reason = reason(change);
        assert!(reason.starts_with(expected), "{reason:?} is not {expected:?}");
    }
}

#[test]
fn memory_dates_and_attachments_are_named() {
    let edited = reason(|s| new_context(s, &[("/p/CLAUDE.md", "h9"), MEMORY[1]], DATE));
    assert!(edited.contains("memory file /p/CLAUDE.md changed") && !edited.contains("local"), "{edited}");
    let added = reason(|s| new_context(s, &[MEMORY[0], MEMORY[1], ("/p/new.md", "h")], DATE));
    assert!(added.contains("memory file /p/new.md is new"), "{added}");
    let removed = reason(|s| new_context(s, &MEMORY[..1], DATE));
    assert!(removed.contains("memory file /p/CLAUDE.local.md is gone"), "{removed}");
    let date = reason(|s| new_context(s, &MEMORY, "2026-04-26"));
    assert!(date.ends_with("context currentDate changed."), "{date}");
    let nested = reason(|s| s.parts.messages[1] = from_entry(2, user("other")));
    assert!(nested.ends_with("nested_memory of /p/sub/CLAUDE.md."), "{nested}");
    let file = reason(|s| s.parts.messages[2] = from_entry(3, user("other")));
    assert!(file.ends_with("file of /p/a.rs."), "{file}");
    let moved = reason(|s| s.parts.messages.swap(2, 4));
    assert!(moved.contains("stands elsewhere"), "{moved}");
}

#[test]
fn recorded_edits_and_reasons_are_named() {
    let rescaled = reason(|s| {
        s.parts.messages[3] = from_entry(4, message(Role::User, vec![picture("BBBB")]));
        let entry = Uuid::from_u128(4);
        let edit =
            ViewEdit::ReplaceBlock { entry, block: 0, text: "".into(), reason: "image_rescaled".into() };
        recorded(s, EntryKind::ViewEdit(edit));
    });
    assert!(rescaled.ends_with("user; view edit replace_block (image_rescaled)."), "{rescaled}");
    let cleared = reason(|s| {
        s.parts.messages[6] =
            from_entry(7, message(Role::User, vec![ContentBlock::tool_result("t", "[gone]")]));
        let edit = ViewEdit::ReplaceResult {
            tool_use_id: "t".into(),
            text: "[gone]".into(),
            reason: "microcompact".into(),
        };
        recorded(s, EntryKind::ViewEdit(edit));
    });
    assert!(cleared.ends_with("view edit replace_result (microcompact)."), "{cleared}");
    let dropped = reason(|s| {
        s.parts.messages.remove(4);
        recorded(
            s,
            EntryKind::ViewEdit(ViewEdit::Drop { entries: vec![Uuid::from_u128(5)], reason: "snip".into() }),
        );
    });
    assert!(
        dropped.contains("says is gone") && dropped.ends_with("user; view edit drop (snip)."),
        "{dropped}"
    );
    let compacted = reason(|s| {
        s.parts.messages = vec![from_entry(60, user("summary"))];
        recorded(s, EntryKind::Boundary(Boundary::default()));
    });
    assert!(compacted.ends_with("the history was compacted."), "{compacted}");
    let tools = reason(|s| {
        s.parts.tools.push(mcp_tool("b", "y"));
        recorded(
            s,
            EntryKind::Invalidate(Invalidate::default().event(InvalidateEvent::Tools).detail("mcp__b__y")),
        );
    });
    assert!(
        tools.starts_with("Tool mcp__b__y is new") && tools.ends_with("invalidated by tools: mcp__b__y."),
        "{tools}"
    );
}
