//! From what a server answers to what a model sees.

use std::sync::Arc;

use context_api::{Decision, DeliveryKey, Draft, Ledger, McpResource, MediaSource};
use context_text::{candidates, content_hash, cut_bytes, cut_chars, estimate_tokens, safe_line};

use super::{Resource, ResourceLimits, ResourcePart, ResourceRequest, encoded, wording};
use crate::room::head_within;

/// Kind of the ledger's keys: what was shown of a resource, by server and name.
const KIND: &str = "mcp_resource";

/// A server and a name in it, as a mention gives them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    pub(crate) server: &'a str,
    pub(crate) uri: &'a str,
}

/// The resources that a mention may mean, the longest name first; one in quotes means what it says.
pub(crate) fn named(target: &str, quoted: bool, most: usize) -> Vec<Name<'_>> {
    let names = if quoted { vec![target] } else { candidates(target) };
    let names = names.into_iter().filter_map(|name| name.split_once(':'));
    names.filter(|(_, uri)| !uri.is_empty()).map(|(server, uri)| Name { server, uri }).take(most).collect()
}

/// The draft, and what of the resource is not in it.
pub(crate) fn shown(
    request: &ResourceRequest,
    resource: &Resource,
    limits: &ResourceLimits,
) -> (Draft, Vec<Decision>) {
    let mut showing = Showing::new(request, limits);
    for part in resource.parts.iter().take(limits.parts) {
        match part {
            ResourcePart::Text(text) => showing.text(text),
            ResourcePart::Bytes { media_type, base64 } => showing.bytes(media_type, base64),
        }
    }
    showing.more(resource.parts.len().saturating_sub(limits.parts));
    showing.cut();
    let name = showing.name(&resource.name);
    let payload = McpResource::default()
        .server(request.server.clone())
        .uri(request.uri.clone())
        .name(name)
        .texts(showing.texts)
        .images(showing.images)
        .note(showing.notes.join("\n"));
    let key = DeliveryKey::new(KIND, key(request), digest(&payload));
    (Draft::new(payload).key(key), showing.decisions)
}

/// The decision in the place of a draft whose content stands in the conversation already.
pub(crate) fn already_shown(ledger: &Ledger, draft: &Draft) -> Option<Decision> {
    let key = draft.keys.iter().find(|key| key.kind == KIND)?;
    let before = ledger.in_view(KIND, &key.key)?;
    let detail = "The conversation shows it already, and the server gives the same.";
    (before.hash == key.hash)
        .then(|| Decision::left_out(safe_line(&key.key), "resource_already_shown", detail))
}

fn key(request: &ResourceRequest) -> String {
    format!("{}:{}", request.server, request.uri)
}

fn digest(payload: &McpResource) -> String {
    content_hash(serde_json::to_string(payload).unwrap_or_default().as_bytes())
}

struct Showing<'a> {
    subject: String,
    limits: &'a ResourceLimits,
    texts: Vec<Arc<str>>,
    images: Vec<MediaSource>,
    notes: Vec<String>,
    decisions: Vec<Decision>,
    /// Tokens that are left.
    room: u64,
    /// Bytes of text shown, and of all of it.
    text: (usize, usize),
}

impl<'a> Showing<'a> {
    fn new(request: &ResourceRequest, limits: &'a ResourceLimits) -> Self {
        Self {
            subject: safe_line(&key(request)).into_owned(),
            limits,
            texts: Vec::new(),
            images: Vec::new(),
            notes: Vec::new(),
            decisions: Vec::new(),
            room: limits.tokens,
            text: (0, 0),
        }
    }

    fn name(&mut self, name: &str) -> String {
        let kept = cut_chars(name, self.limits.name_chars);
        if kept.len() == name.len() {
            return kept.to_owned();
        }
        let detail = format!("Its name is shown to {} characters.", self.limits.name_chars);
        let cut = (name.len() - kept.len()) as u64;
        self.decisions.push(Decision::cut(&self.subject, "resource_name_too_long", detail).bytes(cut));
        format!("{kept}…")
    }

    fn text(&mut self, text: &Arc<str>) {
        let looked_at = self.limits.text_bytes.saturating_sub(self.text.1);
        let kept = head_within(cut_bytes(text, looked_at), self.room);
        self.text = (self.text.0 + kept.len(), self.text.1 + text.len());
        self.room = self.room.saturating_sub(estimate_tokens(kept));
        if !kept.trim().is_empty() {
            self.texts.push(if kept.len() == text.len() { Arc::clone(text) } else { kept.into() });
        }
    }

    fn cut(&mut self) {
        let (shown, all) = self.text;
        if shown < all {
            let detail = format!("{shown} of {all} bytes of its text are shown.");
            let decision = Decision::cut(&self.subject, "resource_too_long", detail);
            self.decisions.push(decision.bytes((all - shown) as u64));
            self.notes.push(wording::cut(shown, all));
        }
    }

    fn bytes(&mut self, media_type: &str, base64: &Arc<str>) {
        // What is too large is not looked through to learn that.
        let size = encoded::size(base64);
        if size > self.limits.image_bytes {
            return self.not_shown(media_type, size, "resource_part_too_large");
        }
        if !encoded::is_sound(base64) {
            return self.not_shown(media_type, size, "resource_part_broken");
        }
        match encoded::picture(base64) {
            None => self.not_shown(media_type, size, "resource_part_binary"),
            Some(_) if self.images.len() >= self.limits.images => {
                self.not_shown(media_type, size, "resource_too_many_pictures");
            }
            Some(kind) => {
                let source = MediaSource::Base64 { media_type: kind.to_owned(), data: Arc::clone(base64) };
                self.images.push(source);
            }
        }
    }

