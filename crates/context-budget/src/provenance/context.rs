//! What the first message counts for.

use context_api::{ContextPiece, ContextRecord, MemoryFile, MemoryKind};

use super::Origin;

/// Keys of the pieces that this house puts there.
const MEMORY: &str = "claudeMd";
const DATE: &str = "currentDate";

/// One part for each piece, and for each memory file that the record shows; what frames them stays with the memory.
pub(super) fn origin(record: &ContextRecord, memory: &[MemoryFile]) -> Origin {
    record.user.iter().fold(Origin::new(&["Memory", "Frame"]), |origin, piece| match piece.key.as_str() {
        DATE => origin.part(&["Date"], None, piece.text.clone()),
        MEMORY => files(origin, record, piece, memory),
        key => origin.part(&["User context", key], None, piece.text.clone()),
    })
}

fn files(origin: Origin, record: &ContextRecord, piece: &ContextPiece, memory: &[MemoryFile]) -> Origin {
    let shown = |file: &&MemoryFile| {
        record.memory.iter().any(|shown| shown.path == file.path && shown.hash == file.hash)
            && piece.text.contains(file.text.trim())
    };
    let shown: Vec<_> = memory.iter().filter(shown).collect();
    if shown.is_empty() {
        return origin.part(&["Memory", MEMORY], None, piece.text.clone());
    }
    shown.into_iter().fold(origin, |origin, file| {
        let label = format!("{} ({})", file.path.display(), level(file.kind));
        origin.part(&["Memory", &label], Some(&file.path), file.text.clone())
    })
}

fn level(kind: MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Managed => "managed",
        MemoryKind::User => "user",
        MemoryKind::Project => "project",
        MemoryKind::Local => "local",
        MemoryKind::AutoMem => "auto memory",
        MemoryKind::TeamMem => "team memory",
        _ => "memory",
    }
}
