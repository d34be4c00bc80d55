//! What was handed in and waits: taken outside every deadline, lost by nothing.

use context_api::{
    Attachment, AttachmentMode, Decision, DeliveryKey, Destination, Draft, HookAnswer, HostEvent,
    MaxTurnsReached, QueuedCommand, QueuedInput, TurnParts, queue_mode,
};

use crate::hooks::{HookLimits, Keep, hook_parts};

/// Kind of the ledger's keys for queued input.
const KIND: &str = "queued_command";
/// Kind of the ledger's key for the run that reached its turn limit.
const TURN_LIMIT: &str = "max_turns_reached";
/// The event of hooks that see a prompt before it is sent.
const PROMPT: &str = "UserPromptSubmit";

/// What was taken of what waits.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// Attachments that were made elsewhere and what hooks said, then queued input, each in order of arrival.
    pub(crate) drafts: Vec<Draft>,
    pub(crate) decisions: Vec<Decision>,
    /// Events that have nothing to say to anybody.
    pub(crate) settled: Vec<HostEvent>,
    /// Why a hook keeps the prompt from being sent.
    pub(crate) blocked: Option<String>,
}

/// Takes what is to be delivered now. Input of modes without a meaning here stays queued; where only the queue is wanted, so
/// does the rest, but for what controls the run: a hook that blocks is heard in every mode.
pub(crate) fn take(parts: &TurnParts, limits: &HookLimits) -> Taken {
    let mut taken = Taken::default();
    let waiting = || parts.events.iter().filter(|event| !parts.ledger.acknowledged(event.id()));
    for event in waiting() {
        match event {
            HostEvent::HandIn(one) if is_wanted(parts, std::slice::from_ref(&one.attachment)) => {
                let draft = Keep::of(parts, limits).draft(one.attachment.clone(), &mut taken.decisions);
                taken.drafts.push(draft.delivers(&one.id));
            }
            HostEvent::Hook(answer) if !answer.is_async => taken.hook(parts, answer, limits),
            _ => {}
        }
    }
    taken.drafts.extend(turn_limit(parts));
    taken.blocked = if parts.input.is_some() { blocked(&taken.drafts) } else { None };
    taken.drafts.extend(waiting().filter_map(|event| match event {
        HostEvent::Queued(input) if is_taken(input) => Some(draft(input)),
        _ => None,
    }));
    taken
}

impl Taken {
    fn hook(&mut self, parts: &TurnParts, answer: &HookAnswer, limits: &HookLimits) {
        let read = hook_parts(answer, limits);
        if read.attachments.is_empty() {
            self.settled.push(HostEvent::Hook(answer.clone()));
        } else if is_wanted(parts, &read.attachments) {
            let (first, keep) = (self.drafts.len(), Keep::of(parts, limits));
            for attachment in read.attachments {
                self.drafts.push(keep.draft(attachment, &mut self.decisions));
            }
            self.drafts[first].delivers.push(answer.id.clone());
        } else {
            return;
        }
        self.decisions.extend(read.decisions);
    }
}

/// Says once a run that it took as many assistant turns as the host allows.
fn turn_limit(parts: &TurnParts) -> Option<Draft> {
    let limit = parts.host.budgets.max_turns.filter(|_| parts.input.is_none())?;
    // Not counted over the history: a resumed one may begin in the middle of the run.
    let turns = parts.ledger.answers_since_input();
    let run = parts.ledger.newest_input().map(|input| input.to_string()).unwrap_or_default();
    let told = parts.ledger.delivered(TURN_LIMIT, "").is_some_and(|told| told.hash == run);
    (turns >= limit && !told).then(|| {
        let reached = MaxTurnsReached::default().max_turns(limit).turns(turns);
        Draft::new(reached).key(DeliveryKey::new(TURN_LIMIT, "", run))
    })
}

/// Whether attachments are wanted: all in mode `On`, else those that control the run.
fn is_wanted(parts: &TurnParts, attachments: &[Attachment]) -> bool {
    let controls = |attachment: &Attachment| {
        let reach = attachment.destinations();
        reach.contains(Destination::HostControl) || reach.contains(Destination::Runtime)
    };
    parts.attachments == AttachmentMode::On || attachments.iter().any(controls)
}

/// Whether what waits keeps the prompt of a turn from being sent.
#[cfg(feature = "memories")]
pub(crate) fn is_blocked(parts: &TurnParts) -> bool {
    let limits = HookLimits::default();
    let mut waiting = parts.events.iter().filter(|event| !parts.ledger.acknowledged(event.id()));
    parts.input.is_some()
        && waiting.any(|event| match event {
            HostEvent::HandIn(one) => blocks(&one.attachment).is_some(),
            HostEvent::Hook(answer) if !answer.is_async => {
                hook_parts(answer, &limits).attachments.iter().any(|attachment| blocks(attachment).is_some())
            }
            _ => false,
        })
}

/// Why the prompt is not to be sent: a hook that saw it blocked it, or stopped the run.
fn blocked(drafts: &[Draft]) -> Option<String> {
    drafts.iter().find_map(|draft| blocks(&draft.attachment)).map(str::to_owned)
}

fn blocks(attachment: &Attachment) -> Option<&str> {
    match attachment {
        Attachment::HookBlockingError(error) if error.event == PROMPT => Some(&error.reason),
        Attachment::HookStoppedContinuation(stop) if stop.event == PROMPT => Some(&stop.reason),
        _ => None,
    }
}

fn is_taken(input: &QueuedInput) -> bool {
    matches!(input.mode.as_str(), queue_mode::PROMPT | queue_mode::TASK_NOTIFICATION)
}

fn draft(input: &QueuedInput) -> Draft {
    let command = QueuedCommand::default()
        .source_id(input.id.clone())
        .mode(input.mode.clone())
        .text(input.text.clone())
        .origin(input.origin)
        .is_meta(input.is_meta || input.mode == queue_mode::TASK_NOTIFICATION)
        .images(input.images.clone())
        .paste_ids(input.paste_ids.clone());
    Draft::new(command).key(DeliveryKey::new(KIND, &input.id, "")).delivers(&input.id)
}
