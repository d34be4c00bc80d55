//! A host with signals: it queues input while the model works, ends the run when asked to, and shows what a person should see.
//!
//! `cargo run -p agent-core --no-default-features --example signals`

#![expect(clippy::print_stdout, reason = "a program that shows what it does")]

use agent_core::context_api::{Handled, HostHandler, HostSignal, MaxTurnsReached, QueuedInput};
use agent_core::{Engine, SessionOptions, Turn};

/// Takes what it knows; what it does not becomes a decision of the turn.
struct Terminal;

impl HostHandler for Terminal {
    fn handle(&self, signal: &HostSignal) -> Handled {
        match signal {
            HostSignal::EndRun { reason } => println!("the run is over: {reason}"),
            HostSignal::ReplayUser { text, .. } => println!("> {text}"),
            _ => return Handled::No,
        }
        Handled::Yes
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let engine = Engine::builder(std::env::current_dir()?).handler(Terminal).build()?;
    let mut session = engine.session(SessionOptions::default());

    // A handle goes wherever input comes from: another thread, a socket, the terminal.
    let handle = session.handle();
    let typed = std::thread::spawn(move || {
        handle.hand_in(MaxTurnsReached::default().max_turns(20u64).turns(20u64));
        handle.queue(QueuedInput::default().mode("prompt").text("and be quick"))
    });
    let id = typed.join().map_err(|_| "the thread panicked")?;

    let turn = runtime.block_on(session.prepare(Turn::prompt("Sort the imports")))?;
    let delivered = turn.signals.iter().any(|signal| match signal {
        HostSignal::Delivered { ids } => ids.contains(&id),
        _ => false,
    });
    assert!(delivered, "queued input is acknowledged once it is part of the history");
    assert!(turn.decisions.is_empty(), "every signal was handled: {:?}", turn.decisions);
    for event in &turn.ui {
        println!("[{}] {}", event.kind, event.title);
    }
    Ok(())
}
