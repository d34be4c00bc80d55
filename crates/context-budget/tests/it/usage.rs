//! The tree of a request.

use std::path::Path;
use std::sync::Arc;

use context_api::{
    Attachment, ContentBlock, ContextPiece, ContextRecord, DateChange, DocumentBlock, Draft, Entry,
    EntryKind, MediaSource, MemoryFile, MemoryKind, ModelBlock, ModelMessage, ModelRequest, NestedMemory,
    RawJson, RequestTool, Role, ShownMemory, SystemBlock, SystemPart, ThinkingBlock, TokenCounter,
    ToolResultBlock,
};
use context_budget::{ContextUsage, EstimateCounter, Origin, Provenance, UsageRow};
use proptest::prelude::*;
use uuid::Uuid;

/// Tokens are bytes, so that sums can be said in advance.
struct Bytes;
impl TokenCounter for Bytes {
    fn text(&self, text: &str) -> u64 {
        text.len() as u64
    }
    fn image(&self, width: u32, height: u32) -> u64 {
        u64::from(width) * u64::from(height)
    }
}

const DOT: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn said(role: Role, content: ContentBlock) -> Arc<ModelMessage> {
    Arc::new(ModelMessage::new(role, vec![ModelBlock::plain(content)]))
}

fn from_entry(entry: u128, text: &str) -> Arc<ModelMessage> {
    let block = ModelBlock::meta(ContentBlock::text(text)).from_entry(Uuid::from_u128(entry));
    Arc::new(ModelMessage::new(Role::User, vec![block]))
}

fn request(messages: Vec<Arc<ModelMessage>>) -> ModelRequest {
    let mut request = ModelRequest::default();
    request.messages = messages;
    request
}

fn leaf(usage: &ContextUsage, path: &[&str]) -> u64 {
    let mut rows = &usage.rows;
    let mut tokens = 0;
    for label in path {
        let row = rows
            .iter()
            .find(|row| row.label == *label)
            .unwrap_or_else(|| panic!("{label} of {path:?}: {rows:#?}"));
        tokens = row.tokens;
        rows = &row.children;
    }
    tokens
}

fn entry(id: u128, kind: EntryKind) -> Arc<Entry> {
    Arc::new(Entry::new(Uuid::from_u128(id), "2026-04-25T12:00:00Z".parse().unwrap(), 1, kind))
}

fn attachment(id: u128, attachment: impl Into<Attachment>) -> Arc<Entry> {
    let time = "2026-04-25T12:00:00Z".parse().unwrap();
    entry(id, EntryKind::Attachment(Draft::new(attachment).commit(Uuid::from_u128(id), time)))
}

#[test]
fn system_prompt_and_tools_are_rows_by_part() {
    let part = |key: &str, range| SystemPart { key: key.into(), label: key.to_uppercase(), range };
    let mut request = request(vec![]);
    request.system = vec![
        SystemBlock {
            text: "aaaa\n\nbb\n\ngitStatus: clean\nown: x".into(),
            cache: None,
            parts: vec![
                part("a", 0..4),
                part("b", 4..8),
                part("context.gitStatus", 8..26),
                part("context.own", 26..33),
            ],
        },
        SystemBlock { text: "no parts".into(), cache: None, parts: vec![] },
    ];
    let tool = |name: &str, server: Option<&str>| RequestTool {
        name: name.into(),
        description: "12345".into(),
        server: server.map(Into::into),
        ..RequestTool::default()
    };
    request.tools = vec![tool("Read", None), tool("mcp__a__x", Some("a"))];
    let usage = ContextUsage::of(&request, &Provenance::default(), &Bytes).window(50);
    assert_eq!(leaf(&usage, &["System prompt", "A"]), 4);
    assert_eq!(leaf(&usage, &["System prompt", "B"]), 4);
    assert_eq!(leaf(&usage, &["System prompt", "Other"]), 8);
    assert_eq!(leaf(&usage, &["Git facts"]), 18);
    assert_eq!(leaf(&usage, &["System context", "own"]), 7);
    assert_eq!(leaf(&usage, &["Tools", "Built-in", "Read"]), 4 + 5 + 2);
    assert_eq!(leaf(&usage, &["MCP tools", "a", "mcp__a__x"]), 9 + 5 + 2);
    assert_eq!((usage.total, usage.free), (68, 0), "a full window has nothing free");
}

