//! What is told now and then, over forty turns, turn by turn.

use attachments::{
    AutoModeCollector, BudgetUsdCollector, CompactionReminderCollector, CompanionCollector,
    ContextEfficiencyCollector, CriticalReminderCollector, EffortCollector, ListLimits, OutputUsageCollector,
    PlanModeCollector, TaskReminderCollector, TodoReminderCollector, TokenUsageCollector,
    VerifyPlanCollector,
};
use context_api::{
    Attachment, BudgetState, CompanionSpec, ContentBlock, EntryKind, HostSnapshot, ModeState, OutputBudget,
    PlanProgress, PlanState, ReminderForm, Source, TaskItem, TodoItem, TokenBudget, ToolResultBlock, Trigger,
    UsdBudget, WorkState,
};

use crate::life::{Life, types};

/// One sign a turn.
fn signs(told: &[Attachment]) -> char {
    match told {
        [] => '.',
        [Attachment::PlanMode(note)] => form(note.form),
        [Attachment::AutoMode(note)] => form(note.form),
        [Attachment::PlanModeReentry(_), Attachment::PlanMode(_)] => 'R',
        [Attachment::PlanModeExit(_) | Attachment::AutoModeExit(_)] => 'x',
        [_] => '!',
        _ => '?',
    }
}

fn form(form: ReminderForm) -> char {
    if form == ReminderForm::Full { 'F' } else { 'b' }
}

/// Forty turns of `life`, each with the host as `host` says and answered by `answer`.
fn forty(life: &mut Life, host: impl Fn(u64) -> HostSnapshot, answer: impl Fn(&mut Life, u64)) -> String {
    (1..=40)
        .map(|turn| {
            // Nothing hangs on what a session remembers besides its entries, nor on requests that were given up.
            life.resumed();
            let _given_up = life.look(&host(turn), "go on");
            let sign = signs(&life.turn(&host(turn), "go on"));
            answer(life, turn);
            sign
        })
        .collect()
}

fn modes(modes: ModeState) -> HostSnapshot {
    HostSnapshot::default().modes(modes)
}

fn plan(active: bool) -> HostSnapshot {
    let plan = PlanState::default().active(active).plan_file(Some("/p/plan.md".into())).plan_exists(true);
    modes(ModeState::default().plan(plan))
}

fn work(work: WorkState) -> HostSnapshot {
    HostSnapshot::default().work(work)
}

fn todos(_: u64) -> HostSnapshot {
    let todo = TodoItem::default().content("write").status("pending");
    work(WorkState::default().todos(Source::ready([todo])))
}

fn tasks(_: u64) -> HostSnapshot {
    let task = TaskItem::default().id("1").subject("write").status("pending");
    work(WorkState::default().tasks(Source::ready([task])))
}

#[test]
fn a_mode_that_stays_on_is_told_every_five_answers_and_in_full_every_fifth_time() {
    let expected = "F....b....b....b....b....F....b....b....";
    let mut life = Life::with(PlanModeCollector::default());
    assert_eq!(forty(&mut life, |_| plan(true), |life, _| life.answer()), expected);
    let mut life = Life::with(AutoModeCollector::default());
    assert_eq!(
        forty(&mut life, |_| modes(ModeState::default().auto(true)), |life, _| life.answer()),
        expected
    );
}

#[test]
fn a_mode_that_comes_and_goes_is_told_at_each_entry_and_exit() {
    let is_on = |turn| (3..=9).contains(&turn) || (20..=32).contains(&turn);
    let mut life = Life::with(PlanModeCollector::default());
    let told = forty(&mut life, |turn| plan(is_on(turn)), |life, _| life.answer());
    assert_eq!(told, "..F....b.x.........R....b....b..x.......");
    let mut life = Life::with(AutoModeCollector::default());
    let told =
        forty(&mut life, |turn| modes(ModeState::default().auto(is_on(turn))), |life, _| life.answer());
    assert_eq!(told, "..F....b.x.........F....b....b..x.......");
}

