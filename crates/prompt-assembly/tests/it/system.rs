//! Blocks of the system prompt and the order of tools.

use context_api::{CacheMark, ContextPiece, Section, SectionScope, SystemPrompt};
use prompt_assembly::{RequestParts, SectionRegistry, assemble};

use crate::support::{facts, mcp_tool, tool};

fn section(key: &str, scope: SectionScope, text: &str) -> Section {
    Section::default().key(key).label(key).scope(scope).text(text)
}

fn piece(key: &str, text: &str) -> ContextPiece {
    ContextPiece::default().key(key).text(text)
}

#[test]
fn blocks_stand_in_order_with_their_scopes() {
    let parts = RequestParts::default()
        .header("HEADER".to_owned())
        .sections(vec![
            section("v", SectionScope::Volatile, "V"),
            section("s", SectionScope::Session, "S"),
            section("g", SectionScope::Global, "G"),
            section("g2", SectionScope::Global, "G2"),
        ])
        .system_context(vec![piece("gitStatus", "clean"), piece("empty", " "), piece("own", "value")]);
    let (request, decisions) = assemble(parts);
    let blocks: Vec<_> = request.system.iter().map(|block| (block.text.as_str(), block.cache)).collect();
    assert_eq!(
        blocks,
        [
            ("HEADER", None),
            ("G\n\nG2", Some(CacheMark::Global)),
            ("S\n\ngitStatus: clean\nown: value", Some(CacheMark::Session)),
            ("V", None),
        ]
    );
    let reasons: Vec<_> = decisions.iter().map(|d| (d.subject.as_str(), d.reason.as_str())).collect();
    assert_eq!(reasons, [("section v", "volatile_section")]);
}

#[test]
fn parts_cover_each_block_without_gaps() {
    let parts = RequestParts::default()
        .sections(SectionRegistry::standard().sections(&facts()))
        .system_context(vec![piece("gitStatus", "On branch main")]);
    let (request, _) = assemble(parts);
    let mut keys = Vec::new();
    for block in &request.system {
        let mut end = 0;
        for part in &block.parts {
            assert_eq!(part.range.start, end);
            end = part.range.end;
            keys.push(part.key.as_str());
        }
        assert_eq!(end, block.text.len());
    }
    assert_eq!(keys.len(), 15);
    assert_eq!(keys[13], "context.gitStatus");
}

#[test]
fn empty_sections_and_contexts_make_no_block() {
    let parts = RequestParts::default()
        .header(String::new())
        .sections(vec![section("s", SectionScope::Session, " \n "), section("g", SectionScope::Global, "")])
        .system_context(vec![piece("gitStatus", "")]);
    assert_eq!(assemble(parts).0.system, []);
}

#[test]
fn tools_are_sorted_in_their_groups_and_deferred_ones_stay_out() {
    let parts = RequestParts::default().tools(vec![
        mcp_tool("b", "x"),
        tool("Write"),
        mcp_tool("a", "z"),
        tool("Read"),
        mcp_tool("a", "later").deferred(true),
        tool("Read").description("another"),
    ]);
    let (request, decisions) = assemble(parts);
    let names: Vec<_> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["Read", "Write", "mcp__a__z", "mcp__b__x"]);
    assert_eq!(request.tools[0].description, "Does it.", "the first of two stays");
    let reasons: Vec<_> = decisions.iter().map(|d| d.reason.as_str()).collect();
    assert_eq!(reasons, ["deferred_tool", "duplicate_tool_name"]);
}

#[test]
fn a_tool_that_arrives_late_moves_no_other_of_its_group() {
    let names = |tools| {
        let (request, _) = assemble(RequestParts::default().tools(tools));
        request.tools.into_iter().map(|tool| tool.name).collect::<Vec<_>>()
    };
    let before = names(vec![tool("Read"), mcp_tool("a", "x")]);
    let after = names(vec![mcp_tool("b", "a"), tool("Read"), mcp_tool("a", "x")]);
    assert_eq!(after[..2], before);
}

#[test]
fn tools_of_a_session_take_the_global_scope_from_what_stands_behind_them() {
    let parts = |tool| {
        RequestParts::default().sections(vec![section("g", SectionScope::Global, "G")]).tools(vec![tool])
    };
    let (request, decisions) = assemble(parts(mcp_tool("a", "x")));
    assert_eq!(request.system[0].cache, Some(CacheMark::Session));
    assert_eq!(decisions[0].reason, "global_cache_scope_lost");
    let (request, decisions) = assemble(parts(mcp_tool("a", "x").deferred(true)));
    assert_eq!(request.system[0].cache, Some(CacheMark::Global), "a deferred tool stands nowhere");
    assert_eq!(decisions.len(), 1);
    assert_eq!(assemble(parts(tool("Read"))).0.system[0].cache, Some(CacheMark::Global));
}
