//! Collectors that misbehave while they are told to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use agent_core::context_api::{CollectError, Collector, Outbox, Stage, TurnView, Work};
use async_trait::async_trait;

/// What a collector does; `After` is after its own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bad {
    Fails,
    FailsAfter,
    Panics,
    PanicsAfter,
    Hangs,
    HangsAfter,
    /// It does its work when nobody waits any more.
    TooLate,
}

impl Bad {
    pub(crate) const ALL: [Self; 7] = [
        Self::Fails,
        Self::FailsAfter,
        Self::Panics,
        Self::PanicsAfter,
        Self::Hangs,
        Self::HangsAfter,
        Self::TooLate,
    ];

    /// Whether a turn has to wait for it until its deadline.
    pub(crate) fn hangs(self) -> bool {
        matches!(self, Self::Hangs | Self::HangsAfter | Self::TooLate)
    }
}

/// Which collectors misbehave, by label.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults(Arc<Mutex<BTreeMap<String, Bad>>>);

impl Faults {
    pub(crate) fn set(&self, label: &str, bad: Bad) {
        self.0.lock().unwrap().insert(label.to_owned(), bad);
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap().clear();
    }

    pub(crate) fn hang(&self) -> bool {
        self.0.lock().unwrap().values().any(|bad| bad.hangs())
    }

    pub(crate) fn wrap(&self, inner: Arc<dyn Collector>) -> Arc<dyn Collector> {
        Arc::new(Unreliable { inner, faults: self.clone() })
    }
}

struct Unreliable {
    inner: Arc<dyn Collector>,
    faults: Faults,
}

#[async_trait]
impl Collector for Unreliable {
    fn label(&self) -> &str {
        self.inner.label()
    }

    fn stage(&self) -> Stage {
        self.inner.stage()
    }

    fn work(&self) -> Work {
        self.inner.work()
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let bad = self.faults.0.lock().unwrap().get(self.label()).copied();
        let failed = || CollectError::failed("on purpose");
        match bad {
            None => self.inner.collect(turn, out).await,
            Some(Bad::Fails) => Err(failed()),
            Some(Bad::FailsAfter) => self.inner.collect(turn, out).await.and_then(|()| Err(failed())),
            Some(Bad::Panics) => panic!("on purpose"),
            Some(Bad::PanicsAfter) => {
                self.inner.collect(turn, out).await?;
                panic!("on purpose")
            }
            Some(Bad::Hangs) => std::future::pending().await,
            Some(Bad::HangsAfter) => {
                self.inner.collect(turn, out).await?;
                std::future::pending().await
            }
            Some(Bad::TooLate) => {
                turn.cancel.cancelled().await;
                self.inner.collect(turn, out).await
            }
        }
    }
}
