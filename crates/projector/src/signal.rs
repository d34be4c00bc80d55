//! What the process and the host are told of an attachment.

use context_api::{Attachment, Envelope, HostSignal, RuntimeEvent};

use crate::projector::is_of_a_person;

/// Why a run ends at the turn limit.
const MAX_TURNS: &str = "error_max_turns";

pub(crate) fn runtime(attachment: &Attachment) -> Vec<RuntimeEvent> {
    match attachment {
        Attachment::CommandPermissions(it) => {
            vec![RuntimeEvent::CommandPermissions { tools: it.tools.clone() }]
        }
        Attachment::Custom(it) => vec![RuntimeEvent::Custom { kind: it.kind.clone(), data: it.data.clone() }],
        _ => Vec::new(),
    }
}

/// What the host is asked to do. [`HostSignal::Delivered`] is not among it: an acknowledgement belongs to the commit and
/// not to a look at the entry.
pub(crate) fn host(envelope: &Envelope) -> Vec<HostSignal> {
    let signal = match &envelope.attachment {
        Attachment::QueuedCommand(it) if is_of_a_person(it) => {
            HostSignal::ReplayUser { entry: envelope.uuid, text: it.text.clone() }
        }
        Attachment::HookBlockingError(it) => HostSignal::Block { reason: it.reason.clone() },
        Attachment::HookStoppedContinuation(it) => HostSignal::StopContinuation { reason: it.reason.clone() },
        Attachment::HookPermissionDecision(it) => {
            HostSignal::Permission { tool_use_id: it.tool_use_id.clone(), behavior: it.behavior.clone() }
        }
        Attachment::StructuredOutput(it) => HostSignal::StructuredOutput { value: it.value.clone() },
        Attachment::MaxTurnsReached(_) => HostSignal::EndRun { reason: MAX_TURNS.to_owned() },
        Attachment::UltrathinkEffort(it) => HostSignal::Effort { level: it.level.clone() },
        Attachment::Custom(it) => HostSignal::Custom { kind: it.kind.clone(), data: it.data.clone() },
        _ => return Vec::new(),
    };
    vec![signal]
}
