//! The answer of a hook that ran in the background.

use context_api::{AsyncHookResponse, Decision, HookAnswer, RawJson, Verdict};
use context_text::safe_line;

use super::answer::Output;
use super::read::subject;
use super::{Bounded, HookLimits, parse};

/// What it comes to; `None` where it ended well and said nothing.
pub(crate) fn background(
    answer: &HookAnswer,
    limits: &HookLimits,
) -> (Option<AsyncHookResponse>, Vec<Decision>) {
    let mut decisions = Vec::new();
    let mut bounded = |text: &str| {
        let bounded = Bounded::of(text, limits);
        decisions.extend(bounded.decision(&subject(answer)));
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
            decisions.push(Decision::new(subject(answer), Verdict::Included, "hook_json_broken", detail));
            Some(response)
        }
        Output::Answer(said) => {
            let (message, context) = (bounded(&said.system_message), bounded(&said.context));
            decisions.extend(said.ignored.iter().map(|name| {
                let detail = format!("Nothing here takes up its field {}.", safe_line(name));
                Decision::left_out(subject(answer), "hook_field_ignored", detail)
            }));
            if said.blocks || said.stops || said.permission.is_some() {
                let detail = "It ran in the background: nothing is left to be decided by it.";
                decisions.push(Decision::left_out(subject(answer), "hook_decided_late", detail));
            }
            let raw = RawJson::parse(answer.output.trim()).ok();
            let is_silent = message.trim().is_empty() && context.trim().is_empty();
            (!is_silent).then(|| response.response(raw).system_message(message).additional_context(context))
        }
    };
    (response, decisions)
}
