//! A request never exceeds the window.
#![cfg(feature = "compaction")]

use agent_core::context_api::{
    ContentBlock, EntryKind, McpResource, QueuedInput, RawJson, ToolResultBlock, TouchKind,
};
use agent_core::context_budget::{EstimateCounter, Limits, request_tokens, room};
use agent_core::{Error, SessionOptions, Turn};
use context_testkit::Place;
use proptest::prelude::*;

use crate::support::{builder, texts, wait};

fn lines(count: usize) -> String {
    "A line with some words in it.\n".repeat(count)
}

#[test]
fn listings_go_before_files_and_files_before_memory() {
    let place = Place::new();
    place.write("large.txt", lines(900));
    place.write("web/CLAUDE.md", "WEB-RULE\n");
    place.write("web/a.ts", "SMALL-TEXT\n");
    for number in 0..80 {
        place.write(&format!("many/a-file-with-a-long-name-{number:03}.txt"), "x\n");
    }
    let engine = builder(&place).options(|options| {
        options.window = 9_000;
        options.max_tokens = 1_000;
    });
    let mut session = engine.build().unwrap().session(SessionOptions::default());
    let turn = wait(session.prepare(Turn::prompt("ASKED about @large.txt @many @web/a.ts"))).unwrap();
    let shown = texts(turn.request.as_deref().unwrap());
    let reasons: Vec<_> =
        turn.decisions.iter().map(|one| (one.subject.as_str(), one.reason.as_str())).collect();
    assert!(reasons.contains(&("many", "listing_did_not_fit")), "{reasons:?}");
    assert!(reasons.contains(&("large.txt", "file_did_not_fit")));
    assert!(shown.contains("ASKED") && shown.contains("WEB-RULE") && shown.contains("SMALL-TEXT"));
    assert!(!shown.contains("long-name-001") && shown.contains("large.txt was named"));
    assert!(session.may_edit(&place.path("large.txt")).is_err(), "the model has not seen it");
}

#[test]
fn a_resource_that_does_not_fit_is_named() {
    let place = Place::new();
    let engine = builder(&place).options(|options| {
        options.window = 9_000;
        options.max_tokens = 1_000;
    });
    let mut session = engine.build().unwrap().session(SessionOptions::default());
    let resource = McpResource::default().server("notes").uri("note://large").texts([lines(1_500).into()]);
    session.handle().hand_in(resource);
    let turn = wait(session.prepare(Turn::prompt("ASKED"))).unwrap();
    let lost = turn.decisions.iter().find(|one| one.reason == "resource_did_not_fit");
    assert_eq!(lost.map(|one| one.subject.as_str()), Some("notes:note://large"));
    let shown = texts(turn.request.as_deref().unwrap());
    assert!(shown.contains("ASKED") && shown.contains("notes:note://large was named"), "{shown}");
    assert!(!shown.contains("A line with some words"));
}

#[cfg(feature = "claudemd")]
#[test]
fn memory_that_did_not_fit_comes_again_where_its_place_is_touched_again() {
    let place = Place::new();
    place.write("web/CLAUDE.md", format!("WEB-RULE\n{}", lines(1_200)));
    place.write("web/a.ts", "SMALL-TEXT\n");
    let engine = |window: u64| {
        builder(&place)
            .options(move |options| (options.window, options.max_tokens) = (window, 1_000))
            .build()
            .unwrap()
    };
    let mut session = engine(9_000).session(SessionOptions::default());
    session.touched("web/a.ts", TouchKind::Read);
    let turn = wait(session.prepare(Turn::prompt("hello"))).unwrap();
    assert!(turn.decisions.iter().any(|one| one.reason == "memory_did_not_fit"), "{:?}", turn.decisions);
    session.move_to(&engine(100_000));
    session.touched("web/a.ts", TouchKind::Read);
    let turn = wait(session.prepare(Turn::prompt("again"))).unwrap();
    let shown = texts(turn.request.as_deref().unwrap());
    assert_eq!(shown.matches("WEB-RULE").count(), 1, "{shown}");
}

#[test]
fn what_can_not_fit_is_an_error_that_says_what_is_too_large() {
    let place = Place::new();
    place.write("CLAUDE.md", lines(1_500));
    let engine = builder(&place).options(|options| options.window = 4_000);
    let mut session = engine.build().unwrap().session(SessionOptions::default());
    let id = session.queue(QueuedInput::default().mode("prompt").text("WAITING"));
    let error = wait(session.prepare(Turn::prompt("x"))).unwrap_err();
    let Error::ContextTooLarge { tokens, room, usage } = &error else { panic!("{error}") };
    assert!(tokens > room && usage.total == *tokens && error.to_string().contains("Memory"), "{error}");
    assert_eq!(session.handle().waiting()[0].id(), id, "what waits is still in hand");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_request_never_exceeds_the_window(
        window in prop_oneof![4_000u64..40_000, 40_000u64..1_000_000],
        files in prop::collection::vec(1usize..1_200, 0..3),
        results in prop::collection::vec(1usize..1_500, 0..6),
        managed in 1usize..60,
        queued in prop::collection::vec(1usize..60, 0..4),
        words in 1usize..60,
    ) {
        let place = Place::new();
        place.write("CLAUDE.md", "RULE-TEXT\n");
        place.write("web/CLAUDE.md", lines(managed * 10));
        place.write("web/a.txt", "x\n");
        place.write("{managed}/CLAUDE.md", lines(managed) + "MANAGED-END\n");
        let mentions: Vec<String> = files.iter().enumerate().map(|(at, count)| {
            place.write(&format!("f{at}.txt"), lines(*count));
            format!("@f{at}.txt")
        }).collect();
        let engine = builder(&place).options(|options| options.window = window);
        let mut session = engine.build().unwrap().session(SessionOptions::default());
        for (at, count) in results.iter().enumerate() {
            let id = format!("t{at}");
            session.record(EntryKind::user("EARLIER"));
            session.record(EntryKind::assistant(vec![ContentBlock::tool_use(id.clone(), "Bash", RawJson::empty_object())]));
            let content = vec![ContentBlock::text(lines(*count))];
            session.record(EntryKind::tool_result(ToolResultBlock { tool_use_id: id, content, is_error: false }));
        }
        let waiting: Vec<String> =
            queued.iter().enumerate().map(|(at, count)| format!("QUEUED-{at} {}QUEUED-{at}-END", lines(*count))).collect();
        for text in &waiting {
            session.queue(QueuedInput::default().mode("prompt").text(text.as_str()));
        }
        let asked = format!("USER-TEXT {}USER-END {} @web/a.txt", lines(words), mentions.join(" "));
        match wait(session.prepare(Turn::prompt(asked.clone()))) {
            Ok(turn) => {
                let request = turn.request.unwrap();
                let limits = Limits::default();
                let tokens = request_tokens(&request, &EstimateCounter::default(), &limits);
                prop_assert!(tokens <= room(window, 20_000, &limits), "{tokens} of {window}");
                let shown = texts(&request);
                prop_assert!(shown.contains(&asked) && shown.contains("RULE-TEXT"));
                prop_assert!(shown.contains(&(lines(managed) + "MANAGED-END")), "managed memory is never what is cut");
                prop_assert!(waiting.iter().all(|text| shown.contains(text.as_str())), "nor what waited");
            }
            Err(Error::ContextTooLarge { tokens, room, .. }) => {
                prop_assert!(tokens > room);
                prop_assert_eq!(session.handle().waiting().len(), waiting.len(), "what waits is still in hand");
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}
