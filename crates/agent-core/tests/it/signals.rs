//! What the host is handed.

use std::sync::{Arc, Mutex};

use agent_core::context_api::{
    HandIn, Handled, HookBlockingError, HostEvent, HostHandler, HostSignal, HostSnapshot, MaxTurnsReached,
    QueuedInput, Source, ToolSpec,
};
use agent_core::{SessionOptions, Turn};
use context_testkit::Place;

use crate::support::*;

#[derive(Default, Clone)]
struct Keeps(Arc<Mutex<Vec<HostSignal>>>);

impl HostHandler for Keeps {
    fn handle(&self, signal: &HostSignal) -> Handled {
        self.0.lock().unwrap().push(signal.clone());
        if matches!(signal, HostSignal::ReplayUser { .. }) { Handled::No } else { Handled::Yes }
    }
}

#[test]
fn signals_reach_the_handler_once_and_what_it_does_not_take_is_a_decision() {
    let place = Place::new();
    let keeps = Keeps::default();
    let engine = builder(&place).handler(keeps.clone()).build().unwrap();
    let mut session = engine.session(SessionOptions::default());
    session.queue(QueuedInput::default().id("q").mode("prompt").text("more"));
    session.handle().hand_in(MaxTurnsReached::default().max_turns(3u64).turns(3u64));
    let prepared = prompt(&mut session, "hi");
    let handled = keeps.0.lock().unwrap().clone();
    assert_eq!(handled.len(), 2);
    assert!(matches!(&handled[0], HostSignal::EndRun { reason } if reason == "error_max_turns"));
    assert!(matches!(&handled[1], HostSignal::ReplayUser { text, .. } if text == "more"));
    assert!(
        prepared.decisions.iter().any(|one| one.subject == "replay_user" && one.reason == "signal_unhandled")
    );
    let delivered = prepared.signals.iter().find_map(|signal| match signal {
        HostSignal::Delivered { ids } => Some(ids.clone()),
        _ => None,
    });
    assert_eq!(delivered.unwrap().len(), 2);
    assert!(prompt(&mut session, "again").signals.is_empty(), "each once");
}

#[test]
fn a_blocked_prompt_is_not_sent_now_or_later() {
    let place = Place::new();
    let mut session = session(&place);
    let error = HookBlockingError::default().event("UserPromptSubmit").reason("no secrets");
    session.handle().event(HostEvent::HandIn(HandIn::default().id("h").attachment(error)));
    let blocked = prompt(&mut session, "MARK_SECRET");
    assert!(blocked.request.is_none());
    assert_eq!(blocked.blocked.as_deref(), Some("no secrets"));
    assert!(blocked.encode(&agent_core::dialects::Anthropic::default()).is_err());
    let next = prompt(&mut session, "hello");
    assert!(!texts(&next.request.unwrap()).contains("MARK_SECRET"));
}

#[test]
fn a_tool_list_that_changes_is_a_named_reason_and_one_that_is_unavailable_retracts_nothing() {
    let place = Place::new();
    let mut session = session(&place);
    let host = |tools| {
        let mut host = HostSnapshot::default();
        host.catalog.tools = tools;
        host
    };
    let read = ToolSpec::default().name("Read").description("reads");
    let shell = ToolSpec::default().name("Bash").description("runs");
    let mut turn = |tools| wait(session.prepare(Turn::prompt("hi").host(host(tools)))).unwrap();
    let named =
        |turn: &agent_core::PreparedTurn| turn.entries.iter().any(|entry| entry.kind.tag() == "invalidate");
    let first = turn(Source::ready([shell.clone(), read.clone()]));
    assert_eq!(first.request.as_ref().unwrap().tools.len(), 2);
    assert!(!named(&first));
    let reordered = turn(Source::ready([read.clone(), shell.clone()]));
    assert!(!named(&reordered), "the order of the list is not the order of the request");
    assert!(broken_prefix(first.request.as_ref().unwrap(), reordered.request.as_ref().unwrap()).is_none());
    let gone = turn(Source::Unavailable("server down".into()));
    assert_eq!(gone.request.as_ref().unwrap().tools.len(), 2);
    assert!(!named(&gone));
    let fewer = turn(Source::ready([read]));
    assert_eq!(fewer.request.as_ref().unwrap().tools.len(), 1);
    assert!(named(&fewer));
}

#[test]
fn a_warm_engine_still_shows_the_repository_as_it_is_at_the_first_prompt() {
    let place = Place::new();
    place.write("f", "1\n");
    place.run("git", &["init", "-q", "-b", "main"]);
    let engine = builder(&place).build().unwrap();
    engine.warm_up();
    let mut session = engine.session(SessionOptions::default());
    place.run("git", &["commit", "-q", "--allow-empty", "-m", "MARK_TWO"]);
    place.write("CLAUDE.md", "MARK_NEW\n");
    let text = texts(&prompt(&mut session, "hi").request.unwrap());
    assert!(text.contains("MARK_TWO") && text.contains("MARK_NEW"));
}
