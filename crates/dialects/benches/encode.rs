//! A request to bytes, against plain `serde_json` of the same strings.

use std::hint::black_box;
use std::sync::Arc;

use context_api::{ContentBlock, Dialect, ModelBlock, ModelMessage, ModelRequest, RawJson, Role};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dialects::Anthropic;

/// Bytes of the history's texts.
const HISTORY: usize = 4 << 20;
/// Bytes of one tool result.
const RESULT: usize = 8 << 10;

/// Code as tools return it: lines with numbers, quotes and tabs.
fn result_text() -> String {
    let line = "  412\tlet name = \"ann\"; // é and what follows\n";
    line.repeat(RESULT / line.len())
}

fn history() -> ModelRequest {
    let mut request = ModelRequest::default();
    request.model = "some-model".to_owned();
    request.max_tokens = 4096;
    let text: Arc<str> = result_text().into();
    let mut messages = vec![message(Role::User, ContentBlock::text("Fix it"))];
    for turn in 0..HISTORY / text.len() {
        let id = format!("call_{turn}");
        let input = RawJson::empty_object();
        messages.push(message(Role::Assistant, ContentBlock::tool_use(id.as_str(), "Read", input)));
        messages.push(message(Role::User, ContentBlock::tool_result(id, Arc::clone(&text))));
    }
    request.messages = messages;
    request
}

fn message(role: Role, content: ContentBlock) -> Arc<ModelMessage> {
    Arc::new(ModelMessage::new(role, vec![ModelBlock::plain(content)]))
}

fn strings(request: &ModelRequest) -> Vec<String> {
    let blocks = request.messages.iter().flat_map(|message| &message.blocks);
    let results = blocks.filter_map(|block| match &block.content {
        ContentBlock::ToolResult(result) => result.content[0].as_text().map(str::to_owned),
        _ => None,
    });
    results.collect()
}

fn encode(c: &mut Criterion) {
    let request = history();
    let strings = strings(&request);
    let mut group = c.benchmark_group("encode 4 MB");
    group.throughput(Throughput::Bytes(HISTORY as u64));
    group.bench_function("serde_json of the same strings", |b| {
        b.iter(|| serde_json::to_vec(black_box(&strings)));
    });
    group.bench_function("anthropic, nothing kept", |b| {
        b.iter(|| Anthropic::default().encode(black_box(&request)));
    });
    let dialect = Anthropic::default();
    let mut turn = 0;
    group.bench_function("anthropic, one turn added", |b| {
        b.iter(|| {
            turn += 1;
            let mut next = request.clone();
            next.messages.push(message(Role::Assistant, ContentBlock::text(format!("answer {turn}"))));
            next.messages.push(message(Role::User, ContentBlock::text("and now?")));
            dialect.encode(black_box(&next))
        });
    });
    group.bench_function("anthropic, faults only", |b| {
        b.iter(|| dialect.faults(black_box(&request)));
    });
    group.finish();
}

criterion_group!(benches, encode);
criterion_main!(benches);
