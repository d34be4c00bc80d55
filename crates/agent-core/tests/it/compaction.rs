//! Summaries: by hand, by themselves, after a refusal, beside the session.
#![cfg(feature = "compaction")]

use agent_core::context_api::{ContentBlock, EntryKind, MarkTarget, SummaryError, Trigger};
use agent_core::context_budget::{Form, StandardSummaryPrompt, SummaryAsk, SummaryPrompt, WorkingSet};
use agent_core::{Compact, CompactError, Session};
use context_testkit::Place;

use crate::summarizer::{Scripted, begin, reads, says, small, talk};
use crate::support::{builder, prompt, texts, wait};

fn form(set: &WorkingSet, subject: &str) -> Option<Form> {
    set.items.iter().find(|item| item.subject.ends_with(subject)).map(|item| item.form)
}

fn boundaries(session: &Session) -> usize {
    session.history().iter().filter(|entry| matches!(entry.kind, EntryKind::Boundary(_))).count()
}

#[test]
fn by_hand_the_history_becomes_its_summary_and_memory_is_read_anew() {
    let place = Place::new();
    place.write("CLAUDE.md", "OLD-RULE\n");
    let summaries = Scripted::of([Ok("THE-SUMMARY")]);
    let mut session = begin(builder(&place), &summaries);
    let first = prompt(&mut session, "FIRST-WORDS");
    says(&mut session, "ANSWER");
    place.write("CLAUDE.md", "NEW-RULE\n");
    let done = wait(session.compact_now(Compact::manual("KEEP-THE-NAMES"))).unwrap();
    assert!(done.tokens_before > 0 && done.summary == "THE-SUMMARY");

    let asked = &summaries.asked()[0];
    assert_eq!((asked.trigger, asked.instructions.as_str()), (Trigger::Manual, "KEEP-THE-NAMES"));
    let shown = texts(&asked.request);
    assert!(shown.contains("FIRST-WORDS") && shown.contains("KEEP-THE-NAMES"));
    let request = first.request.unwrap();
    let system = |request: &agent_core::context_api::ModelRequest| {
        request.system.iter().map(|block| block.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(system(&asked.request), system(&request), "the provider's cache serves it too");

    let next = texts(prompt(&mut session, "GO-ON").request.as_deref().unwrap());
    assert!(next.contains("THE-SUMMARY") && next.contains("NEW-RULE") && next.contains("GO-ON"));
    assert!(!next.contains("FIRST-WORDS") && !next.contains("OLD-RULE"));
}

#[test]
fn at_the_threshold_it_runs_by_itself_once() {
    let place = Place::new();
    let summaries = Scripted::of([Ok("THE-SUMMARY")]);
    let mut session = begin(small(builder(&place), 20_000), &summaries);
    let mut last = String::new();
    for _ in 0..9 {
        last = talk(&mut session, 1_720);
    }
    assert_eq!((boundaries(&session), summaries.asked().len()), (1, 1));
    let boundary = session.history().iter().find_map(|entry| match &entry.kind {
        EntryKind::Boundary(boundary) => Some(boundary.clone()),
        _ => None,
    });
    let boundary = boundary.unwrap();
    assert_eq!(boundary.trigger, Trigger::Auto);
    assert!(boundary.tokens_after < boundary.tokens_before * 3 / 4, "{boundary:?}");
    assert!(last.contains("THE-SUMMARY") || last.contains("ASKED"));
    assert!(talk(&mut session, 10).contains("THE-SUMMARY"));
    assert_eq!(summaries.asked().len(), 1, "a distance lies between trigger and target");
}

#[test]
fn three_failures_stop_the_trying_and_the_session_goes_on() {
    let place = Place::new();
    let failed = || Err(SummaryError::Failed("down".into()));
    let summaries = Scripted::of([failed(), Ok("  "), failed()]);
    let mut session = begin(small(builder(&place), 20_000), &summaries);
    let mut reasons = Vec::new();
    for _ in 0..25 {
        let turn = prompt(&mut session, &"word ".repeat(690));
        assert!(turn.request.is_some());
        reasons.extend(turn.decisions.into_iter().filter(|one| one.reason == "summary_failed"));
        says(&mut session, "ANSWERED");
    }
    assert_eq!(summaries.asked().len(), 3);
    assert!(reasons.len() > 3 && boundaries(&session) == 0);
    summaries.answer_next("BY-HAND");
    wait(session.compact_now(Compact::manual(""))).unwrap();
    assert_eq!(boundaries(&session), 1, "by hand it is tried again");
}

#[test]
fn what_no_summary_can_reach_is_not_asked_for() {
    let place = Place::new();
    place.write("CLAUDE.md", "A rule of some words that holds here.\n".repeat(400));
    let summaries = Scripted::of([Ok("NEVER")]);
    let mut session = begin(small(builder(&place), 8_000), &summaries);
    talk(&mut session, 500);
    let error = wait(session.compact_now(Compact::manual(""))).unwrap_err();
    let CompactError::Impossible(why) = error else { panic!("{error:?}") };
    assert!(
        why.context > 2_000 && why.fixed > 100 && why.target < why.context + why.fixed + why.kept + 1_000,
        "{why:?}"
    );
    assert!(summaries.asked().is_empty() && boundaries(&session) == 0);
}

#[test]
fn a_history_too_long_to_summarise_is_tried_with_less() {
    let place = Place::new();
    let too_long = || Err(SummaryError::TooLong);
    let summaries = Scripted::of([too_long(), too_long(), Ok("SHORT")]);
    let mut session = begin(builder(&place), &summaries);
    for turn in 0..8 {
        prompt(&mut session, &format!("NUMBER-{turn} {}", "word ".repeat(300)));
        says(&mut session, "ANSWERED");
    }
    wait(session.compact_now(Compact::manual(""))).unwrap();
    let asked: Vec<String> = summaries.asked().iter().map(|asked| texts(&asked.request)).collect();
    assert!(asked[0].contains("NUMBER-0") && !asked[1].contains("NUMBER-0") && asked[1].contains("NUMBER-3"));
    assert!(!asked[2].contains("NUMBER-3") && asked[2].contains("NUMBER-7"));

    let never = Scripted::of([too_long(), too_long(), too_long(), too_long(), Ok("TOO-LATE")]);
    let mut session = begin(builder(&place), &never);
    talk(&mut session, 300);
    assert!(matches!(wait(session.compact_now(Compact::manual(""))), Err(CompactError::Failed(_))));
    assert_eq!(never.asked().len(), 4);
}

#[test]
fn a_summary_made_beside_the_session_keeps_what_came_since() {
    let place = Place::new();
    let summaries = Scripted::of([Ok("BESIDE"), Ok("OTHER")]);
    let mut session = begin(builder(&place), &summaries);
    talk(&mut session, 300);
    let job = session.summary_job(&Compact::manual("")).unwrap();
    prompt(&mut session, "CAME-SINCE");
    says(&mut session, "ANSWERED-SINCE");
    let summary = wait(job.run()).unwrap();
    wait(session.swap_in(summary.clone())).unwrap();
    let next = texts(prompt(&mut session, "GO-ON").request.as_deref().unwrap());
    for wanted in ["BESIDE", "CAME-SINCE", "ANSWERED-SINCE", "GO-ON"] {
        assert!(next.contains(wanted), "no {wanted}");
    }
    assert!(!next.contains("ASKED"));
    assert_eq!(wait(session.swap_in(summary)).unwrap_err(), CompactError::Stale);
    assert_eq!(boundaries(&session), 1);
}

#[test]
fn open_calls_and_the_words_they_serve_stay() {
    let place = Place::new();
    let summaries = Scripted::of([Ok("THE-SUMMARY")]);
    let mut session = begin(builder(&place), &summaries);
    talk(&mut session, 200);
    prompt(&mut session, "THE-TASK");
    for number in 0..3 {
        reads(&mut session, &format!("t{number}"), &place.path("a.txt"), &format!("RESULT-{number}"));
    }
    wait(session.compact_now(Compact::reactive(None))).unwrap();
    let turn = wait(session.prepare(agent_core::Turn::continuation())).unwrap();
    let next = texts(turn.request.as_deref().unwrap());
    assert!(next.contains("THE-SUMMARY") && next.contains("THE-TASK") && next.contains("RESULT-2"));
    assert!(!next.contains("RESULT-0") && !next.contains("ASKED"));
}

#[test]
fn a_refusals_numbers_are_believed() {
    let place = Place::new();
    let summaries = Scripted::of([Ok("A"), Ok("B")]);
    let mut session = begin(small(builder(&place), 40_000), &summaries);
    talk(&mut session, 12_000);
    wait(session.compact_now(Compact::reactive(Some(60_000)))).unwrap();
    talk(&mut session, 12_000);
    talk(&mut session, 12_000);
    assert_eq!(boundaries(&session), 2, "what was estimated at 17,000 counts twice");
}

#[test]
fn files_come_back_whole_or_by_name_and_the_rest_is_told() {
    let place = Place::new();
    for number in 0..7 {
        place.write(&format!("f{number}.txt"), format!("TEXT-{number}\n"));
    }
    place.write("large.txt", "A line of a large file with some words in it.\n".repeat(1_000));
    let summaries = Scripted::of([Ok("THE-SUMMARY")]);
    let mut session = begin(builder(&place), &summaries);
    prompt(&mut session, "Look.");
    for number in 0..7 {
        reads(&mut session, &format!("t{number}"), &place.path(&format!("f{number}.txt")), "as it was");
    }
    reads(&mut session, "t7", &place.path("large.txt"), "as it was");
    reads(&mut session, "t8", &place.path("gone.txt"), "as it was");
    says(&mut session, "ANSWERED");
    let done = wait(session.compact_now(Compact::manual(""))).unwrap();
    let set = &done.working_set;
    assert_eq!(form(set, "gone.txt"), Some(Form::LeftOut));
    assert_eq!(form(set, "large.txt"), Some(Form::Reference));
    assert_eq!([6, 5, 4].map(|at| form(set, &format!("f{at}.txt"))), [Some(Form::Whole); 3]);
    assert_eq!([3, 0].map(|at| form(set, &format!("f{at}.txt"))), [Some(Form::LeftOut); 2]);
    assert!(
        done.decisions.iter().any(|one| one.subject.ends_with("f3.txt") && one.reason == "not_among_newest")
    );
    let next = texts(prompt(&mut session, "x").request.as_deref().unwrap());
    assert!(next.contains("TEXT-6") && next.contains("large.txt") && !next.contains("TEXT-3"));
    assert!(session.may_edit(&place.path("f6.txt")).is_ok());
    assert!(session.may_edit(&place.path("f3.txt")).is_err(), "the model no longer sees it");
}

#[test]
fn what_is_pinned_stays_and_what_would_not_fit_is_refused() {
    let place = Place::new();
    let summaries = Scripted::of([Ok("THE-SUMMARY")]);
    let mut session = begin(small(builder(&place), 20_000), &summaries);
    prompt(&mut session, "x");
    reads(&mut session, "t1", &place.path("a.txt"), "PINNED-TEXT");
    reads(&mut session, "t2", &place.path("b.txt"), &"word ".repeat(8_000));
    says(&mut session, "ANSWERED");
    session.pin(MarkTarget::Result("t1".into())).unwrap();
    let refused = session.pin(MarkTarget::Result("t2".into())).unwrap_err();
    assert!(refused.tokens > 7_000 && refused.left < 4_000, "{refused:?}");
    wait(session.compact_now(Compact::manual(""))).unwrap();
    let next = texts(prompt(&mut session, "y").request.as_deref().unwrap());
    assert!(next.contains("PINNED-TEXT") && next.contains("THE-SUMMARY"));
}

#[test]
fn pictures_are_markers_for_the_summarizer() {
    let place = Place::new();
    let summaries = Scripted::of([Ok("THE-SUMMARY")]);
    let mut session = begin(builder(&place), &summaries);
    prompt(&mut session, "x");
    session.record(EntryKind::User(
        agent_core::context_api::UserInput::default().content(vec![ContentBlock::image("image/png", "QUJD")]),
    ));
    says(&mut session, "ANSWERED");
    wait(session.compact_now(Compact::manual(""))).unwrap();
    let request = &summaries.asked()[0].request;
    let images = request.messages.iter().flat_map(|message| &message.blocks);
    assert_eq!(images.filter(|block| matches!(block.content, ContentBlock::Image(_))).count(), 0);
    assert!(texts(request).contains("(A picture stood here.)"));
}

#[test]
fn without_a_summarizer_or_a_history_it_says_so() {
    let place = Place::new();
    let mut session = crate::support::session(&place);
    assert_eq!(wait(session.compact_now(Compact::manual(""))).unwrap_err(), CompactError::NoSummarizer);
    let mut session = begin(builder(&place), &Scripted::default());
    assert_eq!(wait(session.compact_now(Compact::manual(""))).unwrap_err(), CompactError::Nothing);
}

#[test]
fn a_host_may_ask_in_its_own_words() {
    let place = Place::new();
    let summaries = Scripted::of([Ok("ONE"), Ok("TWO")]);
    let own = |ask: &SummaryAsk<'_>| {
        format!(
            "{:?} within {}: {}\n{}",
            ask.trigger,
            ask.max_tokens,
            ask.instructions,
            StandardSummaryPrompt.task(ask)
        )
    };
    let mut session = begin(builder(&place).summary_prompt(own), &summaries);
    talk(&mut session, 100);
    wait(session.compact_now(Compact::manual("KEEP-NAMES"))).unwrap();
    let shown = texts(&summaries.asked()[0].request);
    assert!(
        shown.contains("Manual within 20000: KEEP-NAMES\nStop here") && shown.ends_with("KEEP-NAMES\n"),
        "{shown}"
    );

    let mut session =
        begin(builder(&place).summary_prompt(|_: &SummaryAsk<'_>| " \n".to_owned()), &summaries);
    talk(&mut session, 100);
    wait(session.compact_now(Compact::manual(""))).unwrap();
    assert!(texts(&summaries.asked()[1].request).contains("Stop here"), "a request without words is none");
}

#[test]
fn what_comes_back_is_never_more_than_what_went() {
    let place = Place::new();
    for number in 0..5 {
        place.write(&format!("f{number}.txt"), "A line that has grown since it was read.\n".repeat(80));
    }
    let summaries = Scripted::of([Ok("THE-SUMMARY")]);
    let mut session = begin(small(builder(&place), 40_000), &summaries);
    prompt(&mut session, "Look.");
    for number in 0..5 {
        reads(&mut session, &format!("t{number}"), &place.path(&format!("f{number}.txt")), "short");
    }
    for _ in 0..5 {
        session.record(EntryKind::user("word ".repeat(600)));
        says(&mut session, "ANSWERED");
    }
    let done = wait(session.compact_now(Compact::manual(""))).unwrap();
    let forms: Vec<_> =
        (0..5).rev().filter_map(|at| form(&done.working_set, &format!("f{at}.txt"))).collect();
    let expected = [Form::Whole, Form::Whole, Form::Reference, Form::Reference, Form::Reference];
    assert_eq!(forms, expected, "{:?}", done.working_set);
    assert!(done.working_set.tokens() < 2_000 + 100);
    assert!(done.decisions.iter().any(|one| one.reason == "too_large_to_come_back"));
}
