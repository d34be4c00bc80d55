//! Which paths a turn touches.

use context_api::{Attachment, Draft, Thread, TouchKind, Touched, TurnParts};

/// The paths reported by the host, and what the IDE has in focus where the turn is the main thread's.
pub(crate) fn with_ide(parts: &TurnParts) -> Vec<Touched> {
    let mut touched = parts.touched.to_vec();
    if parts.thread == Thread::Main {
        let ide = &parts.host.ide;
        let selected = ide.selection.as_ref().map(|selection| &selection.path);
        for path in selected.into_iter().chain(&ide.opened_file) {
            add(&mut touched, Touched::default().path(parts.cwd.join(path)).how(TouchKind::Open));
        }
    }
    touched
}

/// The same, with what the input named.
pub(crate) fn with_drafts<'a>(known: &[Touched], drafts: impl Iterator<Item = &'a Draft>) -> Vec<Touched> {
    let mut touched = known.to_vec();
    for draft in drafts {
        let path = match &draft.attachment {
            Attachment::File(file) => &file.path,
            Attachment::AlreadyReadFile(file) => &file.path,
            Attachment::PdfReference(file) => &file.path,
            Attachment::Directory(directory) => &directory.path,
            _ => continue,
        };
        add(&mut touched, Touched::default().path(path.clone()).how(TouchKind::Mention));
    }
    touched
}

fn add(touched: &mut Vec<Touched>, one: Touched) {
    if !touched.iter().any(|known| known.path == one.path) {
        touched.push(one);
    }
}
