//! Entries, written and read.

use context_api::{
    AssistantReply, Boundary, ContentBlock, ContextPiece, ContextRecord, Draft, Entry, EntryKind, HostEvent,
    Invalidate, InvalidateEvent, Mark, MarkKind, MarkTarget, QueuedInput, RawJson, StateChange, StatesNote,
    StopReason, ToolResult, ToolResultBlock, Trigger, Usage, ViewEdit,
};
use context_testkit::fixture;
use uuid::Uuid;

fn kinds() -> Vec<EntryKind> {
    let uuid = Uuid::from_u128(9);
    let result = ToolResultBlock {
        tool_use_id: "t1".into(),
        content: vec![ContentBlock::text("out"), ContentBlock::image("image/png", "QQ==")],
        is_error: true,
    };
    let input = RawJson::parse(r#"{"path": "a.rs","n":1.0}"#).unwrap();
    let unknown: ContentBlock = serde_json::from_str(r#"{"type":"server_tool","x":[1 ,2]}"#).unwrap();
    let calls = vec![ContentBlock::text("calling"), ContentBlock::tool_use("t1", "Read", input), unknown];
    vec![
        EntryKind::user("hello"),
        EntryKind::Assistant(
            AssistantReply::default()
                .content(calls)
                .model(Some("m".into()))
                .stop(StopReason::ToolUse)
                .usage(Usage::default().input_tokens(10u64).output_tokens(2u64)),
        ),
        EntryKind::ToolResult(
            ToolResult::new(result).raw(true).states(vec![StateChange::Remove("/p/a.rs".into())]),
        ),
        EntryKind::Attachment(
            Draft::new(fixture("nested_memory"))
                .key(context_api::DeliveryKey::new("memory", "/p/CLAUDE.md", "h"))
                .state(StateChange::Remove("/p/b.rs".into()))
                .delivers("q1")
                .commit(uuid, "2026-04-25T12:00:00Z".parse().unwrap()),
        ),
        EntryKind::Context(
            ContextRecord::default()
                .user(vec![ContextPiece::default().key("claudeMd").text("rules")])
                .date(Some("2026-04-25".parse().unwrap())),
        ),
        EntryKind::Boundary(Boundary::default().trigger(Trigger::Auto).summary("short").kept(vec![uuid])),
        EntryKind::ViewEdit(ViewEdit::Interrupted { tool_use_id: "t1".into() }),
        EntryKind::ViewEdit(ViewEdit::Unfold { entries: vec![uuid] }),
        EntryKind::Mark(
            Mark::default().targets(vec![MarkTarget::Result("t1".into())]).mark(MarkKind::Droppable),
        ),
        EntryKind::Invalidate(Invalidate::default().event(InvalidateEvent::Tools).detail("Bash")),
        EntryKind::States(StatesNote::default().states(vec![StateChange::Remove("/p/c.rs".into())])),
        EntryKind::Host(HostEvent::Queued(QueuedInput::default().id("q").mode("prompt").text("more"))),
        EntryKind::Unknown { tag: "hologram".into(), payload: RawJson::parse(r#"{"z":1,"a":[ ]}"#).unwrap() },
    ]
}

fn entries() -> Vec<Entry> {
    let entry = |(at, kind): (usize, EntryKind)| {
        let uuid = Uuid::from_u128(at as u128 + 1);
        let parent = (at > 0).then(|| Uuid::from_u128(at as u128));
        Entry::new(uuid, "2026-04-25T12:00:00Z".parse().unwrap(), 3, kind).after(parent)
    };
    kinds().into_iter().enumerate().map(entry).collect()
}

#[test]
fn each_kind_comes_back_byte_for_byte() {
    let lines: Vec<_> = entries().iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
    insta::assert_snapshot!(lines.join("\n"));
    for (line, entry) in lines.iter().zip(entries()) {
        assert!(!line.contains('\n'), "an entry is a line");
        let read: Entry = serde_json::from_str(line).unwrap();
        assert_eq!(read, entry);
        assert_eq!(&serde_json::to_string(&read).unwrap(), line);
    }
}

#[test]
fn text_is_taken_where_blocks_are_meant() {
    let json = r#"{"uuid":"00000000-0000-0000-0000-000000000001","timestamp":"2026-04-25T12:00:00Z","type":"user","payload":{"content":"hello"}}"#;
    let entry: Entry = serde_json::from_str(json).unwrap();
    assert_eq!(entry.kind, EntryKind::user("hello"));
}

#[test]
fn raw_json_with_line_breaks_stays_on_its_line() {
    let raw = RawJson::parse("{\n  \"a\": 1,\r\n  \"b\": \"x\\ny\"\n}").unwrap();
    assert!(!raw.get().contains(['\n', '\r']));
    assert_eq!(raw.read::<serde_json::Value>().unwrap()["b"], "x\ny");
    assert!(RawJson::parse("{").is_err());
}

#[test]
fn a_host_snapshot_needs_no_field_and_forgets_none() {
    use context_api::{HostSnapshot, Source};
    let empty: HostSnapshot = serde_json::from_str("{}").unwrap();
    assert_eq!(empty, HostSnapshot::default());
    assert_eq!(empty.catalog.tools, Source::NotReported);
    let json = r#"{"ide":{"selection":{"path":"a.rs","start_line":1,"end_line":2,"text":"x"}},"catalog":{"tools":{"ready":[{"name":"T","input_schema":{"type":"object","a":1.0}}]},"agents":{"unavailable":"down"}}}"#;
    let host: HostSnapshot = serde_json::from_str(json).unwrap();
    assert_eq!(host.catalog.agents, Source::Unavailable("down".into()));
    assert_eq!(host.catalog.tools.items()[0].input_schema.get(), r#"{"type":"object","a":1.0}"#);
    assert_eq!(serde_json::to_string(&host).unwrap(), json);
}
