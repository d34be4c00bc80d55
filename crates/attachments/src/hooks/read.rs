//! From a raw answer to what became of it.

use context_api::{
    Attachment, Decision, HookAdditionalContext, HookAnswer, HookBlockingError, HookCancelled,
    HookErrorDuringExecution, HookNonBlockingError, HookNotice, HookPermissionDecision,
    HookStoppedContinuation, HookSuccess, HookSystemMessage, Verdict,
};
use context_text::safe_line;

use super::answer::Output;
use super::{Answer, Bounded, HookLimits, parse, subject};

/// The exit code by which a hook blocks.
const BLOCKS: i64 = 2;
/// Events at which nothing is left to be blocked: exit code 2 is an error like any other there.
const NOTHING_TO_BLOCK: [&str; 7] = [
    "SessionStart",
    "SessionEnd",
    "Setup",
    "Notification",
    "PreCompact",
    "SubagentStart",
    "InstructionsLoaded",
];

/// What one answer comes to: attachments in order, none for one that says nothing. What it printed and the context that it
/// added are whole, however long they are.
#[derive(Debug, Default)]
pub(crate) struct HookParts {
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) decisions: Vec<Decision>,
}

/// Reads a hook's answer.
pub(crate) fn hook_parts(answer: &HookAnswer, limits: &HookLimits) -> HookParts {
    let mut reading = Reading { answer, limits, parts: HookParts::default() };
    match (&*answer.error, answer.exit_code) {
        ("", Some(0)) => reading.ended_well(),
        ("", Some(BLOCKS)) if !NOTHING_TO_BLOCK.contains(&&*answer.event) => {
            let reason = reading.complaint();
            reading.blocks(&reason);
        }
        ("", Some(_)) => {
            let notice = reading.notice(&reading.complaint());
            reading.push(HookNonBlockingError(notice));
        }
        ("", None) => {
            let notice = reading.notice(&reading.complaint());
            reading.push(HookCancelled(notice));
        }
        (error, _) => {
            let notice = reading.notice(error);
            reading.push(HookErrorDuringExecution(notice));
        }
    }
    reading.parts
}

struct Reading<'a> {
    answer: &'a HookAnswer,
    limits: &'a HookLimits,
    parts: HookParts,
}

