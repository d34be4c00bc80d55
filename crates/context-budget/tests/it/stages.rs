//! The stages one by one.

use context_api::{
    HistoryStage, HistoryView, MarkKind, MarkTarget, StageBudget, StageOutcome, StateChange, ViewEdit,
};
use context_budget::{
    Collapse, Duplicates, EstimateCounter, Microcompact, ResultBudget, Snip, StageLimits, forgotten,
};

use crate::make::{History, names, words};

const ROOM: u64 = 180_000;

fn plan(stage: &dyn HistoryStage, history: &History) -> StageOutcome {
    plan_at(stage, &history.view(), history.entries.len() as i64)
}

fn plan_at(stage: &dyn HistoryStage, view: &HistoryView, second: i64) -> StageOutcome {
    let (counter, names) = (EstimateCounter::default(), names());
    let now = jiff::Timestamp::from_second(second).unwrap();
    let budget = StageBudget::new(ROOM, view.tokens(), now, &counter, &names);
    let path = |key: &context_api::BlobKey| Some(format!("/blobs/{}.{}", key.name, key.extension).into());
    let budget = budget.blobs(&path);
    stage.plan(view, &budget)
}

fn replaced(outcome: &StageOutcome) -> Vec<&str> {
    let ids = outcome.edits.iter().filter_map(|edit| match edit {
        ViewEdit::ReplaceResult { tool_use_id, .. } => Some(tool_use_id.as_str()),
        _ => None,
    });
    ids.collect()
}

#[test]
fn a_large_result_is_put_aside_whole_and_its_beginning_stays() {
    let mut history = History::default();
    history.user("go");
    let text = format!("BEGIN {}", "é".repeat(60_000));
    history.calls("Bash", &[&text, "small"]);
    let outcome = plan(&ResultBudget::default(), &history);
    let [ViewEdit::ReplaceResult { tool_use_id, text: shown, .. }] = outcome.edits.as_slice() else {
        panic!()
    };
    assert_eq!(tool_use_id, "call-1");
    let blob = &outcome.blobs[0];
    assert_eq!(&*blob.bytes, text.as_bytes());
    assert!(
        shown.contains(&format!("/blobs/{}.txt", blob.key.name)) && shown.contains("BEGIN é"),
        "{shown:.300}"
    );
    assert!(shown.len() < 2_500 && shown.contains(&text.len().to_string()));
    assert_eq!(outcome.decisions[0].bytes, Some(text.len() as u64));
}

#[test]
fn without_a_place_the_rest_is_said_to_be_gone() {
    let mut history = History::default();
    history.user("go");
    history.calls("Bash", &[&"x".repeat(60_000)]);
    let (counter, names) = (EstimateCounter::default(), names());
    let budget = StageBudget::new(ROOM, 0, jiff::Timestamp::UNIX_EPOCH, &counter, &names);
    let outcome = ResultBudget::default().plan(&history.view(), &budget);
    assert!(outcome.blobs.is_empty());
    assert!(
        matches!(&outcome.edits[0], ViewEdit::ReplaceResult { text, .. } if text.contains("not kept elsewhere"))
    );
}

