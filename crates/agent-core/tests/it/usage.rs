//! Where the tokens of random sessions are.

use agent_core::context_api::{
    CatalogState, ContentBlock, EntryKind, HostSnapshot, QueuedInput, RawJson, Source, TodoItem,
    ToolResultBlock, ToolSpec, UserInput, WorkState,
};
use agent_core::context_budget::{EstimateCounter, Limits, UsageRow, request_tokens};
use agent_core::{Compact, SessionOptions, Turn};
use context_testkit::Place;
use proptest::prelude::*;

use crate::summarizer::Scripted;
use crate::support::{builder, wait};

fn adds_up(row: &UsageRow) -> bool {
    let children: u64 = row.children.iter().map(|child| child.tokens).sum();
    row.children.is_empty() || children == row.tokens && row.children.iter().all(adds_up)
}

/// One thing that happens.
#[derive(Debug, Clone)]
enum Step {
    Prompt(&'static str),
    Answer(String),
    Result(&'static str, String),
    Picture,
    Queue(String),
    Compact,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let prompts = vec!["Look at @src/a.rs", "and @web", "@web/app.ts @src/a.rs#L1-1", "go on", "@nope"];
    let tools = prop::sample::select(vec!["Read", "Bash", "mcp__issues__list"]);
    let step = prop_oneof![
        4 => prop::sample::select(prompts).prop_map(Step::Prompt),
        3 => any::<String>().prop_map(Step::Answer),
        3 => (tools, any::<String>()).prop_map(|(tool, text)| Step::Result(tool, text)),
        1 => Just(Step::Picture),
        1 => "[a-z ]{1,40}".prop_map(Step::Queue),
        1 => Just(Step::Compact),
    ];
    prop::collection::vec(step, 0..14)
}

fn host() -> HostSnapshot {
    let tool = |name: &str, server: Option<&str>| {
        ToolSpec::default().name(name).description("Does it.").server(server.map(str::to_owned))
    };
    let tools = vec![tool("Read", None), tool("mcp__issues__list", Some("issues"))];
    let todos = vec![TodoItem::default().content("Write it down")];
    let work = WorkState::default().todos(Source::Ready(todos.into()));
    HostSnapshot::default().catalog(CatalogState::default().tools(Source::Ready(tools.into()))).work(work)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_add_up_to_the_total_over_random_sessions(steps in steps()) {
        let place = Place::new();
        place.write("CLAUDE.md", "Use tabs. @docs/style.md\n");
        place.write("docs/style.md", "STYLE-TEXT\n");
        place.write("web/CLAUDE.md", "WEB-RULE\n");
        place.write("web/app.ts", "let a = 1;\n");
        place.write("src/a.rs", "fn a() {}\nfn b() {}\n");
        place.write(".claude/skills/dep/SKILL.md", "---\ndescription: Ships it\n---\nBODY\n");
        let summaries = Scripted::of([Ok("ONE"), Ok("TWO"), Ok("THREE")]);
        let engine = builder(&place).summarizer(summaries).build().unwrap();
        let mut session = engine.session(SessionOptions::default());
        for (at, step) in steps.into_iter().chain([Step::Prompt("end")]).enumerate() {
            match step {
                Step::Answer(text) => drop(session.record(EntryKind::assistant(vec![ContentBlock::text(text)]))),
                Step::Picture => {
                    let content = vec![ContentBlock::image("image/png", "QUJD")];
                    session.record(EntryKind::User(UserInput::default().content(content)));
                }
                Step::Queue(text) => drop(session.queue(QueuedInput::default().mode("prompt").text(text))),
                Step::Compact => drop(wait(session.compact_now(Compact::manual("")))),
                Step::Result(tool, text) => {
                    let id = format!("t{at}");
                    let call = ContentBlock::tool_use(id.clone(), tool, RawJson::empty_object());
                    session.record(EntryKind::assistant(vec![call]));
                    let content = vec![ContentBlock::text(text)];
                    session.record(EntryKind::tool_result(ToolResultBlock { tool_use_id: id, content, is_error: false }));
                }
                Step::Prompt(text) => {
                    let turn = wait(session.prepare(Turn::prompt(text).host(host()))).unwrap();
                    let usage = turn.usage();
                    prop_assert!(usage.rows.iter().all(adds_up), "{:#?}", usage.rows);
                    prop_assert_eq!(usage.rows.iter().map(|row| row.tokens).sum::<u64>(), usage.total);
                    prop_assert_eq!(usage.total + usage.free, usage.window);
                    // Parts are counted by themselves where a request is counted in blocks.
                    let request = turn.request.as_deref().unwrap();
                    let counted = request_tokens(request, &EstimateCounter::default(), &Limits::default());
                    prop_assert!(usage.total.abs_diff(counted) * 50 <= counted, "{} and {counted}", usage.total);
                }
            }
        }
    }
}
