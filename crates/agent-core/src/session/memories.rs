//! Memories that match what the user asks: looked for while a request is made, told once they are found.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use attachments::{Delivery, FoundMemories, Known, MemorySearch};
use context_api::{Decision, Draft, Ledger, StatesView, TurnParts, Verdict};
use jiff::Timestamp;

use super::Session;

/// What decisions about a search are about.
const SUBJECT: &str = "relevant_memories";

/// What becomes of searches with a request.
#[derive(Debug, Default)]
pub(super) struct Searched {
    pub(super) drafts: Vec<Draft>,
    pub(super) decisions: Vec<Decision>,
    /// The search that goes on behind the request; nothing where the earlier one does.
    next: Option<Option<MemorySearch>>,
}

/// A search that was begun for a request; dropped with it.
pub(super) type Begun = Option<MemorySearch>;

impl Session {
    /// Begins to look for memories that match what the turn asks. One whose disk hangs is not started again.
    pub(super) fn begin_search(&self, view: &TurnParts, decisions: &mut Vec<Decision>) -> Begun {
        let finder = self.parts.finder.as_ref()?;
        let ask = finder.ask(view).map_err(|why| decisions.push(why)).ok()??;
        if self.is_stuck() {
            decisions.push(still_running());
            return None;
        }
        Some(finder.start(ask, &self.cancel))
    }

    /// Whether the search stands at the disk: another would only hang too.
    fn is_stuck(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.found().is_none() && search.is_at_work())
    }

    /// Begins to look for memories about a text, in the place of what is looked for now: for a host that knows better what
    /// matters than the user's words say. What is found comes with a later request, or with [`Session::poll_late`]; why
    /// something does not, with the next request.
    pub fn look_for_memories(&mut self, text: impl Into<Arc<str>>) {
        let Some(finder) = self.parts.finder.clone() else { return };
        let view = self.view(None, self.thread.clone(), &self.host, &self.handle.snapshot());
        match finder.ask_about(&view, text) {
            Err(why) => self.found.push(why),
            Ok(_) if self.is_stuck() => self.found.push(still_running()),
            Ok(ask) => {
                let search = finder.start(ask, &self.cancel);
                let before = self.search.replace(search);
                self.found.extend(before.iter().flat_map(replaced));
            }
        }
    }

    /// What the searches found by now, or within `wait`, as part of the request. Changes nothing.
    pub(super) async fn searched(
        &self,
        begun: Begun,
        wait: Option<Duration>,
        (ledger, files, now): (&Ledger, &StatesView, Timestamp),
    ) -> Searched {
        let wait = wait.unwrap_or(self.parts.options.limits.memories_wait);
        self.wait_for_search(begun.as_ref(), wait).await;
        let mut searched = Searched::default();
        let earlier = self.search.as_ref().map(MemorySearch::found);
        let newest = begun.as_ref().map(MemorySearch::found);
        if matches!((&earlier, &newest), (Some(None), Some(_))) {
            searched.decisions.push(superseded());
        }
        if matches!((&earlier, &newest), (Some(None), None) | (_, Some(None))) {
            searched.decisions.push(deferred());
        }
        let found =
            earlier.iter().chain(&newest).flatten().fold(FoundMemories::default(), |all, one| all.and(one));
        let delivery = self.delivered_of(&found, &Known { ledger, files, now });
        searched.drafts.extend(delivery.draft);
        searched.decisions.extend(delivery.decisions);
        let earlier_ended = matches!(earlier, Some(Some(_)));
        searched.next = match (begun, newest) {
            (Some(search), Some(None)) => Some(Some(search)),
            (Some(_), _) => Some(None),
            (None, _) => earlier_ended.then_some(None),
        };
        searched
    }

    fn delivered_of(&self, found: &FoundMemories, known: &Known<'_>) -> Delivery {
        let finder = self.parts.finder.as_ref();
        finder.map(|finder| found.deliver(known, finder.limits())).unwrap_or_default()
    }

    /// Waits for the newest search, no longer than `most`.
    pub(super) async fn wait_for_search(&self, begun: Option<&MemorySearch>, most: Duration) {
        let Some(search) = begun.or(self.search.as_ref()).filter(|_| !most.is_zero()) else { return };
        let mut settled = pin!(search.settled());
        let mut over = pin!(self.parts.timer.until(Instant::now() + most));
        poll_fn(|cx| match settled.as_mut().poll(cx) {
            Poll::Ready(_) => Poll::Ready(()),
            Poll::Pending => over.as_mut().poll(cx),
        })
        .await;
    }

    /// Whether memories are looked for, or were found and not yet told.
    pub fn is_looking(&self) -> bool {
        self.search.is_some()
    }

    /// Whether a search has something to say.
    pub(super) fn has_settled(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.found().is_some())
    }

    /// Takes what the search found, which is told now.
    pub(super) fn settled_now(&mut self) -> Option<Searched> {
        let found: Arc<FoundMemories> = self.search.as_ref().and_then(MemorySearch::found)?;
        self.search = None;
        let (files, now) = (self.states.view(), self.parts.clock.now());
        let delivery = self.delivered_of(&found, &Known { ledger: &self.ledger, files: &files, now });
        Some(Searched {
            drafts: delivery.draft.into_iter().collect(),
            decisions: delivery.decisions,
            next: None,
        })
    }

    /// What was told with a request is not told again.
    pub(super) fn go_on_searching(&mut self, searched: Searched) {
        if let Some(next) = searched.next {
            self.search = next;
        }
    }
}

/// What was not told of a search whose place another takes.
fn replaced(search: &MemorySearch) -> Vec<Decision> {
    match search.found() {
        None => vec![superseded()],
        Some(found) => {
            let untold = found.memories.iter().map(|memory| {
                let detail = "It was found and not told before something else was looked for.";
                Decision::left_out(context_text::display_path(&memory.path), "superseded", detail)
            });
            found.decisions.iter().cloned().chain(untold).collect()
        }
    }
}

fn still_running() -> Decision {
    let detail = "The search for what was asked before has not come to an end; no other is started.";
    Decision::left_out(SUBJECT, "still_running", detail)
}

fn superseded() -> Decision {
    let detail = "What was asked before was still looked up; what is asked now counts.";
    Decision::left_out(SUBJECT, "superseded", detail)
}

fn deferred() -> Decision {
    let detail = "They are still looked for, and come with a later request.";
    Decision::new(SUBJECT, Verdict::Deferred, "not_settled", detail)
}
