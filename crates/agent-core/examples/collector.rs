//! A collector and an attachment of one's own: the state of the build, told when it changes.
//!
//! `cargo run -p agent-core --no-default-features --example collector`

#![expect(clippy::print_stdout, reason = "a program that shows what it does")]

use agent_core::context_api::{
    CollectError, Collector, CustomAttachment, DeliveryKey, Destination, Destinations, Draft, ModelShape,
    Outbox, RawJson, Stage, Trust, TurnView, Work,
};
use agent_core::{Engine, SessionOptions, Turn};
use async_trait::async_trait;

/// Tells how the last build ended. It keeps nothing of a session: what was told before stands in the ledger.
struct BuildState {
    status: &'static str,
}

#[async_trait]
impl Collector for BuildState {
    fn label(&self) -> &str {
        "build_state"
    }

    fn stage(&self) -> Stage {
        Stage::Everywhere
    }

    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let told = turn.ledger.in_view("build", "status");
        if told.is_some_and(|told| told.hash == self.status) {
            return Ok(());
        }
        let attachment = CustomAttachment::default()
            .kind("build_state")
            .data(RawJson::of(&self.status).map_err(CollectError::failed)?)
            .text(format!("The last build ended with: {}.", self.status))
            .shape(ModelShape::Reminder)
            .destinations(Destinations::of(&[Destination::Model, Destination::Transcript]))
            .trust(Trust::Tool);
        out.push(Draft::new(attachment).key(DeliveryKey::new("build", "status", self.status)))?;
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let engine =
        Engine::builder(std::env::current_dir()?).collector(BuildState { status: "2 errors" }).build()?;
    let mut session = engine.session(SessionOptions::default());
    for prompt in ["Why is it red?", "And now?"] {
        let turn = runtime.block_on(session.prepare(Turn::prompt(prompt)))?;
        let told = turn.entries.iter().filter(|entry| entry.attachment().is_some()).count();
        println!("{prompt} {told} attachment(s)");
        assert_eq!(told, usize::from(prompt.starts_with("Why")), "it is told once");
    }
    Ok(())
}
