//! The text functions that stand on the way of every file.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// About a megabyte of code-like lines.
fn megabyte() -> String {
    "    let answer = compute(&input, 42); // a line like many others\n".repeat(16_000)
}

fn text(c: &mut Criterion) {
    let text = megabyte();
    let mut group = c.benchmark_group("text");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("decode", |b| b.iter(|| context_text::decode(black_box(text.as_bytes()))));
    group.bench_function("numbered", |b| b.iter(|| context_text::numbered(black_box(&text), 1)));
    group.bench_function("estimate_tokens", |b| b.iter(|| context_text::estimate_tokens(black_box(&text))));
    group.bench_function("neutralise", |b| b.iter(|| context_text::neutralise(black_box(&text)).len()));
    group.bench_function("content_hash", |b| {
        b.iter(|| context_text::content_hash(black_box(text.as_bytes())))
    });
    group.bench_function("at_tokens", |b| b.iter(|| context_text::at_tokens(black_box(&text)).len()));
    group.finish();
}

criterion_group!(benches, text);
criterion_main!(benches);