#[test]
fn the_largest_results_of_a_message_go_until_the_rest_fits() {
    let mut history = History::default();
    history.user("go");
    let sizes = [45_000, 49_000, 48_000, 47_000, 46_000];
    let texts: Vec<String> = sizes.iter().map(|&size| "x".repeat(size)).collect();
    history.calls("Bash", &texts.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(replaced(&plan(&ResultBudget::default(), &history)), ["call-2"]);
}

#[test]
fn a_read_bounds_itself() {
    let mut history = History::default();
    history.user("go");
    history.calls("Read", &[&"x".repeat(60_000)]);
    assert_eq!(plan(&ResultBudget::default(), &history), StageOutcome::default());
}

fn with_results(count: usize, tokens: usize) -> History {
    let mut history = History::default();
    history.user("go");
    for _ in 0..count {
        history.calls("Bash", &[&words(tokens)]);
    }
    history.says("done");
    history
}

#[test]
fn old_results_are_cleared_once_they_are_many() {
    let history = with_results(9, 6_000);
    assert_eq!(replaced(&plan(&Microcompact::default(), &history)), ["call-1", "call-2", "call-3", "call-4"]);
    assert_eq!(
        plan(&Microcompact::default(), &with_results(6, 6_000)).edits,
        [],
        "35,000 tokens are not many"
    );
    assert_eq!(
        plan(&Microcompact::default(), &with_results(8, 5_500)).edits,
        [],
        "16,500 tokens are not enough"
    );
}

#[test]
fn other_tools_and_pinned_results_stay() {
    let mut history = with_results(9, 9_000);
    history.calls("Oracle", &[&words(9_000)]);
    history.says("done");
    history.mark(MarkTarget::Result("call-2".into()), MarkKind::Pinned);
    assert_eq!(replaced(&plan(&Microcompact::default(), &history)), ["call-1", "call-3", "call-4"]);
    history.mark(MarkTarget::Result("call-2".into()), MarkKind::Plain);
    assert_eq!(replaced(&plan(&Microcompact::default(), &history)).len(), 4, "the newest word holds");
}

#[test]
fn what_no_model_has_seen_stays() {
    let mut history = History::default();
    history.user("go");
    let text = words(6_000);
    history.calls("Bash", &[text.as_str(); 12]);
    assert_eq!(plan(&Microcompact::default(), &history).edits, []);
    history.says("done");
    assert_eq!(replaced(&plan(&Microcompact::default(), &history)).len(), 7);
}

#[test]
fn a_cold_cache_lets_old_results_go_earlier() {
    let history = with_results(7, 2_000);
    let view = history.view();
    assert_eq!(plan_at(&Microcompact::default(), &view, 3_000).edits, []);
    let cold = plan_at(&Microcompact::default(), &view, 4_000);
    assert_eq!(replaced(&cold), ["call-1", "call-2"]);
    assert_eq!(cold.decisions[0].reason, "old_results_cleared_cold");
}

#[test]
fn a_file_shown_again_is_a_pointer_where_it_stood_first() {
    let mut history = History::default();
    history.user("go");
    let text = words(5_000);
    let mention = history.mention("/p/a.rs", &text);
    history.says("ok");
    history.read("/p/a.rs", &text);
    history.read("/p/b.rs", &text);
    history.read("/p/a.rs", &text);
    history.read("/p/a.rs", "changed");
    let outcome = plan(&Duplicates::default(), &history);
    let [
        ViewEdit::ReplaceBlock { entry, block: 0, text: shown, .. },
        ViewEdit::ReplaceResult { tool_use_id, .. },
    ] = outcome.edits.as_slice()
    else {
        panic!("{:?}", outcome.edits)
    };
    assert_eq!((*entry, tool_use_id.as_str()), (mention, "call-1"));
    assert!(shown.contains("/p/a.rs"));
}

#[test]
fn a_few_repeated_lines_are_not_worth_the_cache() {
    let mut history = History::default();
    history.user("go");
    history.read("/p/a.rs", &words(500));
    history.read("/p/a.rs", &words(500));
    assert_eq!(plan(&Duplicates::default(), &history).edits, []);
}

#[test]
fn a_droppable_exchange_goes_as_a_whole_once_it_is_old() {
    let mut history = History::default();
    history.user("first");
    history.says("ok");
    let marked = history.user("what time is it?");
    history.calls("Bash", &["12:00"]);
    history.says("noon");
    history.mark(MarkTarget::Entry(marked), MarkKind::Droppable);
    assert_eq!(plan(&Snip, &history).edits, [], "it is the newest");
    history.user("go on");
    let outcome = plan(&Snip, &history);
    let [ViewEdit::Drop { entries, .. }] = outcome.edits.as_slice() else { panic!() };
    let expected: Vec<_> = history.entries[2..6].iter().map(|entry| entry.uuid).collect();
    assert_eq!(entries, &expected);
}

#[test]
fn runs_of_looking_fold_into_a_line_when_room_is_scarce() {
    let mut history = History::default();
    history.user("go");
    for file in ["/p/a.rs", "/p/b.rs", "/p/c.rs"] {
        history.read(file, &words(3_000));
    }
    history.calls("Grep", &["a", "b"]);
    history.says("I see.");
    for _ in 0..12 {
        history.calls("Bash", &[&words(9_000)]);
    }
    let limits = StageLimits::default();
    let outcome = plan(&Collapse::new(limits.clone()), &history);
    let [ViewEdit::Fold { entries, text }] = outcome.edits.as_slice() else { panic!("{:?}", outcome.edits) };
    assert_eq!(entries.len(), 9);
    insta::assert_snapshot!(text, @"(Earlier calls that only looked were folded: Read 3 times, Grep 2 times. Files: /p/a.rs, /p/b.rs, /p/c.rs. What they answered is no longer shown; call again where it is needed.)");
    let few = plan_at(&Collapse::new(limits), &with_results(3, 100).view(), 0);
    assert_eq!(few.edits, []);
}

#[test]
fn a_file_whose_newest_showing_goes_is_forgotten() {
    let mut history = History::default();
    history.user("go");
    let first = history.read("/p/a.rs", "one");
    history.read("/p/b.rs", "two");
    history.read("/p/b.rs", "three");
    let clear = |id: &str| ViewEdit::ReplaceResult {
        tool_use_id: id.into(),
        text: String::new(),
        reason: String::new(),
    };
    let edits = [clear(&first), clear("call-2")];
    assert_eq!(forgotten(&history.view(), &edits), [StateChange::Remove("/p/a.rs".into())]);
}