    fn not_shown(&mut self, media_type: &str, size: usize, reason: &str) {
        self.notes.push(wording::bytes(cut_chars(media_type, self.limits.name_chars), size));
        let detail = "A part that is no text is named and not shown.";
        self.decisions.push(Decision::left_out(&self.subject, reason, detail).bytes(size as u64));
    }

    fn more(&mut self, parts: usize) {
        if parts > 0 {
            self.notes.push(wording::more(parts));
            let detail = format!("{parts} parts beyond the first {} are not shown.", self.limits.parts);
            self.decisions.push(Decision::left_out(&self.subject, "resource_too_many_parts", detail));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use context_api::Attachment;
    use proptest::prelude::*;

    fn payload(parts: Vec<ResourcePart>, limits: &ResourceLimits) -> (McpResource, Vec<String>) {
        let (draft, decisions) = shown(&ResourceRequest::new("s", "u"), &Resource::new(parts), limits);
        let Attachment::McpResource(payload) = draft.attachment else { panic!("another type") };
        (payload, decisions.into_iter().map(|one| one.reason).collect())
    }

    fn bytes(media_type: &str, bytes: &[u8]) -> ResourcePart {
        ResourcePart::Bytes { media_type: media_type.to_owned(), base64: STANDARD.encode(bytes).into() }
    }

    #[test]
    fn names_give_their_marks_back_and_keep_their_server() {
        let of = |target, quoted| -> Vec<String> {
            named(target, quoted, 3).into_iter().map(|name| format!("{}|{}", name.server, name.uri)).collect()
        };
        assert_eq!(of("docs:file://guide,", false), ["docs|file://guide,", "docs|file://guide"]);
        assert_eq!(of("docs:file://guide,", true), ["docs|file://guide,"]);
        assert_eq!(of("docs:a...", false), ["docs|a...", "docs|a..", "docs|a."]);
        assert_eq!(of("docs:", false), Vec::<String>::new());
    }

    #[test]
    fn pictures_are_known_by_their_bytes_and_the_rest_is_named() {
        let png = b"\x89PNG\r\n\x1a\nrest";
        let broken = ResourcePart::Bytes { media_type: "image/png".into(), base64: "%%%".into() };
        let parts = vec![
            bytes("text/plain", png),
            bytes("image/png", b"PK\x03\x04"),
            broken,
            bytes("image/png", &[png.as_slice(), &[0; 100]].concat()),
        ];
        let limits = ResourceLimits { image_bytes: 50, ..ResourceLimits::default() };
        let (payload, reasons) = payload(parts, &limits);
        assert!(
            matches!(&payload.images[..], [MediaSource::Base64 { media_type, .. }] if media_type == "image/png")
        );
        assert_eq!(reasons, ["resource_part_binary", "resource_part_broken", "resource_part_too_large"]);
        insta::assert_snapshot!(payload.note, @r"
        (A part of 4 bytes, image/png, is not shown.)
        (A part of 0 bytes, image/png, is not shown.)
        (A part of 112 bytes, image/png, is not shown.)
        ");
    }

    #[test]
    fn parts_and_pictures_have_a_limit() {
        let limits = ResourceLimits { parts: 3, images: 1, ..ResourceLimits::default() };
        let gif = bytes("", b"GIF89a");
        let (payload, reasons) = payload(vec![gif; 5], &limits);
        assert_eq!(payload.images.len(), 1);
        assert_eq!(
            reasons,
            ["resource_too_many_pictures", "resource_too_many_pictures", "resource_too_many_parts"]
        );
    }

    #[test]
    fn what_was_shown_and_is_the_same_is_not_shown_again() {
        let request = ResourceRequest::new("s", "u");
        let show = |text: &str| shown(&request, &Resource::text(text), &ResourceLimits::default()).0;
        let mut ledger = Ledger::default();
        assert_eq!(already_shown(&ledger, &show("a")), None);
        let uuid = uuid::Uuid::nil();
        let envelope = show("a").commit(uuid, jiff::Timestamp::UNIX_EPOCH);
        let kind = context_api::EntryKind::Attachment(envelope);
        ledger.apply(&context_api::Entry::new(uuid, jiff::Timestamp::UNIX_EPOCH, 1, kind));
        assert!(already_shown(&ledger, &show("a")).is_some());
        assert_eq!(already_shown(&ledger, &show("b")), None);
    }

    proptest! {
        #[test]
        fn texts_stay_within_their_tokens_and_every_cut_is_told(
            texts in proptest::collection::vec("[a-z \n語🔥`<]{0,60}", 0..6),
            tokens in 0u64..40,
            most in 0usize..200,
        ) {
            let limits = ResourceLimits { tokens, text_bytes: most, ..ResourceLimits::default() };
            let parts = texts.iter().map(|text| ResourcePart::Text(text.as_str().into())).collect();
            let (payload, reasons) = payload(parts, &limits);
            let shown: u64 = payload.texts.iter().map(|text| estimate_tokens(text)).sum();
            prop_assert!(shown <= tokens);
            let bytes: usize = payload.texts.iter().map(|text| text.trim().len()).sum();
            let all: usize = texts.iter().map(|text| text.trim().len()).sum();
            prop_assert!(bytes >= all || reasons == ["resource_too_long"]);
            prop_assert_eq!(reasons.is_empty(), payload.note.is_empty());
        }
    }
}
