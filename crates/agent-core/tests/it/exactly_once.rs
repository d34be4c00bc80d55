//! Whatever collectors and hosts do: what was handed in is delivered exactly once, and nothing counts as sent that was not.

mod faults;

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use agent_core::context_api::{
    AnnouncedItem, Attachment, ContentBlock, EntryKind, Ledger, McpServer, Source,
};
use agent_core::transcript::JsonlStore;
use agent_core::{Engine, PreparedTurn, Session, SessionOptions, Turn};
use context_testkit::{Place, ThreadPerJob};
use proptest::prelude::*;

use self::faults::{Bad, Faults};
use crate::host::{Host, Kind};
use crate::support::*;

/// Collectors that fail in turns.
const LABELS: [&str; 9] = [
    "teammate_mailbox",
    "task_status",
    "async_hook_response",
    "deferred_tools_delta",
    "agent_listing_delta",
    "mcp_instructions_delta",
    "skill_listing",
    "output_style",
    "nested_memory",
];

/// One thing that happens.
#[derive(Debug, Clone)]
enum Op {
    Happens(Kind),
    Catalog(Option<u8>, &'static str),
    Prompt,
    Continue,
    /// A request that is given up after so many looks at it.
    GiveUp(u8),
    Answer,
    Fault(usize, Bad),
    NoFault,
    /// The session goes on in another process, which the host hands in again what it was not told of.
    Resume,
    /// The same, without a last word to the old one.
    Kill,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let catalogs = (prop::option::weighted(0.8, 0_u8..4), prop::sample::select(vec!["one", "two"]));
    let op = prop_oneof![
        8 => prop::sample::select(Kind::ALL.to_vec()).prop_map(Op::Happens),
        4 => catalogs.prop_map(|(size, text)| Op::Catalog(size, text)),
        4 => Just(Op::Prompt),
        3 => Just(Op::Continue),
        3 => (1_u8..12).prop_map(Op::GiveUp),
        3 => Just(Op::Answer),
        5 => (0..LABELS.len(), prop::sample::select(Bad::ALL.to_vec())).prop_map(|(at, bad)| Op::Fault(at, bad)),
        2 => Just(Op::NoFault),
        2 => Just(Op::Resume),
        2 => Just(Op::Kill),
    ];
    prop::collection::vec(op, 4..40)
}

struct World {
    _place: Place,
    engine: Engine,
    faults: Faults,
    host: Host,
    session: Session,
}

impl World {
    fn new() -> Self {
        let place = Place::new();
        place.write("CLAUDE.md", "root\n");
        let faults = Faults::default();
        let wrap = faults.clone();
        let store = JsonlStore::new(place.home().join("sessions"), Arc::new(ThreadPerJob));
        let engine = builder(&place)
            .store(store)
            .without_git()
            .wrap_collectors(move |collector| wrap.wrap(collector))
            .build()
            .unwrap();
        let session = engine.session(SessionOptions::default().id("s"));
        Self { _place: place, engine, faults, host: Host::default(), session }
    }

    fn act(&mut self, op: &Op) -> Result<(), TestCaseError> {
        match op {
            Op::Happens(kind) => self.host.hand_in(&self.session, *kind),
            Op::Catalog(size, text) => self.host.catalog(*size, text),
            Op::Prompt => drop(self.prepare(Turn::prompt("go on"))),
            Op::Continue => drop(self.prepare(Turn::continuation())),
            Op::GiveUp(looks) => self.give_up(*looks)?,
            Op::Answer => {
                self.session.record(EntryKind::assistant(vec![ContentBlock::text("fine")]));
            }
            Op::Fault(at, bad) => self.faults.set(LABELS[*at], *bad),
            Op::NoFault => self.faults.clear(),
            Op::Resume => {
                // A write that was given up a moment ago may stand in the way of the next one.
                while !wait(self.session.flush()).is_empty() {
                    std::thread::yield_now();
                }
                self.host.all_is_written();
                self.another()?;
            }
            Op::Kill => {
                self.host.loses_what_is_not_written();
                self.another()?;
            }
        }
        self.nothing_is_marked_that_was_not_sent()
    }

    fn turn(&self, turn: Turn) -> Turn {
        let turn = turn.host(self.host.snapshot.clone());
        // Without one that hangs, even a busy machine is in time; where one does, whoever else is late is told again.
        if self.faults.hang() { turn.deadline(Duration::from_millis(15)) } else { turn }
    }

    fn prepare(&mut self, turn: Turn) -> PreparedTurn {
        let turn = self.turn(turn);
        let prepared = wait(self.session.prepare(turn)).unwrap();
        self.host.hear(&prepared);
        prepared
    }

    /// Looks at a request so often, then drops it: all of it is in the history, or nothing.
    fn give_up(&mut self, looks: u8) -> Result<(), TestCaseError> {
        let (turn, before) = (self.turn(Turn::prompt("GIVEN-UP")), lines(self.session.history()));
        let waiting = self.session.handle().waiting().len();
        let ended = self.looked_at(turn, looks);
        if let Some(prepared) = ended {
            self.host.hear(&prepared);
        } else if self.session.history().len() == before.len() {
            prop_assert_eq!(self.session.handle().waiting().len(), waiting, "nothing is lost");
        } else {
            let last = &self.session.history()[before.len()..];
            let is_whole = matches!(last.last().unwrap().kind, EntryKind::User(_));
            prop_assert!(is_whole, "the commit is whole: {:?}", last.last());
        }
        prop_assert_eq!(&lines(self.session.history())[..before.len()], &before[..]);
        Ok(())
    }

