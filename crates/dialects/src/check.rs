//! What a provider would refuse.

mod blocks;
mod conversation;
mod media;
mod pairs;

use std::collections::BTreeSet;

use context_api::{ContentBlock, ModelRequest, RequestTool};

use crate::Fault;
use crate::rules::{Rules, ToolRules};
use crate::seat::{Seat, Seats};
use media::Media;

/// Everything in `request` that breaks `rules`, in a fixed order. What the first `accepted` messages hold was looked at
/// before, and obeys: a turn costs what is new in it.
pub(crate) fn faults(request: &ModelRequest, rules: &Rules, accepted: usize) -> Vec<Fault> {
    // What the last of them calls has its results in the next, which may be another one now.
    let from = accepted.min(request.messages.len()).saturating_sub(1);
    let mut faults = Vec::new();
    parameters(request, rules, &mut faults);
    tools(&request.tools, &rules.tools, &mut faults);
    for (index, _) in request.system.iter().enumerate().filter(|(_, block)| block.text.trim().is_empty()) {
        faults.push(Fault::new(format!("system[{index}]"), "its text is empty"));
    }
    let seats = Seats::of(request);
    conversation::check(request, rules, from, &mut faults);
    blocks::check(seats.from(from), rules, &mut faults);
    pairs::check(request, seats.from(from), &mut faults);
    let special = Special::of(&seats);
    media::check(&special.media, &rules.media, &mut faults);
    marks(request, &special.marked, rules, &mut faults);
    faults
}

/// The few blocks that are limited by the request as a whole, found at one look.
struct Special<'a> {
    media: Vec<(Seat<'a>, Media<'a>)>,
    /// Those with a cache mark.
    marked: Vec<Seat<'a>>,
}

impl<'a> Special<'a> {
    fn of(seats: &'a Seats<'a>) -> Self {
        let (mut media, mut marked) = (Vec::new(), Vec::new());
        for seat in seats.from(0) {
            if seat.of.cache.is_some() {
                marked.push(seat);
            }
            media.extend(media::of(seat.content()).map(|its| (seat, its)));
        }
        Self { media, marked }
    }
}

fn parameters(request: &ModelRequest, rules: &Rules, faults: &mut Vec<Fault>) {
    let (most, least) = (request.max_tokens, rules.output_tokens);
    if request.model.is_empty() {
        faults.push(Fault::new("model", "it has no name"));
    }
    if most < least {
        faults.push(Fault::new("max_tokens", format!("it is {most} and has to be at least {least}")));
    }
    if let (Some(budget), Some(least)) = (request.thinking, rules.thinking_tokens)
        && !(least..most).contains(&budget)
    {
        let rule = format!("at least {least} and less than max_tokens, {most}");
        faults.push(Fault::new("thinking", format!("its budget is {budget} tokens and has to be {rule}")));
    }
}

fn tools(tools: &[RequestTool], rules: &ToolRules, faults: &mut Vec<Fault>) {
    if tools.len() > rules.count {
        faults.push(Fault::new(
            "tools",
            format!("there are {} and {} are the limit", tools.len(), rules.count),
        ));
    }
    let mut names = BTreeSet::new();
    for (index, RequestTool { name, input_schema, .. }) in tools.iter().enumerate() {
        let mut fault = |problem: String| faults.push(Fault::new(format!("tools[{index}]"), problem));
        if !rules.names.holds(name) {
            fault(format!("its name {name:?} is not {}", rules.names.words()));
        }
        if !names.insert(name) {
            fault(format!("another tool is named {name}"));
        }
        if !is_object(input_schema.get()) {
            fault(format!("the input schema of {name} is no object"));
        }
    }
}

/// Whether JSON text is an object.
fn is_object(json: &str) -> bool {
    json.trim_start().starts_with('{')
}

fn marks(request: &ModelRequest, marked: &[Seat<'_>], rules: &Rules, faults: &mut Vec<Fault>) {
    let Some(most) = rules.cache_marks else { return };
    let on_thinking = |seat: &&Seat<'_>| {
        matches!(seat.content(), ContentBlock::Thinking(_) | ContentBlock::RedactedThinking(_))
    };
    let misplaced = marked.iter().filter(on_thinking);
    faults.extend(misplaced.map(|seat| seat.fault("a cache mark stands on thinking")));
    let count = marked.len()
        + request.system.iter().filter(|block| block.cache.is_some()).count()
        + request.tools.iter().filter(|tool| tool.cache.is_some()).count();
    if count > most {
        faults.push(Fault::new("cache marks", format!("there are {count} and {most} are the limit")));
    }
}
