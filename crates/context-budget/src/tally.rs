//! What the entries of a history cost, counted as it grows.

use std::collections::HashMap;
use std::sync::Arc;

use context_api::{ContentBlock, ModelBlock, ModelMessage, ModelRequest, TokenCounter};
use uuid::Uuid;

use crate::{Limits, cost};

/// Counts messages once: one that is the same as at the last look is not counted again.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    limits: Limits,
    counted: Vec<Counted>,
}

#[derive(Debug, Clone)]
struct Counted {
    message: Arc<ModelMessage>,
    blocks: Vec<(Option<Uuid>, u64)>,
}

impl Tally {
    /// A tally with other limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Counts what is new in `messages`.
    pub fn update(&mut self, messages: &[Arc<ModelMessage>], counter: &dyn TokenCounter) {
        let same =
            self.counted.iter().zip(messages).take_while(|(known, next)| Arc::ptr_eq(&known.message, next));
        let same = same.count();
        self.counted.truncate(same);
        let limits = &self.limits;
        self.counted.extend(messages[same..].iter().map(|message| {
            let tokens = |block: &ModelBlock| block_tokens(&block.content, counter, limits);
            let blocks = message.blocks.iter().map(|block| (block.source, tokens(block))).collect();
            Counted { message: Arc::clone(message), blocks }
        }));
    }

    /// Tokens of all messages.
    pub fn total(&self) -> u64 {
        self.counted.iter().flat_map(|counted| &counted.blocks).map(|(_, tokens)| tokens).sum()
    }

    /// Tokens by the entry that they come from.
    pub fn by_entry(&self) -> HashMap<Uuid, u64> {
        let mut tokens = HashMap::new();
        for (source, count) in self.counted.iter().flat_map(|counted| &counted.blocks) {
            if let Some(source) = source {
                *tokens.entry(*source).or_default() += count;
            }
        }
        tokens
    }
}

/// Tokens of everything in a request but its messages: system prompt and tools.
pub fn fixed_tokens(request: &ModelRequest, counter: &dyn TokenCounter) -> u64 {
    let system: u64 = request.system.iter().map(|block| counter.text(&block.text)).sum();
    let tools = request.tools.iter().map(|tool| {
        [tool.name.as_str(), &tool.description, tool.input_schema.get()]
            .map(|text| counter.text(text))
            .iter()
            .sum::<u64>()
    });
    system + tools.sum::<u64>()
}

/// Tokens of one block of a message.
pub fn block_tokens(content: &ContentBlock, counter: &dyn TokenCounter, limits: &Limits) -> u64 {
    cost::share(content, counter, limits).tokens
}

/// Tokens of a whole request.
pub fn request_tokens(request: &ModelRequest, counter: &dyn TokenCounter, limits: &Limits) -> u64 {
    let blocks = request.messages.iter().flat_map(|message| &message.blocks);
    let messages: u64 = blocks.map(|block| block_tokens(&block.content, counter, limits)).sum();
    fixed_tokens(request, counter) + messages
}