impl Reading<'_> {
    fn push(&mut self, attachment: impl Into<Attachment>) {
        self.parts.attachments.push(attachment.into());
    }

    fn decide(&mut self, verdict: Verdict, reason: &str, detail: String) {
        self.parts.decisions.push(Decision::new(self.subject(), verdict, reason, detail));
    }

    fn bounded(&mut self, text: &str) -> Bounded {
        let bounded = Bounded::of(text, self.limits);
        self.parts.decisions.extend(bounded.decision(&self.subject()));
        bounded
    }

    fn subject(&self) -> String {
        subject(&self.answer.name, &self.answer.event)
    }

    /// What it complained of: standard error, else what it printed.
    fn complaint(&self) -> String {
        let said =
            [&self.answer.stderr, &self.answer.output].into_iter().find(|text| !text.trim().is_empty());
        said.map(|text| text.trim().to_owned()).unwrap_or_default()
    }

    fn notice(&mut self, message: &str) -> HookNotice {
        HookNotice::default()
            .hook(self.answer.name.clone())
            .event(self.answer.event.clone())
            .tool_use_id(self.answer.tool_use_id.clone())
            .message(self.bounded(message).text)
            .exit_code(self.answer.exit_code)
    }

    fn ended_well(&mut self) {
        match parse(&self.answer.output) {
            Output::Nothing => {}
            Output::Text => self.printed(),
            Output::Broken(why) => {
                let detail = format!("Its output begins like JSON and is none ({why}); it counts as text.");
                self.decide(Verdict::Included, "hook_json_broken", detail);
                self.printed();
            }
            Output::Answer(answer) => self.answered(&answer),
        }
    }

    fn printed(&mut self) {
        let success = HookSuccess::default()
            .hook(self.answer.name.clone())
            .event(self.answer.event.clone())
            .tool_use_id(self.answer.tool_use_id.clone())
            .content(self.answer.output.trim_end())
            .exit_code(self.answer.exit_code);
        self.push(success);
    }

    fn answered(&mut self, answer: &Answer) {
        for name in &answer.ignored {
            let detail = format!("Nothing here takes up its field {}.", safe_line(name));
            self.decide(Verdict::LeftOut, "hook_field_ignored", detail);
        }
        let for_another = answer.event.as_ref().filter(|event| **event != self.answer.event);
        match for_another {
            None => self.specific(answer),
            Some(event) => {
                let detail = format!("Its output for the event {} came with another one.", safe_line(event));
                self.decide(Verdict::LeftOut, "hook_event_mismatch", detail);
            }
        }
        if !answer.system_message.trim().is_empty() {
            let notice = self.notice(&answer.system_message);
            self.push(HookSystemMessage(notice));
        }
        if answer.blocks {
            self.blocks(&answer.reason);
        }
        if answer.stops {
            let reason = self.bounded(&answer.stop_reason).text;
            let stopped = HookStoppedContinuation::default()
                .hook(self.answer.name.clone())
                .event(self.answer.event.clone())
                .reason(reason);
            self.push(stopped);
        }
    }

    fn specific(&mut self, answer: &Answer) {
        if !answer.context.trim().is_empty() {
            let context = HookAdditionalContext::default()
                .hook(self.answer.name.clone())
                .event(self.answer.event.clone())
                .tool_use_id(self.answer.tool_use_id.clone())
                .content(answer.context.clone());
            self.push(context);
        }
        if let Some((behavior, reason)) = &answer.permission {
            let reason = self.bounded(reason).text;
            let decision = HookPermissionDecision::default()
                .hook(self.answer.name.clone())
                .event(self.answer.event.clone())
                .tool_use_id(self.answer.tool_use_id.clone().unwrap_or_default())
                .behavior(behavior.clone())
                .reason(reason);
            self.push(decision);
        }
    }

    fn blocks(&mut self, reason: &str) {
        let error = HookBlockingError::default()
            .hook(self.answer.name.clone())
            .event(self.answer.event.clone())
            .tool_use_id(self.answer.tool_use_id.clone())
            .reason(self.bounded(reason).text);
        self.push(error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(event: &str) -> HookAnswer {
        HookAnswer::default().id("1").event(event).name("guard").exit_code(0)
    }

    /// Types, a bar, reasons of decisions.
    fn read(answer: &HookAnswer) -> String {
        let parts = hook_parts(answer, &HookLimits::default());
        let types: Vec<_> = parts.attachments.iter().map(Attachment::type_name).collect();
        let reasons: Vec<_> = parts.decisions.iter().map(|decision| &*decision.reason).collect();
        format!("{} | {}", types.join(" "), reasons.join(" "))
    }

    #[test]
    fn each_way_to_end_has_its_type() {
        let end = |code: Option<i64>| read(&answer("PreToolUse").exit_code(code).stderr("why"));
        assert_eq!(end(Some(0)), " | ");
        assert_eq!(end(Some(2)), "hook_blocking_error | ");
        assert_eq!(end(Some(1)), "hook_non_blocking_error | ");
        assert_eq!(end(Some(-9)), "hook_non_blocking_error | ");
        assert_eq!(end(None), "hook_cancelled | ");
        assert_eq!(read(&answer("PreToolUse").error("no such program")), "hook_error_during_execution | ");
        assert_eq!(read(&answer("SessionStart").exit_code(2)), "hook_non_blocking_error | ");
    }

    #[test]
    fn output_that_says_nothing_leaves_nothing() {
        for output in ["", " \n", "{}", r#"{"continue":true}"#, r#"{"suppressOutput":true}"#] {
            assert_eq!(read(&answer("UserPromptSubmit").output(output)), " | ", "{output}");
        }
    }

    #[test]
    fn all_that_an_answer_says_comes_in_one_order() {
        let output = r#"{"continue":false,"stopReason":"S","systemMessage":"M","decision":"block","reason":"R",
            "hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"C","permissionDecision":"deny"}}"#;
        let expected = "hook_additional_context hook_permission_decision hook_system_message hook_blocking_error \
                        hook_stopped_continuation | ";
        assert_eq!(read(&answer("PreToolUse").output(output)), expected);
        let other = "hook_system_message hook_blocking_error hook_stopped_continuation | hook_event_mismatch";
        assert_eq!(read(&answer("PostToolUse").output(output)), other);
    }

    #[test]
    fn broken_json_counts_as_text() {
        assert_eq!(read(&answer("UserPromptSubmit").output("{\"a\":")), "hook_success | hook_json_broken");
    }

    #[test]
    fn a_long_reason_is_cut_between_characters_and_told() {
        let long = answer("PreToolUse").exit_code(2).stderr("ü".repeat(10_001));
        let parts = hook_parts(&long, &HookLimits::default());
        let Attachment::HookBlockingError(error) = &parts.attachments[0] else { panic!("no block") };
        assert_eq!(error.reason.chars().count(), 10_001);
        assert!(error.reason.ends_with('…'));
        assert_eq!(parts.decisions[0].reason, "hook_output_cut");
    }

    #[test]
    fn what_it_complained_of_is_standard_error_before_what_it_printed() {
        let reason = |answer: HookAnswer| match &hook_parts(&answer, &HookLimits::default()).attachments[0] {
            Attachment::HookBlockingError(error) => error.reason.clone(),
            other => panic!("{other:?}"),
        };
        let blocking = || answer("Stop").exit_code(2);
        assert_eq!(reason(blocking().output("out").stderr(" err\n")), "err");
        assert_eq!(reason(blocking().output("out")), "out");
        assert_eq!(reason(blocking()), "");
    }
}
