//! Long texts of hooks: a preview in the history, the whole in a blob of the session.

use std::path::PathBuf;

use context_api::{
    Aside, Attachment, BlobKey, BlobKind, Decision, Draft, PlannedBlob, SessionBlobs, TurnParts,
};
use context_text::{content_hash, cut_chars, display_path};

use super::HookLimits;
use super::text::{Bounded, subject};

/// Where long texts of hooks are kept, and what is long.
#[derive(Clone, Copy)]
pub(crate) struct Keep<'a> {
    limits: &'a HookLimits,
    blobs: Option<&'a SessionBlobs>,
}

/// The one text of an attachment that may be a preview.
struct Text<'a> {
    content: &'a mut String,
    blob: &'a mut Option<PathBuf>,
    bytes: &'a mut u64,
}

impl<'a> Keep<'a> {
    pub(crate) fn of(parts: &'a TurnParts, limits: &'a HookLimits) -> Self {
        Self { limits, blobs: parts.blobs.as_ref() }
    }

    /// The draft of what a hook said: where its text is too long, a preview stands for it. The whole is put aside; where there
    /// is no place for it, more of it stays and the rest goes, with a decision.
    pub(crate) fn draft(self, mut attachment: Attachment, decisions: &mut Vec<Decision>) -> Draft {
        let subject = subject_of(&attachment);
        let Some(text) = text_of(&mut attachment) else { return Draft::new(attachment) };
        let Some(cut) = Bounded::of(text.content, self.limits).decision(&subject) else {
            return Draft::new(attachment);
        };
        let whole = std::mem::take(text.content);
        *text.bytes = (*text.bytes).max(whole.len() as u64);
        if let Some(path) = &text.blob {
            // Whoever handed it in put it aside already.
            decisions.push(aside_decision(&subject, path, *text.bytes));
            *text.content = self.preview(&whole);
            return Draft::new(attachment);
        }
        match self.planned(&whole) {
            None => {
                decisions.push(cut);
                *text.content = Bounded::of(&whole, self.limits).text;
                Draft::new(attachment)
            }
            Some((path, blob)) => {
                let written = aside_decision(&subject, &path, *text.bytes);
                let otherwise = with_text(attachment.clone(), Bounded::of(&whole, self.limits).text, None);
                let attachment = with_text(attachment, self.preview(&whole), Some(path));
                Draft::new(attachment).aside(Aside { blob, written, otherwise, unwritten: cut })
            }
        }
    }

    /// The blob of a text, and where it will lie.
    fn planned(self, text: &str) -> Option<(PathBuf, PlannedBlob)> {
        let name = content_hash(text.as_bytes());
        let key = BlobKey::default().kind(BlobKind::HookOutput).name(name).extension("txt");
        let path = self.blobs?.path(&key)?;
        Some((path, PlannedBlob { key, bytes: text.as_bytes().into() }))
    }

    fn preview(self, text: &str) -> String {
        let chars = self.limits.preview_chars.min(self.limits.text_chars);
        format!("{}…", cut_chars(text, chars).trim_end())
    }
}

fn aside_decision(subject: &str, path: &std::path::Path, whole: u64) -> Decision {
    let detail = format!(
        "It said {whole} bytes; its beginning is shown, and all of it lies in {}.",
        display_path(path)
    );
    Decision::cut(subject, "hook_output_put_aside", detail).bytes(whole)
}

fn text_of(attachment: &mut Attachment) -> Option<Text<'_>> {
    Some(match attachment {
        Attachment::HookSuccess(it) => {
            Text { content: &mut it.content, blob: &mut it.blob, bytes: &mut it.bytes }
        }
        Attachment::HookAdditionalContext(it) => {
            Text { content: &mut it.content, blob: &mut it.blob, bytes: &mut it.bytes }
        }
        Attachment::AsyncHookResponse(it) => {
            Text { content: &mut it.additional_context, blob: &mut it.blob, bytes: &mut it.bytes }
        }
        _ => return None,
    })
}

fn with_text(mut attachment: Attachment, content: String, blob: Option<PathBuf>) -> Attachment {
    if let Some(text) = text_of(&mut attachment) {
        *text.content = content;
        *text.blob = blob;
    }
    attachment
}

