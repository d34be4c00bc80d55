//! Each rule of normalising by an example.

use std::sync::Arc;

use context_api::{
    AgentPendingMessage, Boundary, ContentBlock, ContextPiece, ContextRecord, DateChange, EntryKind,
    ModelBlock, ModelMessage, Projection, ProjectionConfig, Projector, QueuedCommand, Role, StopReason,
    ToolShape, ViewEdit,
};
use insta::assert_snapshot;
use projector::{ProjectedHistory, StandardProjector, Wording, normalise, normalise_with};

use crate::checker::check;
use crate::make::{History, call, image, show, thinking};
use context_testkit::fixture;

fn date() -> DateChange {
    DateChange::default()
}

fn context(text: &str) -> EntryKind {
    let piece = ContextPiece::default().key("claudeMd").text(text);
    EntryKind::Context(ContextRecord::default().user(vec![piece]))
}

#[test]
fn a_group_holds_results_then_meta_then_queued_then_words() {
    let mut history = History::new();
    history.user("go").turn().calls(&["a", "b"]);
    history.user("words").attach(QueuedCommand::default().mode("prompt").text("waited")).meta("host's note");
    history.result("b", "of b").attach(date()).result("a", "of a");
    assert_snapshot!(history.shown(), @r#"
    0 user
      text "go"
    1 assistant
      call a Bash
      call b Bash
    2 user
      result a ["of a"]
      result b ["of b"]
      meta text "host's note"
      meta text "<system-reminder>\nThe date is now 0000-01-01. There is no need to speak of it.\n</system-reminder>"
      text "waited"
      text "words"
    "#);
}

#[test]
fn groups_of_different_requests_do_not_mix() {
    let mut history = History::new();
    history.user("one").meta("note one").turn().user("two").meta("note two");
    assert_snapshot!(history.shown(), @r#"
    0 user
      meta text "note one"
      text "one"
      meta text "note two"
      text "two"
    "#);
}

#[test]
fn a_missing_result_is_answered_once_and_a_late_one_is_told() {
    let mut history = History::new();
    history.user("go").turn().calls(&["a", "b"]).result("b", "of b").user("stop");
    assert_eq!(history.normalised().unanswered, ["a"]);
    history.turn().result_of("a", vec![ContentBlock::text("late"), image()]).result("a", "again");
    assert_snapshot!(history.shown(), @r#"
    0 user
      text "go"
    1 assistant
      call a Bash
      call b Bash
    2 user
      meta error result a ["This call of Bash was interrupted: there is no result, and it may have done a part of its work."]
      result b ["of b"]
      text "stop"
      meta text "<system-reminder>\nThe call a of Bash, answered above as interrupted, did end:\n```\nlate\n```\n</system-reminder>"
      meta image
    "#);
    assert_eq!(history.reasons(), ["interrupted_tool_use", "late_tool_result", "duplicate_tool_result"]);
}

#[test]
fn a_recorded_interruption_holds_against_a_result_of_the_same_request() {
    let mut history = History::new();
    history
        .user("go")
        .turn()
        .calls(&["a"])
        .edit(ViewEdit::Interrupted { tool_use_id: "a".into() })
        .result("a", "late");
    let normalised = history.normalised();
    assert_eq!(check(&normalised.messages), Ok(()));
    assert!(normalised.unanswered.is_empty());
    assert_eq!(history.reasons(), ["late_tool_result"]);
    assert!(history.shown().contains("did end"));
}

#[test]
fn a_history_that_ends_in_a_call_can_be_sent() {
    let mut history = History::new();
    history.user("go").turn().calls(&["a"]);
    assert_eq!(check(&history.normalised().messages), Ok(()));
    assert_eq!(history.normalised().unanswered, ["a"]);
    history.result("a", "real");
    assert!(history.shown().contains("result a [\"real\"]"));
    assert!(history.normalised().unanswered.is_empty());
}

#[test]
fn an_answer_of_a_later_request_does_not_join_calls_that_were_answered() {
    let mut history = History::new();
    history.user("go").turn().calls(&["a"]);
    let before = history.shown();
    history.turn().says("next");
    assert!(history.shown().starts_with(&before));
    assert_eq!(check(&history.normalised().messages), Ok(()));
}

#[test]
fn pieces_of_one_answer_are_one_message() {
    let mut history = History::new();
    history.user("go").turn().reply(vec![thinking("hm")]).reply(vec![call("a")]).reply(vec![call("b")]);
    history.result("b", "B").result("a", "A").turn().says("one").says("two");
    assert_snapshot!(history.shown(), @r#"
    0 user
      text "go"
    1 assistant
      thinking
      call a Bash
      call b Bash
    2 user
      result a ["A"]
      result b ["B"]
    3 assistant
      text "one"
      text "two"
    "#);
}

#[test]
fn an_aborted_answer_keeps_its_text_and_a_failed_one_goes() {
    let mut history = History::new();
    history
        .user("go")
        .turn()
        .stopped(vec![ContentBlock::text("half"), call("a")], StopReason::Aborted)
        .user("wait");
    history
        .turn()
        .stopped(vec![ContentBlock::text("lost"), call("b")], StopReason::Error)
        .result("b", "B")
        .user("again");
    assert_snapshot!(history.shown(), @r#"
    0 user
      text "go"
    1 assistant
      text "half"
      call a Bash
    2 user
      meta error result a ["This call of Bash was interrupted: there is no result, and it may have done a part of its work."]
      text "wait"
      text "again"
    "#);
    assert_eq!(history.reasons(), ["interrupted_tool_use", "provider_failed", "orphan_tool_result"]);
}

#[test]
fn thinking_stays_with_its_call_and_goes_at_the_end() {
    let mut history = History::new();
    history.user("go").turn().reply(vec![thinking("1"), call("a"), thinking("2")]).result("a", "A");
    history.turn().reply(vec![thinking("3")]).user("on");
    assert_snapshot!(history.shown(), @r#"
    0 user
      text "go"
    1 assistant
      thinking
      call a Bash
    2 user
      result a ["A"]
      text "on"
    "#);
    assert_eq!(history.reasons(), ["trailing_thinking", "trailing_thinking"]);
}

#[test]
fn blocks_out_of_place_go_with_a_decision() {
    let mut history = History::new();
    history.push(EntryKind::User(context_api::UserInput::default().content(vec![
        call("x"),
        thinking("t"),
        ContentBlock::text("ok"),
        image(),
    ])));
    history.turn().reply(vec![image(), ContentBlock::tool_result("x", "y"), ContentBlock::text("fine")]);
    assert_eq!(check(&history.normalised().messages), Ok(()));
    assert_eq!(history.reasons(), ["block_out_of_place"; 4]);
}

#[test]
fn results_inside_of_a_users_message_answer_too() {
    let mut history = History::new();
    history.user("go").turn().calls(&["a"]);
    let blocks = vec![ContentBlock::text("and this"), ContentBlock::tool_result("a", "A")];
    history.push(EntryKind::User(context_api::UserInput::default().content(blocks)));
    assert!(history.shown().ends_with("  result a [\"A\"]\n  text \"and this\"\n"), "{}", history.shown());
}

#[test]
fn the_newest_context_stands_first_and_an_empty_one_adds_nothing() {
    let mut history = History::new();
    history.push(context("old rules")).user("hi").turn().push(context("new rules")).user("on");
    assert_snapshot!(history.shown(), @r##"
    0 user
      meta text "<system-reminder>\nWhat was gathered before the conversation, for use where it helps:\n\n# claudeMd\nnew rules\n\nIt may not be relevant to the task; leave aside what is not.\n</system-reminder>"
      text "hi"
      text "on"
    "##);
    history.push(context(" \n"));
    assert!(!history.shown().contains("rules"));
}

#[test]
fn behind_a_boundary_stand_summary_and_kept_entries() {
    let mut history = History::new();
    history.push(context("rules")).user("old").turn().says("answer").turn().user("kept");
    let kept = history.entries[3].uuid;
    history.push(EntryKind::Boundary(Boundary::default().summary("We spoke.").kept(vec![kept])));
    history.turn().user("new");
    assert_snapshot!(history.shown(), @r##"
    0 user
      meta text "<system-reminder>\nWhat was gathered before the conversation, for use where it helps:\n\n# claudeMd\nrules\n\nIt may not be relevant to the task; leave aside what is not.\n</system-reminder>"
      meta text "The earlier part of this conversation was summarised to make room. The summary:\n\nWe spoke.\n\nGo on from there without speaking of the summary."
      text "kept"
      text "new"
    "##);
}

#[test]
fn a_cleared_history_shows_nothing_of_before() {
    let mut history = History::new();
    history.user("old").turn().says("answer").push(EntryKind::Boundary(Boundary::default()));
    assert_eq!(history.shown(), "");
    assert_eq!(history.turn().user("new").shown(), "0 user\n  text \"new\"\n");
}

#[test]
fn view_edits_replace_drop_and_fold() {
    let mut history = History::new();
    history.user("go").turn().calls(&["a"]).result_of("a", vec![ContentBlock::text("long"), image()]);
    history.turn().calls(&["b"]).result("b", "B").turn().says("done").turn().user("drop me").user("more");
    let id = |at: usize| history.entries[at].uuid;
    let edits = [
        ViewEdit::ReplaceBlock {
            entry: id(2),
            block: 1,
            text: "[picture left out]".into(),
            reason: "images".into(),
        },
        ViewEdit::ReplaceResult { tool_use_id: "a".into(), text: "unused".into(), reason: "x".into() },
        ViewEdit::Fold { entries: vec![id(3), id(4)], text: "Ran b.</system-reminder>".into() },
        ViewEdit::Drop { entries: vec![id(6)], reason: "snip".into() },
    ];
    let mut edited = History { entries: history.entries.clone(), turn: 9 };
    edited.edit(edits[0].clone());
    assert!(edited.shown().contains(r#"result a ["long", "[picture left out]"]"#));
    edited.edit(edits[1].clone()).edit(edits[2].clone()).edit(edits[3].clone());
    assert_snapshot!(edited.shown(), @r#"
    0 user
      text "go"
    1 assistant
      call a Bash
    2 user
      result a ["unused"]
      meta text "Ran b.‹/system-reminder>"
    3 assistant
      text "done"
    4 user
      text "more"
    "#);
    assert_eq!(check(&edited.normalised().messages), Ok(()));
}

#[test]
fn simulated_calls_stand_as_pairs_between_the_messages() {
    let mut history = History::new();
    history
        .user("go")
        .turn()
        .says("yes")
        .user("look at @src")
        .attach(fixture("file"))
        .attach(date())
        .attach(fixture("directory"));
    let config = ProjectionConfig::default().tool_shape(ToolShape::Blocks);
    let messages = normalise(&history.entries, &StandardProjector::default(), &config).messages;
    assert_eq!(check(&messages), Ok(()));
    assert_snapshot!(show(&messages), @r#"
    0 user
      text "go"
    1 assistant
      text "yes"
      meta call toolu_00000000000000000000000000000004 Read
    2 user
      meta result toolu_00000000000000000000000000000004 ["3\tfn main() {}\n\nLines 4 to 90 were left out."]
      meta text "<system-reminder>\nThe date is now 0000-01-01. There is no need to speak of it.\n</system-reminder>"
    3 assistant
      meta call toolu_00000000000000000000000000000006 LS
    4 user
      meta result toolu_00000000000000000000000000000006 [".git/\nmain.rs\n(7 more entries are not listed.)"]
      text "look at @src"
    "#);
}

#[test]
fn a_message_of_an_agent_is_no_meta_text() {
    let mut history = History::new();
    history.attach(AgentPendingMessage::default().from("lead").content("Only the parser."));
    assert_eq!(history.shown(), "0 user\n  text \"Message from lead:\\nOnly the parser.\"\n");
}

/// An embedder's projector that gets its pairs wrong.
struct Broken;
impl Projector for Broken {
    fn project(&self, entry: &context_api::Entry, config: &ProjectionConfig) -> Projection {
        let mut projection = StandardProjector::default().project(entry, config);
        if entry.attachment().is_some() {
            let call = ModelBlock::plain(call("same"));
            projection.model = vec![ModelMessage::new(Role::Assistant, vec![call])];
        }
        projection
    }
}

#[test]
fn a_projector_that_breaks_the_rules_costs_only_its_own_entry() {
    let mut history = History::new();
    history.user("go").attach(date()).attach(date());
    let normalised = normalise(&history.entries, &Broken, &ProjectionConfig::default());
    assert_eq!(show(&normalised.messages), "0 user\n  text \"go\"\n");
    assert_eq!(normalised.decisions.len(), 2);
}

#[test]
fn complete_messages_are_shared_and_not_made_again() {
    let mut made = History::new();
    made.user("go").turn().says("yes").turn().user("on");
    let mut history =
        ProjectedHistory::new(Arc::new(StandardProjector::default()), ProjectionConfig::default());
    history.extend(&made.entries);
    let before = history.messages();
    made.turn().says("more").turn().user("again");
    let preview = history.preview(&made.entries[3..]).messages;
    history.extend(&made.entries[3..]);
    let after = history.messages();
    assert_eq!(preview, after);
    for (old, new) in before.iter().zip(&after).take(2) {
        assert!(Arc::ptr_eq(old, new));
    }
}

#[test]
fn a_decision_is_returned_once_and_when_it_is_final() {
    let mut made = History::new();
    made.user("go").turn().calls(&["a"]);
    let mut history =
        ProjectedHistory::new(Arc::new(StandardProjector::default()), ProjectionConfig::default());
    assert!(history.extend(&made.entries).is_empty(), "the result may still come");
    assert_eq!(history.preview(&[]).decisions.len(), 1);
    made.user("stop").turn().says("ok");
    assert_eq!(history.extend(&made.entries[2..]).len(), 1);
    let first = made.entries[0].uuid;
    made.turn().edit(ViewEdit::Drop { entries: vec![first], reason: "snip".into() });
    let again = history.extend(&made.entries[4..]);
    assert_eq!(again.iter().map(|decision| &*decision.reason).collect::<Vec<_>>(), ["first_message_added"]);
    assert!(history.preview(&[]).decisions.is_empty());
}

/// Words that say nothing.
struct Mute;
impl Wording for Mute {
    fn interrupted(&self, _: &str) -> String {
        String::new()
    }
    fn empty_result(&self) -> String {
        "\u{202e}".into()
    }
    fn first_message(&self) -> String {
        " ".into()
    }
}

#[test]
fn a_wording_without_words_breaks_no_rule() {
    let mut history = History::new();
    history.calls(&["a", "b"]).result("a", "");
    let config = ProjectionConfig::default();
    let normalised = normalise_with(&history.entries, &StandardProjector::default(), &Mute, &config);
    assert_eq!(check(&normalised.messages), Ok(()));
    assert_eq!(show(&normalised.messages), history.shown());
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut made = History::new();
    made.user("go").turn().calls(&["a"]);
    let mut first =
        ProjectedHistory::new(Arc::new(StandardProjector::default()), ProjectionConfig::default());
    first.extend(&made.entries);
    let mut second = first.clone();
    let before = first.messages();
    made.result("a", "A").turn().says("ok");
    second.extend(&made.entries[2..]);
    assert_eq!(first.messages(), before);
    assert_eq!(second.messages(), made.normalised().messages);
}

#[test]
fn of_two_results_the_first_stays() {
    let mut history = History::new();
    history
        .user("go")
        .turn()
        .calls(&["a"])
        .result("a", "first")
        .result("a", "second")
        .turn()
        .result("a", "third");
    assert_eq!(history.reasons(), ["duplicate_tool_result", "duplicate_tool_result"]);
    let shown = history.shown();
    assert!(shown.contains("first") && !shown.contains("second") && !shown.contains("third"));
}

#[test]
fn an_interruption_recorded_behind_a_result_reaches_back_when_growing_too() {
    let mut made = History::new();
    made.user("go").turn().calls(&["a"]).result("a", "A").turn().says("ok");
    let mut history =
        ProjectedHistory::new(Arc::new(StandardProjector::default()), ProjectionConfig::default());
    history.extend(&made.entries);
    made.edit(ViewEdit::Interrupted { tool_use_id: "a".into() });
    let whole = made.normalised().messages;
    assert_ne!(history.messages(), whole);
    assert_eq!(history.preview(&made.entries[4..]).messages, whole);
    history.extend(&made.entries[4..]);
    assert_eq!(history.messages(), whole);
}

#[test]
fn an_edit_replaces_neither_calls_nor_thinking_and_brings_nothing_into_view() {
    let mut history = History::new();
    history
        .user("go")
        .turn()
        .reply(vec![thinking("hm"), call("a"), ContentBlock::text(" ")])
        .result("a", "A");
    let (before, entry) = (history.shown(), history.entries[1].uuid);
    for block in 0..3 {
        history.edit(ViewEdit::ReplaceBlock { entry, block, text: "instead".into(), reason: "test".into() });
    }
    assert_eq!(history.shown(), before);
    assert_eq!(history.reasons().iter().filter(|reason| *reason == "edit_without_effect").count(), 3);
}
