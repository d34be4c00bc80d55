//! One typical attachment of each type, for golden files and for tests that go through all of them.

use std::sync::Arc;

use context_api::*;
use jiff::civil::date;

/// One of each row of the table.
pub fn fixtures() -> Vec<Attachment> {
    [files(), editor(), memory(), catalog(), work(), modes(), hooks(), team(), budget()].concat()
}

/// The fixture of a type.
///
/// # Panics
/// There is none.
pub fn fixture(name: &str) -> Attachment {
    fixtures()
        .into_iter()
        .find(|one| one.type_name() == name)
        .unwrap_or_else(|| panic!("no fixture for {name}"))
}

fn picture() -> FileContent {
    let source = MediaSource::Base64 { media_type: "image/png".into(), data: "iVBORw0KGgo=".into() };
    FileContent::Image(
        FileImage::default().source(Some(source)).width(40u32).height(30u32).note("Scaled from 80x60."),
    )
}

fn files() -> Vec<Attachment> {
    let text =
        FileText::default().text("fn main() {}\n").first_line(3u64).note("Lines 4 to 90 were left out.");
    let source = MediaSource::Base64 { media_type: "image/png".into(), data: "QQ==".into() };
    vec![
        FileAttachment::default()
            .path("/p/src/main.rs")
            .display_path("src/main.rs")
            .lines(LineSpan::default().start(3u64).end(Some(3)))
            .content(FileContent::Text(text))
            .hash("h")
            .into(),
        AlreadyReadFile::default().path("/p/a.rs").display_path("a.rs").into(),
        CompactFileReference::default().path("/p/big.rs").display_path("big.rs").into(),
        PdfReference::default()
            .path("/p/m.pdf")
            .display_path("m.pdf")
            .pages(Some(120))
            .size(9_000_000u64)
            .into(),
        DirectoryAttachment::default()
            .path("/p/src")
            .display_path("src")
            .entries(vec![".git/".to_owned(), "main.rs".to_owned()])
            .left_out(7u64)
            .into(),
        McpResource::default()
            .server("docs")
            .uri("file://guide")
            .name("Guide")
            .texts(vec![Arc::from("First part.")])
            .images(vec![source])
            .note("One binary part (application/zip) is not shown.")
            .into(),
        EditedTextFile::default()
            .path("/p/a.rs")
            .display_path("a.rs")
            .snippet("4\tlet a = 2;")
            .regions_left_out(2u64)
            .added(3u64)
            .removed(1u64)
            .hash("h2")
            .into(),
        EditedImageFile::default()
            .path("/p/i.png")
            .display_path("i.png")
            .content(picture())
            .hash("h3")
            .into(),
    ]
}

fn problems() -> DiagnosticsAttachment {
    let problem = Diagnostic::default()
        .severity(Severity::Error)
        .line(4u64)
        .column(9u64)
        .code(Some("E0308".to_owned()))
        .source(Some("rustc".to_owned()))
        .message("mismatched types");
    let file = FileDiagnostics::default().path("/p/a.rs").items(vec![problem]);
    DiagnosticsAttachment::default().files(vec![file]).left_out(2u64)
}

fn editor() -> Vec<Attachment> {
    vec![
        AgentMention::default().agent("reviewer").into(),
        SelectedLinesInIde::default()
            .ide("Some Editor")
            .path("/p/a.rs")
            .display_path("a.rs")
            .start_line(2u64)
            .end_line(3u64)
            .text("let a = 1;\nlet b = 2;")
            .cut(12u64)
            .into(),
        OpenedFileInIde::default().ide("Some Editor").path("/p/a.rs").display_path("a.rs").into(),
        problems().into(),
        LspDiagnostics(problems()).into(),
    ]
}

fn memory() -> Vec<Attachment> {
    let memory = RelevantMemory::default()
        .path("/m/build.md")
        .header("Memory build.md, 3 days old")
        .text("Use make.")
        .bytes(9u64);
    let bare = RelevantMemory::default().path("/m/test.md").text("Run it twice.").bytes(13u64);
    vec![
        MemoryDelta::default()
            .path("/p/AGENTS.md")
            .display_path("AGENTS.md")
            .kind(MemoryKind::Project)
            .text("Use tabs.")
            .hash("h")
            .into(),
        NestedMemory::default()
            .path("/p/web/rules.md")
            .display_path("web/rules.md")
            .kind(MemoryKind::Project)
            .text("Buttons are blue.")
            .trigger("/p/web/a.ts")
            .globs(vec!["web/**".to_owned()])
            .hash("h")
            .into(),
        RelevantMemories::default().memories(vec![memory, bare]).into(),
        CurrentSessionMemory::default().path("/m/session.md").text("Found the bug.").chars(14u64).into(),
    ]
}

fn item(name: &str, text: &str) -> AnnouncedItem {
    AnnouncedItem::default().name(name).text(text)
}

