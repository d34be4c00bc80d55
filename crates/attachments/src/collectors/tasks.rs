//! Tasks in the background.

use std::collections::BTreeMap;

use async_trait::async_trait;
use context_api::{
    BackgroundTask, CollectError, Collector, DeliveryKey, Draft, HostEvent, Outbox, Stage, TaskStatus,
    TurnView, Work,
};
use context_text::content_hash;

/// Kind of the ledger's keys for what was told of a task, by its id.
const KIND: &str = "task_status";
/// The state in which there is nothing to tell but new output.
const RUNNING: &str = "running";

/// Tells that a background task finished or changed, once a change: changes that the host reports one by one, and what
/// differs in its list from what was told last.
#[derive(Debug, Clone, Copy, Default)]
pub struct TaskStatusCollector;

#[async_trait]
impl Collector for TaskStatusCollector {
    fn label(&self) -> &str {
        KIND
    }

    fn stage(&self) -> Stage {
        Stage::MainThread
    }

    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let mut told: BTreeMap<String, String> =
            turn.ledger.of_kind(KIND).map(|(id, told)| (id.to_owned(), told.hash.clone())).collect();
        for event in turn.events.iter().filter(|event| !turn.ledger.acknowledged(event.id())) {
            let HostEvent::Task(change) = event else { continue };
            match news(&mut told, &change.task) {
                Some(draft) => out.push(draft.delivers(&change.id))?,
                None => out.settle(event.clone())?,
            }
        }
        for task in turn.host.work.background.items() {
            if is_late(&told, task) {
                continue;
            }
            if let Some(draft) = news(&mut told, task) {
                out.push(draft)?;
            }
        }
        Ok(())
    }
}

/// Whether the host's list lags behind what was told: a task that only runs there was told to have gone on already.
fn is_late(told: &BTreeMap<String, String>, task: &BackgroundTask) -> bool {
    let before = told.get(&task.id).and_then(|told| told.split_once(' ')).map(|(status, _)| status);
    task.status == RUNNING && before.is_some_and(|status| status != RUNNING)
}

/// What there is to tell of a task, where that differs from what was told of it last.
fn news(told: &mut BTreeMap<String, String>, task: &BackgroundTask) -> Option<Draft> {
    let hash = digest(task);
    let before = told.insert(task.id.clone(), hash.clone());
    let is_news = match &before {
        Some(before) => *before != hash,
        // One that only runs was started by the model itself.
        None => task.status != RUNNING || !task.summary.trim().is_empty(),
    };
    if !is_news {
        restore(told, &task.id, before);
        return None;
    }
    let payload = TaskStatus::default()
        .task_id(task.id.clone())
        .description(task.description.clone())
        .status(task.status.clone())
        .summary(task.summary.clone())
        .output_file(task.output_file.clone());
    Some(Draft::new(payload).key(DeliveryKey::new(KIND, &task.id, hash)))
}

fn restore(told: &mut BTreeMap<String, String>, id: &str, before: Option<String>) {
    match before {
        Some(hash) => told.insert(id.to_owned(), hash),
        None => told.remove(id),
    };
}

fn digest(task: &BackgroundTask) -> String {
    // The status in front, so that one can tell which it was.
    format!("{} {}", task.status, content_hash(format!("{}\0{}", task.status, task.summary).as_bytes()))
}
