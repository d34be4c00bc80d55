//! Bytes of messages that were encoded before.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use context_api::ModelMessage;

use crate::json::Out;

/// Bytes of messages that were encoded before, by the shared message that they are of, so that a turn costs what is new in
/// it. A message that nobody holds any more is forgotten.
#[derive(Debug, Default, Clone)]
pub(crate) struct Kept(Arc<Mutex<Messages>>);

/// What is kept makes no difference to what is written.
impl PartialEq for Kept {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Kept {}

#[derive(Debug, Default)]
struct Messages {
    by_address: HashMap<usize, Message>,
    bytes: usize,
    round: u64,
}

#[derive(Debug)]
struct Message {
    /// Holds the address, so that no other message can come to have it; not the content.
    of: Weak<ModelMessage>,
    json: Box<[u8]>,
    round: u64,
}

/// One encoding's look at what is kept; without any where another encoding is at work.
pub(crate) struct Round<'a> {
    messages: Option<MutexGuard<'a, Messages>>,
    most: usize,
}

impl Kept {
    /// Begins an encoding after which at most `most` bytes stay kept.
    pub(crate) fn round(&self, most: usize) -> Round<'_> {
        let mut messages = self.0.try_lock().ok();
        if let Some(messages) = &mut messages {
            messages.round += 1;
        }
        Round { messages, most }
    }
}

impl Round<'_> {
    /// Writes a message: as it was written before, or as `write` does, which says whether that may be kept.
    pub(crate) fn message(
        &mut self,
        out: &mut Out,
        message: &Arc<ModelMessage>,
        write: impl FnOnce(&mut Out) -> bool,
    ) {
        let Some(messages) = &mut self.messages else {
            write(out);
            return;
        };
        let address = Arc::as_ptr(message).addr();
        let round = messages.round;
        if let Some(known) = messages.by_address.get_mut(&address) {
            known.round = round;
            out.bytes(&known.json);
            return;
        }
        let start = out.len();
        if write(out) {
            let json: Box<[u8]> = out.written_since(start).into();
            messages.bytes += json.len();
            messages.by_address.insert(address, Message { of: Arc::downgrade(message), json, round });
        }
    }
}

/// The encoding is over: what nobody holds goes, then what was not used for longest.
impl Drop for Round<'_> {
    fn drop(&mut self) {
        let Some(messages) = &mut self.messages else { return };
        if messages.bytes <= self.most {
            return;
        }
        messages.retain(|message| message.of.strong_count() > 0);
        let mut rounds: Vec<_> = messages.by_address.values().map(|message| message.round).collect();
        rounds.sort_unstable();
        rounds.dedup();
        for oldest in rounds {
            if messages.bytes <= self.most {
                break;
            }
            messages.retain(|message| message.round > oldest);
        }
    }
}

impl Messages {
    fn retain(&mut self, keep: impl Fn(&Message) -> bool) {
        self.by_address.retain(|_, message| keep(message));
        self.bytes = self.by_address.values().map(|message| message.json.len()).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use context_api::{ContentBlock, ModelBlock, Role};

    fn message(text: &str) -> Arc<ModelMessage> {
        Arc::new(ModelMessage::new(Role::User, vec![ModelBlock::plain(ContentBlock::text(text))]))
    }

    /// Encodes `messages` as ten bytes each and says which were written anew.
    fn encoded(kept: &Kept, most: usize, messages: &[&Arc<ModelMessage>]) -> Vec<usize> {
        let mut anew = Vec::new();
        let mut out = Out::default();
        let mut round = kept.round(most);
        for (index, message) in messages.iter().enumerate() {
            round.message(&mut out, message, |out| {
                anew.push(index);
                out.raw("0123456789");
                true
            });
        }
        assert_eq!(out.into_bytes(), b"0123456789".repeat(messages.len()));
        anew
    }

    #[test]
    fn only_new_messages_are_written_anew() {
        let kept = Kept::default();
        let (a, b) = (message("a"), message("b"));
        assert_eq!(encoded(&kept, 100, &[&a]), [0]);
        assert_eq!(encoded(&kept, 100, &[&a, &b]), [1]);
        assert_eq!(encoded(&kept, 100, &[&b, &a]), [0; 0]);
        let equal = message("a");
        assert_eq!(encoded(&kept, 100, &[&equal]), [0], "identity counts, not content");
    }

    #[test]
    fn the_least_used_go_when_there_are_too_many_bytes_and_dropped_ones_first() {
        let kept = Kept::default();
        let (a, b, c) = (message("a"), message("b"), message("c"));
        encoded(&kept, 20, &[&a]);
        encoded(&kept, 20, &[&b]);
        encoded(&kept, 20, &[&a]);
        encoded(&kept, 20, &[&c]);
        assert_eq!(encoded(&kept, 20, &[&a, &c]), [0; 0]);
        drop(c);
        assert_eq!(encoded(&kept, 20, &[&b]), [0]);
        assert_eq!(encoded(&kept, 20, &[&a, &b]), [0; 0], "c was dropped, so a could stay");
    }

    #[test]
    fn nothing_is_kept_that_may_not_be() {
        let (kept, a) = (Kept::default(), message("a"));
        let mut out = Out::default();
        kept.round(100).message(&mut out, &a, |_| false);
        assert_eq!(encoded(&kept, 100, &[&a]), [0]);
    }

    #[test]
    fn an_encoding_beside_another_does_without() {
        let (kept, a) = (Kept::default(), message("a"));
        let _busy = kept.round(100);
        assert_eq!(encoded(&kept, 100, &[&a]), [0]);
        assert_eq!(encoded(&kept, 100, &[&a]), [0]);
    }
}
