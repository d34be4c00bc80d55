//! Giving up, and handing in too late.

use std::time::Duration;

use context_api::{Cancel, Closed, Draft, Outbox};

#[test]
fn the_word_reaches_children_made_before_and_after_it() {
    let word = Cancel::new();
    let before = word.child();
    assert!(!before.is_cancelled());
    word.cancel();
    assert!(before.is_cancelled() && word.child().is_cancelled());
    let other = Cancel::new();
    other.child().cancel();
    assert!(!other.is_cancelled(), "a child's word is its own");
}

#[test]
fn whoever_waits_for_the_word_is_woken() {
    let word = Cancel::new();
    let said = word.clone();
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(said.cancelled());
        send.send(()).unwrap();
    });
    std::thread::sleep(Duration::from_millis(20));
    word.cancel();
    receive.recv_timeout(Duration::from_secs(10)).expect("it was not woken");
}

#[test]
fn a_closed_outbox_takes_nothing_and_keeps_nothing() {
    let outbox = Outbox::new();
    let draft = || Draft::new(context_api::CustomAttachment::default());
    outbox.clone().push(draft()).unwrap();
    assert_eq!(outbox.close().drafts.len(), 1);
    assert_eq!(outbox.push(draft()), Err(Closed));
    assert_eq!(outbox.decide(context_api::Decision::left_out("a", "b", "c")), Err(Closed));
    assert_eq!(outbox.learn(context_api::StateChange::Remove("/a".into())), Err(Closed));
    assert!(outbox.close().drafts.is_empty());
}