#[test]
fn a_mode_begins_anew_behind_a_boundary() {
    let mut life = Life::with(PlanModeCollector::default());
    let told = forty(
        &mut life,
        |_| plan(true),
        |life, turn| {
            life.answer();
            if turn == 12 {
                life.boundary(Trigger::Auto);
            }
        },
    );
    assert_eq!(told, "F....b....b.F....b....b....b....b....F..");
}

#[test]
fn a_list_is_recalled_ten_answers_after_it_was_written_and_ten_after_the_last_time() {
    let expected = "..........!.........!.........!.........";
    let limits = ListLimits::default;
    let mut life = Life::with(TodoReminderCollector::new("TodoWrite", limits()));
    assert_eq!(forty(&mut life, todos, |life, _| life.answer()), expected);
    let mut life = Life::with(TaskReminderCollector::new(vec!["TaskUpdate".into()], limits()));
    assert_eq!(forty(&mut life, tasks, |life, _| life.answer()), expected);

    let written = "..........!..............!.........!....";
    let answer = |tool: &'static str| {
        move |life: &mut Life, turn| if turn == 15 { life.call(tool) } else { life.answer() }
    };
    let mut life = Life::with(TodoReminderCollector::new("TodoWrite", limits()));
    assert_eq!(forty(&mut life, todos, answer("TodoWrite")), written);
    let mut life = Life::with(TaskReminderCollector::new(vec!["TaskUpdate".into()], limits()));
    assert_eq!(forty(&mut life, tasks, answer("TaskUpdate")), written);
}

#[test]
fn a_list_that_is_empty_or_not_reported_is_not_recalled() {
    let mut life = Life::with(TodoReminderCollector::new("TodoWrite", ListLimits::default()));
    let empty = |turn: u64| {
        let todos =
            if turn.is_multiple_of(2) { Source::ready([]) } else { Source::Unavailable("down".into()) };
        work(WorkState::default().todos(todos))
    };
    assert_eq!(forty(&mut life, empty, |life, _| life.answer()), ".".repeat(40));
}

#[test]
fn a_plan_that_was_carried_out_is_to_be_checked_until_it_is() {
    let progress = |turn| {
        let plan = PlanProgress::default().done(turn >= 3).verified(turn >= 28);
        work(WorkState::default().plan(Some(plan)))
    };
    let mut life = Life::with(VerifyPlanCollector::default());
    let told = forty(&mut life, progress, |life, _| life.answer());
    assert_eq!(told, "............!.........!.................");
    // Another plan counts from its own end.
    let again = |turn| {
        let plan = PlanProgress::default().done(turn >= 3).verified((10..15).contains(&turn));
        work(WorkState::default().plan(Some(plan)))
    };
    let mut life = Life::with(VerifyPlanCollector::default());
    let told = forty(&mut life, again, |life, _| life.answer());
    assert_eq!(told, "........................!.........!.....");
}

#[test]
fn a_standing_text_comes_with_each_request_and_a_companion_once() {
    let companion = CompanionSpec::default().name("Moth").text("A moth.");
    let host =
        ModeState::default().critical_reminder(Some("Mind the gap.".into())).companion(Some(companion));
    let host = modes(host);
    let mut life = Life::with(CriticalReminderCollector);
    assert_eq!(forty(&mut life, |_| host.clone(), |life, _| life.answer()), "!".repeat(40));
    let mut life = Life::with(CompanionCollector);
    let behind = |life: &mut Life, turn| {
        life.answer();
        if turn == 20 {
            life.boundary(Trigger::Manual);
        }
    };
    let told = forty(&mut life, |_| host.clone(), behind);
    assert_eq!(told, format!("!{}!{}", ".".repeat(19), ".".repeat(19)));
}

#[test]
fn more_thought_is_asked_for_where_the_word_stands_in_the_input() {
    let mut life = Life::with(EffortCollector::default());
    let host = modes(ModeState::default().effort_keyword(Some("ultrathink".into())));
    assert_eq!(types(&life.turn(&host, "please Ultrathink, twice")), ["ultrathink_effort"]);
    assert!(life.turn(&host, "ultrathinking").is_empty());
    assert!(life.turn(&HostSnapshot::default(), "ultrathink").is_empty(), "the host does not want it");
}

