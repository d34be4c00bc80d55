//! From what was found to what is told, filtered once more.

use context_api::{
    Decision, DeliveryKey, Draft, FileState, Ledger, RelevantMemories, RelevantMemory, StateChange,
    StatesView, path_key,
};
use context_text::display_path;
use jiff::Timestamp;

use super::{FoundMemories, FoundMemory, KIND, RelevantLimits, digest, shown_bytes};

/// What the model has at the moment of delivery.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// What was delivered.
    pub ledger: &'a Ledger,
    /// What it has seen of files.
    pub files: &'a StatesView,
    /// The time.
    pub now: Timestamp,
}

/// What is to be committed.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Delivery {
    /// The memories; `None` where none is left.
    pub draft: Option<Draft>,
    /// What was left out, in the search and now.
    pub decisions: Vec<Decision>,
}

impl FoundMemories {
    /// What of it is new to the model and fits what a session may be shown. Changes nothing.
    pub fn deliver(&self, known: &Known<'_>, limits: &RelevantLimits) -> Delivery {
        let mut delivery = Delivery { draft: None, decisions: self.decisions.clone() };
        let mut room = limits.session_bytes.saturating_sub(shown_bytes(known.ledger));
        let mut told: Vec<&FoundMemory> = Vec::new();
        for memory in &self.memories {
            match refused(memory, known, room) {
                Some(why) => delivery.decisions.push(why),
                None => {
                    room -= memory.bytes;
                    told.push(memory);
                }
            }
        }
        delivery.draft = (!told.is_empty()).then(|| draft(&told, known.now));
        delivery
    }
}

fn refused(memory: &FoundMemory, known: &Known<'_>, room: u64) -> Option<Decision> {
    let key = path_key(&memory.path);
    let is_shown = |kind| known.ledger.in_view(kind, &key).is_some();
    let (reason, detail) = if is_shown(KIND) || is_shown(Ledger::MEMORY) {
        ("already_shown", "It was shown while it was looked for.".to_owned())
    } else if known.files.get(&memory.path).is_some_and(|state| !state.inherited) {
        ("already_read", "It was read while it was looked for.".to_owned())
    } else if memory.bytes > room {
        ("memories_over_budget", format!("{room} bytes are left for memories in this session."))
    } else {
        return None;
    };
    Some(Decision::left_out(display_path(&memory.path), reason, detail).bytes(memory.bytes))
}

fn draft(told: &[&FoundMemory], now: Timestamp) -> Draft {
    let shown = |memory: &&FoundMemory| {
        RelevantMemory::default()
            .path(memory.path.clone())
            .header(memory.header.clone())
            .text(std::sync::Arc::clone(&memory.text))
            .bytes(memory.bytes)
    };
    let payload = RelevantMemories::default().memories(told.iter().map(shown).collect::<Vec<_>>());
    told.iter().fold(Draft::new(payload), |draft, memory| {
        let key = DeliveryKey::new(KIND, path_key(&memory.path), digest(memory));
        draft.key(key).state(StateChange::Put(state(memory, now)))
    })
}

fn state(memory: &FoundMemory, now: Timestamp) -> FileState {
    FileState::default()
        .path(memory.path.clone())
        .content(std::sync::Arc::clone(&memory.content))
        .hash(memory.hash.clone())
        .fingerprint(memory.fingerprint)
        .read_at(now)
        .is_partial_view(memory.is_cut)
}

#[cfg(test)]
mod tests {
    use context_api::{Attachment, Entry, EntryKind};
    use proptest::prelude::*;

    use super::*;

    fn memory(number: usize) -> FoundMemory {
        let text: std::sync::Arc<str> = "x".repeat(number * 3 + 1).into();
        FoundMemory {
            path: format!("/m/{number}.md").into(),
            header: String::new(),
            bytes: text.len() as u64,
            is_cut: false,
            hash: context_text::content_hash(text.as_bytes()),
            content: std::sync::Arc::clone(&text),
            text,
            fingerprint: Default::default(),
        }
    }

    fn found(numbers: &[usize]) -> FoundMemories {
        let one = |number: &usize| FoundMemories { memories: vec![memory(*number)], decisions: Vec::new() };
        numbers.iter().fold(FoundMemories::default(), |all, number| all.and(&one(number)))
    }

    #[test]
    fn what_was_read_or_shown_meanwhile_is_a_decision() {
        let (ledger, now) = (Ledger::default(), Timestamp::UNIX_EPOCH);
        let files = StatesView::new([std::sync::Arc::new(FileState::default().path("/m/1.md"))]);
        let known = Known { ledger: &ledger, files: &files, now };
        let delivery = found(&[1]).deliver(&known, &RelevantLimits::default());
        assert_eq!((delivery.draft, &*delivery.decisions[0].reason), (None, "already_read"));
    }

    proptest! {
        /// Deliveries of any searches, with boundaries in between: no memory twice in view, and never more bytes than allowed.
        #[test]
        fn what_is_delivered_is_new_and_within_the_budget(
            steps in proptest::collection::vec((proptest::collection::vec(0usize..6, 0..6), any::<bool>()), 1..12),
            session_bytes in 0u64..40,
        ) {
            let limits = RelevantLimits { session_bytes, ..RelevantLimits::default() };
            let (mut ledger, mut in_view) = (Ledger::default(), Vec::new());
            let (files, now) = (StatesView::default(), Timestamp::UNIX_EPOCH);
            for (turn, (picked, boundary)) in (1..).zip(steps) {
                let uuid = uuid::Uuid::from_u128(turn);
                if boundary {
                    in_view.clear();
                    ledger.apply(&Entry::new(uuid, now, 1, EntryKind::Boundary(Default::default())));
                }
                let found = found(&picked);
                let delivery = found.deliver(&Known { ledger: &ledger, files: &files, now }, &limits);
                let told = match delivery.draft.as_ref().map(|draft| &draft.attachment) {
                    Some(Attachment::RelevantMemories(it)) => it.memories.clone(),
                    _ => Vec::new(),
                };
                prop_assert_eq!(told.len() + delivery.decisions.len(), found.memories.len(), "each told or decided");
                for one in told {
                    prop_assert!(!in_view.iter().any(|(path, _)| *path == one.path), "{} twice", one.path.display());
                    in_view.push((one.path, one.bytes));
                }
                prop_assert!(in_view.iter().map(|(_, bytes)| bytes).sum::<u64>() <= session_bytes);
                if let Some(draft) = delivery.draft {
                    ledger.apply(&Entry::new(uuid, now, 1, EntryKind::Attachment(draft.commit(uuid, now))));
                }
            }
        }
    }
}
