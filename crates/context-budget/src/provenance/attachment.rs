//! What an attachment counts for.

use context_api::Attachment;

use super::Origin;

pub(super) fn origin(attachment: &Attachment) -> Origin {
    let name = attachment.type_name();
    let in_messages = Origin::new(&["Messages", "Attachments", name]);
    match attachment {
        Attachment::NestedMemory(memory) => {
            Origin::new(&["Memory", &memory.display_path]).source(&memory.path)
        }
        Attachment::MemoryDelta(memory) => {
            Origin::new(&["Memory", &memory.display_path]).source(&memory.path)
        }
        Attachment::CurrentSessionMemory(memory) => {
            Origin::new(&["Memory", &memory.path.to_string_lossy()]).source(&memory.path)
        }
        Attachment::RelevantMemories(found) => {
            found.memories.iter().fold(Origin::new(&["Memory", "Relevant memories"]), |origin, memory| {
                let label = memory.path.to_string_lossy();
                origin.part(&["Memory", &label], Some(&memory.path), memory.text.clone())
            })
        }
        Attachment::SkillListing(_)
        | Attachment::SkillDiscovery(_)
        | Attachment::DynamicSkill(_)
        | Attachment::InvokedSkills(_) => Origin::new(&["Skills", name]),
        Attachment::AgentListingDelta(_) => Origin::new(&["Agents", name]),
        Attachment::DeferredToolsDelta(_) => Origin::new(&["Tools", "Deferred, by name"]),
        Attachment::McpInstructionsDelta(_) => Origin::new(&["MCP instructions"]),
        Attachment::DateChange(_) => Origin::new(&["Date"]),
        Attachment::QueuedCommand(_) => Origin::default(),
        Attachment::File(file) => in_messages.source(&file.path),
        Attachment::Directory(directory) => in_messages.source(&directory.path),
        Attachment::EditedTextFile(file) => in_messages.source(&file.path),
        Attachment::PdfReference(file) => in_messages.source(&file.path),
        _ => in_messages,
    }
}
