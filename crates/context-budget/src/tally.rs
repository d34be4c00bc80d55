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
    total: u64,
    by_entry: Arc<HashMap<Uuid, u64>>,
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

    /// Counts what is new in `messages`. Returns the entries whose count may be another than before.
    pub fn update<'a>(
        &mut self,
        messages: impl IntoIterator<Item = &'a Arc<ModelMessage>>,
        counter: &dyn TokenCounter,
    ) -> Vec<Uuid> {
        let mut messages = messages.into_iter().peekable();
        let is_same = |known: &&Counted| messages.next_if(|next| Arc::ptr_eq(&known.message, next)).is_some();
        let same = self.counted.iter().take_while(is_same).count();
        // Counted before anything changes: a counter that panics leaves the tally as it was.
        let before = &self.counted[same..];
        let limits = &self.limits;
        let tokens = |content: &ContentBlock| block_tokens(content, counter, limits);
        let new: Vec<_> =
            messages.enumerate().map(|(at, message)| Counted::of(message, before.get(at), &tokens)).collect();
        let gone = self.counted.split_off(same);
        self.total -= gone.iter().map(Counted::tokens).sum::<u64>();
        self.total += new.iter().map(Counted::tokens).sum::<u64>();
        let changed = self.share_out(&gone, &new);
        self.counted.extend(new);
        changed
    }

    /// Brings the counts of entries up to date.
    fn share_out(&mut self, gone: &[Counted], new: &[Counted]) -> Vec<Uuid> {
        let mut changed = Vec::new();
        if gone.is_empty() && new.is_empty() {
            return changed;
        }
        let by_entry = Arc::make_mut(&mut self.by_entry);
        for (source, tokens) in gone.iter().flat_map(Counted::by_source) {
            if let Some(count) = by_entry.get_mut(&source) {
                *count -= tokens;
            }
            changed.push(source);
        }
        for (source, tokens) in new.iter().flat_map(Counted::by_source) {
            *by_entry.entry(source).or_default() += tokens;
            changed.push(source);
        }
        changed
    }

    /// Tokens of all messages.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Tokens by the entry that they come from; one that is gone has none.
    pub fn by_entry(&self) -> Arc<HashMap<Uuid, u64>> {
        Arc::clone(&self.by_entry)
    }
}

impl Counted {
    /// Counts a message. Of what stood in its place before, blocks that are the same are not counted again: a cache mark
    /// that moved makes another message of the same blocks.
    fn of(message: &Arc<ModelMessage>, before: Option<&Self>, tokens: &dyn Fn(&ContentBlock) -> u64) -> Self {
        let known = |at: usize, block: &ModelBlock| {
            let before = before?;
            let same = before.message.blocks.get(at).is_some_and(|known| known.content == block.content);
            same.then(|| before.blocks.get(at).map(|(_, tokens)| *tokens)).flatten()
        };
        let blocks = message.blocks.iter().enumerate();
        let blocks = blocks
            .map(|(at, block)| (block.source, known(at, block).unwrap_or_else(|| tokens(&block.content))))
            .collect();
        Self { message: Arc::clone(message), blocks }
    }

    fn tokens(&self) -> u64 {
        self.blocks.iter().map(|(_, tokens)| tokens).sum()
    }

    fn by_source(&self) -> impl Iterator<Item = (Uuid, u64)> {
        self.blocks.iter().filter_map(|(source, tokens)| Some(((*source)?, *tokens)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use context_api::Role;
    use proptest::prelude::*;

    use crate::EstimateCounter;

    fn message(number: u8) -> Arc<ModelMessage> {
        let block = |source: u8| {
            let text = "word ".repeat(usize::from(number));
            ModelBlock::plain(ContentBlock::text(text)).from_entry(Uuid::from_u128(source.into()))
        };
        Arc::new(ModelMessage::new(Role::User, vec![block(number), block(number / 2)]))
    }

    proptest! {
        #[test]
        fn a_tally_that_grows_and_shrinks_is_that_of_the_newest_messages(
            looks in prop::collection::vec((0usize..8, prop::collection::vec(0u8..20, 0..6)), 1..8),
        ) {
            let counter = EstimateCounter::default();
            let (mut tally, mut messages) = (Tally::default(), Vec::new());
            let mut before = tally.by_entry();
            for (kept, new) in looks {
                messages.truncate(kept);
                messages.extend(new.into_iter().map(message));
                let changed = tally.update(&messages, &counter);
                let mut anew = Tally::default();
                anew.update(&messages, &counter);
                prop_assert_eq!(tally.total(), anew.total());
                let (all, expected) = (tally.by_entry(), anew.by_entry());
                for source in (0..20).map(Uuid::from_u128) {
                    let of = |map: &HashMap<Uuid, u64>| map.get(&source).copied().unwrap_or_default();
                    prop_assert_eq!(of(&all), of(&expected));
                    prop_assert!(of(&all) == of(&before) || changed.contains(&source));
                }
                before = all;
            }
        }
    }
}