/// What decisions about it are about.
fn subject_of(attachment: &Attachment) -> String {
    match attachment {
        Attachment::HookSuccess(it) => subject(&it.hook, &it.event),
        Attachment::HookAdditionalContext(it) => subject(&it.hook, &it.event),
        Attachment::AsyncHookResponse(it) => subject(&it.hook, &it.event),
        other => other.type_name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use context_api::{BlobStore, HookAdditionalContext, HookSuccess, StoreError};
    use jiff::Timestamp;
    use jiff::civil::date;

    use super::*;

    /// A store that has a file for everything and takes nothing in.
    struct Named;

    impl BlobStore for Named {
        fn path(&self, session: &str, key: &BlobKey) -> Option<PathBuf> {
            Some(PathBuf::from(format!("/blobs/{session}/{}.{}", key.name, key.extension)))
        }

        fn put(&self, _: &str, _: &BlobKey, _: &[u8]) -> Result<(), StoreError> {
            Ok(())
        }

        fn get(&self, _: &str, _: &BlobKey, _: u64) -> Result<Vec<u8>, StoreError> {
            Ok(Vec::new())
        }
    }

    fn parts(has_blobs: bool) -> TurnParts {
        let mut parts = TurnParts::new("/p".into(), Timestamp::UNIX_EPOCH, date(2026, 1, 1));
        parts.blobs = has_blobs.then(|| SessionBlobs::new(Arc::new(Named), "s"));
        parts
    }

    fn drafted(attachment: impl Into<Attachment>, has_blobs: bool) -> (Draft, Vec<Decision>) {
        let (parts, limits) = (parts(has_blobs), HookLimits::default());
        let mut decisions = Vec::new();
        let draft = Keep::of(&parts, &limits).draft(attachment.into(), &mut decisions);
        (draft, decisions)
    }

    fn context(text: String) -> HookAdditionalContext {
        HookAdditionalContext::default().hook("h").content(text)
    }

    fn text_and_size(attachment: &Attachment) -> (&str, u64) {
        match attachment {
            Attachment::HookAdditionalContext(it) => (&it.content, it.bytes),
            Attachment::HookSuccess(it) => (&it.content, it.bytes),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_text_within_the_limit_is_left_alone() {
        for has_blobs in [false, true] {
            let text = "ü".repeat(10_000);
            let (draft, decisions) = drafted(context(text.clone()), has_blobs);
            assert_eq!((text_and_size(&draft.attachment), decisions), ((&*text, 0), vec![]));
            assert_eq!(draft.aside, None);
        }
    }

    #[test]
    fn a_longer_one_is_a_preview_and_its_blob_holds_every_byte() {
        let text = "ü".repeat(10_001);
        let (draft, decisions) = drafted(context(text.clone()), true);
        assert_eq!(decisions, [], "what is told depends on whether it is written");
        let (shown, bytes) = text_and_size(&draft.attachment);
        assert_eq!((shown.chars().count(), bytes), (2_001, 20_002));
        assert!(shown.ends_with('…'));
        let aside = draft.aside.unwrap();
        assert_eq!((&*aside.blob.bytes, aside.blob.key.kind), (text.as_bytes(), BlobKind::HookOutput));
        let Attachment::HookAdditionalContext(it) = &draft.attachment else { unreachable!() };
        let path = it.blob.as_ref().unwrap().to_string_lossy().into_owned();
        assert!(path.starts_with("/blobs/s/") && aside.written.detail.contains(&path), "{path}");
        assert_eq!((&*aside.written.subject, &*aside.written.reason), ("h", "hook_output_put_aside"));
        let (otherwise, bytes) = text_and_size(&aside.otherwise);
        assert_eq!((otherwise.chars().count(), bytes), (10_001, 20_002));
        assert_eq!(aside.unwritten.reason, "hook_output_cut");
    }

    #[test]
    fn without_a_place_for_it_it_is_cut_between_characters_and_told() {
        let success = HookSuccess::default().event("SessionStart").content("ü".repeat(10_001));
        let (draft, decisions) = drafted(success, false);
        let (shown, bytes) = text_and_size(&draft.attachment);
        assert_eq!((shown.chars().count(), bytes), (10_001, 20_002));
        assert!(shown.ends_with('…') && draft.aside.is_none());
        assert_eq!((&*decisions[0].subject, &*decisions[0].reason), ("SessionStart", "hook_output_cut"));
    }

    #[test]
    fn what_a_host_put_aside_itself_is_not_put_aside_again() {
        let given = context("x".repeat(30_000)).blob(Some("/own".into())).bytes(90_000u64);
        let (draft, decisions) = drafted(given, true);
        assert_eq!(text_and_size(&draft.attachment).0.chars().count(), 2_001);
        assert_eq!(text_and_size(&draft.attachment).1, 90_000);
        assert_eq!((draft.aside, &*decisions[0].reason), (None, "hook_output_put_aside"));
    }
}
