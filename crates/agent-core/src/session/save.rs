//! Handing entries to the store.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use context_api::{
    Batch, Decision, Entry, LineFacts, StoreError, StoreErrorKind, TranscriptStore, UiEvent, UiSeverity,
    Verdict,
};

use super::Session;

/// Entries that the store has not acknowledged, in order, each with the number of the newest request when it was made.
#[derive(Debug, Default)]
pub(super) struct Unsaved(Vec<(u64, Arc<Entry>)>);

impl Unsaved {
    pub(super) fn extend(&mut self, request: u64, entries: &[Arc<Entry>]) {
        self.0.extend(entries.iter().map(|entry| (request, Arc::clone(entry))));
    }

    /// The first entries that have the same number.
    fn first(&self) -> Option<(u64, Vec<Arc<Entry>>)> {
        let group = self.0.chunk_by(|(one, _), (next, _)| one == next).next()?;
        Some((group[0].0, group.iter().map(|(_, entry)| Arc::clone(entry)).collect()))
    }
}

/// What came of handing entries to the store.
#[derive(Debug, Default)]
pub(super) struct Saved {
    pub(super) decisions: Vec<Decision>,
    pub(super) ui: Vec<UiEvent>,
}

/// Why entries are not acknowledged.
enum Unwritten {
    TooLate,
    Refused(StoreError),
}

impl Session {
    /// Waits until everything that was recorded is in the transcript: for the end of a run, when no further request will
    /// do so. What could not be written is in the decisions, and stays in hand.
    pub async fn flush(&mut self) -> Vec<Decision> {
        self.save(false).await.decisions
    }

    /// Hands unsaved entries to the store. What it does not take is handed in again with the next request.
    pub(super) async fn save(&mut self, before_request: bool) -> Saved {
        let mut saved = Saved::default();
        let Some(store) = self.parts.store.clone() else { return saved };
        let mut written = self.append_all(&store, before_request).await;
        if let Err(Unwritten::Refused(error)) = &written
            && error.kind == StoreErrorKind::Lost
        {
            let detail = format!("{error}. Everything that the session holds was written again.");
            saved.decisions.push(Decision::new(
                "transcript",
                Verdict::Included,
                "transcript_rewritten",
                detail,
            ));
            self.unsaved = Unsaved::default();
            self.unsaved.extend(self.turn, &self.history);
            written = self.append_all(&store, before_request).await;
        }
        if let Err(why) = written {
            saved.say(&why);
        }
        saved
    }

    async fn append_all(
        &mut self,
        store: &Arc<dyn TranscriptStore>,
        before_request: bool,
    ) -> Result<(), Unwritten> {
        let deadline = Instant::now() + self.parts.options.limits.transcript_wait;
        while let Some((request, entries)) = self.unsaved.first() {
            let count = entries.len();
            let mut batch = Batch::new(self.id.clone(), self.facts(request), entries);
            batch.before_request = before_request && count == self.unsaved.0.len();
            // The entries stay here while the store works, so that a dropped future loses none of them.
            self.in_time(deadline, store.append(batch)).await?;
            self.unsaved.0.drain(..count);
        }
        Ok(())
    }

    async fn in_time(
        &self,
        deadline: Instant,
        append: impl Future<Output = Result<(), StoreError>>,
    ) -> Result<(), Unwritten> {
        let (mut append, mut over) = (pin!(append), pin!(self.parts.timer.until(deadline)));
        poll_fn(|cx| {
            if let Poll::Ready(ended) = append.as_mut().poll(cx) {
                return Poll::Ready(ended.map_err(Unwritten::Refused));
            }
            over.as_mut().poll(cx).map(|()| Err(Unwritten::TooLate))
        })
        .await
    }

    /// Lets the store write what is not acknowledged yet, without waiting. While earlier entries wait for another try,
    /// nothing may get in front of them.
    pub(super) fn offer(&self) {
        let Some(store) = &self.parts.store else { return };
        if let Some((request, entries)) =
            self.unsaved.first().filter(|(_, one)| one.len() == self.unsaved.0.len())
        {
            store.offer(Batch::new(self.id.clone(), self.facts(request), entries));
        }
    }

    /// What stands beside entries in the transcript.
    pub(super) fn facts(&self, request: u64) -> LineFacts {
        LineFacts::default()
            .cwd(self.cwd.clone())
            .git_branch(self.branch.clone())
            .version(env!("CARGO_PKG_VERSION"))
            .request(request)
    }
}

impl Saved {
    fn say(&mut self, why: &Unwritten) {
        let decision = match why {
            Unwritten::TooLate => {
                let detail =
                    "The store did not answer in time. The lines are kept and written with the next request.";
                Decision::new("transcript", Verdict::TimedOut, "transcript_late", detail)
            }
            Unwritten::Refused(error) => {
                let detail = format!("{error}. The lines are kept and written with the next request.");
                Decision::failed("transcript", "transcript_not_written", detail)
            }
        };
        let title = "The transcript could not be written";
        let event = UiEvent::default().kind("transcript").title(title).body(decision.detail.clone());
        self.ui.push(event.severity(UiSeverity::Error));
        self.decisions.push(decision);
    }
}