    fn looked_at(&mut self, turn: Turn, looks: u8) -> Option<PreparedTurn> {
        let mut prepare = pin!(self.session.prepare(turn));
        for _ in 0..looks {
            if let Poll::Ready(ended) = prepare.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return Some(ended.unwrap());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        None
    }

    /// Goes on with what the store has. A session that never wrote anything begins anew.
    fn another(&mut self) -> Result<(), TestCaseError> {
        let anew = self.engine.session(SessionOptions::default().id("unused"));
        drop(std::mem::replace(&mut self.session, anew));
        self.session = match wait(self.engine.resume("s", SessionOptions::default())) {
            Ok(session) => session,
            Err(_) => self.engine.session(SessionOptions::default().id("s")),
        };
        self.host.hand_in_again(&self.session);
        Ok(())
    }

    fn nothing_is_marked_that_was_not_sent(&self) -> Result<(), TestCaseError> {
        let folded = Ledger::of(self.session.history().iter().map(|entry| &**entry));
        prop_assert_eq!(&folded, &**self.session.ledger(), "the ledger is what the history says");
        Ok(())
    }

    /// All is well again: whatever is left comes with the next request.
    fn end(&mut self) -> Result<(), TestCaseError> {
        self.faults.clear();
        self.host.hand_in_again(&self.session);
        let last = self.prepare(Turn::prompt("the end"));
        prop_assert!(self.host.pending.is_empty(), "not told of {:?}", self.host.pending.keys());
        prop_assert_eq!(self.session.handle().waiting(), vec![]);
        self.each_mark_once(&last)?;
        self.the_catalog_is_what_was_told()
    }

    fn attachments(&self) -> impl Iterator<Item = &Attachment> {
        self.session.history().iter().filter_map(|entry| Some(&entry.attachment()?.attachment))
    }

    fn each_mark_once(&self, last: &PreparedTurn) -> Result<(), TestCaseError> {
        let shown = texts(last.request.as_ref().unwrap());
        let written: Vec<String> =
            self.attachments().map(|one| serde_json::to_string(one).unwrap()).collect();
        for mark in &self.host.marks {
            prop_assert_eq!(shown.matches(mark.as_str()).count(), 1, "{} in the request", mark);
            let entries = written.iter().filter(|json| json.contains(mark.as_str())).count();
            prop_assert_eq!(entries, 1, "{} in the history", mark);
        }
        Ok(())
    }

    fn the_catalog_is_what_was_told(&self) -> Result<(), TestCaseError> {
        let catalog = &self.host.snapshot.catalog;
        told(self.attachments(), tools)?
            .is_of(&catalog.tools, |it| (it.name.clone(), it.description.clone()))?;
        told(self.attachments(), agents)?
            .is_of(&catalog.agents, |it| (it.name.clone(), it.description.clone()))?;
        let text = |it: &McpServer| it.instructions.clone().unwrap_or_default();
        told(self.attachments(), servers)?.is_of(&catalog.mcp, |it| (it.name.clone(), text(it)))?;
        told(self.attachments(), skills)?
            .is_of(&catalog.skills, |it| (it.name.clone(), it.description.clone()))
    }
}

/// Names and texts that the model was told, without what was taken back.
struct Told(BTreeMap<String, String>);

/// What one announcement adds and takes back.
type Announced = (Vec<(String, String)>, Vec<String>);

fn pairs(items: &[AnnouncedItem]) -> Vec<(String, String)> {
    items.iter().map(|item| (item.name.clone(), item.text.to_string())).collect()
}

fn tools(attachment: &Attachment) -> Option<Announced> {
    let Attachment::DeferredToolsDelta(it) = attachment else { return None };
    Some((pairs(&it.added), it.removed.clone()))
}

fn agents(attachment: &Attachment) -> Option<Announced> {
    let Attachment::AgentListingDelta(it) = attachment else { return None };
    Some((pairs(&it.added), it.removed.clone()))
}

fn servers(attachment: &Attachment) -> Option<Announced> {
    let Attachment::McpInstructionsDelta(it) = attachment else { return None };
    Some((pairs(&it.added), it.removed.clone()))
}

fn skills(attachment: &Attachment) -> Option<Announced> {
    let Attachment::SkillListing(it) = attachment else { return None };
    let listed = it.skills.iter().map(|skill| (skill.name.clone(), skill.description.clone()));
    Some((listed.collect(), it.removed.clone()))
}

/// Folds announcements: each says something that was not said before.
fn told<'a>(
    attachments: impl Iterator<Item = &'a Attachment>,
    of: fn(&Attachment) -> Option<Announced>,
) -> Result<Told, TestCaseError> {
    let mut told = BTreeMap::new();
    for (added, removed) in attachments.filter_map(of) {
        for (name, text) in added {
            let before = told.insert(name.clone(), text.clone());
            prop_assert_ne!(before, Some(text), "{} is announced twice", name);
        }
        for name in removed {
            prop_assert!(told.remove(&name).is_some(), "{} is taken back twice", name);
        }
    }
    Ok(Told(told))
}

impl Told {
    /// A source that can not be looked at takes nothing back, and one that is there was told in full.
    fn is_of<T>(
        &self,
        source: &Source<T>,
        item: impl Fn(&T) -> (String, String),
    ) -> Result<(), TestCaseError> {
        if let Source::Ready(items) = source {
            prop_assert_eq!(&self.0, &items.iter().map(item).collect::<BTreeMap<_, _>>());
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn everything_is_delivered_exactly_once_whatever_fails_hangs_or_is_given_up(ops in ops()) {
        let mut world = World::new();
        for op in &ops {
            world.act(op)?;
        }
        world.end()?;
    }
}
