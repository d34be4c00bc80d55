//! What steps hand in to the session.

use agent_core::SessionHandle;
use agent_core::context_api::{Attachment, HookAnswer, RawJson};
use anyhow::bail;

use crate::replay::step::{HookSpec, Step};

/// Something that happened in the host; other steps do nothing here.
pub(super) fn event(handle: &SessionHandle, step: Step) -> anyhow::Result<()> {
    match step {
        Step::Hook(spec) => drop(handle.hook(hook(spec))),
        Step::Mail(mail) => drop(handle.mail(mail)),
        Step::Task(change) => drop(handle.task(change)),
        Step::HandIn(attachment) => drop(handle.hand_in(read(&attachment)?)),
        _ => {}
    }
    Ok(())
}

/// An attachment that the host made itself, of a type that is known.
fn read(json: &RawJson) -> anyhow::Result<Attachment> {
    match json.read()? {
        Attachment::Unknown(_) => bail!("an attachment of an unknown type"),
        known => Ok(known),
    }
}

/// A hook's answer as a host would give it.
fn hook(spec: HookSpec) -> HookAnswer {
    HookAnswer::default()
        .id(spec.id)
        .event(spec.event)
        .name(spec.name)
        .tool(spec.tool)
        .tool_use_id(spec.tool_use_id)
        .exit_code(spec.exit_code)
        .output(spec.output)
        .stderr(spec.stderr)
        .error(spec.error)
        .is_async(spec.is_async)
        .process(spec.process)
}
