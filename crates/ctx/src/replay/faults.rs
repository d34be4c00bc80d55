//! Collectors that misbehave on demand.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use agent_core::context_api::{CollectError, Collector, Outbox, Stage, TurnView, Work};
use async_trait::async_trait;

/// What a collector does instead of its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misbehaviour {
    Hang,
    Panic,
    Fail,
}

/// Which collectors misbehave.
#[derive(Debug, Clone, Default)]
pub(crate) struct Misbehaving(Arc<Mutex<BTreeMap<String, Misbehaviour>>>);

impl Misbehaving {
    pub(crate) fn set(&self, label: String, what: Option<Misbehaviour>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match what {
            Some(what) => all.insert(label, what),
            None => all.remove(&label),
        };
    }

    /// Whether any does.
    pub(crate) fn is_any(&self) -> bool {
        !self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    fn of(&self, label: &str) -> Option<Misbehaviour> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(label).copied()
    }

    /// The collector, which misbehaves while it is told to.
    pub(crate) fn wrap(&self, inner: Arc<dyn Collector>) -> Arc<dyn Collector> {
        Arc::new(Wrapped { inner, misbehaving: self.clone() })
    }
}

struct Wrapped {
    inner: Arc<dyn Collector>,
    misbehaving: Misbehaving,
}

#[async_trait]
impl Collector for Wrapped {
    fn label(&self) -> &str {
        self.inner.label()
    }

    fn stage(&self) -> Stage {
        self.inner.stage()
    }

    // A hang blocks its thread, which only work of this kind may do.
    fn work(&self) -> Work {
        if self.misbehaving.of(self.label()).is_some() { Work::Io } else { self.inner.work() }
    }

    #[expect(clippy::panic, reason = "the scenario asks for it")]
    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        match self.misbehaving.of(self.label()) {
            None => self.inner.collect(turn, out).await,
            Some(Misbehaviour::Fail) => Err(CollectError::failed("on demand")),
            Some(Misbehaviour::Panic) => panic!("on demand"),
            Some(Misbehaviour::Hang) => loop {
                std::thread::park();
            },
        }
    }
}
