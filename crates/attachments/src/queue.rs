//! What was handed in and waits: taken outside every deadline, lost by nothing.

use context_api::{
    AttachmentMode, DeliveryKey, Draft, HostEvent, QueuedCommand, QueuedInput, TurnParts, queue_mode,
};

/// Kind of the ledger's keys for queued input.
const KIND: &str = "queued_command";

/// One draft for each event that is to be delivered now: attachments that were made elsewhere, then queued input, each in
/// order of arrival. Input of other modes stays queued, and so do attachments where none but the queue are wanted.
pub(crate) fn drafts(parts: &TurnParts) -> Vec<Draft> {
    let waiting = || parts.events.iter().filter(|event| !parts.ledger.acknowledged(event.id()));
    let handed_in = waiting().filter_map(|event| match event {
        HostEvent::HandIn(one) if parts.attachments == AttachmentMode::On => {
            Some(Draft::new(one.attachment.clone()).delivers(&one.id))
        }
        _ => None,
    });
    let queued = waiting().filter_map(|event| match event {
        HostEvent::Queued(input) if is_taken(input) => Some(draft(input)),
        _ => None,
    });
    handed_in.chain(queued).collect()
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
