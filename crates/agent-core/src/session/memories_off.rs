//! Without the part that looks for memories, none are told: the same form as with it.
#![expect(
    clippy::unused_async,
    clippy::unused_self,
    clippy::needless_pass_by_value,
    reason = "the form of the part"
)]

use std::convert::Infallible;
use std::time::Duration;

use context_api::{Decision, Draft, Ledger, StatesView, TurnParts};
use jiff::Timestamp;

use super::Session;

/// What becomes of searches with a request.
#[derive(Debug, Default)]
pub(super) struct Searched {
    pub(super) drafts: Vec<Draft>,
    pub(super) decisions: Vec<Decision>,
}

/// A search that was begun for a request.
pub(super) type Begun = Option<Infallible>;

impl Session {
    pub(super) fn begin_search(&self, _: &TurnParts, _: &mut Vec<Decision>) -> Begun {
        None
    }

    pub(super) async fn searched(
        &self,
        _: Begun,
        _: Option<Duration>,
        _: (&Ledger, &StatesView, Timestamp),
    ) -> Searched {
        Searched::default()
    }

    pub(super) async fn wait_for_search(&self, _: Begun, _: Duration) {}

    pub(super) fn has_settled(&self) -> bool {
        false
    }

    pub(super) fn settled_now(&mut self) -> Option<Searched> {
        None
    }

    pub(super) fn go_on_searching(&mut self, _: Searched) {}
}
