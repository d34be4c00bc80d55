//! What a report blames.

use context_api::{ContextPiece, ModelRequest, Section, SectionScope, SystemPrompt};
use prompt_assembly::{Blame, CacheReport, Change, RequestParts, SectionRegistry, assemble};
use uuid::Uuid;

use crate::support::{assistant, facts, from_entry, mcp_tool, tool, user};

fn parts() -> RequestParts {
    RequestParts::default()
        .model("m")
        .sections(SectionRegistry::standard().sections(&facts().mcp(vec![])))
        .system_context(vec![ContextPiece::default().key("gitStatus").text("clean")])
        .tools(vec![tool("Read"), tool("Write")])
        .messages(vec![
            from_entry(1, user("the first")),
            from_entry(2, assistant("the second")),
            from_entry(3, user("the third")),
        ])
}

fn request(parts: RequestParts) -> ModelRequest {
    assemble(parts).0
}

fn compared(change: impl FnOnce(&mut RequestParts)) -> CacheReport {
    let mut next = parts();
    change(&mut next);
    CacheReport::compare(&request(parts()), &request(next))
}

fn blamed(report: &CacheReport) -> (Blame, Change) {
    let difference = report.difference.as_ref().expect("a difference");
    (difference.blame.clone(), difference.change)
}

#[test]
fn a_request_that_only_adds_breaks_nothing_and_all_of_the_old_one_is_reusable() {
    let report = compared(|next| next.messages.push(from_entry(4, assistant("the fourth"))));
    assert!(report.extends(), "{}", report.reason);
    assert_eq!(report.common_bytes, report.reusable_bytes);
    assert!(report.total_bytes > report.common_bytes);
    assert!(report.reusable_tokens > 1_000);
}

#[test]
fn section_is_named_with_a_little_of_its_text() {
    let report = compared(|next| {
        let environment = next.sections.iter_mut().find(|section| section.key == "environment").unwrap();
        environment.text = environment.text.replace("/home/ann/proj", "/home/ann/prod");
    });
    assert_eq!(blamed(&report), (Blame::Section { key: "environment".into() }, Change::Changed));
    let difference = report.difference.unwrap();
    assert_eq!(difference.place, "system[1]");
    assert!(difference.was.contains("proj") && difference.is.contains("prod"), "{difference:?}");
    assert!(report.reusable_bytes > 4_000, "tools and the global part are still good");
}

#[test]
fn context_tools_model_and_entries_are_named() {
    let cases: Vec<(CacheReport, Blame, Change)> = vec![
        (
            compared(|next| next.system_context[0].text = "dirty".into()),
            Blame::SystemContext { key: "gitStatus".into() },
            Change::Changed,
        ),
        (
            compared(|next| next.tools.push(mcp_tool("a", "x"))),
            Blame::Tool { name: "mcp__a__x".into() },
            Change::Added,
        ),
        (
            compared(|next| next.tools.retain(|tool| tool.name != "Read")),
            Blame::Tool { name: "Read".into() },
            Change::Removed,
        ),
        (
            compared(|next| next.tools[1].description = "Other.".into()),
            Blame::Tool { name: "Write".into() },
            Change::Changed,
        ),
        (compared(|next| next.model = "n".into()), Blame::Model, Change::Changed),
        (compared(|next| next.thinking = Some(2_000)), Blame::Thinking, Change::Changed),
        (
            compared(|next| next.messages[1] = from_entry(2, assistant("the 2nd"))),
            Blame::Message { index: 1, block: 0, source: Some(Uuid::from_u128(2)) },
            Change::Changed,
        ),
        (
            compared(|next| next.messages.truncate(2)),
            Blame::Message { index: 2, block: 0, source: Some(Uuid::from_u128(3)) },
            Change::Removed,
        ),
        (
            compared(|next| next.messages.insert(1, from_entry(9, user("between")))),
            Blame::Message { index: 1, block: 0, source: Some(Uuid::from_u128(9)) },
            Change::Added,
        ),
        (
            compared(|next| {
                next.sections.insert(0, Section::default().key("new").scope(SectionScope::Session).text("N"));
            }),
            Blame::Section { key: "new".into() },
            Change::Added,
        ),
        (
            compared(|next| next.sections.retain(|section| section.key != "language")),
            Blame::Section { key: "language".into() },
            Change::Removed,
        ),
    ];
    for (report, blame, change) in cases {
        assert_eq!(blamed(&report), (blame, change), "{report:?}");
        assert!(report.common_bytes < report.total_bytes || change == Change::Removed);
    }
}

#[test]
fn another_model_leaves_nothing_of_the_cache() {
    let report = compared(|next| next.model = "n".into());
    assert_eq!((report.common_bytes, report.reusable_bytes), (0, 0));
}

#[test]
fn tools_sent_in_another_order_are_named_as_moved() {
    let before = request(parts());
    let mut after = before.clone();
    after.tools.swap(0, 1);
    let report = CacheReport::compare(&before, &after);
    assert_eq!(blamed(&report), (Blame::Tool { name: "Write".into() }, Change::Moved));
}

#[test]
fn json_keeps_its_field_names() {
    let report = compared(|next| next.messages[2] = from_entry(3, user("the 3rd\u{7}")));
    let json = serde_json::to_value(&report).unwrap();
    let difference = &json["difference"];
    assert_eq!(difference["blame"]["kind"], "message");
    assert_eq!(difference["change"], "changed");
    assert_eq!(difference["place"], "messages[2].content[0]");
    assert!(json["reason"].as_str().unwrap().contains("entry 00000000-0000-0000-0000-000000000003"));
    for field in
        ["common_bytes", "common_tokens", "reusable_bytes", "reusable_tokens", "total_bytes", "total_tokens"]
    {
        assert!(json[field].is_u64(), "{field}");
    }
}