#[test]
fn messages_are_rows_by_kind_and_tool() {
    let result = ToolResultBlock {
        tool_use_id: "t1".into(),
        content: vec![ContentBlock::text("12345678"), ContentBlock::image("image/png", DOT)],
        is_error: false,
    };
    let document = MediaSource::Base64 { media_type: "text/plain".into(), data: "aGVsbG8=".into() };
    let usage = ContextUsage::of(
        &request(vec![
            said(Role::User, ContentBlock::text("hello")),
            said(
                Role::Assistant,
                ContentBlock::Thinking(ThinkingBlock { thinking: "hm".into(), signature: "s".into() }),
            ),
            said(Role::Assistant, ContentBlock::text("reading")),
            said(
                Role::Assistant,
                ContentBlock::tool_use("t1", "Read", RawJson::parse(r#"{"a":1}"#).unwrap()),
            ),
            said(Role::User, ContentBlock::ToolResult(result)),
            said(Role::User, ContentBlock::tool_result("t9", "lost")),
            said(Role::User, ContentBlock::Document(DocumentBlock { source: document, title: None })),
        ]),
        &Provenance::default(),
        &Bytes,
    );
    let of = |row: &str| leaf(&usage, &["Messages", row]);
    assert_eq!((of("User text"), of("Thinking"), of("Assistant text")), (5, 2, 7));
    assert_eq!(leaf(&usage, &["Messages", "Tool calls", "Read"]), 4 + 7);
    assert_eq!(leaf(&usage, &["Messages", "Tool results", "Read"]), 8);
    assert_eq!(leaf(&usage, &["Messages", "Tool results", "unknown"]), 4);
    assert_eq!((of("Images"), of("Documents")), (1, 5));
    assert_eq!(usage.rows.len(), 1);
    assert_eq!(usage.rows[0].tokens, usage.total);
}

#[test]
fn entries_count_for_what_they_are() {
    let nested = NestedMemory::default().path("/p/sub/CLAUDE.md").display_path("sub/CLAUDE.md");
    let history = vec![
        attachment(1, nested),
        attachment(2, DateChange::default()),
        attachment(3, context_api::SkillListing::default()),
        attachment(4, context_api::FileAttachment::default().path("/p/a.rs")),
        attachment(5, context_api::QueuedCommand::default()),
        entry(6, EntryKind::Boundary(context_api::Boundary::default())),
    ];
    let messages = (1..=6).map(|id| from_entry(id, "xxxxxxxxxx")).collect();
    let usage = ContextUsage::of(&request(messages), &Provenance::of(&history, &[]), &Bytes);
    for path in [
        &["Memory", "sub/CLAUDE.md"][..],
        &["Date"],
        &["Skills", "skill_listing"],
        &["Messages", "Attachments", "file"],
        &["Messages", "User text"],
        &["Messages", "Summary"],
    ] {
        assert_eq!(leaf(&usage, path), 10, "{path:?}");
    }
    let sources: Vec<_> = usage.leaves().into_iter().filter_map(|row| row.source.as_deref()).collect();
    assert_eq!(sources, [Path::new("/p/sub/CLAUDE.md"), Path::new("/p/a.rs")]);
}

#[test]
fn memory_files_of_the_first_message_are_rows_with_their_paths() {
    let file =
        |path: &str, kind, text: &str| MemoryFile::default().path(path).kind(kind).text(text).hash(path);
    let files = [
        file("/home/ann/.claude/CLAUDE.md", MemoryKind::User, "short"),
        file("/p/CLAUDE.md", MemoryKind::Project, "a longer text"),
        file("/p/old.md", MemoryKind::Project, "not shown"),
    ];
    let shown = |path: &str| ShownMemory::default().path(path).hash(path);
    let record = ContextRecord::default()
        .user(vec![
            ContextPiece::default().key("claudeMd").text("Intro\nshort\n--\na longer text"),
            ContextPiece::default().key("currentDate").text("2026-04-25"),
            ContextPiece::default().key("own").text("value"),
        ])
        .memory(vec![shown("/home/ann/.claude/CLAUDE.md"), shown("/p/CLAUDE.md")]);
    let history = vec![entry(1, EntryKind::Context(record))];
    let text = "# claudeMd\nIntro\nshort\n--\na longer text\n# currentDate\n2026-04-25\n# own\nvalue\n";
    let usage =
        ContextUsage::of(&request(vec![from_entry(1, text)]), &Provenance::of(&history, &files), &Bytes);
    assert_eq!(leaf(&usage, &["Memory", "/home/ann/.claude/CLAUDE.md (user)"]), 5);
    assert_eq!(leaf(&usage, &["Memory", "/p/CLAUDE.md (project)"]), 13);
    assert_eq!(leaf(&usage, &["Date"]), 10);
    assert_eq!(leaf(&usage, &["User context", "own"]), 5);
    assert_eq!(leaf(&usage, &["Memory", "Frame"]), text.len() as u64 - 33);
    assert_eq!(usage.total, text.len() as u64);
    let row = usage.leaves().into_iter().find(|row| row.label.starts_with("/p/")).unwrap();
    assert_eq!(row.source.as_deref(), Some(Path::new("/p/CLAUDE.md")));
}

#[test]
fn a_memory_that_nobody_gives_the_files_of_is_one_row() {
    let record = ContextRecord::default().user(vec![ContextPiece::default().key("claudeMd").text("12345")]);
    let history = vec![entry(1, EntryKind::Context(record))];
    let usage = ContextUsage::of(
        &request(vec![from_entry(1, "# claudeMd\n12345")]),
        &Provenance::of(&history, &[]),
        &Bytes,
    );
    assert_eq!(leaf(&usage, &["Memory", "claudeMd"]), 5);
}

#[test]
fn an_embedder_names_its_own_rows() {
    let mut provenance = Provenance::default();
    provenance.insert(Uuid::from_u128(1), Origin::new(&["Wiki", "Page"]).source("/w/page"));
    let usage = ContextUsage::of(&request(vec![from_entry(1, "1234")]), &provenance, &Bytes);
    assert_eq!(leaf(&usage, &["Wiki", "Page"]), 4);
    assert!(provenance.get(Uuid::from_u128(2)).is_none());
}

#[test]
fn documents_cost_by_page() {
    let pdf = |bytes: &[u8]| {
        use base64::Engine;
        let data = base64::engine::general_purpose::STANDARD.encode(bytes);
        let source = MediaSource::Base64 { media_type: "application/pdf".into(), data: data.into() };
        let message = said(Role::User, ContentBlock::Document(DocumentBlock { source, title: None }));
        ContextUsage::of(&request(vec![message]), &Provenance::default(), &EstimateCounter::default()).total
    };
    assert_eq!(pdf(b"<< /Type /Pages >> << /Type /Page >> << /Type/Page >>"), 6_000);
    assert_eq!(pdf(&[0; 120_000]), 9_000, "pages that can not be seen are counted by size");
}

#[test]
fn json_has_the_fields_of_the_command_line() {
    let usage =
        ContextUsage::of(&request(vec![from_entry(1, "1234")]), &Provenance::default(), &Bytes).window(100);
    insta::assert_snapshot!(serde_json::to_string_pretty(&usage).unwrap(), @r#"
    {
      "window": 100,
      "total": 4,
      "free": 96,
      "buffer": 0,
      "rows": [
        {
          "label": "Messages",
          "tokens": 4,
          "bytes": 4,
          "source": null,
          "children": [
            {
              "label": "User text",
              "tokens": 4,
              "bytes": 4,
              "source": null,
              "children": []
            }
          ]
        }
      ],
      "advice": [],
      "forecast": {}
    }
    "#);
}

fn any_block() -> impl Strategy<Value = ContentBlock> {
    prop_oneof![
        any::<String>().prop_map(ContentBlock::text),
        any::<String>().prop_map(|text| ContentBlock::tool_result("t", text)),
        "[a-c]".prop_map(|name| ContentBlock::tool_use("t", name, RawJson::empty_object())),
        Just(ContentBlock::image("image/png", DOT)),
        Just(ContentBlock::image("image/png", "no picture")),
    ]
}

proptest! {
    #[test]
    fn leaves_add_up_to_the_total_and_rows_to_their_children(
        blocks in prop::collection::vec((any_block(), 0u128..5), 0..20),
        system in any::<String>(),
        rows in prop::collection::vec(prop::collection::vec("[ab]", 0..3), 4),
    ) {
        let mut provenance = Provenance::default();
        for (id, path) in rows.iter().enumerate() {
            let path: Vec<_> = path.iter().map(String::as_str).collect();
            provenance.insert(Uuid::from_u128(id as u128), Origin::new(&path).part(&["a"], None, "part".into()));
        }
        let blocks = blocks.into_iter().map(|(block, id)| ModelBlock::plain(block).from_entry(Uuid::from_u128(id)));
        let mut request = request(vec![Arc::new(ModelMessage::new(Role::User, blocks.collect()))]);
        request.system = vec![SystemBlock { text: system, cache: None, parts: vec![] }];
        let usage = ContextUsage::of(&request, &provenance, &EstimateCounter::default());
        prop_assert_eq!(usage.leaves().iter().map(|row| row.tokens).sum::<u64>(), usage.total);
        fn check(row: &UsageRow) -> bool {
            row.children.is_empty()
                || (row.children.iter().map(|child| child.tokens).sum::<u64>() == row.tokens
                    && row.children.iter().map(|child| child.bytes).sum::<u64>() == row.bytes
                    && row.children.iter().all(check))
        }
        prop_assert!(usage.rows.iter().all(check));
    }
}
