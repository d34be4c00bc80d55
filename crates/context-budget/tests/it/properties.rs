//! What holds for all stages, over random histories.

use std::collections::BTreeSet;

use context_api::{Entry, EntryKind, HistoryStage, HistoryView, MarkKind, MarkTarget, StageBudget, ViewEdit};
use context_budget::{
    Collapse, CompactionLimits, Cut, Duplicates, EstimateCounter, Microcompact, Pipeline, ResultBudget, Snip,
    StageLimits, lighten, oldest,
};
use proptest::prelude::*;
use std::sync::Arc;

use crate::make::{History, names, words};

/// One step of a random history.
#[derive(Debug, Clone)]
enum Step {
    User,
    Says,
    Calls(&'static str, Vec<usize>),
    Read(u8, usize),
    Mention(u8, usize),
    Mark(usize, MarkKind),
    PinFile(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let tool = prop::sample::select(vec!["Read", "Bash", "Grep", "LS", "Edit", "Oracle"]);
    let size = prop_oneof![0..50usize, 100..900usize];
    let mark = prop::sample::select(vec![MarkKind::Pinned, MarkKind::Droppable, MarkKind::Plain]);
    prop_oneof![
        2 => Just(Step::User),
        1 => Just(Step::Says),
        4 => (tool, prop::collection::vec(size, 1..4)).prop_map(|(tool, sizes)| Step::Calls(tool, sizes)),
        3 => (0..3u8, prop::sample::select(vec![20usize, 300, 800])).prop_map(|(file, size)| Step::Read(file, size)),
        1 => (0..3u8, prop::sample::select(vec![20usize, 300, 800])).prop_map(|(file, size)| Step::Mention(file, size)),
        1 => (any::<usize>(), mark).prop_map(|(at, mark)| Step::Mark(at, mark)),
        1 => (0..3u8).prop_map(Step::PinFile),
    ]
}

fn history() -> impl Strategy<Value = History> {
    prop::collection::vec(step(), 1..40).prop_map(|steps| {
        let mut history = History::default();
        for step in steps {
            match step {
                Step::User => {
                    history.user("please go on");
                }
                Step::Says => {
                    history.says("I did this and that.");
                }
                Step::Calls(tool, sizes) => {
                    let texts: Vec<String> = sizes.iter().map(|&size| words(size + 1)).collect();
                    history.calls(tool, &texts.iter().map(String::as_str).collect::<Vec<_>>());
                }
                Step::Read(file, size) => drop(history.read(&format!("/p/{file}"), &words(size))),
                Step::Mention(file, size) => {
                    history.mention(&format!("/p/{file}"), &words(size));
                }
                Step::Mark(at, mark) if !history.entries.is_empty() => {
                    let entry = history.entries[at % history.entries.len()].uuid;
                    history.mark(MarkTarget::Entry(entry), mark);
                }
                Step::Mark(..) => {}
                Step::PinFile(file) => {
                    history.mark(MarkTarget::File(format!("/p/{file}").into()), MarkKind::Pinned)
                }
            }
        }
        history
    })
}

/// Limits so low that every stage has something to do.
fn low() -> StageLimits {
    let mut limits = StageLimits::default();
    limits.result_chars = 2_000;
    limits.message_chars = 5_000;
    limits.preview_bytes = 200;
    limits.newest_results = 2;
    limits.results_tokens = 1_500;
    limits.freed_tokens = 300;
    limits.repeated_tokens = 100;
    limits.collapse_percent = 0;
    limits.run_calls = 2;
    limits.newest_answers = 2;
    limits
}

fn stages() -> Vec<Arc<dyn HistoryStage>> {
    vec![
        Arc::new(ResultBudget::new(low())),
        Arc::new(Snip),
        Arc::new(Microcompact::new(low())),
        Arc::new(Duplicates::new(low())),
        Arc::new(Collapse::new(low())),
        Arc::new(Whole(Pipeline::standard(&low()))),
    ]
}

/// All stages as one.
struct Whole(Pipeline);

impl HistoryStage for Whole {
    fn name(&self) -> &str {
        "pipeline"
    }

    fn plan(&self, view: &HistoryView, budget: &StageBudget<'_>) -> context_api::StageOutcome {
        self.0.plan(&mut Arc::new(view.clone()), budget)
    }
}

fn result_id(entry: &Entry) -> &str {
    match &entry.kind {
        EntryKind::ToolResult(result) => &result.block.tool_use_id,
        _ => "",
    }
}

/// Ids of calls and of results in view.
fn pairs(view: &HistoryView) -> (BTreeSet<String>, BTreeSet<String>) {
    pairs_of(view, &view.entries.iter().map(|seen| seen.entry.uuid).collect())
}

/// Those of some entries.
fn pairs_of(view: &HistoryView, among: &BTreeSet<uuid::Uuid>) -> (BTreeSet<String>, BTreeSet<String>) {
    let seen = || view.entries.iter().filter(|seen| among.contains(&seen.entry.uuid));
    let results = seen().map(|seen| result_id(&seen.entry).to_owned()).filter(|id| !id.is_empty()).collect();
    let calls = seen().flat_map(|seen| match &seen.entry.kind {
        EntryKind::Assistant(reply) => reply.content.clone(),
        _ => Vec::new(),
    });
    let calls = calls.filter_map(|block| match block {
        context_api::ContentBlock::ToolUse(call) => Some(call.id),
        _ => None,
    });
    (calls.collect(), results)
}

/// What each entry costs, and why results are replaced.
fn as_seen(view: &HistoryView) -> (Vec<(uuid::Uuid, u64)>, Vec<String>) {
    let costs = view.entries.iter().map(|seen| (seen.entry.uuid, seen.tokens)).collect();
    let replaced = view.results().map(|seen| format!("{seen:?}")).collect();
    (costs, replaced)
}

fn touched(edit: &ViewEdit, view: &HistoryView) -> Vec<uuid::Uuid> {
    match edit {
        ViewEdit::ReplaceResult { tool_use_id, .. } => view
            .results()
            .filter(|seen| seen.id == tool_use_id)
            .map(|seen| view.entries[seen.place].entry.uuid)
            .collect(),
        ViewEdit::ReplaceBlock { entry, .. } => vec![*entry],
        ViewEdit::Drop { entries, .. } | ViewEdit::Fold { entries, .. } => entries.clone(),
        _ => Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn stages_keep_their_word(history in history(), late in any::<bool>()) {
        let (counter, names) = (EstimateCounter::default(), names());
        let now = jiff::Timestamp::from_second(if late { 10_000 } else { 50 }).unwrap();
        let before = history.view();
        for stage in stages() {
            let budget = StageBudget::new(10_000, before.tokens(), now, &counter, &names);
            let outcome = stage.plan(&before, &budget);
            prop_assert_eq!(&outcome, &stage.plan(&before, &budget), "the same view, the same plan");
            prop_assert_eq!(outcome.edits.is_empty(), outcome.decisions.is_empty(), "{}: nothing without a word", stage.name());

            let mut after = before.clone();
            outcome.edits.iter().for_each(|edit| after.apply(edit, &counter));
            prop_assert!(after.tokens() <= before.tokens(), "{}: tokens grow", stage.name());
            let mut at_once = before.clone();
            at_once.apply_all(&outcome.edits, &counter);
            prop_assert_eq!(as_seen(&at_once), as_seen(&after), "{}: at once is one by one", stage.name());

            let (calls, results) = pairs(&after);
            prop_assert_eq!(calls, results, "{}: a pair is split", stage.name());

            let newest = before.newest_words().map(|at| before.entries[at].entry.uuid);
            for id in outcome.edits.iter().flat_map(|edit| touched(edit, &before)) {
                prop_assert_ne!(Some(id), newest, "{}: the newest words", stage.name());
                let seen = before.entries.iter().find(|seen| seen.entry.uuid == id);
                prop_assert!(seen.is_some_and(|seen| !seen.pinned), "{}: a pin", stage.name());
            }

            let again = StageBudget::new(10_000, after.tokens(), now, &counter, &names);
            prop_assert_eq!(stage.plan(&after, &again).edits, [], "{}: twice is not once", stage.name());
        }
    }

    #[test]
    fn a_cut_keeps_pairs_pins_and_what_is_to_be_answered(history in history(), room in 200u64..20_000) {
        let view = history.view();
        let cut = Cut::of(&view, room, &CompactionLimits::default());
        let uuids: BTreeSet<_> = view.entries.iter().map(|seen| seen.entry.uuid).collect();
        let (kept, gone): (BTreeSet<_>, BTreeSet<_>) =
            (cut.kept.iter().copied().collect(), cut.gone.iter().copied().collect());
        prop_assert!(kept.is_disjoint(&gone) && kept.union(&gone).copied().collect::<BTreeSet<_>>() == uuids);
        prop_assert_eq!(cut.kept_tokens + cut.gone_tokens, view.tokens());
        let (calls, results) = pairs_of(&view, &kept);
        prop_assert_eq!(calls, results, "a pair is split");
        for seen in view.entries.iter().filter(|seen| seen.pinned) {
            let is_alone = matches!(seen.entry.kind, EntryKind::ToolResult(_)) && view.tool(result_id(&seen.entry)).is_empty();
            prop_assert!(kept.contains(&seen.entry.uuid) || is_alone, "a pin goes");
        }
        let newest = view.newest_words().map(|at| (at, view.entries[at].entry.uuid));
        if let Some((at, uuid)) = newest.filter(|(at, _)| view.newest_answer().is_none_or(|answer| answer < *at)) {
            prop_assert!(kept.contains(&uuid) && kept.len() >= view.entries.len() - at, "what is to be answered");
        }
    }

    #[test]
    fn a_further_try_leaves_out_whole_pairs_and_never_all(history in history(), percent in 0u64..=100) {
        let view = history.view();
        let gone: BTreeSet<_> = oldest(&view, percent).into_iter().collect();
        prop_assert!(gone.len() < view.entries.len().max(1));
        let left = view.entries.iter().map(|seen| seen.entry.uuid).filter(|uuid| !gone.contains(uuid)).collect();
        let (calls, results) = pairs_of(&view, &left);
        prop_assert_eq!(calls, results);
    }

    #[test]
    fn fitting_takes_attachments_alone_and_never_what_is_pinned(history in history(), over in 0u64..5_000) {
        let counter = EstimateCounter::default();
        let before = history.view();
        let outcome = lighten(&before, over, &counter);
        prop_assert_eq!(outcome.edits.len(), outcome.decisions.len(), "nothing without a word");
        let mut after = before.clone();
        outcome.edits.iter().for_each(|edit| after.apply(edit, &counter));
        prop_assert!(after.tokens() <= before.tokens());
        for id in outcome.edits.iter().flat_map(|edit| touched(edit, &before)) {
            let seen = before.entries.iter().find(|seen| seen.entry.uuid == id).unwrap();
            prop_assert!(!seen.pinned && matches!(seen.entry.kind, EntryKind::Attachment(_)));
        }
    }

    #[test]
    fn recorded_edits_are_seen_as_they_were_applied(history in history()) {
        let (counter, names) = (EstimateCounter::default(), names());
        let mut history = history;
        let budget = StageBudget::new(10_000, 10_000, jiff::Timestamp::UNIX_EPOCH, &counter, &names);
        let mut applied = Arc::new(history.view());
        let outcome = Pipeline::standard(&low()).plan(&mut applied, &budget);
        for edit in outcome.edits {
            history.push(EntryKind::ViewEdit(edit));
        }
        let uuids = |view: &HistoryView| view.entries.iter().map(|seen| seen.entry.uuid).collect::<Vec<_>>();
        let recorded = history.view();
        prop_assert_eq!(uuids(&applied), uuids(&recorded));
        for (left, right) in applied.results().zip(recorded.results()) {
            prop_assert_eq!((left.id, left.replaced), (right.id, right.replaced));
        }
    }

    #[test]
    fn a_view_that_grows_is_the_view_of_the_whole(
        histories in (history(), history()),
        (has_marks, has_edits) in any::<(bool, bool)>(),
        at in any::<prop::sample::Index>(),
    ) {
        let (counter, names) = (EstimateCounter::default(), names());
        let (first, more) = histories;
        let wanted = |entry: &&Arc<Entry>| has_marks || !matches!(entry.kind, EntryKind::Mark(_));
        let mut history = History::default();
        for entry in first.entries.iter().filter(wanted) {
            history.push(entry.kind.clone());
        }
        if has_edits {
            let budget = StageBudget::new(10_000, 10_000, jiff::Timestamp::UNIX_EPOCH, &counter, &names);
            let outcome = Pipeline::standard(&low()).plan(&mut Arc::new(history.view()), &budget);
            for edit in outcome.edits {
                history.push(EntryKind::ViewEdit(edit));
            }
        }
        history.push(EntryKind::ViewEdit(ViewEdit::Interrupted { tool_use_id: "call-1".into() }));
        for entry in more.entries.iter().filter(wanted) {
            history.push(entry.kind.clone());
        }
        let mut beginning = history.clone();
        beginning.entries.truncate(at.index(history.entries.len() + 1));
        let mut view = beginning.view();
        let (rest, tokens) = (&history.entries[beginning.entries.len()..], history.tokens());
        let before = shown(&view);
        match view.extend(rest, &tokens) {
            true => {
                prop_assert!(rest.iter().all(|entry| !matches!(entry.kind, EntryKind::Mark(_))));
                prop_assert_eq!(shown(&view), shown(&history.view()));
            }
            false => {
                prop_assert!(has_marks || has_edits);
                prop_assert_eq!(shown(&view), before);
            }
        }
    }
}

/// All that a view tells.
fn shown(view: &HistoryView) -> (Vec<String>, Vec<String>) {
    let entry = |it: &context_api::SeenEntry| {
        format!("{} {} {} {}", it.entry.uuid, it.tokens, it.pinned, it.droppable)
    };
    let entries = view.entries.iter().map(entry).collect();
    (entries, view.results().map(|result| format!("{result:?}")).collect())
}