fn catalog() -> Vec<Attachment> {
    let skills = vec![
        ListedSkill::default().name("release").description("Makes a release").cut(4u64),
        ListedSkill::default().name("bare"),
    ];
    let invoked =
        InvokedSkill::default().key("main:release").path(Some("/s/SKILL.md".into())).text("1. Tag.");
    let gone = || vec!["old".to_owned()];
    vec![
        SkillListing::default().skills(skills.clone()).is_initial(true).removed(gone()).into(),
        SkillDiscovery::default().skills(skills).framed(true).into(),
        DynamicSkill::default().directory("/p/web/skills").display_path("web/skills").skills(gone()).into(),
        InvokedSkills::default().skills(vec![invoked]).into(),
        DeferredToolsDelta::default().added(vec![item("Notebook", "edits notebooks")]).removed(gone()).into(),
        AgentListingDelta::default()
            .added(vec![item("reviewer", "reads code")])
            .removed(gone())
            .is_initial(true)
            .into(),
        McpInstructionsDelta::default()
            .added(vec![item("docs", "Search first.")])
            .removed(gone())
            .is_initial(true)
            .into(),
    ]
}

fn work() -> Vec<Attachment> {
    let image = PastedImage::default().media_type("image/png").data("QQ==");
    vec![
        QueuedCommand::default()
            .source_id("q1")
            .mode("prompt")
            .text("and the tests, @src/main.rs")
            .images(vec![image])
            .into(),
        AgentPendingMessage::default()
            .from("lead")
            .summary("scope")
            .content("Only the parser, please.")
            .into(),
        TodoReminder::default()
            .todos(vec![
                TodoItem::default().content("write").status("completed"),
                TodoItem::default().content("test").status("in_progress"),
            ])
            .into(),
        TaskReminder::default()
            .tasks(vec![TaskItem::default().id("4").subject("review").status("pending")])
            .into(),
        VerifyPlanReminder::default().plan_file(Some("/p/plan.md".into())).into(),
        TaskStatus::default()
            .task_id("b1")
            .description("cargo test")
            .status("killed")
            .summary("3 of 9 tests ran")
            .output_file(Some("/tmp/b1.txt".into()))
            .into(),
    ]
}

fn modes() -> Vec<Attachment> {
    vec![
        DateChange::default().date(date(2030, 1, 2)).into(),
        UltrathinkEffort::default().level("high").into(),
        PlanMode::default()
            .form(ReminderForm::Full)
            .plan_file(Some("/p/plan.md".into()))
            .occurrence(1u64)
            .into(),
        PlanModeReentry::default().plan_file(Some("/p/plan.md".into())).into(),
        PlanModeExit::default().plan_file(Some("/p/plan.md".into())).plan_exists(true).into(),
        AutoMode::default().form(ReminderForm::Full).occurrence(1u64).into(),
        AutoModeExit::default().into(),
        CriticalSystemReminder::default().text("Never push.").into(),
        CompanionIntro::default().name("Pip").text("A small owl.").into(),
        OutputStyle::default().name("terse").text("Answer in one line.").into(),
    ]
}

fn notice() -> HookNotice {
    HookNotice::default().hook("lint").event("PostToolUse").message("no config").exit_code(Some(1))
}

fn hooks() -> Vec<Attachment> {
    vec![
        AsyncHookResponse::default()
            .process("p1")
            .hook("deploy")
            .event("PostToolUse")
            .tool(Some("Bash".to_owned()))
            .stdout("raw output")
            .exit_code(Some(0))
            .system_message("Deployed.")
            .additional_context("Version 4.")
            .into(),
        HookSuccess::default()
            .hook("setup")
            .event("SessionStart")
            .content("Branch is locked.")
            .exit_code(Some(0))
            .into(),
        HookAdditionalContext::default()
            .hook("ctx")
            .event("UserPromptSubmit")
            .content("Ticket 12 …")
            .blob(Some("/s/blob1".into()))
            .bytes(20_000u64)
            .into(),
        HookBlockingError::default().hook("guard").event("UserPromptSubmit").reason("No secrets.").into(),
        HookStoppedContinuation::default().hook("guard").event("Stop").reason("Enough.").into(),
        HookNonBlockingError(notice()).into(),
        HookErrorDuringExecution(notice()).into(),
        HookCancelled(notice()).into(),
        HookSystemMessage(notice()).into(),
        HookPermissionDecision::default()
            .hook("guard")
            .event("PreToolUse")
            .tool_use_id("t1")
            .behavior("deny")
            .reason("No.")
            .into(),
    ]
}

fn team() -> Vec<Attachment> {
    let mail = MailMessage::default()
        .id("m1")
        .from("ann")
        .summary("done")
        .content("The parser is done.")
        .shutdown(true);
    let members = || vec!["ann".to_owned(), "ben".to_owned()];
    vec![
        TeamContext::default()
            .team("core")
            .agent("ben")
            .leader("ann")
            .members(members())
            .task_list(Some("/t/tasks.json".into()))
            .into(),
        TeammateMailbox::default().messages(vec![mail]).into(),
        TeammateShutdownBatch::default().members(members()).into(),
    ]
}

fn budget() -> Vec<Attachment> {
    vec![
        TokenUsage::default().used(10u64).total(100u64).remaining(90u64).into(),
        BudgetUsd::default().used(1.234).total(5.0).remaining(3.766).into(),
        OutputTokenUsage::default().turn(5u64).session(50u64).budget(500u64).into(),
        CompactionReminder::default().used(150_000u64).threshold(160_000u64).into(),
        ContextEfficiency::default().used(90_000u64).grown(20_000u64).old_results(60_000u64).into(),
        CommandPermissions::default().tools(vec!["Bash(git:*)".to_owned()]).into(),
        StructuredOutput::default().value(RawJson::parse(r#"{"n":1.50,"s":"yes"}"#).expect("JSON")).into(),
        MaxTurnsReached::default().max_turns(10u64).turns(10u64).into(),
    ]
}