#[test]
fn budgets_are_told_when_their_figures_are_new() {
    let budgets = |used: u64| {
        let budgets = BudgetState::default()
            .tokens(Some(TokenBudget::default().used(used).total(100u64)))
            .usd(Some(UsdBudget::default().used(0.001 * f64::from(u32::try_from(used).unwrap())).total(1.0)))
            .output_tokens(Some(OutputBudget::default().turn(used).session(used).budget(10u64)));
        HostSnapshot::default().budgets(budgets)
    };
    let figures = [90, 90, 120, 120, 121];
    let mut tokens = Life::with(TokenUsageCollector);
    let mut told = |used| tokens.turn(&budgets(used), "go on").len();
    assert_eq!(figures.map(&mut told), [1, 0, 1, 0, 1]);
    let Some(Attachment::TokenUsage(usage)) = tokens.turn(&budgets(130), "go on").pop() else {
        panic!("nothing was told")
    };
    assert_eq!(usage.remaining, 0, "more than all is used, and nothing is left");
    let mut usd = Life::with(BudgetUsdCollector);
    assert_eq!(figures.map(|used| usd.turn(&budgets(used), "go on").len()), [1, 0, 1, 0, 0], "in cents");
    let mut output = Life::with(OutputUsageCollector);
    assert_eq!(figures.map(|used| output.turn(&budgets(used), "go on").len()), [1, 0, 1, 0, 1]);
}

#[test]
fn a_compaction_is_announced_once_before_each() {
    let mut life = Life::with(CompactionReminderCollector::default());
    let none = HostSnapshot::default();
    assert!(life.turn(&none, "go on").is_empty());
    life.counted(180_000);
    assert!(life.turn(&none, "go on").is_empty(), "where none comes by itself none is announced");
    // A tenth below 144,000 are 129,600.
    life.compacts_at = Some(144_000);
    let mut told = Vec::new();
    for used in [1_000, 129_599, 129_600, 140_000, 150_000] {
        life.counted(used);
        told.push(life.turn(&none, "go on").len());
    }
    assert_eq!(told, [0, 0, 1, 0, 0]);
    life.boundary(Trigger::Auto);
    assert!(life.turn(&none, "go on").is_empty(), "nobody has counted yet");
    life.counted(135_000);
    let told = life.turn(&none, "go on");
    let [Attachment::CompactionReminder(note)] = &told[..] else { panic!("{told:?}") };
    assert_eq!((note.used, note.threshold), (135_000, 144_000));
}

#[test]
fn growth_by_old_results_is_told_and_other_growth_is_not() {
    let none = HostSnapshot::default();
    let result = |bytes: usize| {
        let block = ToolResultBlock {
            tool_use_id: "c".into(),
            content: vec![ContentBlock::text("x".repeat(bytes))],
            is_error: false,
        };
        EntryKind::tool_result(block)
    };
    let mut life = Life::with(ContextEfficiencyCollector::default());
    life.counted(15_000);
    assert!(life.turn(&none, "go on").is_empty(), "what was there at first is no growth");
    // 16,000 tokens of results within 25,000 of growth, and the model has answered to them.
    life.push(result(64_000));
    life.counted(40_000);
    let told = life.turn(&none, "go on");
    let [Attachment::ContextEfficiency(note)] = &told[..] else { panic!("{told:?}") };
    assert_eq!((note.used, note.grown, note.old_results), (40_000, 25_000, 16_000));
    life.counted(59_999);
    assert!(life.turn(&none, "go on").is_empty(), "not enough since then");
    life.counted(70_000);
    assert!(life.turn(&none, "go on").is_empty(), "the results before the last note do not count again");
    life.push(result(160_000));
    assert!(life.turn(&none, "go on").is_empty(), "the model has not answered to it yet");
    life.counted(110_000);
    assert_eq!(types(&life.turn(&none, "go on")), ["context_efficiency"]);
}
