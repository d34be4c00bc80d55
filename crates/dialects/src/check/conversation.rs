//! Who speaks when.

use context_api::{ModelMessage, ModelRequest, Role};

use crate::Fault;
use crate::rules::Rules;

pub(super) fn check(request: &ModelRequest, rules: &Rules, from: usize, faults: &mut Vec<Fault>) {
    let count = request.messages.len();
    if count == 0 || count > rules.messages {
        faults.push(Fault::new("messages", format!("there are {count}, not 1 to {}", rules.messages)));
    }
    let before = from.checked_sub(1).and_then(|before| request.messages.get(before));
    let mut expected = before.map_or(Role::User, |message| behind(message.role));
    for (index, message) in request.messages.iter().enumerate().skip(from) {
        let problems = [empty(message, rules), out_of_turn(index, message.role, expected)];
        let source = message.blocks.first().and_then(|block| block.source);
        let faulty = problems.into_iter().flatten();
        faults.extend(faulty.map(|problem| Fault::new(format!("messages[{index}]"), problem).of(source)));
        expected = behind(message.role);
    }
    if !rules.open_end {
        last(request, rules, faults);
    }
}

fn behind(role: Role) -> Role {
    match role {
        Role::User => Role::Assistant,
        Role::Assistant => Role::User,
    }
}

fn empty(message: &ModelMessage, rules: &Rules) -> Option<&'static str> {
    let nothing = message.blocks.is_empty()
        || rules.content_required && !message.blocks.iter().any(|block| (rules.carries)(&block.content));
    nothing.then_some("it has no content")
}

fn out_of_turn(index: usize, role: Role, expected: Role) -> Option<&'static str> {
    match (index, role == expected) {
        (_, true) => None,
        (0, false) => Some("the first message is not the user's"),
        (_, false) => Some("two messages of one role follow each other"),
    }
}

/// What the model is to go on with, blocks that are left out not counted, must not end in white space.
fn last(request: &ModelRequest, rules: &Rules, faults: &mut Vec<Fault>) {
    let Some(message) = request.messages.last().filter(|message| message.role == Role::Assistant) else {
        return;
    };
    let mut sent = message.blocks.iter().filter(|block| (rules.carries)(&block.content));
    let text = sent.next_back().and_then(|block| block.content.as_text());
    if text.is_some_and(|text| text.ends_with(char::is_whitespace)) {
        let place = format!("messages[{}]", request.messages.len() - 1);
        faults.push(Fault::new(place, "the model's last text ends in white space"));
    }
}
