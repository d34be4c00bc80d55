//! Bytes that drafts want put aside before they count.

use std::path::PathBuf;
use std::time::Instant;

use context_api::{Aside, Cancel, Decision, Draft, PlannedBlob, SessionBlobs, StoreError};

use crate::reads::{Looked, Reads};

/// What some drafts want put aside, each by the place of its draft.
#[derive(Debug, Default)]
pub(super) struct Asides(Vec<(usize, Box<Aside>)>);

/// How one of them was put aside; an error says why it was not.
type Written = Result<(), String>;

impl Asides {
    /// Takes from drafts what they want put aside.
    pub(super) fn of(drafts: &mut [Draft]) -> Self {
        let wanted = drafts.iter_mut().enumerate();
        Self(wanted.filter_map(|(place, draft)| Some((place, draft.aside.take()?))).collect())
    }

    /// Puts them aside on a thread that may block, waited for until `latest`; the results stand in their order.
    pub(super) async fn write(
        &self,
        reads: &Reads,
        blobs: Option<SessionBlobs>,
        cancel: Cancel,
        latest: Instant,
    ) -> Vec<Written> {
        let Some(blobs) = blobs.filter(|_| !self.0.is_empty()) else {
            return self.0.iter().map(|_| Err("there is no place for it".to_owned())).collect();
        };
        // One name for all that a session puts aside: a store that hangs is not asked again until it lets go. Until then it
        // holds a thread for each of the first few, no more than the limit of looks.
        let name = PathBuf::from(blobs.session());
        let subjects = self.0.iter().map(|(_, aside)| (name.clone(), aside.blob.clone())).collect();
        let put = move |blob: &PlannedBlob| blobs.put(blob);
        reads.relay_until(cancel, Some(latest), subjects, put).await.into_iter().map(written).collect()
    }

    /// Lets the drafts say what became of it.
    pub(super) fn settle(self, written: Vec<Written>, drafts: &mut [Draft], decisions: &mut Vec<Decision>) {
        for ((place, aside), written) in self.0.into_iter().zip(written) {
            let Some(draft) = drafts.get_mut(place) else { continue };
            match written {
                Ok(()) => decisions.push(aside.written),
                Err(why) => {
                    let detail = format!("It was not put aside: {why}.");
                    let subject = aside.unwritten.subject.clone();
                    decisions.push(Decision::failed(subject, "blob_not_written", detail));
                    decisions.push(aside.unwritten);
                    draft.attachment = aside.otherwise;
                }
            }
        }
    }
}

fn written(put: Looked<Result<(), StoreError>>) -> Written {
    match put {
        Looked::Done(put) => put.map_err(|error| error.to_string()),
        Looked::TimedOut => Err("it did not come to an end in time".to_owned()),
        Looked::StillRunning => Err("an earlier one has not come to its end".to_owned()),
        Looked::Stalled => Err("all threads for input and output are stuck".to_owned()),
        Looked::Panicked(message) => Err(format!("it panicked ({message})")),
    }
}
