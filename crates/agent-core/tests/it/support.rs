//! What the tests share.

use std::sync::Arc;
use std::time::Duration;

use agent_core::context_api::{ContentBlock, Entry, ModelMessage, ModelRequest};
use agent_core::{Engine, EngineBuilder, PreparedTurn, Session, SessionOptions, Turn};
use context_testkit::{CountingIds, FixedClock, Place};

/// A runtime without timers and input: the engine needs neither.
pub(crate) fn wait<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// An engine of a place, with time and identities that are the same in every run.
pub(crate) fn builder(place: &Place) -> EngineBuilder {
    Engine::builder(place.proj())
        .home(place.home())
        .managed_dir(place.managed())
        .clock(FixedClock::default())
        .ids(CountingIds::default())
        .bus_limits(|limits| limits.deadline = Duration::from_secs(15))
}

pub(crate) fn session(place: &Place) -> Session {
    builder(place).build().unwrap().session(SessionOptions::default().id("s"))
}

pub(crate) fn prompt(session: &mut Session, text: &str) -> PreparedTurn {
    wait(session.prepare(Turn::prompt(text))).unwrap()
}

/// All texts of a request, in order.
pub(crate) fn texts(request: &ModelRequest) -> String {
    let blocks = request.messages.iter().flat_map(|message| &message.blocks);
    let mut out: String = request.system.iter().map(|block| format!("{}\n", block.text)).collect();
    blocks.for_each(|block| collect(&block.content, &mut out));
    out
}

fn collect(block: &ContentBlock, out: &mut String) {
    match block {
        ContentBlock::Text(text) => {
            out.push_str(&text.text);
            out.push('\n');
        }
        ContentBlock::ToolResult(result) => result.content.iter().for_each(|block| collect(block, out)),
        _ => {}
    }
}

/// What is wrong with `next` as a continuation of `previous`.
pub(crate) fn broken_prefix(previous: &ModelRequest, next: &ModelRequest) -> Option<String> {
    let system =
        |request: &ModelRequest| request.system.iter().map(|block| block.text.clone()).collect::<Vec<_>>();
    if system(previous) != system(next) {
        return Some("the system prompt differs".into());
    }
    if previous.tools != next.tools {
        return Some("the tools differ".into());
    }
    let (before, after) = (blocks(&previous.messages), blocks(&next.messages));
    let at = before.iter().enumerate().position(|(at, block)| after.get(at) != Some(block))?;
    Some(format!("block {at}: {:?} became {:?}", before[at], after.get(at)))
}

fn blocks(messages: &[Arc<ModelMessage>]) -> Vec<(bool, ContentBlock)> {
    let of = |message: &Arc<ModelMessage>| {
        let assistant = message.role == agent_core::context_api::Role::Assistant;
        message.blocks.iter().map(move |block| (assistant, block.content.clone())).collect::<Vec<_>>()
    };
    messages.iter().flat_map(of).collect()
}

/// The history as it would be written, one line an entry.
pub(crate) fn lines(history: &[Arc<Entry>]) -> Vec<String> {
    history.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect()
}

/// Fails the test, rather than hanging it, when `act` does not return within seconds.
pub(crate) fn within_seconds<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(act()));
    receive.recv_timeout(Duration::from_secs(30)).expect("it did not return")
}
