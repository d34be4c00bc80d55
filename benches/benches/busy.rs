//! A busy host: hundreds of skills, tools and agents, and files that the model has read.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use agent_core::{Engine, Session, SessionOptions, Turn};
use context_api::{
    AgentSpec, CatalogState, ContentBlock, EntryKind, HostSnapshot, McpServer, ReadRequest, SkillSpec,
    Source, StateChange, ToolResult, ToolResultBlock, ToolSpec,
};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

const SKILLS: usize = 500;
const TOOLS: usize = 200;
const AGENTS: usize = 50;
const FILES: usize = 100;

fn host() -> HostSnapshot {
    let text = "Does one kind of task, says when it is of use and what it needs to know beforehand";
    let skill = |number: usize| {
        SkillSpec::default().name(format!("skill-{number:03}")).description(text).uses(number as u64 % 7)
    };
    let tool = |number: usize| {
        let server = format!("server-{}", number % 5);
        ToolSpec::default()
            .name(format!("mcp__{server}__tool-{number:03}"))
            .description(text)
            .deferred(true)
            .server(Some(server))
    };
    let agent = |number: usize| AgentSpec::default().name(format!("agent-{number:02}")).description(text);
    let server = |number: usize| {
        McpServer::default().name(format!("server-{number}")).instructions(Some(text.to_owned()))
    };
    let catalog = CatalogState::default()
        .skills(Source::ready((0..SKILLS).map(skill)))
        .tools(Source::ready((0..TOOLS).map(tool)))
        .agents(Source::ready((0..AGENTS).map(agent)))
        .mcp(Source::ready((0..5).map(server)));
    HostSnapshot::default().catalog(catalog)
}

/// Files of an hour ago: of one that was changed within the last seconds the time proves nothing, and it is read again.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a directory");
    let before = SystemTime::now() - Duration::from_secs(3_600);
    for number in 0..FILES {
        let path = place.path().join(format!("f{number}.rs"));
        std::fs::write(&path, "fn a() {}\n".repeat(50)).expect("a file");
        std::fs::File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_modified(before))
            .expect("a time");
    }
    place
}

/// A session whose model has read every file.
fn session(engine: &Engine, place: &Path) -> Session {
    let mut session = engine.session(SessionOptions::default());
    let reader = engine.reader().expect("a reader");
    for number in 0..FILES {
        let request = ReadRequest::default().path(place.join(format!("f{number}.rs")));
        let states = reader.read(&request).expect("a file").state.into_iter().map(StateChange::Put).collect();
        let id = format!("c{number}");
        session.record(EntryKind::assistant(vec![ContentBlock::tool_use(
            id.clone(),
            "Read",
            Default::default(),
        )]));
        let block =
            ToolResultBlock { tool_use_id: id, content: vec![ContentBlock::text("read")], is_error: false };
        session.record(EntryKind::ToolResult(ToolResult::new(block).states(states)));
    }
    session
}

fn turns(criterion: &mut Criterion) {
    let place = place();
    let root = place.path().canonicalize().expect("its path");
    let engine = Engine::builder(root.clone()).build().expect("an engine");
    let runtime = Arc::new(tokio::runtime::Builder::new_current_thread().build().expect("a runtime"));
    let host = host();
    criterion.bench_function("busy/all is announced", |bench| {
        bench.iter_batched(
            || session(&engine, &root),
            |mut session| {
                runtime
                    .block_on(session.prepare(Turn::prompt("go on").host(host.clone())))
                    .expect("a request")
            },
            BatchSize::LargeInput,
        );
    });
    let mut warm = session(&engine, &root);
    runtime.block_on(warm.prepare(Turn::prompt("go on").host(host.clone()))).expect("a request");
    warm.record(EntryKind::assistant(vec![ContentBlock::text("Done.")]));
    criterion.bench_function("busy/nothing is new", |bench| {
        bench.iter(|| {
            runtime.block_on(warm.prepare(Turn::continuation().host(host.clone()))).expect("a request")
        });
    });
}

criterion_group!(benches, turns);
criterion_main!(benches);
