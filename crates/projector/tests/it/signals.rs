//! What the host is asked, and when it is not.

use context_api::{
    Attachment, HookSuccess, HostSignal, MailMessage, ModelMessage, Origin, QueuedCommand, RuntimeEvent,
    TeammateMailbox, ToolShape,
};

use crate::golden::project;
use context_testkit::fixture;

fn signals(name: &str) -> Vec<HostSignal> {
    project(fixture(name), ToolShape::Text).host
}

#[test]
fn each_signal_says_what_its_attachment_says() {
    let block = HostSignal::Block { reason: "No secrets.".into() };
    assert_eq!(signals("hook_blocking_error"), [block]);
    assert_eq!(
        signals("hook_stopped_continuation"),
        [HostSignal::StopContinuation { reason: "Enough.".into() }]
    );
    let permission = HostSignal::Permission { tool_use_id: "t1".into(), behavior: "deny".into() };
    assert_eq!(signals("hook_permission_decision"), [permission]);
    assert_eq!(signals("max_turns_reached"), [HostSignal::EndRun { reason: "error_max_turns".into() }]);
    assert_eq!(signals("ultrathink_effort"), [HostSignal::Effort { level: "high".into() }]);
    let [HostSignal::StructuredOutput { value }] = &signals("structured_output")[..] else {
        panic!("no output")
    };
    assert_eq!(value.get(), r#"{"n":1.50,"s":"yes"}"#);
    let runtime = project(fixture("command_permissions"), ToolShape::Text).runtime;
    assert_eq!(runtime, [RuntimeEvent::CommandPermissions { tools: vec!["Bash(git:*)".into()] }]);
}

fn queued(change: impl FnOnce(&mut QueuedCommand)) -> Attachment {
    let Attachment::QueuedCommand(mut command) = fixture("queued_command") else { panic!("no command") };
    change(&mut command);
    command.into()
}

fn only(messages: &[ModelMessage]) -> &ModelMessage {
    assert_eq!(messages.len(), 1);
    &messages[0]
}

#[test]
fn a_persons_queued_words_stay_as_typed_and_are_replayed() {
    let seen = project(queued(|_| ()), ToolShape::Text);
    let message = only(&seen.model);
    assert_eq!(message.blocks[0].content.as_text(), Some("and the tests, @src/main.rs"));
    assert_eq!(message.blocks[1].content.tag(), Some("image"));
    assert!(message.blocks.iter().all(|block| !block.meta));
    assert!(seen.ui.is_some());
    assert!(
        matches!(&seen.host[..], [HostSignal::ReplayUser { text, .. }] if text == "and the tests, @src/main.rs")
    );
}

#[test]
fn other_queued_input_is_meta_and_neither_shown_nor_replayed() {
    for attachment in [
        queued(|it| it.is_meta = true),
        queued(|it| it.mode = "task-notification".into()),
        queued(|it| it.origin = Origin::Task),
        queued(|it| it.origin = Origin::Hook),
        queued(|it| it.origin = Origin::Agent),
        queued(|it| it.origin = Origin::Channel),
    ] {
        let seen = project(attachment, ToolShape::Text);
        let message = only(&seen.model);
        assert!(message.blocks.iter().all(|block| block.meta));
        assert!(message.blocks[0].content.as_text().unwrap().contains("and the tests, @src/main.rs"));
        assert_eq!(message.blocks[1].content.tag(), Some("image"));
        assert!(seen.ui.is_none() && seen.host.is_empty());
    }
}

#[test]
fn queued_pictures_without_words_stay() {
    for meta in [false, true] {
        let seen = project(queued(|it| (it.text, it.is_meta) = (" \n".into(), meta)), ToolShape::Text);
        let message = only(&seen.model);
        assert_eq!(message.blocks.len(), 1);
        assert_eq!(message.blocks[0].content.tag(), Some("image"));
    }
}

#[test]
fn only_two_events_let_a_successful_hook_speak_to_the_model() {
    for (event, shown) in
        [("SessionStart", true), ("UserPromptSubmit", true), ("PostToolUse", false), ("Stop", false)]
    {
        let hook = HookSuccess::default().hook("h").event(event).content("out");
        let seen = project(hook.into(), ToolShape::Text);
        assert_eq!(!seen.model.is_empty(), shown, "{event}");
        assert!(seen.ui.is_some());
    }
}

#[test]
fn what_says_nothing_sends_nothing() {
    let empty =
        ["hook_additional_context", "async_hook_response", "todo_reminder", "task_reminder", "skill_listing"];
    let more =
        ["skill_discovery", "invoked_skills", "nested_memory", "relevant_memories", "current_session_memory"];
    let rest =
        ["deferred_tools_delta", "agent_listing_delta", "mcp_instructions_delta", "critical_system_reminder"];
    for name in empty.into_iter().chain(more).chain(rest).chain(["teammate_mailbox", "hook_success"]) {
        let attachment: Attachment =
            serde_json::from_str(&format!(r#"{{"type":"{name}","event":"SessionStart"}}"#)).unwrap();
        assert_eq!(attachment.type_name(), name);
        assert!(project(attachment, ToolShape::Text).model.is_empty(), "{name}");
    }
    let mail = TeammateMailbox::default().messages(vec![MailMessage::default().from("a")]);
    assert!(!project(mail.into(), ToolShape::Text).model.is_empty());
}
