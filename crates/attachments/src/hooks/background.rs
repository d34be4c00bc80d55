//! The answer of a hook that ran in the background.

use context_api::{AsyncHookResponse, Decision, HookAnswer, RawJson, Verdict};
use context_text::safe_line;

use super::answer::Output;
use super::{Bounded, HookLimits, parse, subject};

/// What it comes to; `None` where it ended well and said nothing. The context that it added is whole, however long it is.
pub(crate) fn background(
    answer: &HookAnswer,
    limits: &HookLimits,
) -> (Option<AsyncHookResponse>, Vec<Decision>) {
    let subject = subject(&answer.name, &answer.event);
    let is_long = Bounded::of(answer.output.trim_end(), limits).whole.is_some();
    let mut decisions = Vec::new();
    let mut bounded = |text: &str| {
        let bounded = Bounded::of(text, limits);
        decisions.extend(bounded.decision(&subject));
        bounded.text
    };
    let complaint = if answer.error.is_empty() { &answer.stderr } else { &answer.error };
    let response = AsyncHookResponse::default()
        .process(answer.process.clone().unwrap_or_default())
        .hook(answer.name.clone())
        .event(answer.event.clone())
        .tool(answer.tool.clone())
        .stdout(bounded(answer.output.trim_end()))
        .stderr(bounded(complaint.trim_end()))
        .exit_code(answer.exit_code);
    let failed = answer.exit_code != Some(0) || !answer.error.is_empty();
    if failed {
        return (Some(response), decisions);
    }
    let response = match parse(&answer.output) {
        Output::Nothing => None,
        Output::Text => Some(response),
        Output::Broken(why) => {
            let detail = format!("Its output begins like JSON and is none ({why}); it counts as text.");
            decisions.push(Decision::new(subject.clone(), Verdict::Included, "hook_json_broken", detail));
            Some(response)
        }
        Output::Answer(said) => {
            let message = bounded(&said.system_message);
            decisions.extend(said.ignored.iter().map(|name| {
                let detail = format!("Nothing here takes up its field {}.", safe_line(name));
                Decision::left_out(subject.clone(), "hook_field_ignored", detail)
            }));
            if said.blocks || said.stops || said.permission.is_some() {
                let detail = "It ran in the background: nothing is left to be decided by it.";
                decisions.push(Decision::left_out(subject.clone(), "hook_decided_late", detail));
            }
            // Of an answer that is too long the history keeps what it says, and not its form too.
            let raw = RawJson::parse(answer.output.trim()).ok().filter(|_| !is_long);
            let is_silent = message.trim().is_empty() && said.context.trim().is_empty();
            (!is_silent)
                .then(|| response.response(raw).system_message(message).additional_context(said.context))
        }
    };
    (response, decisions)
}
